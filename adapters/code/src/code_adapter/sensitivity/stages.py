"""The order in which the test files of the subject are asked whether they notice mutants."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from code_adapter.counterfactual.affected_tests import choose_test_files
from code_adapter.counterfactual.test_tree import is_settings
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.sensitivity.trials import Bench
from verigate.sdk.languages import language_of


def list_stages(bench: Bench, first: Collection[str], mutated: Collection[str]) -> Iterator[list[str]]:
    """List the test files that the runner may run: ``first``, then those that name ``mutated`` files, then others."""
    sides = bench.calls.sides
    there = [
        path
        for path in {*sides.test_tree, *sides.mixed}
        if path in sides.head.files and language_of(path) in LANGUAGES and not is_settings(path)
    ]
    tests = bench.runner.choose(sorted(there), sorted(sides.mixed))
    own = sorted({*first} & sides.head.files.keys())
    others = [path for path in tests if path not in own]
    near = choose_test_files(sorted(mutated), others, [], sides.head_forms.read)
    yield own
    yield near
    yield [path for path in others if path not in near]
