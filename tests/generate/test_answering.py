"""Answers: replayed, resumed from the store, or generated; never generated twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tasks.core.errors import CodeGraftError
from tasks.generate.answering import Answerer
from tasks.generate.backend import Decoding
from tasks.generate.solver import Prompted
from tests.generate.fakes import (
    TEMPLATE,
    FakeGenerator,
    completion,
    context,
    problem,
    problems,
)

SAMPLED = Decoding(max_new_tokens=64, temperature=0.8, top_p=1.0, seed=0)


def answerer(generator, *, record=None, decoding=SAMPLED) -> Answerer:
    return Answerer(
        label="test",
        generator=generator,
        template=TEMPLATE,
        weights="w" * 64,
        decoding=decoding,
        record=record or {},
        used={},
    )


def prompts(*numbers: int, sample: int = 0) -> list[Prompted]:
    return [Prompted(item, (), sample) for item in problems(numbers)]


def test_answers_come_in_the_order_of_the_prompts_with_their_programs():
    generator = FakeGenerator([f"\n    return {n}\nprint(add(1, 2))\n" for n in range(3)])
    answers = answerer(generator)(prompts(2, 0, 1))
    assert [answer.prompted.problem.task_id for answer in answers] == ["Fake/2", "Fake/0", "Fake/1"]
    assert [answer.completion.text.split()[1] for answer in answers] == ["0", "1", "2"]
    first = answers[0]
    assert first.origin == "fresh"
    assert "print(" in first.raw
    assert first.code == f"{problem(2).prompt.rstrip()}\n    return 0\n"


def test_after_a_crash_in_the_middle_only_the_rest_is_generated():
    crashing = FakeGenerator(["one", "two", RuntimeError("killed")])
    with pytest.raises(RuntimeError, match="killed"):
        answerer(crashing)(prompts(0, 1, 2, 3))
    generator = FakeGenerator(["three", "four"])
    answers = answerer(generator)(prompts(0, 1, 2, 3))
    assert [answer.completion.text for answer in answers] == ["one", "two", "three", "four"]
    assert ["case 2" in str(generator.asked[0]), "case 3" in str(generator.asked[1])] == [
        True,
        True,
    ]
    assert {answer.origin for answer in answers} == {"fresh"}


def test_a_second_run_asks_nothing():
    first = answerer(FakeGenerator(["one", "two"]))(prompts(0, 1))
    assert answerer(FakeGenerator([]))(prompts(0, 1)) == first


def test_another_device_does_not_take_what_this_one_made():
    answerer(FakeGenerator(["one"]))(prompts(0))
    other = FakeGenerator(["other"], identity={"backend": "fake", "device": "cuda"})
    assert answerer(other)(prompts(0))[0].completion.text == "other"


def test_what_was_used_replays_on_any_machine():
    maker = answerer(FakeGenerator(["one", "two"]))
    made = maker(prompts(0, 1))
    assert sorted(task_id for task_id, _ in maker.used.values()) == ["Fake/0", "Fake/1"]
    record = {key: answer for key, (_, answer) in maker.used.items()}
    elsewhere = FakeGenerator(["three"], identity={"backend": "another"})
    replayed = answerer(elsewhere, record=record)
    answers = replayed(prompts(0, 1, 2))
    assert [answer.origin for answer in answers] == ["replayed", "replayed", "fresh"]
    assert [answer.completion for answer in answers[:2]] == [a.completion for a in made]
    assert len(elsewhere.asked) == 1
    assert len(replayed.used) == 3


def test_a_record_of_another_question_is_not_replayed():
    maker = answerer(FakeGenerator(["one"]))
    maker(prompts(0))
    record = {key: answer for key, (_, answer) in maker.used.items()}
    elsewhere = FakeGenerator(["fresh"], identity={"backend": "another"})
    colder = answerer(elsewhere, record=record, decoding=replace(SAMPLED, temperature=0.7))
    assert colder(prompts(0))[0].origin == "fresh"


def test_equal_prompts_are_generated_once():
    twin = replace(problem(0), task_id="Fake/twin")
    generator = FakeGenerator(["only"])
    answers = answerer(generator)([Prompted(problem(0), (), 0), Prompted(twin, (), 0)])
    assert [answer.completion.text for answer in answers] == ["only", "only"]
    assert len(generator.asked) == 1


def test_samples_and_contexts_make_different_requests_with_lasting_keys():
    found = (context(problem(0)),)
    asked = [*prompts(0), *prompts(0, sample=1), Prompted(problem(0), found, 0)]
    generator = FakeGenerator(["a", "b", "c"])
    answerer(generator)(asked)
    keys = [request.key for request in generator.asked]
    assert len(set(keys)) == 3
    again = FakeGenerator(["c"])
    other_seed = answerer(again, decoding=replace(SAMPLED, seed=1))
    other_seed([asked[2]])
    assert again.asked[0].key not in keys


def test_a_greedy_answer_serves_every_seed():
    greedy = replace(SAMPLED, temperature=0.0)
    answerer(FakeGenerator(["one"]), decoding=greedy)(prompts(0))
    again = answerer(FakeGenerator([]), decoding=replace(greedy, seed=9))
    assert again(prompts(0))[0].completion.text == "one"


def test_a_generator_that_loses_a_request_is_refused():
    class Losing(FakeGenerator):
        def complete(self, requests, decoding):
            yield from list(super().complete(requests, decoding))[:-1]

    with pytest.raises(CodeGraftError, match="1 prompts got no completion"):
        answerer(Losing(["one", "two"]))(prompts(0, 1))


def test_the_completion_is_kept_whole():
    kept = answerer(FakeGenerator(["some text"]))(prompts(0))[0].completion
    assert kept == completion("some text")
