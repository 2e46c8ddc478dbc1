"""The class of a test by its cells: every combination has one, and the first row of the table that matches wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

import pytest

from code_adapter.counterfactual.classes import Cells, Class, Classified, Outcome, Weakens, classify

LETTERS = "PFXN"


def cells(bb: str, hb: str, bh: str, hh: str, *, same_form: bool = False, subject_gone: bool = False) -> Cells:
    """Cells of one or more runs; a letter is a run."""
    runs = (tuple(map(Outcome, letters)) for letters in (bb, hb, bh, hh))
    return Cells(*runs, same_form=same_form, subject_gone=subject_gone)


def list_picks(value: Cells) -> Iterator[dict[str, tuple[Outcome, ...]]]:
    """One outcome of each cell, in every way."""
    for picked in product(*map(set, (value.bb, value.hb, value.bh, value.hh))):
        yield dict(zip(("bb", "hb", "bh", "hh"), ((each,) for each in picked), strict=True))


def read_table(value: Cells) -> tuple[str, str]:
    """The table of docs/counterfactual.md, read row by row, with nothing in common with the code."""
    bb, hb, bh, hh = ("".join(runs) for runs in (value.bb, value.hb, value.bh, value.hh))
    interface = (set(bb), set(hb), set(hh)) == ({"P"}, {"X"}, {"P"}) and set(bh) <= {"X", "F"}
    vote = "text" if set(bb) == {"N"} or len(set(bb)) > 1 else "expectations" if interface else "open"
    hb = "F" * len(hb) if value.subject_gone and set(hb) == {"X"} else hb
    if any(len(set(runs)) > 1 for runs in (bb, hb, bh, hh)):
        found = {read_table(replace(value, **pick)) for pick in list_picks(value)}
        if len(found) == 1:
            return found.pop()
    rows = [
        (
            any(len(set(runs)) > 1 for runs in (bb, hb, bh, hh)),
            "flaky",
            vote if len(set(bb)) > 1 or len(set(hh)) == 1 else "yes",
        ),
        (hh[0] in "FX" and value.same_form and bb[0] != "P", "broken_before", "tests"),
        (hh[0] in "FX", "broken", "tests"),
        (bb[0] == "N" and hh[0] == "N", "not_run", "no"),
        (bb[0] == "N" and bh[0] == "F", "proven", "no"),
        (bb[0] == "N" and bh[0] == "X", "added", "no"),
        (bb[0] == "N" and bh[0] == "P", "unproven", "no"),
        (bb[0] == "N", "not_comparable", "text"),
        (hh[0] == "N", "lost", "sensitivity" if hb[0] == "P" else "yes"),
        (bb[0] == "X" or hb[0] in "XN", "not_comparable", vote),
        (hb[0] == "P" and bb[0] == "P" and bh[0] == "F", "proven", "sensitivity"),
        (hb[0] == "P" and bb[0] == "P", "kept", "sensitivity"),
        (hb[0] == "P" and bb[0] == "F" and bh[0] == "P", "blinded", "yes"),
        (hb[0] == "P" and bb[0] == "F", "fixed", "no"),
        (hb[0] == "F" and bb[0] == "F", "greened", "yes"),
        (hb[0] == "F" and bb[0] == "P" and bh[0] == "P", "loosened", "yes"),
        (hb[0] == "F" and bb[0] == "P", "followed", "expectations"),
    ]
    return next((name, weakens) for matches, name, weakens in rows if matches)


def test_every_combination_of_single_runs_has_the_class_of_the_table() -> None:
    seen = set()
    for letters in product(LETTERS, repeat=4):
        for same_form, gone in product((False, True), repeat=2):
            value = cells(*letters, same_form=same_form, subject_gone=gone)
            found = classify(value)
            assert (found.name, found.weakens) == read_table(value), value
            seen.add(found.name)
    assert seen == set(Class) - {Class.FLAKY}


def test_every_combination_of_two_runs_has_the_class_of_the_table() -> None:
    pairs = ["".join(pair) for pair in combinations_with_replacement(LETTERS, 2)]
    for letters in product(pairs, repeat=4):
        value = cells(*letters)
        found = classify(value)
        assert (found.name, found.weakens) == read_table(value), value
        assert (found.name is not Class.FLAKY) or value.flipping


def test_what_flips_is_flaky_only_if_it_says_more_than_one_thing() -> None:
    assert classify(cells("PP", "FF", "XF", "PP")) == Classified(Class.FOLLOWED, Weakens.EXPECTATIONS)
    assert classify(cells("NN", "NN", "XF", "PP")).name is Class.FLAKY
    assert classify(cells("PP", "PF", "PP", "PP")).name is Class.FLAKY
    assert classify(cells("PP", "PP", "PP", "FX")).name is Class.BROKEN


@pytest.mark.parametrize("letters", list(product("PFXN", repeat=3)))
def test_a_test_that_fails_on_head_code_and_passed_is_never_acquitted_by_the_form_of_head(
    letters: tuple[str, ...],
) -> None:
    bb, hb, bh = letters
    found = classify(cells(bb, hb, bh, "P"))
    if hb == "F" and bb == "F":
        assert found == Classified(Class.GREENED, Weakens.YES)
    if bb == "P" and hb == "F":
        assert found.weakens in {Weakens.YES, Weakens.EXPECTATIONS}


def test_what_can_t_be_compared_says_why() -> None:
    assert "can't be imported" in classify(cells("X", "P", "P", "P")).why
    assert "isn't run" in classify(cells("P", "N", "P", "P")).why
    assert "doesn't run on the code of base" in classify(cells("N", "N", "N", "P")).why
    assert classify(cells("PP", "PP", "PP", "PF")).why == "HH: not the same in every run"


def test_a_symbol_that_is_gone_is_a_failure_of_the_base_form() -> None:
    assert classify(cells("P", "X", "X", "P")).name is Class.NOT_COMPARABLE
    assert classify(cells("P", "X", "X", "P", subject_gone=True)).name is Class.FOLLOWED
    assert classify(cells("P", "X", "P", "P", subject_gone=True)).name is Class.LOOSENED
