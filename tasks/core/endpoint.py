"""JSON over HTTP to a model's endpoint: retries with backoff, and errors that name the cause."""

from __future__ import annotations

import email.utils
import logging
import os
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import tenacity

from tasks.core.errors import CodeGraftError

log = logging.getLogger(__name__)

REMEDIES = {
    401: "set the environment variable that `api_key_env` names to a valid key",
    403: "the key is valid but may not use this model; ask for access or use another key",
    404: "check `name` (the endpoint's /models lists what it serves) and `url` (it ends in /v1)",
    429: "lower `concurrency`, wait, or raise the account's limit; finished work is kept",
}


@dataclass(frozen=True)
class Retry:
    """Waits double from `first_s` to `longest_s`; a server's Retry-After may ask for up to
    `patience_s`. The default gives up after about a minute of waiting."""

    attempts: int = 8
    first_s: float = 0.5
    longest_s: float = 30.0
    patience_s: float = 300.0


PATIENT = Retry()


@dataclass(frozen=True)
class Reply:
    """A decoded answer: `status` is 200, or 400 or 422 when the server refused the request."""

    status: int
    body: dict[str, Any]
    text: str


class _Transient(Exception):
    """A failure that may pass; `after` is the wait in seconds that the server asked for."""

    def __init__(self, what: str, *, status: int = 0, after: float = 0.0) -> None:
        super().__init__(what)
        self.status, self.after = status, after


class Endpoint:
    """One URL of an HTTP API, safe to use from several threads; a context manager.

    `api_key_env` names the environment variable that holds the bearer token; None sends none. The
    token is in no message, log line or identity.
    """

    def __init__(
        self,
        url: str,
        route: str,
        *,
        api_key_env: str | None = None,
        retry: Retry = PATIENT,
        timeout_s: float = 600.0,
    ) -> None:
        self._url = _full_url(url, route)
        self.where = public_url(str(self._url))
        self._retry = retry
        self._closing = threading.Event()
        # No cap on connections: callers bound their own threads.
        self._client = httpx.Client(
            headers=_bearer(api_key_env, self.where),
            timeout=httpx.Timeout(timeout_s, connect=10.0),
            limits=httpx.Limits(max_connections=None),
        )

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end waits between attempts."""
        self._closing.set()
        self._client.close()

    def post(self, body: Mapping[str, Any]) -> Reply:
        """Post JSON; 408, 429, 5xx and connection errors are tried again.

        400 and 422 come back as a Reply, so that a caller may ask for less. Raises CodeGraftError
        for any other refusal, an answer that is not a JSON object, and when the attempts are spent.
        """
        attempts = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Transient),
            stop=tenacity.stop_after_attempt(self._retry.attempts)
            | tenacity.stop_when_event_set(self._closing),
            wait=self._wait,
            sleep=tenacity.sleep_using_event(self._closing),
            before_sleep=self._tell,
            reraise=True,
        )
        try:
            return attempts(self._once, body)
        except _Transient as error:
            raise CodeGraftError(
                f"the endpoint failed {self._retry.attempts} times, the last time with: {error}",
                where=f"{self.where}, model {body.get('model')}",
                remedy=REMEDIES.get(
                    error.status, "check that the server runs and that `url` is right; run again"
                ),
            ) from None

    def refusal(self, reply: Reply, body: Mapping[str, Any]) -> CodeGraftError:
        """The error for a refused request."""
        return self._refused(reply.status, reply.text, body)

    def _once(self, body: Mapping[str, Any]) -> Reply:
        try:
            response = self._client.post(self._url, json=dict(body))
        except httpx.TransportError as error:
            raise _Transient(f"{type(error).__name__}: {error}") from None
        status = response.status_code
        if status in (408, 429) or status >= 500:
            after = retry_after(response.headers.get("retry-after"), now=time.time())
            raise _Transient(f"{status} {_short(response.text)}", status=status, after=after)
        if status not in (200, 400, 422):
            raise self._refused(status, response.text, body)
        try:
            decoded = response.json()
        except ValueError:
            decoded = None
        if not isinstance(decoded, dict):
            if status != 200:
                return Reply(status, {}, response.text)
            raise CodeGraftError(
                f"the answer is not a JSON object: {_short(response.text)}",
                where=self.where,
                remedy="`url` must be the base of an OpenAI-compatible API; it ends in /v1",
            )
        return Reply(status, decoded, response.text)

    def _refused(self, status: int, text: str, body: Mapping[str, Any]) -> CodeGraftError:
        return CodeGraftError(
            f"the endpoint refused the request: {status} {_short(text)}",
            where=f"{self.where}, model {body.get('model')}",
            remedy=REMEDIES.get(status, "check the model's entry in params.yaml: weights"),
        )

    def _wait(self, state: tenacity.RetryCallState) -> float:
        policy = self._retry
        error = state.outcome.exception() if state.outcome else None
        asked = error.after if isinstance(error, _Transient) else 0.0
        backoff = min(policy.longest_s, policy.first_s * 2 ** (state.attempt_number - 1))
        # Jitter, so that threads refused together do not come back together.
        jitter = random.uniform(0.0, backoff / 2)
        return float(max(min(asked, policy.patience_s), backoff / 2) + jitter)

    def _tell(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        seconds = state.next_action.sleep if state.next_action else 0.0
        log.warning("%s: %s; next attempt in %.1f s", self.where, error, seconds)


def public_url(url: str) -> str:
    """A URL without credentials, query or trailing slash."""
    parsed = httpx.URL(url)
    return str(parsed.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")


def retry_after(header: str | None, *, now: float) -> float:
    """Seconds that a Retry-After header asks for: a number or an HTTP date; 0 when unreadable."""
    if not header:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - now)
    except ValueError:
        return 0.0


def _full_url(url: str, route: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise CodeGraftError(
            f"not a URL of an endpoint: {url!r}",
            where="params.yaml: weights",
            remedy="give the base, e.g. http://localhost:8000/v1",
        )
    if parsed.userinfo:
        raise CodeGraftError(
            "the endpoint's URL carries credentials",
            where=f"params.yaml: weights, {public_url(url)}",
            remedy="put the key into an environment variable and name it in `api_key_env`",
        )
    path = parsed.path.rstrip("/")
    return parsed if path.endswith(route) else parsed.copy_with(path=path + route)


def _bearer(variable: str | None, where: str) -> dict[str, str]:
    if variable is None:
        return {}
    token = os.environ.get(variable, "").strip()
    if not token:
        raise CodeGraftError(
            f"the environment variable {variable} is not set",
            where=where,
            remedy=f"export {variable}=<key>, or remove `api_key_env` if no key is needed",
        )
    return {"Authorization": f"Bearer {token}"}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:300]} ..."
