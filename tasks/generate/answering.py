"""Prompts to answers: replayed from the record, taken from the store, or made by the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.core.errors import CodeGraftError
from tasks.core.progress import Progress
from tasks.generate.backend import Completion, Decoding, Generator, Request
from tasks.generate.normal_form import normal_form
from tasks.generate.prompt import Template, assemble
from tasks.generate.recorded import GenerationStore, Keys, keys_of
from tasks.generate.solver import Answer, Prompted


@dataclass(frozen=True)
class Answerer:
    """Answers prompts with one model; nothing that was ever answered is generated again.

    `record` maps replay keys to recorded completions; empty when the record is to be ignored.
    `used` collects replay key -> (task_id, completion) of everything answered, for recording.
    """

    label: str
    generator: Generator
    template: Template
    weights: str
    decoding: Decoding
    record: dict[str, Completion]
    used: dict[str, tuple[str, Completion]]

    def __call__(self, prompts: Sequence[Prompted]) -> list[Answer]:
        """One answer for each prompt, in their order.

        Raises CodeGraftError if the model leaves a prompt without completion.
        """
        requests = [self.request(prompted) for prompted in prompts]
        keys = [
            self.keys(request, sample=prompted.sample)
            for request, prompted in zip(requests, prompts, strict=True)
        ]
        recorded = {key.replay for key in keys if key.replay in self.record}
        fresh = self._fresh(requests, keys, recorded)
        answers = []
        for prompted, request, key in zip(prompts, requests, keys, strict=True):
            completion = self.record[key.replay] if key.replay in recorded else fresh[key.store]
            self.used[key.replay] = (prompted.problem.task_id, completion)
            origin = "replayed" if key.replay in recorded else "fresh"
            answers.append(_answer(prompted, request, completion, origin))
        return answers

    def keys(self, request: Request, *, sample: int) -> Keys:
        """Replay key and store key of a request."""
        return keys_of(
            request,
            sample=sample,
            weights=self.weights,
            decoding=self.decoding,
            generator=self.generator,
        )

    def request(self, prompted: Prompted) -> Request:
        """The request of a prompt; its key is only unique within a call."""
        return self.template.request(
            f"{prompted.problem.task_id}#{prompted.sample}",
            prompted.problem,
            prompted.contexts,
            prefills=self.generator.prefills,
        )

    def _fresh(
        self, requests: Sequence[Request], keys: Sequence[Keys], recorded: set[str]
    ) -> dict[str, Completion]:
        """Completions by store key of what the record lacks, stored one by one as they finish."""
        wanted = {
            key.store: request
            for key, request in zip(keys, requests, strict=True)
            if key.replay not in recorded
        }
        store = GenerationStore()
        done = store.get(list(wanted))
        missing = {key: request for key, request in wanted.items() if key not in done}
        if not missing:
            return done
        with Progress(f"generate {self.label}", len(wanted), "completions") as progress:
            progress.skip(len(done))
            # The store key, not the problem, seeds a sampled row: equal prompts give equal text.
            keyed = [
                Request(key, item.messages, item.prefill, item.stop)
                for key, item in missing.items()
            ]
            for key, completion in self.generator.complete(keyed, self.decoding):
                store.put(key, completion)
                done[key] = completion
                progress.add()
        if lost := set(wanted) - set(done):
            raise CodeGraftError(
                f"{len(lost)} prompts got no completion",
                where=f"generate {self.label}",
                remedy="run the same command again; finished completions are kept",
            )
        return done


def _answer(prompted: Prompted, request: Request, completion: Completion, origin: str) -> Answer:
    raw = assemble(request.prefill, completion.text, prompted.problem)
    code = normal_form(raw, prompted.problem.entry_point)
    return Answer(prompted, completion, raw, code, origin)
