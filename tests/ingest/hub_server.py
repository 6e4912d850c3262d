"""A hub on this machine that speaks as much of the interface as a snapshot of a dataset needs."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def hub(repo: str, files: dict[str, bytes]) -> Iterator[str]:
    """Serve one dataset; yields the endpoint."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            path = self.path.partition("?")[0]
            resolve = f"/datasets/{repo}/resolve/{COMMIT}/"
            if path in (f"/api/datasets/{repo}", f"/api/datasets/{repo}/revision/main"):
                names = [{"rfilename": name} for name in sorted(files)]
                data = json.dumps({"id": repo, "sha": COMMIT, "siblings": names}).encode()
                self._send(200, data, "application/json", body=body)
            elif path.startswith(resolve) and path.removeprefix(resolve) in files:
                self._send(200, files[path.removeprefix(resolve)], "text/plain", body=body)
            else:
                self._send(404, b"", "text/plain", body=body)

        def _send(self, status: int, data: bytes, kind: str, *, body: bool) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if body:
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
