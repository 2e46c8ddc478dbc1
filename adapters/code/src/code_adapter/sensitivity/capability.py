"""``code:sensitivity``: whether the tests of the subject notice what the changed tests of base noticed."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from code_adapter.counterfactual.cell_calls import CellCalls
from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.sides import Sides, read_sides
from code_adapter.counterfactual.test_support import list_inner_tests
from code_adapter.counterfactual.versions import Trees
from code_adapter.functions.matching import read_units
from code_adapter.sensitivity.alterations import Unfailing, find_unfailing
from code_adapter.sensitivity.asked_tests import Asked, Changed, read_tests
from code_adapter.sensitivity.changed_places import Places, read_places
from code_adapter.sensitivity.noticing import Noticing, Trial, find_noticing, list_unmutated, read_changed_files
from code_adapter.sensitivity.powers import LEAST, Tried, find_held, find_lost
from code_adapter.sensitivity.project import Found, Project
from code_adapter.sensitivity.trials import LONGEST_S, WHOLE_S, Bench
from code_adapter.sensitivity.tried_places import TriedParts, TriedPlace, judge_places, try_parts, try_places
from code_adapter.tree_checkout import open_trees
from verigate.sdk import AdapterUsageError, path_text, write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.stated_facts import list_stated
from verigate.sdk.subject import open_repository, resolve_base
from verigate.sdk.units import Unit, UnitKind
from verigate.sdk.weakening_ids import digest_form, make_weakening_id

if TYPE_CHECKING:
    from verigate.sdk import Request

MUTANTS = 20
"""How many mutants that tests of base notice are looked at, unless the configuration says otherwise."""

LOST_POWER = "lost_power"
_CANNOT_FAIL = "test_cannot_fail"
_NOTICED_MIN = "noticed_min"
_SAME = ("behav", "refactor", "function", "semantic")
"""A statement that code does what it did has one of them."""

_WORDS = ("test", "cover", *_SAME)
"""A statement about what tests notice has one of them: that code is tested, or does what it did."""

_UNMUTATED = "no mutants are made in files like it"
_MOST_NAMED = 5
"""So many tests of the subject are named for a mutant that they notice."""


@dataclass
class _Results:
    """What was found of all projects. ``noticing`` is None where nobody asks for it."""

    compared: Found = field(default_factory=Found)
    unfailing: list[Unfailing] = field(default_factory=list)
    noticing: Noticing | None = None
    more: list[Trial] = field(default_factory=list)
    """Mutants in changed places, beyond those in changed lines."""

    parts: TriedParts = field(default_factory=TriedParts)

    places: list[TriedPlace] | None = None
    """None where no statement asks whether code does what it did."""


def run(request: Request) -> None:
    """Write sensitivity.json and sensitivity.meta.json. Raises ToolFailed without counterfactual.json."""
    wanted, seconds = _read_wanted(request), _read_seconds(request)
    tests = read_tests(request)
    named = _list_named(request)
    whole = _is_noticing_asked(request)
    results = _Results(noticing=Noticing() if (whole or named) and seconds != 0 else None)
    asks_same = any(list_stated(request.claim, "sensitivity.json", _SAME))
    started = time.monotonic()
    latest = started + WHOLE_S if seconds is None else math.inf
    sides = None
    if seconds == 0:
        results.compared.why[""] = "mutants_s is 0 in config/adapters.json, so that nothing is tried"
    elif tests.asked or tests.changed or results.noticing is not None:
        with open_repository(request) as repository:
            base = resolve_base(request, repository)
            sides = read_sides(repository, base)
            places = read_places(repository, base, sides.base, sides.head) if asks_same else Places()
            trees = Trees({"BB": sides.base.tree, "HH": sides.head.tree})
            with open_trees(request) as checkout:
                calls = CellCalls(request, checkout, trees, sides, 1)
                files = read_changed_files(repository, sides) if results.noticing is not None else []
                if not whole:
                    files = [kept for file in files if (kept := file.keep_little(named)).lines]
                elif results.noticing is not None:
                    results.noticing.why |= dict.fromkeys(list_unmutated(sides), _UNMUTATED)
                versions = {"BB": sides.base, "HH": sides.head}
                inner = {cell: list_inner_tests(repository, version) for cell, version in versions.items()}
                for runner in calls.find_runners(results.compared.why):
                    bench = Bench(request, calls, runner.for_mutants(), seconds, inner, latest)
                    Project(bench, repository, tests.asked, wanted).compare(results.compared)
                    _add_unfailing(bench, tests.changed, results)
                    if results.noticing is not None:
                        first = sorted({each.test.path for each in tests.changed})
                        find_noticing(bench, files, first, wanted, results.noticing)
                        results.more += try_places(bench, places, first, results.noticing)
                        try_parts(bench, places.parts, first, results.parts)
            if asks_same and results.noticing is not None:
                trials = [*results.noticing.trials, *results.more]
                results.places = judge_places(places, trials, results.parts)
    if tests.asked and not (
        results.compared.why
        or find_held(results.compared.tried, results.compared.needed)
        or find_lost(results.compared.tried)
    ):
        results.compared.why[""] = f"no test of base noticed as many as {LEAST} mutants"
    write_json(request.task_dir, "sensitivity.json", _describe(tests.asked, results, sides, Texts(request.repo_root)))
    found = results.compared
    meta = {
        "expected": sorted({path_text(each.shown_path) for each in tests.asked}),
        "examined": sorted({path_text(test.path) for item in found.tried for test in item.base}),
        "skipped": [{"path": path_text(path) or ".", "why": why} for path, why in sorted(found.why.items())],
        "metadata": {"seconds": round(time.monotonic() - started, 3)},
    }
    write_json(request.task_dir, "sensitivity.meta.json", meta)


def _list_named(request: Request) -> list[Unit]:
    """The functions that the claim names."""
    units = read_units(request.commitment, request.claim, lambda _: False)
    return [unit for unit in units if unit.kind is UnitKind.FUNCTION]


def _is_noticing_asked(request: Request) -> bool:
    rule = request.rules.get(_NOTICED_MIN)
    return rule is not None or any(list_stated(request.claim, "sensitivity.json", _WORDS))


def _add_unfailing(bench: Bench, changed: Sequence[Changed], results: _Results) -> None:
    found, why = find_unfailing(bench, changed)
    results.unfailing += found
    if why:
        results.compared.why.setdefault(bench.runner.folder, why)


def _read_wanted(request: Request) -> int:
    wanted = request.config.get("mutants", MUTANTS)
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not LEAST <= wanted <= 1000:
        raise AdapterUsageError(f"is not a number from {LEAST} to 1000", where="configuration of code, /mutants")
    return wanted


def _read_seconds(request: Request) -> float | None:
    seconds = request.config.get("mutants_s")
    if seconds is not None and (type(seconds) not in {int, float} or not 0 <= seconds <= LONGEST_S):
        raise AdapterUsageError(f"is not a number from 0 to {LONGEST_S}", where="configuration of code, /mutants_s")
    return None if seconds is None else float(seconds)


def _describe(asked: Sequence[Asked], results: _Results, sides: Sides | None, texts: Texts) -> dict[str, Any]:
    found = results.compared
    lost = find_lost(found.tried)
    held = find_held(found.tried, found.needed)
    by_base = {each.base: each for each in asked}
    return {
        LOST_POWER: [_describe_lost(by_base[test], items, sides, texts) for test, items in lost.items() if sides],
        "held": [_name(by_base[test], texts) | {"mutants": number} for test, number in held.items()],
        "unfailing": [_describe_unfailing(item, sides, texts) for item in results.unfailing if sides],
        "mutants": [_describe_tried(item, texts) for item in found.tried],
        "unnoticed": found.unnoticed,
        "unusable": found.unusable,
        "changed": None if results.noticing is None else _describe_noticing(results.noticing, texts),
        "places": None if results.places is None else [_describe_place(each, texts) for each in results.places],
        "asked": len(asked),
        "unexamined": _describe_reasons(found.why, texts),
    }


def _describe_reasons(why: Mapping[str, str], texts: Texts) -> list[dict[str, str]]:
    return [{"path": path_text(path) or ".", "why": texts.message(text)} for path, text in sorted(why.items())]


def _describe_unfailing(item: Unfailing, sides: Sides, texts: Texts) -> dict[str, Any]:
    test = item.test.test
    forms = sides.find_forms(item.test.base, test)
    path, name = path_text(test.path), texts.message(test.name)
    before, after = (digest_form(form) for form in forms)
    return {
        "path": path,
        "test": name,
        "id": make_weakening_id(_CANNOT_FAIL, path, name, before, after),
        "line": item.value.mutant.line,
        "change": texts.message(item.value.mutant.describe()),
        "new": item.test.base is None,
    }


def _describe_noticing(found: Noticing, texts: Texts) -> dict[str, Any]:
    return {
        "files": found.files,
        "mutants": [_describe_trial(each, texts) for each in found.trials],
        "unusable": found.unusable,
        "unexamined": _describe_reasons(found.why, texts),
    }


def _describe_place(tried: TriedPlace, texts: Texts) -> dict[str, Any]:
    place = tried.place
    return {
        "path": path_text(place.path),
        "unit": None if place.unit is None else texts.message(place.unit),
        "fate": tried.fate.value,
        "why": None if tried.why is None else texts.message(tried.why),
    }


def _describe_trial(trial: Trial, texts: Texts) -> dict[str, Any]:
    head = trial.head
    return {
        "path": path_text(trial.mutant.path),
        "line": trial.mutant.line,
        "operator": trial.mutant.operator.value,
        "change": texts.message(trial.mutant.describe()),
        "unit": None if trial.unit is None else texts.message(trial.unit),
        "head": _list_names(head or (), texts)[:_MOST_NAMED],
        "fate": "open" if head is None else "noticed" if head else "unnoticed",
    }


def _describe_lost(test: Asked, items: Sequence[Tried], sides: Sides, texts: Texts) -> dict[str, Any]:
    before, after = (digest_form(form) for form in sides.find_forms(test.base, test.head))
    named = _name(test, texts)
    return named | {
        "id": make_weakening_id(LOST_POWER, named["path"], named["test"], before, after),
        "mutants": [
            f"{path_text(item.mutant.path)}:{item.line}: {texts.message(item.mutant.describe())}" for item in items
        ],
    }


def _name(test: Asked, texts: Texts) -> dict[str, Any]:
    return {"path": path_text(test.shown_path), "test": texts.message(test.shown_name)}


def _describe_tried(item: Tried, texts: Texts) -> dict[str, Any]:
    return {
        "path": path_text(item.mutant.path),
        "line": item.line,
        "was_line": item.mutant.line,
        "operator": item.mutant.operator.value,
        "change": texts.message(item.mutant.describe()),
        "base": _list_names(item.base, texts),
        "head": _list_names(item.head, texts)[:_MOST_NAMED],
        "fate": item.fate.value,
    }


def _list_names(tests: Collection[TestName], texts: Texts) -> list[str]:
    return [f"{path_text(test.path)}::{texts.message(test.name)}" for test in sorted(tests)]
