"""The order in which the test files of a version are asked whether they notice mutants."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from code_adapter.counterfactual.affected_tests import choose_test_files
from code_adapter.counterfactual.test_tree import is_settings
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.sensitivity.changed_parts import Cell
from code_adapter.sensitivity.trials import Bench
from verigate.sdk.languages import language_of


def list_stages(
    bench: Bench, first: Collection[str], mutated: Collection[str], cell: Cell = "HH"
) -> Iterator[list[str]]:
    """List the test files that the runner may run: ``first``, then those that name ``mutated`` files, then others.

    They are those of the subject, or of base for the cell BB.
    """
    sides = bench.calls.sides
    version, forms = (sides.head, sides.head_forms) if cell == "HH" else (sides.base, sides.base_forms)
    inner = bench.inner.get(cell, frozenset())
    there = [
        path
        for path in {*sides.test_tree, *sides.mixed, *inner}
        if path in version.files and language_of(path) in LANGUAGES and not is_settings(path)
    ]
    tests = bench.runner.choose(sorted(there), sorted({*sides.mixed, *inner}))
    own = sorted({*first} & version.files.keys())
    others = [path for path in tests if path not in own]
    near = [path for path in others if path in inner and path in mutated]
    near += [path for path in choose_test_files(sorted(mutated), others, [], forms.read) if path not in near]
    yield own
    yield near
    yield [path for path in others if path not in near]
