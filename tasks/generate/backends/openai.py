"""Any OpenAI-compatible chat endpoint: vLLM, llama-server, Ollama, vendors.

Nothing beyond the bare protocol is assumed. The reply cannot be opened; log-probabilities, seed,
stop strings and `usage` are used where the server has them and done without where it has not.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tasks.core.endpoint import PATIENT, Endpoint, Reply, Retry, public_url
from tasks.core.errors import CodeGraftError
from tasks.core.ids import digest
from tasks.core.params import GeneratorWeights
from tasks.core.threads import in_threads
from tasks.generate.backend import Completion, Decoding, Request

log = logging.getLogger(__name__)

ROUTE = "/chat/completions"
# What a request can do without: the text is cut at stop strings here as well, and a sampled row
# without a seed is still a sample. Anything else that a server refuses is an error.
_OPTIONAL = ("logprobs", "seed", "stop")
# Newer OpenAI models refuse the old name of the limit, older servers do not know the new one.
_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"


class OpenAIGenerator:
    """A model behind an endpoint; nothing is contacted before the first completion."""

    prefills = False

    def __init__(self, spec: GeneratorWeights, *, retry: Retry = PATIENT) -> None:
        if not (spec.url and spec.name):
            raise CodeGraftError(
                "backend 'openai' needs an endpoint",
                where="params.yaml: weights.generators",
                remedy="set format: remote, url and name",
            )
        self._spec, self._retry = spec, retry
        self._url, self._name = spec.url, spec.name
        self._refused: set[str] = set()

    @property
    def identity(self) -> dict[str, str]:
        """Backend, endpoint without credentials, and the model's name there."""
        return {"backend": "openai", "url": public_url(self._url), "model": self._name}

    def count_tokens(self, text: str) -> int:
        """An estimate for budgets, the tokenizer being unknown: one token for three UTF-8 bytes.

        It is meant to be too high. Code has about 4.2 bytes to a token in current vocabularies, and
        of 3,000 functions of the standard library 96% have more than 3 (Qwen2.5's tokenizer).
        """
        return -(-len(text.encode("utf-8", "surrogatepass")) // 3)

    def complete(
        self, requests: Sequence[Request], decoding: Decoding
    ) -> Iterator[tuple[str, Completion]]:
        """Yield completions as they arrive, `concurrency` requests at a time.

        When one fails for good, no new ones are sent, those under way are still yielded, and then
        its CodeGraftError is raised.
        """
        if not requests:
            return
        spec, estimated = self._spec, 0
        with Endpoint(
            self._url, ROUTE, api_key_env=spec.api_key_env, retry=self._retry
        ) as endpoint:
            for request, (completion, counted) in in_threads(
                lambda item: self._answer(endpoint, item, decoding),
                requests,
                threads=spec.concurrency,
            ):
                estimated += not counted
                yield request.key, completion
        if estimated:
            log.warning(
                "%s: %d of %d replies came without `usage`; their token counts are estimates",
                endpoint.where,
                estimated,
                len(requests),
            )

    def _answer(
        self, endpoint: Endpoint, request: Request, decoding: Decoding
    ) -> tuple[Completion, bool]:
        """A completion, and whether the server counted its tokens."""
        reply = self._ask(endpoint, request, decoding)
        choices = reply.body.get("choices")
        if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
            raise CodeGraftError(
                f"the answer holds no choices: {reply.text[:300]}",
                where=f"{endpoint.where}, model {self._name}",
                remedy="the server is not OpenAI-compatible, or it failed; see its log",
            )
        text, finish = _text(choices[0], request.stop)
        logprobs = _logprobs(choices[0])
        usage = _usage(reply.body)
        prompt = "".join(content for _, content in request.messages)
        tokens_in, tokens_out = usage or (self.count_tokens(prompt), self.count_tokens(text))
        completion = Completion(
            text=text,
            finish_reason=finish,
            logprob_mean=sum(logprobs) / len(logprobs) if logprobs else None,
            logprob_sum=sum(logprobs) if logprobs else None,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
        )
        return completion, usage is not None

    def _ask(self, endpoint: Endpoint, request: Request, decoding: Decoding) -> Reply:
        """Post, asking for less as long as the server refuses something optional.

        What turns out to be refused is not asked for again. A request that fails in any case (a
        prompt too long for the model) takes nothing from the others.
        """
        without = set(self._refused)
        while True:
            body = self._body(request, decoding, without)
            reply = endpoint.post(body)
            if reply.status == 200:
                for name in sorted(without - self._refused):
                    log.warning("%s refuses `%s`; going on without", endpoint.where, name)
                self._refused |= without
                return reply
            named = {name for name in _OPTIONAL if name in body and _mentions(reply.text, name)}
            if _LIMIT in body and _mentions(reply.text, _NEW_LIMIT):
                named.add(_LIMIT)
            # A refusal that names nothing may still be about what few servers have.
            named = named or {"logprobs"} & set(body)
            if not named:
                raise endpoint.refusal(reply, body)
            without |= named

    def _body(self, request: Request, decoding: Decoding, without: set[str]) -> dict[str, Any]:
        wanted: dict[str, Any] = {"logprobs": True, _LIMIT: decoding.max_new_tokens}
        if request.stop:
            wanted["stop"] = list(request.stop)
        if decoding.temperature > 0:
            wanted["seed"] = int(digest(decoding.seed, request.key)[:7], 16)
            wanted["top_p"] = decoding.top_p
        if _LIMIT in without:
            wanted[_NEW_LIMIT] = decoding.max_new_tokens
        return {
            "model": self._name,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
            "temperature": decoding.temperature,
            **{name: value for name, value in wanted.items() if name not in without},
        }


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _usage(body: dict[str, Any]) -> tuple[int, int] | None:
    usage = body.get("usage") or {}
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if isinstance(tokens_in, int) and isinstance(tokens_out, int):
        return tokens_in, tokens_out
    return None


def _text(choice: dict[str, Any], stops: Sequence[str]) -> tuple[str, str]:
    """The reply's text, cut before the first stop string, and why it ended.

    Servers differ in whether the stop string is part of the text. Reasons other than `length` and
    the several names of a natural end become `error` (a content filter, a tool call).
    """
    message = choice.get("message") or {}
    whole = str(message.get("content") or "")
    ends = [place for stop in stops if (place := whole.find(stop)) >= 0]
    if ends:
        return whole[: min(ends)], "stop"
    reason = choice.get("finish_reason")
    if reason in ("length", "max_tokens"):
        return whole, "length"
    return whole, "stop" if reason in ("stop", "eos", "end_turn", None) else "error"


def _logprobs(choice: dict[str, Any]) -> list[float]:
    """Log-probabilities of the reply's tokens; empty where the server gives none."""
    content = (choice.get("logprobs") or {}).get("content") or []
    values = [item.get("logprob") for item in content]
    return [float(value) for value in values] if None not in values else []


def cost(tokens_in: int, tokens_out: int, spec: GeneratorWeights) -> float:
    """Price of a number of tokens by the model's prices per million, in their currency."""
    return (tokens_in * spec.price_in + tokens_out * spec.price_out) / 1_000_000


def make(folder: Path, spec: GeneratorWeights, *, batch_size: int) -> OpenAIGenerator:
    """A generator over the endpoint of `spec`; it has no files, and no batch of its own."""
    del folder, batch_size
    return OpenAIGenerator(spec)
