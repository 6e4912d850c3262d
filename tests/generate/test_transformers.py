"""The transformers backend on a tiny real model folder."""

from __future__ import annotations

from typing import Any

import pytest
import transformers

from tasks.core.params import GeneratorWeights, PathSource
from tasks.generate.backend import Completion, Decoding, Request
from tasks.generate.backends.transformers import make

GREEDY = Decoding(max_new_tokens=30, temperature=0.0, top_p=1.0, seed=0)
SAMPLED = Decoding(max_new_tokens=30, temperature=0.9, top_p=0.95, seed=0)
SPEC = GeneratorWeights(
    backend="transformers",
    format="safetensors",
    template="qwen-chat",
    dtype="float32",
    file="model.safetensors",
    bytes=1,
    sha256="0" * 64,
    sources=[PathSource(kind="path", path=".")],
)


def request(text: str, *, key: str = "", stop: tuple[str, ...] = (), prefill: str = "") -> Request:
    return Request(key or text, (("system", "brief"), ("user", text)), prefill, stop)


def answers(folder, requests, decoding=GREEDY, *, slots=4) -> dict[str, Completion]:
    return dict(make(folder, SPEC, batch_size=slots).complete(requests, decoding))


def test_the_prompt_is_the_chat_templates_with_the_reply_opened(tiny_folder):
    generator = make(tiny_folder, SPEC, batch_size=1)
    assert generator.render(request("hi", prefill="```python\n")) == (
        "<|im_start|>system\nbrief<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
        "<|im_start|>assistant\n```python\n"
    )
    assert generator.prefills is True
    assert generator.count_tokens("é<") == 3


def test_text_tokens_and_reason_are_generates_own(tiny_folder):
    requests = [request(text, prefill="x = ") for text in ("a", "two words", "z" * 50, *"bcdefgh")]
    found = answers(tiny_folder, requests)
    words = transformers.AutoTokenizer.from_pretrained(tiny_folder)
    model: Any = transformers.AutoModelForCausalLM.from_pretrained(tiny_folder)
    generator = make(tiny_folder, SPEC, batch_size=1)
    for item in requests:
        ids = words(generator.render(item), return_tensors="pt", add_special_tokens=False)
        start = ids["input_ids"].shape[1]
        tokens = model.generate(**ids, max_new_tokens=30, do_sample=False)[0, start:].tolist()
        ended = tokens[-1] in model.generation_config.eos_token_id
        answer = found[item.key]
        assert answer.text == words.decode(tokens[:-1] if ended else tokens)
        assert (answer.tokens_in, answer.tokens_out) == (start, len(tokens))
        assert answer.finish_reason == ("stop" if ended else "length")
        assert answer.logprob_sum == pytest.approx((answer.logprob_mean or 0) * len(tokens))
    assert {answer.finish_reason for answer in found.values()} == {"stop", "length"}


def test_generation_ends_before_a_stop_string_over_several_tokens(tiny_folder):
    texts = answers(tiny_folder, [request(text) for text in "abcdefgh"])
    asked, whole = max(
        ((key, answer.text) for key, answer in texts.items()), key=lambda x: len(x[1])
    )
    stop = whole[6:9]
    place = whole.index(stop)
    found = answers(tiny_folder, [request(asked, stop=("\x00never", stop))])[asked]
    assert found.text == whole[:place]
    assert found.finish_reason == "stop"
    assert found.tokens_out < 30


def test_sampled_rows_repeat_whatever_the_batch(tiny_folder):
    requests = [request(text) for text in "abcde"]
    first = answers(tiny_folder, requests, SAMPLED, slots=5)
    assert {key: a.text for key, a in answers(tiny_folder, requests, SAMPLED, slots=2).items()} == {
        key: a.text for key, a in first.items()
    }
    assert len({answer.text for answer in first.values()}) > 2
    twins = answers(tiny_folder, [request("a", key=key) for key in ("one", "two")], SAMPLED)
    assert twins["one"].text != twins["two"].text
    other = Decoding(max_new_tokens=30, temperature=0.9, top_p=0.95, seed=1)
    assert answers(tiny_folder, requests[:1], other)["a"].text != first["a"].text


def test_nothing_asked_loads_nothing(tiny_folder, monkeypatch):
    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", None)
    assert answers(tiny_folder, []) == {}


def test_identity_names_what_made_the_tokens(tiny_folder):
    identity = make(tiny_folder, SPEC, batch_size=7).identity
    assert identity["dtype"] == "float32"
    assert identity["transformers"] == transformers.__version__
    assert set(identity) == {"backend", "dtype", "device", "torch", "transformers"}
