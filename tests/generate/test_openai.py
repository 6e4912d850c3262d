"""The endpoint backend against a real server process that misbehaves on purpose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tasks.core.endpoint import Retry
from tasks.core.errors import CodeGraftError
from tasks.core.params import GeneratorWeights
from tasks.generate.backend import Completion, Decoding, Request
from tasks.generate.backends.openai import OpenAIGenerator, cost, make

GREEDY = Decoding(max_new_tokens=64, temperature=0.0, top_p=1.0, seed=0)
QUICK = Retry(attempts=3, first_s=0.01, longest_s=0.02)


@pytest.fixture
def base():
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("odd_server.py"))],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def spec_of(url: str, **changes) -> GeneratorWeights:
    values = {"backend": "openai", "format": "remote", "template": "qwen-chat", "url": url}
    return GeneratorWeights(**{**values, "name": "m", **changes})


def request(content: str, *, key: str = "", stop: tuple[str, ...] = ()) -> Request:
    return Request(key or content, (("system", "be brief"), ("user", content)), "", stop)


def ask(base: str, *contents: str, decoding=GREEDY, stop=(), **changes) -> dict[str, Completion]:
    generator = OpenAIGenerator(spec_of(base, **changes), retry=QUICK)
    return dict(generator.complete([request(c, stop=stop) for c in contents], decoding))


def seen(base: str) -> list[dict[str, Any]]:
    return httpx.get(f"{base}/log").json()["requests"]


def test_a_reply_becomes_a_completion_and_the_request_is_the_protocols(base):
    assert ask(base, "hello") == {"hello": Completion("echo hello", "stop", -1.0, -2.0, 7, 2)}
    (only,) = seen(base)
    assert only["path"] == "/v1/chat/completions"
    assert only["key"] is None
    assert only["body"] == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "hello"},
        ],
        "temperature": 0.0,
        "max_tokens": 64,
        "logprobs": True,
    }


def test_rate_limit_waits_as_long_as_the_server_asks(base):
    assert ask(base, "limited")["limited"].text == "echo limited"
    first, second = seen(base)
    assert second["time"] - first["time"] >= 1.0


@pytest.mark.parametrize(("word", "requests"), [("broken", 3), ("dropped", 2), ("half", 2)])
def test_failures_that_pass_are_tried_again(base, word, requests):
    assert ask(base, word)[word].text == f"echo {word}"
    assert len(seen(base)) == requests


def test_a_server_that_stays_down_is_named_after_the_last_attempt(base):
    with pytest.raises(CodeGraftError, match=r"failed 3 times.*503.*overloaded") as caught:
        ask(base, "dead")
    assert caught.value.where == f"{base}/chat/completions, model m"
    assert len(seen(base)) == 3


def test_nobody_listens():
    with pytest.raises(CodeGraftError, match=r"ConnectError") as caught:
        ask("http://127.0.0.1:9/v1", "hello")
    assert "check that the server runs" in caught.value.remedy


@pytest.mark.parametrize(
    ("model", "word", "says", "remedy"),
    [
        ("locked", "hello", "401", "api_key_env"),
        ("absent", "hello", "404", "`name`"),
        ("m", "long", "exceeds the context of 4096", "params.yaml"),
        ("m", "html", "not a JSON object", "/v1"),
        ("m", "empty", "upstream gone", "OpenAI-compatible"),
    ],
)
def test_lasting_refusals_name_cause_place_and_remedy(base, model, word, says, remedy):
    with pytest.raises(CodeGraftError) as caught:
        ask(base, word, name=model)
    assert says in caught.value.what
    assert base in caught.value.where
    assert remedy in caught.value.remedy
    assert len(seen(base)) <= 2  # a prompt that is too long is tried once without logprobs


def test_the_key_comes_from_the_named_variable_and_is_never_told(base, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    monkeypatch.setenv("TEST_KEY", "open-sesame")
    assert ask(base, "broken", name="locked", api_key_env="TEST_KEY")["broken"].tokens_out == 2
    monkeypatch.setenv("TEST_KEY", "wrong-secret")
    with pytest.raises(CodeGraftError, match="401") as caught:
        ask(base, "again", name="locked", api_key_env="TEST_KEY")
    assert "next attempt" in caplog.text
    assert "secret" not in str(caught.value) + caplog.text
    assert "sesame" not in caplog.text
    monkeypatch.delenv("TEST_KEY")
    with pytest.raises(CodeGraftError, match="TEST_KEY is not set"):
        ask(base, "again", name="locked", api_key_env="TEST_KEY")


def test_without_usage_tokens_are_estimated_and_said_so(base, caplog):
    bare = ask(base, "bare")["bare"]
    assert (bare.logprob_mean, bare.logprob_sum) == (None, None)
    assert (bare.tokens_in, bare.tokens_out) == (4, 3)  # 12 and 9 bytes, three to a token
    assert "1 of 1 replies came without `usage`" in caplog.text


def test_logprobs_are_tried_once_and_then_done_without(base):
    ask(base, "nologprobs a", "nologprobs b", "nologprobs c", concurrency=1)
    assert ["logprobs" in item["body"] for item in seen(base)] == [True, False, False, False]


def test_a_prompt_that_is_too_long_takes_no_logprobs_from_the_others(base):
    generator = OpenAIGenerator(spec_of(base, concurrency=1), retry=QUICK)
    with pytest.raises(CodeGraftError):
        list(generator.complete([request("long")], GREEDY))
    assert dict(generator.complete([request("hello")], GREEDY))["hello"].logprob_sum == -2.0


def test_refused_options_are_dropped_by_name(base, caplog):
    sampled = Decoding(max_new_tokens=64, temperature=0.8, top_p=0.9, seed=3)
    ask(base, "noseed", decoding=sampled)
    first, second = (item["body"] for item in seen(base))
    assert set(first) - set(second) == {"seed"}
    assert "refuses `seed`" in caplog.text
    ask(base, "newlimit")
    assert seen(base)[-1]["body"]["max_completion_tokens"] == 64


def test_each_sampled_row_has_its_own_lasting_seed(base):
    sampled = Decoding(max_new_tokens=64, temperature=0.8, top_p=0.9, seed=3)
    for _ in range(2):
        ask(base, "a", "b", decoding=sampled, concurrency=1)
    a, b, a_again, b_again = (item["body"]["seed"] for item in seen(base))
    assert (a, b) == (a_again, b_again)
    assert a != b
    assert seen(base)[0]["body"]["top_p"] == 0.9


def test_text_ends_before_a_stop_string_that_the_server_left_in(base):
    assert ask(base, "cut", stop=("```", "\nprint("))["cut"].text == "kept"
    assert ask(base, "cut", stop=("```",))["cut"].finish_reason == "stop"
    assert ask(base, "cut")["cut"] == Completion("kept```dropped", "length", -1.0, -2.0, 7, 2)


@pytest.mark.parametrize(
    ("reason", "kept"), [("length", "length"), ("content_filter", "error"), ("eos", "stop")]
)
def test_finish_reasons(base, reason, kept):
    assert ask(base, reason)[reason].finish_reason == kept


def test_as_many_requests_as_allowed_are_under_way(base):
    answers = ask(base, *(f"slow {n}" for n in range(9)), concurrency=3)
    assert sorted(answers) == [f"slow {n}" for n in range(9)]
    assert httpx.get(f"{base}/log").json()["most"] == 3


def test_what_is_under_way_when_one_fails_is_still_yielded_and_no_more_is_asked(base):
    generator = OpenAIGenerator(spec_of(base, concurrency=2), retry=QUICK)
    rows = generator.complete([request(w) for w in ("slow", "empty", "never 1", "never 2")], GREEDY)
    assert next(rows)[0] == "slow"
    with pytest.raises(CodeGraftError, match="upstream gone"):
        next(rows)
    assert [item["body"]["messages"][1]["content"] for item in seen(base)][2:] == []


def test_identity_and_bad_urls():
    generator = make(Path("unused"), spec_of("https://api.example.org/v1/?k=secret"), batch_size=4)
    assert generator.identity == {
        "backend": "openai",
        "url": "https://api.example.org/v1",
        "model": "m",
    }
    assert generator.prefills is False
    for url, says in [("localhost:8000", "not a URL"), ("http://me:secret@host/v1", "credentials")]:
        with pytest.raises(CodeGraftError, match=says) as caught:
            ask(url, "hello")
        assert "secret" not in str(caught.value)


def test_token_estimate_counts_bytes_and_cost_uses_prices_per_million():
    generator = OpenAIGenerator(spec_of("http://localhost/v1"))
    assert [generator.count_tokens(text) for text in ("", "abc", "abcd", "日本")] == [0, 1, 2, 2]
    assert cost(2_000_000, 500_000, spec_of("http://h/v1", price_in=0.5, price_out=2.0)) == 2.0
