"""Local models through transformers and accelerate, on CPU or CUDA, continuously batched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from tasks.core.hardware import auto_dtype
from tasks.core.ids import digest
from tasks.core.params import GeneratorWeights
from tasks.generate.backend import Completion, Decoding, Request
from tasks.generate.batching import ContinuousBatch, Row, Sampling
from tasks.generate.packing import can_pack, pack_linears


class TransformersGenerator:
    """A causal language model from a folder. The weights are loaded at the first completion."""

    prefills = True

    def __init__(self, folder: Path, *, dtype: str, slots: int) -> None:
        self._folder, self._slots = folder, slots
        self._dtype = auto_dtype() if dtype == "auto" else dtype
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self._loaded: Any = None

    @property
    def identity(self) -> dict[str, str]:
        """Backend, dtype, device class and library versions."""
        return {
            "backend": "transformers",
            "dtype": self._dtype,
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
            "torch": str(torch.__version__).split("+")[0],
            "transformers": transformers.__version__,
        }

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def render(self, request: Request) -> str:
        """The text that the model sees: the chat template's, with the reply opened."""
        messages = [{"role": role, "content": content} for role, content in request.messages]
        if self._tokenizer.chat_template is None or not messages:
            return "".join(content for _, content in request.messages) + request.prefill
        text = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
        return str(text) + request.prefill

    def complete(
        self, requests: Sequence[Request], decoding: Decoding
    ) -> Iterator[tuple[str, Completion]]:
        """Yield completions as rows end."""
        if not requests:
            return
        by_key = {request.key: request for request in requests}
        model = self._model()
        ends = _end_tokens(model, self._tokenizer)

        def finished(row: Row) -> bool:
            if row.tokens[-1] in ends or self._stopped(row, by_key[row.key].stop):
                row.finish_reason = "stop"
            elif len(row.tokens) >= decoding.max_new_tokens:
                row.finish_reason = "length"
            return bool(row.finish_reason)

        batch = ContinuousBatch(
            model,
            slots=self._slots,
            sampling=Sampling(decoding.temperature, decoding.top_p),
            finished=finished,
            pad_token=self._tokenizer.pad_token_id or 0,
        )
        rows = [self._row(request, decoding) for request in requests]
        for row in batch.run(rows):
            yield row.key, self._completion(row, by_key[row.key].stop, ends)

    def _row(self, request: Request, decoding: Decoding) -> Row:
        ids = self._tokenizer.encode(self.render(request), add_special_tokens=False)
        random = None
        if decoding.temperature > 0:
            random = torch.Generator()
            random.manual_seed(int(digest(decoding.seed, request.key)[:15], 16))
        return Row(key=request.key, prompt=ids, random=random)

    def _stopped(self, row: Row, stops: Sequence[str]) -> bool:
        # A stop string spans few tokens, and only the newest token can have completed it.
        longest = max((len(stop) for stop in stops), default=0)
        tail = self._tokenizer.decode(row.tokens[-(longest + 1) :])
        return any(stop in tail for stop in stops)

    def _completion(self, row: Row, stops: Sequence[str], ends: set[int]) -> Completion:
        tokens = row.tokens[:-1] if row.tokens[-1] in ends else row.tokens
        text = str(self._tokenizer.decode(tokens, clean_up_tokenization_spaces=False))
        for stop in stops:
            text = text.split(stop, 1)[0]
        return Completion(
            text=text,
            finish_reason=row.finish_reason,
            logprob_mean=sum(row.logprobs) / len(row.logprobs),
            logprob_sum=sum(row.logprobs),
            tokens_in=len(row.prompt),
            tokens_out=len(row.tokens),
        )

    def _model(self) -> Any:
        if self._loaded is None:
            transformers.utils.logging.disable_progress_bar()
            self._loaded = transformers.AutoModelForCausalLM.from_pretrained(
                self._folder, dtype=getattr(torch, self._dtype), device_map="auto"
            ).eval()
            if can_pack(self._loaded):
                pack_linears(self._loaded)
        return self._loaded


def _end_tokens(model: Any, tokenizer: Any) -> set[int]:
    declared = model.generation_config.eos_token_id
    ends = {declared} if isinstance(declared, int) else set(declared or [])
    return ends | {tokenizer.eos_token_id} - {None}


def make(folder: Path, spec: GeneratorWeights, *, batch_size: int) -> TransformersGenerator:
    """A generator over the converted weights in `folder`."""
    return TransformersGenerator(folder, dtype=spec.dtype, slots=batch_size)
