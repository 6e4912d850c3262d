"""Every condition end to end on a small corpus, through the one entry point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.conditions import none
from tasks.core.errors import CodeGraftError
from tasks.core.params import load_params
from tasks.core.plugins import available
from tasks.core.tables import read_frame, write_table
from tasks.retrieval import CONDITIONS, retrieve
from tasks.retrieval.schema import CONTEXTS
from tasks.retrieval.types import Context, Problem
from tasks.retrieval.validity import is_valid
from tests.retrieval.conftest import Opener
from tests.retrieval.corpus import BagOfWords, count_words, doc_id, problem

GCD = problem("def greatest_common_divisor(a, b):\n    '''Greatest common divisor of integers.'''")
VOWELS = problem("def vowels(text):\n    '''Count the letters in text that are vowels.'''", "T/1")
ALL = ["block-pkg", "bm25", "dense", "func-bm25", "func-pkg", "none"]
RETRIEVING = [name for name in ALL if name != "none"]


def one(open_kb: Opener, condition: str, asked: Problem, **options: Any) -> Context:
    [context] = retrieve(open_kb(), condition, [asked], options)[asked.task_id]
    return context


def test_the_conditions_are_those_of_the_parameters() -> None:
    assert available(CONDITIONS) == ALL
    assert set(load_params().conditions) == set(ALL)


@pytest.mark.parametrize("condition", ALL)
def test_every_problem_gets_its_own_entry_whatever_the_order(
    open_kb: Opener, condition: str
) -> None:
    forward = retrieve(open_kb(), condition, [GCD, VOWELS], {})
    assert list(forward) == ["T/0", "T/1"]
    assert retrieve(open_kb(), condition, [VOWELS, GCD], {}) == forward
    alone = retrieve(open_kb(), condition, [VOWELS], {})
    assert alone["T/1"] == forward["T/1"]
    assert all(len(contexts) == (condition != "none") for contexts in forward.values())


@pytest.mark.parametrize("condition", RETRIEVING)
def test_contexts_say_where_they_come_from(open_kb: Opener, condition: str) -> None:
    kb = open_kb()
    found = retrieve(kb, condition, [GCD, VOWELS], {})
    for task_id, [context] in found.items():
        assert (context.task_id, context.condition, context.rank) == (task_id, condition, 0)
        assert context.tokens == count_words(context.text)
        assert context.doc_id == doc_id("a_copy.py" if task_id == "T/0" else "words.py")
        if condition in ("bm25", "dense"):
            assert context.node_id in kb.contents("Row").ids
        else:
            node = kb.graph.node(context.node_id)
            assert node.type == ("Block" if condition == "block-pkg" else "Impl")
            assert node.doc_id == context.doc_id
            assert kb.graph.text(context.node_id) == context.full


def test_functions_and_blocks_are_searched_within_their_type(open_kb: Opener) -> None:
    assert one(open_kb, "func-pkg", GCD, prune="never").text.startswith("def gcd(a, b):")
    assert one(open_kb, "func-bm25", GCD).text.startswith("def gcd(a, b):")
    assert one(open_kb, "func-pkg", VOWELS, prune="never").text.startswith("def count_vowels(")
    block = one(open_kb, "block-pkg", VOWELS, prune="never")
    assert block.text == (
        'for letter in text:\n    if letter in "aeiou":\n        total += 1\n'
        '    elif letter == "y":\n        total += self.weigh(letter)'
    )


@pytest.mark.parametrize("condition", RETRIEVING)
def test_denied_documents_are_never_retrieved(open_kb: Opener, condition: str) -> None:
    for denied in (["a_copy.py"], ["a_copy.py", "maths.py"], ["words.py"]):
        kb = open_kb(*denied)
        found = retrieve(kb, condition, [GCD, VOWELS], {"k": 50, "token_budget": 10_000})
        homes = {context.doc_id for contexts in found.values() for context in contexts}
        assert homes
        assert homes.isdisjoint(doc_id(path) for path in denied)


def test_ranks_go_by_falling_score(open_kb: Opener) -> None:
    for condition in RETRIEVING:
        options = {"k": 5, "token_budget": 10_000}
        contexts = retrieve(open_kb(), condition, [GCD], options)["T/0"]
        scores = [context.score for context in contexts]
        assert len(contexts) > 2
        assert scores == sorted(scores, reverse=True)
        assert len({context.node_id for context in contexts}) == len(contexts)


@pytest.mark.parametrize("condition", ["dense", "func-pkg", "block-pkg"])
def test_too_little_similarity_is_no_context(open_kb: Opener, condition: str) -> None:
    score = one(open_kb, condition, GCD).score
    assert 0 < score < 1
    found = retrieve(open_kb(), condition, [GCD], {"min_similarity": score + 0.01})
    assert found == {"T/0": []}
    assert one(open_kb, condition, GCD, min_similarity=score - 0.01).score == score


def test_pruning_cuts_the_branch_that_the_query_does_not_ask_for(open_kb: Opener) -> None:
    asked = problem(
        "least common multiple of integers: not a or not b return 0, a * b // gcd(a, b)"
    )
    context = one(open_kb, "func-pkg", asked)
    assert context.full.startswith("def lcm")
    [(start, end)] = context.pruned_spans
    assert context.full[start:end] == (
        "\n    for check in (a, b):\n        if check < 0:\n"
        '            raise ValueError("negative")'
    )
    assert context.text == context.full[:start] + context.full[end:]
    off = one(open_kb, "func-pkg", asked, prune="never")
    assert (off.text, off.pruned) == (context.full, "[]")
    payloads = one(open_kb, "func-pkg", asked, prune="paper", prune_text="payloads")
    assert payloads.full.startswith(context.full + "\nif not a or not b:")
    assert payloads.text.startswith(context.full)


def test_pruning_embeds_once_a_round_for_all_problems(open_kb: Opener) -> None:
    embedder = BagOfWords()
    retrieve(open_kb(embedder=lambda: embedder), "func-pkg", [GCD, VOWELS], {"prune": "paper"})
    assert [kind for kind, _ in embedder.calls].count("document") == 1


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    prompt=st.text(st.sampled_from("abc gcdtexvowls()"), max_size=40),
    condition=st.sampled_from(["func-pkg", "block-pkg"]),
    options=st.fixed_dictionaries(
        {
            "prune": st.sampled_from(["paper", "keep", "never"]),
            "prune_depth": st.integers(1, 4),
            "expand_calls": st.booleans(),
            "k": st.integers(1, 4),
            "token_budget": st.integers(1, 200),
            "min_similarity": st.just(-1.0),
        }
    ),
)
def test_laws_of_every_option(
    open_kb: Opener, prompt: str, condition: str, options: dict[str, Any]
) -> None:
    contexts = retrieve(open_kb(), condition, [problem(prompt)], options)["T/0"]
    assert len(contexts) <= options["k"]
    assert sum(context.tokens for context in contexts) <= options["token_budget"]
    for context in contexts:
        assert is_valid(context.text) or context.cut_tokens
        rounds = 0 if options["prune"] == "never" else options["prune_depth"]
        assert len(context.pruned_spans) <= rounds


def test_contexts_make_a_table(open_kb: Opener, tmp_path: Path) -> None:
    found = retrieve(open_kb(), "func-pkg", [GCD, VOWELS], {"prune": "paper"})
    rows = [vars(context) for contexts in found.values() for context in contexts]
    assert write_table(tmp_path / "contexts.arrow", CONTEXTS, rows) == 2
    frame = read_frame(tmp_path / "contexts.arrow", CONTEXTS)
    assert [Context(**row) for row in frame.to_dicts()] == [c for cs in found.values() for c in cs]
    assert all(json.loads(pruned) for pruned in frame["pruned"])


@pytest.mark.parametrize(
    ("condition", "options", "message"),
    [
        ("func-pgk", {}, "unknown condition: 'func-pgk'"),
        ("none", {"k": 1}, "k: Extra inputs"),
        ("bm25", {"min_similarity": 0.1}, "min_similarity: Extra inputs"),
        ("dense", {"k": 0}, "k: Input should be greater than or equal to 1"),
        ("dense", {"min_similarity": 1.5}, "min_similarity: Input should be less than"),
        ("func-pkg", {"prune": "some"}, "prune: Input should be 'paper', 'keep' or 'never'"),
        ("block-pkg", {"prune_text": "json"}, "prune_text: Input should be 'source' or 'payloads'"),
        ("block-pkg", {"k": "1"}, "k: Input should be a valid integer"),
        ("func-bm25", {"expand_calls": 1}, "expand_calls: Input should be a valid boolean"),
    ],
)
def test_bad_parameters_are_refused(
    open_kb: Opener, condition: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(CodeGraftError) as caught:
        retrieve(open_kb(), condition, [GCD], options)
    assert message in str(caught.value)


def test_a_doubled_problem_is_refused(open_kb: Opener) -> None:
    with pytest.raises(CodeGraftError, match=r"occur more than once, e\.g\. T/0"):
        retrieve(open_kb(), "none", [GCD, GCD], {})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({}, "1 without entry, 0 unknown"),
        ({"T/0": [], "T/9": []}, "0 without entry, 1 unknown"),
        (
            {"T/0": [Context("T/1", "none", 0, "", "", 0.0, "x", 1, "[]", "x", 0)]},
            "1 contexts under a foreign key",
        ),
        (
            {"T/0": [Context("T/0", "none", 1, "", "", 0.0, "x", 1, "[]", "x", 0)]},
            "1 contexts under a foreign key",
        ),
    ],
)
def test_a_condition_that_loses_or_swaps_problems_is_caught(
    open_kb: Opener, monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(none, "retrieve", lambda kb, problems, options: answer)
    with pytest.raises(CodeGraftError, match=message):
        retrieve(open_kb(), "none", [GCD], {})


def test_expansion_appends_what_the_code_calls(open_kb: Opener) -> None:
    asked = problem("def lcm(a, b): least common multiple of two integers")
    gcd = one(open_kb, "func-bm25", GCD).text
    plain = one(open_kb, "func-bm25", asked)
    longer = one(open_kb, "func-bm25", asked, expand_calls=True)
    assert longer.full == plain.text
    assert longer.text == f"{plain.text}\n\n{gcd}"
    method = one(open_kb, "block-pkg", VOWELS, prune="never", expand_calls=True)
    assert method.text.endswith("\n\ndef weigh(self, letter):" + method.text.split("letter):")[1])
    assert one(open_kb, "func-bm25", GCD, expand_calls=True).text == gcd


def test_expansion_appends_whole_functions_within_the_budget(open_kb: Opener) -> None:
    asked = problem("def lcm(a, b): least common multiple of two integers")
    plain = one(open_kb, "func-bm25", asked)
    longer = one(open_kb, "func-bm25", asked, expand_calls=True)
    for budget in (longer.tokens, longer.tokens - 1):
        context = one(open_kb, "func-bm25", asked, expand_calls=True, token_budget=budget)
        assert context.text == (longer if budget == longer.tokens else plain).text
        assert context.cut_tokens == 0


def test_expansion_passes_over_calls_that_were_pruned(open_kb: Opener) -> None:
    asked = problem('if letter in "aeiou": total += 1')
    options = {"prune_depth": 4, "expand_calls": True}
    pruned = one(open_kb, "block-pkg", asked, **options)
    assert "weigh" in pruned.full
    assert "weigh" not in pruned.text


def test_expansion_passes_over_denied_documents(open_kb: Opener) -> None:
    asked = problem("apply the helper twice")
    options = {"expand_calls": True}
    [free] = retrieve(open_kb(), "func-bm25", [asked], options)["T/0"]
    assert free.text == f"{free.full}\n\ndef only_here(x):\n    return x"
    [bound] = retrieve(open_kb("maths.py"), "func-bm25", [asked], options)["T/0"]
    assert bound.text == bound.full == free.full
