"""The endpoint backend against a real HTTP server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.core.endpoint import Retry
from tasks.core.errors import CodeGraftError
from tasks.core.params import EmbedderWeights
from tests.embed.corpus import Letters

make = import_module("tasks.embed.embedders.openai").make
HASTY = Retry(attempts=3, first_s=0.01, longest_s=0.02, patience_s=0.05)
Answer = Callable[[dict[str, Any]], tuple[int, Any]]


def letters(body: dict[str, Any]) -> tuple[int, Any]:
    """What a server with the model `letters` says; vectors of length 2, last one first."""
    vectors = 2 * Letters().encode(body["input"], kind="document")
    rows = [{"index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)]
    return 200, {"object": "list", "data": rows[::-1], "model": body["model"]}


@dataclass
class Server:
    """Answers with the queued answers, then with `letters`; remembers what it was asked."""

    url: str = ""
    queue: list[Answer] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def answer(self, headers: dict[str, str], body: dict[str, Any]) -> tuple[int, Any]:
        self.headers.append(headers)
        self.bodies.append(body)
        return (self.queue.pop(0) if self.queue else letters)(body)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status: int = 404
            answer: Any = None
            if self.path == "/v1/embeddings":
                status, answer = state.answer(dict(self.headers), body)
            payload = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        state.url = f"http://127.0.0.1:{running.server_port}/v1"
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield state
        running.shutdown()
        thread.join()


def spec(server: Server, **options: Any) -> EmbedderWeights:
    return EmbedderWeights(
        backend="openai", format="remote", url=server.url, name="letters", **options
    )


def embedder(server: Server, *, batch_size: int = 4, **options: Any):
    made = make(Path("unused"), spec(server, **options), batch_size=batch_size)
    return replace(made, retry=HASTY)


TEXTS = ["area", "b", "circle", "while x", "é e", "y"]


def test_vectors_in_the_order_of_the_texts(server: Server):
    vectors = embedder(server).encode(TEXTS, kind="document")
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, Letters().encode(TEXTS, kind="document"), atol=1e-6)
    assert sorted(len(body["input"]) for body in server.bodies) == [2, 4]
    assert {body["model"] for body in server.bodies} == {"letters"}
    assert "Authorization" not in server.headers[0]


def test_prefixes_and_length_limit(server: Server):
    made = embedder(server, query_prefix="query: ", document_prefix="doc: ", max_tokens=3)
    made.encode(["ab"], kind="query")
    made.encode(["aaaé", ""], kind="document")
    assert [body["input"] for body in server.bodies] == [["query: ab"], ["doc: aaa", "doc: "]]


def test_an_empty_text_is_sent_as_a_space(server: Server):
    server.queue = [lambda body: (200, {"data": [{"index": 0, "embedding": [1.0]}]})]
    embedder(server).encode([""], kind="query")
    assert server.bodies[0]["input"] == [" "]


def test_failures_that_pass_are_tried_again(server: Server):
    server.queue = [lambda body: (429, {}), lambda body: (503, {})]
    assert embedder(server).encode(["a"], kind="query")[0, 0] == 1
    assert len(server.bodies) == 3


def test_failures_that_stay_are_told(server: Server):
    server.queue = [lambda body: (500, {"error": "no memory"})] * 3
    with pytest.raises(CodeGraftError, match=r"failed 3 times.*no memory"):
        embedder(server).encode(["a"], kind="query")
    server.queue = [lambda body: (401, {"error": "no key"})]
    with pytest.raises(CodeGraftError, match="401"):
        embedder(server).encode(["a"], kind="query")
    server.queue = [lambda body: (400, {"error": "too long"})]
    with pytest.raises(CodeGraftError, match="too long"):
        embedder(server).encode(["a"], kind="query")
    assert len(server.bodies) == 5


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        [{"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [0.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": ["x"]}],
        [{"embedding": [1.0]}, {"embedding": [1.0]}],
    ],
)
def test_answers_that_are_no_vectors_are_refused(server: Server, data: Any):
    server.queue = [lambda body: (200, {"data": data})]
    with pytest.raises(CodeGraftError, match="the endpoint answers"):
        embedder(server).encode(["a", "b"], kind="query")


def test_sizes_that_differ_between_requests_are_refused(server: Server):
    server.queue = [lambda body: (200, {"data": [{"index": 0, "embedding": [1.0]}]})]
    with pytest.raises(CodeGraftError, match="different sizes"):
        embedder(server, batch_size=1).encode(["a", "b"], kind="query")


def test_the_key_is_sent_and_shown_nowhere(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LETTERS_KEY", "s3cret")
    made = embedder(server, api_key_env="LETTERS_KEY")
    made.encode(["a"], kind="query")
    assert server.headers[0]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in made.id


def test_size_and_identity(server: Server):
    made = embedder(server)
    identity = json.loads(made.id)
    assert (identity["backend"], identity["model"]) == ("openai", "letters")
    assert server.bodies == []  # nothing is contacted for it
    assert made.id != embedder(server, query_prefix="q").id
    assert made.dim == 26
    assert made.encode([], kind="query").shape == (0, 26)
    assert len(server.bodies) == 1


def test_an_endpoint_must_be_named(server: Server):
    nameless = spec(server).model_copy(update={"url": None})
    with pytest.raises(CodeGraftError, match="needs an endpoint"):
        make(Path("unused"), nameless, batch_size=1)
