"""A real, tiny GGUF becomes a folder that transformers loads, always with the same bytes."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from tasks.core.errors import CodeGraftError
from tasks.weights import prepare
from tasks.weights.convert import convert_gguf
from tests.weights.wheelhouse import generator

WIDTH, LAYERS, HEADS, INNER = 32, 2, 4, 64
TOKENS = [
    *(chr(c) for c in range(33, 127)),
    "Ġ",
    "Ċ",
    "ab",
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
]
CHAT = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> Path:
    """A Qwen2 of two narrow layers with random weights, quantised to Q8_0."""
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    writer = gguf.GGUFWriter(str(path), "qwen2")
    writer.add_name("tiny")
    writer.add_context_length(128)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(TOKENS)
    special = gguf.TokenType.CONTROL
    plain = gguf.TokenType.NORMAL
    writer.add_token_types([special if t.startswith("<|") else plain for t in TOKENS])
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(TOKENS.index("<|im_end|>"))
    writer.add_bos_token_id(TOKENS.index("<|endoftext|>"))
    writer.add_pad_token_id(TOKENS.index("<|endoftext|>"))
    writer.add_chat_template(CHAT)
    for name, array in tensors().items():
        if array.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(array, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def tensors() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)

    def matrix(*shape: int) -> np.ndarray:
        return random.normal(0, 0.1, shape).astype(np.float32)

    named = {"token_embd.weight": matrix(len(TOKENS), WIDTH)}
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for part in ("q", "k", "v"):
            named[f"{block}.attn_{part}.weight"] = matrix(WIDTH, WIDTH)
            named[f"{block}.attn_{part}.bias"] = matrix(WIDTH)
        named[f"{block}.attn_output.weight"] = matrix(WIDTH, WIDTH)
        named[f"{block}.ffn_gate.weight"] = matrix(INNER, WIDTH)
        named[f"{block}.ffn_up.weight"] = matrix(INNER, WIDTH)
        named[f"{block}.ffn_down.weight"] = matrix(WIDTH, INNER)
        named[f"{block}.attn_norm.weight"] = matrix(WIDTH) + 1
        named[f"{block}.ffn_norm.weight"] = matrix(WIDTH) + 1
    return {**named, "output_norm.weight": matrix(WIDTH) + 1}


def test_two_conversions_have_the_same_bytes(release: Path, tmp_path: Path):
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        convert_gguf(release, tmp_path / name, dtype="bfloat16")
        contents.append({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()})
    assert contents[0] == contents[1]
    assert {"model.safetensors", "config.json", "tokenizer.json"} <= set(contents[0])
    assert not any(str(tmp_path).encode() in data for data in contents[0].values())


def test_a_model_of_the_chain_loads_as_its_release(release: Path, tmp_path: Path):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    spec = generator(release.read_bytes(), [{"kind": "path", "path": str(release)}])
    done = prepare("tiny", spec, models=tmp_path)
    model = AutoModelForCausalLM.from_pretrained(done.folder)
    assert model.dtype == torch.bfloat16
    stored = gguf.quants.quantize(tensors()["blk.1.ffn_up.weight"], gguf.GGMLQuantizationType.Q8_0)
    expected = gguf.quants.dequantize(stored, gguf.GGMLQuantizationType.Q8_0)
    found = model.model.layers[1].mlp.up_proj.weight
    assert torch.equal(found, torch.from_numpy(expected).to(torch.bfloat16))
    tokenizer = AutoTokenizer.from_pretrained(done.folder)
    assert tokenizer.convert_ids_to_tokens(tokenizer("def ab")["input_ids"]) == [*"def", "Ġ", "ab"]
    chat = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False)
    assert chat == "<|im_start|>hi<|im_end|>"
    assert model.generation_config.eos_token_id == TOKENS.index("<|im_end|>")


def test_the_dtype_of_the_parameters_is_kept(release: Path, tmp_path: Path):
    import torch
    from safetensors.torch import load_file

    source = {"kind": "path", "path": str(release)}
    spec = generator(release.read_bytes(), [source], dtype="float32")
    done = prepare("tiny", spec, models=tmp_path)
    kinds = {t.dtype for t in load_file(done.folder / "model.safetensors").values()}
    assert kinds == {torch.float32}


def test_what_is_no_gguf_is_refused(tmp_path: Path):
    path = tmp_path / "not.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 100)
    (tmp_path / "out").mkdir()
    with pytest.raises(CodeGraftError, match="cannot be converted"):
        convert_gguf(path, tmp_path / "out", dtype="bfloat16")
