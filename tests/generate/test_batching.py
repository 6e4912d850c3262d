"""Continuous batching gives what each row would get alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import torch

from tasks.generate.batching import ContinuousBatch, Row, Sampling, pick
from tests.generate import tiny

GREEDY = Sampling(temperature=0.0, top_p=1.0)
SAMPLED = Sampling(temperature=0.8, top_p=0.9)
VOCABULARY, LIMIT = 64, 40
# Several ends, so that rows end at different times, some at their first token.
ENDS = frozenset(range(5))


@pytest.fixture(scope="module")
def model():
    return tiny.model(VOCABULARY, end=0)


def prompts(count: int) -> list[list[int]]:
    """Prompts of 1 to 120 tokens, lengths in no order."""
    chance = random.Random(count)
    return [
        [chance.randrange(5, VOCABULARY) for _ in range(chance.choice([1, 2, 7, 40, 120]))]
        for _ in range(count)
    ]


def finished(row: Row) -> bool:
    if row.tokens[-1] in ENDS:
        row.finish_reason = "stop"
    elif len(row.tokens) >= LIMIT:
        row.finish_reason = "length"
    return bool(row.finish_reason)


def decode(model, asked, *, slots: int, sampling=GREEDY, seed=0) -> dict[str, Row]:
    batch = ContinuousBatch(
        model, slots=slots, sampling=sampling, finished=finished, pad_token=VOCABULARY - 1
    )
    rows = [
        Row(str(n), prompt, torch.Generator().manual_seed(1000 * seed + n))
        for n, prompt in enumerate(asked)
    ]
    ended = list(batch.run(rows))
    assert Counter(row.key for row in ended) == Counter(row.key for row in rows)
    return {row.key: row for row in ended}


def alone(model, prompt: list[int]) -> list[int]:
    row = model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        max_new_tokens=LIMIT,
        do_sample=False,
        eos_token_id=sorted(ENDS),
        pad_token_id=VOCABULARY - 1,
    )[0]
    return row[len(prompt) :].tolist()


@pytest.mark.parametrize("slots", [1, 3, 8])
def test_greedy_tokens_are_those_of_generate_row_by_row(model, slots):
    asked = prompts(20)
    rows = decode(model, asked, slots=slots)
    expected = [alone(model, prompt) for prompt in asked]
    assert [rows[str(n)].tokens for n in range(20)] == expected
    # The sample is worth its name: rows end early, late and at the limit.
    lengths = {len(tokens) for tokens in expected}
    assert min(lengths) < 5
    assert max(lengths) == LIMIT
    assert len(lengths) > 5
    for row in rows.values():
        assert row.finish_reason == ("stop" if row.tokens[-1] in ENDS else "length")


def test_logprobs_are_those_of_one_pass_over_the_whole_row(model):
    for row in decode(model, prompts(6), slots=3).values():
        whole = torch.tensor([row.prompt + row.tokens])
        with torch.inference_mode():
            scores = torch.log_softmax(model(whole).logits[0].float(), dim=-1)
        start = len(row.prompt) - 1
        expected = [scores[start + n, token].item() for n, token in enumerate(row.tokens)]
        assert row.logprobs == pytest.approx(expected, abs=1e-4)


def test_sampled_rows_depend_on_their_own_stream_only(model):
    asked = prompts(12)
    one, three, eight = (decode(model, asked, slots=n, sampling=SAMPLED) for n in (1, 3, 8))
    texts = {key: row.tokens for key, row in one.items()}
    assert {key: row.tokens for key, row in three.items()} == texts
    assert {key: row.tokens for key, row in eight.items()} == texts
    other = decode(model, asked, slots=3, sampling=SAMPLED, seed=1)
    assert {key: row.tokens for key, row in other.items()} != texts
    fewer = decode(model, asked[:5], slots=8, sampling=SAMPLED)
    assert all(fewer[key].tokens == texts[key] for key in fewer)


def test_slots_bound_the_rows_in_flight(model):
    sizes = []

    def watch(module, args, kwargs):
        sizes.append(kwargs["input_ids"].shape[0])

    hook = model.register_forward_pre_hook(watch, with_kwargs=True)
    try:
        decode(model, prompts(20), slots=3)
    finally:
        hook.remove()
    assert max(sizes) == 3


def test_nothing_to_do_is_done(model):
    assert decode(model, [], slots=4) == {}


def test_a_nucleus_holds_the_fewest_likely_tokens_that_reach_its_mass():
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()
    drawn = Counter(
        pick(logits, [Row("a", [1], torch.Generator().manual_seed(n))], Sampling(1.0, top_p))[0][0]
        for top_p in (0.8,)
        for n in range(400)
    )
    assert set(drawn) == {0, 1}
    assert drawn[0] / 400 == pytest.approx(0.5 / 0.8, abs=0.08)


def test_temperature_sharpens_and_logprobs_are_the_models_own():
    logits = torch.tensor([[0.6, 0.4]]).log()
    drawn: Counter[int] = Counter()
    for n in range(400):
        tokens, logprobs = pick(
            logits, [Row("a", [1], torch.Generator().manual_seed(n))], Sampling(0.5, 1.0)
        )
        drawn[tokens[0]] += 1
        assert logprobs[0] == pytest.approx(logits[0, tokens[0]].item(), abs=1e-5)
    assert drawn[0] / 400 == pytest.approx(0.36 / 0.52, abs=0.08)
