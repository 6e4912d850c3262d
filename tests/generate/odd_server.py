"""`python odd_server.py`: a chat endpoint that misbehaves as the prompt asks; prints its port.

The first word of the last message names the behaviour. GET /log returns what was received.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOCK = threading.Lock()
SEEN: Counter[str] = Counter()
LOG: list[dict[str, Any]] = []
ACTIVE = [0, 0]  # requests under way now, and at most


def answer(content: str, **changes) -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content},
        "logprobs": {"content": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1.5}]},
    }
    reply = {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    for name, value in changes.items():
        (choice if name in choice else reply)[name] = value
    return {name: value for name, value in reply.items() if value is not None}


def refuse(message: str) -> tuple[int, dict[str, Any]]:
    return 400, {"error": {"message": message, "type": "invalid_request_error"}}


def behave(word: str, body: dict[str, Any], turn: int) -> tuple[int, object]:  # noqa: C901
    """Status and answer of the turn-th request (from 0) with this prompt."""
    match word:
        case "limited" if turn == 0:
            return 429, {"error": "slow down"}
        case "broken" if turn < 2:
            return 500, {"error": "boom"}
        case "dead":
            return 503, {"error": "overloaded"}
        case "slow":
            time.sleep(0.3)
        case "bare":
            return 200, answer("bare text", usage=None, logprobs=None)
        case "nologprobs" if "logprobs" in body:
            return refuse("unknown parameter")
        case "noseed" if "seed" in body:
            return refuse("Unsupported parameter: 'seed'")
        case "newlimit" if "max_tokens" in body:
            return refuse("'max_tokens' is not supported; use 'max_completion_tokens'")
        case "long":
            return refuse("the prompt exceeds the context of 4096")
        case "html":
            return 200, "<html>not an API</html>"
        case "empty":
            return 200, {"error": {"message": "upstream gone"}}
        case "cut":
            return 200, answer("kept```dropped", finish_reason="length")
        case "length" | "content_filter" | "eos":
            return 200, answer("text", finish_reason=word)
    return 200, answer(f"echo {word}")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send(200, {"requests": LOG, "most": ACTIVE[1]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content = body["messages"][-1]["content"]
        with LOCK:
            turn = SEEN[content]
            SEEN[content] += 1
            LOG.append(
                {
                    "time": time.monotonic(),
                    "path": self.path,
                    "key": self.headers.get("authorization"),
                    "body": body,
                }
            )
            ACTIVE[0] += 1
            ACTIVE[1] = max(ACTIVE)
        try:
            self._reply(content.split()[0], body, turn)
        finally:
            with LOCK:
                ACTIVE[0] -= 1

    def _reply(self, word: str, body: dict[str, Any], turn: int) -> None:
        if body["model"] == "locked" and self.headers.get("authorization") != "Bearer open-sesame":
            self._send(401, {"error": "invalid key"})
        elif body["model"] == "absent":
            self._send(404, {"error": "no such model"})
        elif word == "dropped" and turn == 0:
            self.close_connection = True
        elif word == "half" and turn == 0:
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
        else:
            status, reply = behave(word, body, turn)
            self._send(status, reply)

    def _send(self, status: int, reply: object) -> None:
        data = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
        self.send_response(status)
        if status == 429:
            self.send_header("retry-after", "1")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
