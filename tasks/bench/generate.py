"""New tokens a second of the continuous batch, beside static batches of 16 on the same prompts.

The static batches are what `generate` of transformers makes of the prompts in arrival order; they
are run on the plain model, and once more on the packed one to tell the two gains apart. All stop by
the same rule, and only tokens up to a row's end count.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from tasks.core.hardware import auto_dtype
from tasks.core.params import GeneratorWeights, load_params
from tasks.generate.backend import Decoding, Request
from tasks.generate.backends.transformers import TransformersGenerator, make
from tasks.generate.cell import read_problems
from tasks.generate.packing import can_pack, pack_linears
from tasks.generate.prompt import load_template

MODEL, BENCHMARK, BATCH, PROMPTS = "qwen-05b", "humaneval", 16, 32
GREEDY = Decoding(max_new_tokens=512, temperature=0.0, top_p=1.0, seed=0)
WARM_UP = Decoding(max_new_tokens=2, temperature=0.0, top_p=1.0, seed=0)


def run(count: int = PROMPTS) -> Mapping[str, object]:
    """Time the first `count` prompts of the benchmark without retrieval."""
    spec = load_params().weights.generators[MODEL]
    folder = Path("models") / MODEL
    generator = make(folder, spec, batch_size=BATCH)
    requests = _requests(spec, count)
    static = _Static(folder, generator)
    plain, plain_tokens = _timed(static.tokens, requests)
    packed = static.pack()
    again, again_tokens = _timed(static.tokens, requests)
    del static
    ours, our_tokens = _timed(lambda asked, how: _continuous(generator, asked, how), requests)
    return {
        "prompts": count,
        "slots": BATCH,
        "threads": torch.get_num_threads(),
        "continuous_tokens_per_s": round(our_tokens / ours, 1),
        "static_tokens_per_s": round(plain_tokens / plain, 1),
        "static_packed_tokens_per_s": round(again_tokens / again, 1) if packed else None,
        "times_static": round((our_tokens / ours) / (plain_tokens / plain), 2),
        "continuous_s": round(ours, 1),
        "static_s": round(plain, 1),
        "continuous_tokens": our_tokens,
        "static_tokens": plain_tokens,
    }


def _requests(spec: GeneratorWeights, count: int) -> list[Request]:
    template = load_template(spec.template)
    problems = read_problems(BENCHMARK)[:count]
    return [template.request(item.task_id, item, (), prefills=True) for item in problems]


def _timed(
    decode: Callable[[Sequence[Request], Decoding], int], requests: Sequence[Request]
) -> tuple[float, int]:
    """Seconds and tokens; the weights are read into memory before the clock starts."""
    decode(requests[:1], WARM_UP)
    started = time.perf_counter()
    tokens = decode(requests, GREEDY)
    return time.perf_counter() - started, tokens


def _continuous(
    generator: TransformersGenerator, requests: Sequence[Request], decoding: Decoding
) -> int:
    return sum(answer.tokens_out for _, answer in generator.complete(requests, decoding))


class _Static:
    """`generate` in left-padded batches of prompts as they come."""

    def __init__(self, folder: Path, generator: TransformersGenerator) -> None:
        self._render = generator.render
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
            folder, padding_side="left"
        )
        self._model: Any = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=getattr(torch, auto_dtype()), device_map="auto"
        ).eval()

    def pack(self) -> bool:
        """Pack the model where that applies; whether it does."""
        return can_pack(self._model) and pack_linears(self._model) > 0

    def tokens(self, requests: Sequence[Request], decoding: Decoding) -> int:
        """Decode all; return the number of new tokens up to each row's end."""
        batches = [requests[start : start + BATCH] for start in range(0, len(requests), BATCH)]
        return sum(self._batch(batch, decoding) for batch in batches)

    def _batch(self, batch: Sequence[Request], decoding: Decoding) -> int:
        texts = [self._render(request) for request in batch]
        inputs = self._tokenizer(
            texts, return_tensors="pt", padding=True, add_special_tokens=False
        ).to(self._model.device)
        declared = self._model.generation_config.eos_token_id
        ends = _Ends(
            self._tokenizer,
            inputs["input_ids"].shape[1],
            ends=declared if isinstance(declared, list) else [declared],
            stops=batch[0].stop,
        )
        rows = self._model.generate(
            **inputs,
            max_new_tokens=decoding.max_new_tokens,
            do_sample=False,
            stopping_criteria=transformers.StoppingCriteriaList([ends]),
        )
        limit = rows.shape[1] - ends.start
        return sum(ends.length.get(row, limit) for row in range(len(batch)))


class _Ends(transformers.StoppingCriteria):
    """Ends rows at the stop strings, as the continuous batch does, and keeps their lengths."""

    def __init__(
        self, tokenizer: Any, start: int, *, ends: Sequence[int], stops: Sequence[str]
    ) -> None:
        self.start, self.length = start, dict[int, int]()
        self._tokenizer, self._stops = tokenizer, stops
        self._window = max(map(len, stops), default=0) + 1
        self._ends = ends

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Whether each row is done, bool [rows]."""
        new = input_ids[:, self.start :].tolist()
        for row, tokens in enumerate(new):
            if row not in self.length:
                tail = self._tokenizer.decode(tokens[-self._window :])
                if tokens[-1] in self._ends or any(stop in tail for stop in self._stops):
                    self.length[row] = len(tokens)
        return torch.tensor(
            [row in self.length for row in range(len(new))], device=input_ids.device
        )


if __name__ == "__main__":
    print(json.dumps(run(*map(int, sys.argv[1:])), indent=2))
