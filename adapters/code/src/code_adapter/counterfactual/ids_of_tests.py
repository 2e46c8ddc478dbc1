"""Name what disclosures name: the class of a test, or the tests of a file that can't be compared for one reason.

Where a package isn't installed any more no test of a file runs as it was: one line a file can say that.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.classes import Class, Weakens
from code_adapter.counterfactual.comparison import Compared
from code_adapter.counterfactual.sides import Sides
from verigate.sdk import path_text
from verigate.sdk.weakening_ids import digest_form, make_weakening_id


@dataclass(frozen=True)
class TestId:
    """The id of a weakening, and whether it is that of several tests of the file."""

    text: str
    of_file: bool = False


def make_ids(tests: Iterable[Compared], sides: Sides) -> dict[TestName, TestId]:
    """Make the id of each test, by name. An id covers both forms, so it is another one once the test changes again."""
    groups: dict[tuple[str, str], list[Compared]] = defaultdict(list)
    ids = {}
    for item in tests:
        ids[item.name] = _make_id(item, sides)
        if item.found.name is Class.NOT_COMPARABLE and item.found.weakens is Weakens.OPEN:
            groups[(item.name.path, item.found.why)].append(item)
    for (path, _), group in groups.items():
        if len(group) > 1:
            ids |= dict.fromkeys((item.name for item in group), _make_id_of_file(path, group, sides))
    return ids


def _make_id(item: Compared, sides: Sides) -> TestId:
    base, head = map(digest_form, sides.find_forms(item.base, item.head))
    return TestId(make_weakening_id(item.found.name.value, path_text(item.name.path), item.name.name, base, head))


def _make_id_of_file(path: str, group: Sequence[Compared], sides: Sides) -> TestId:
    names = [item.name.name for item in group]
    sides_of_all = zip(*(sides.find_forms(item.base, item.head) for item in group), strict=True)
    # Each digest stands behind the name of its test, so that no other list of tests gives the same text.
    texts = [json.dumps([*zip(names, map(digest_form, forms), strict=True)]) for forms in sides_of_all]
    base, head = map(digest_form, texts)
    return TestId(make_weakening_id(Class.NOT_COMPARABLE.value, path_text(path), None, base, head), of_file=True)
