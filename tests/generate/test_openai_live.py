"""The endpoint backend against `transformers serve`, a real server with a real (tiny) model."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import transformers

from tasks.core.params import GeneratorWeights
from tasks.generate.backend import Decoding, Request
from tasks.generate.backends.openai import OpenAIGenerator

DECODING = Decoding(max_new_tokens=24, temperature=0.0, top_p=1.0, seed=0)


@pytest.fixture(scope="module")
def server(tiny_folder, tmp_path_factory):
    home = tmp_path_factory.mktemp("hub")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    log = (home / "log").open("w")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "transformers.cli.transformers",
            "serve",
            str(tiny_folder),
            *options,
        ],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(home)},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process, home / "log")
        yield f"{url}/v1"
    finally:
        process.kill()
        process.wait()
        log.close()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"transformers serve did not start:\n{log.read_text()[-2000:]}")


def local(folder, text: str) -> tuple[int, list[int], str]:
    """Prompt tokens, new tokens and text of the same model in this process."""
    words: Any = transformers.AutoTokenizer.from_pretrained(folder)
    made: Any = transformers.AutoModelForCausalLM.from_pretrained(folder)
    turns = [{"role": "user", "content": text}]
    ids = words.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt")
    row = made.generate(**ids, max_new_tokens=DECODING.max_new_tokens)[0]
    start = ids["input_ids"].shape[1]
    return start, row[start:].tolist(), words.decode(row[start:], skip_special_tokens=True)


def test_completions_are_the_served_models_own(server, tiny_folder):
    spec = GeneratorWeights(
        backend="openai",
        format="remote",
        template="qwen-chat",
        url=server,
        name=str(tiny_folder),
        concurrency=2,
    )
    texts = ["def add(a, b):", "hello", "x"]
    generator = OpenAIGenerator(spec)
    requests = [Request(text, (("user", text),), "", ()) for text in texts]
    answers = dict(generator.complete(requests, DECODING))
    assert sorted(answers) == sorted(texts)
    for text in texts:
        tokens_in, tokens, reply = local(tiny_folder, text)
        answer = answers[text]
        assert answer.text == reply
        assert (answer.tokens_in, answer.tokens_out) == (tokens_in, len(tokens))
        assert answer.finish_reason == ("length" if len(tokens) == 24 else "stop")
        assert answer.logprob_mean is None  # this server has none to give
