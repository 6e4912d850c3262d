"""Packed linear layers give the same numbers to the bit."""

from __future__ import annotations

import copy

import pytest
import torch

from tasks.generate.packing import PackedLinear, can_pack, pack_linears
from tests.generate import tiny

needs_onednn = pytest.mark.skipif(
    not can_pack(torch.nn.Linear(1, 1, dtype=torch.bfloat16)),
    reason="this PyTorch has no bfloat16 products of oneDNN to pack for",
)


@pytest.fixture(scope="module")
def model():
    made: torch.nn.Module = tiny.model(64, end=0)
    return made.to(torch.bfloat16)


@needs_onednn
def test_a_packed_model_answers_to_the_bit(model):
    packed = copy.deepcopy(model)
    assert can_pack(packed)
    # Seven in each of two layers, and the head.
    assert pack_linears(packed) == 15
    assert not [part for part in packed.modules() if type(part) is torch.nn.Linear]
    for rows, length in ((1, 1), (3, 5), (16, 1), (2, 90)):
        ids = torch.randint(0, 64, (rows, length), generator=torch.Generator().manual_seed(rows))
        with torch.inference_mode():
            expected = model(ids, logits_to_keep=1).logits
            assert torch.equal(packed(ids, logits_to_keep=1).logits, expected)


@needs_onednn
def test_packed_weights_are_held_once(model):
    packed = copy.deepcopy(model)
    pack_linears(packed)
    # What is left are embeddings, norms and biases: no matrix but the embeddings'.
    assert [name for name, item in packed.named_parameters() if item.dim() > 1] == [
        "model.embed_tokens.weight"
    ]


@needs_onednn
@pytest.mark.parametrize("bias", [True, False])
def test_a_layer_takes_any_leading_shape_and_layout(bias):
    linear = torch.nn.Linear(24, 10, bias=bias, dtype=torch.bfloat16)
    packed = PackedLinear(linear)
    batch = torch.randn(4, 7, 24, dtype=torch.bfloat16)
    with torch.inference_mode():
        for inputs in (batch, batch[0], batch[0, 0]):
            assert torch.equal(packed(inputs), linear(inputs))
        # Of an input that is not contiguous, PyTorch rounds the product before it adds the bias.
        for inputs in (batch[:, -1:], batch.transpose(0, 1)):
            assert torch.equal(packed(inputs), packed(inputs.contiguous()))
            torch.testing.assert_close(packed(inputs), linear(inputs), rtol=0.02, atol=0.02)


def test_other_models_are_left_alone():
    assert not can_pack(tiny.model(64, end=0))
    offloaded = torch.nn.Sequential(torch.nn.Linear(4, 4, dtype=torch.bfloat16))
    object.__setattr__(offloaded[0], "_hf_hook", "moves the weight")
    assert pack_linears(offloaded) == 0
