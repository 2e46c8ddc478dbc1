"""The tests whose power is in question: those that cells leave to it, as counterfactual.json of this run has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.classes import Class, Weakens
from verigate.sdk import Request, ToolFailed
from verigate.sdk.reports.untrusted import parse_json_object, read_report, reject_malformed

FILE = "counterfactual.json"
_FROM = "code:counterfactual"


@dataclass(frozen=True)
class Asked:
    """A test that passes on base's code in base's form. ``head`` is None where the subject doesn't have it."""

    base: TestName
    head: TestName | None
    shown_path: str
    shown_name: str


@dataclass(frozen=True)
class Changed:
    """A test that passes in the subject, and that the change wrote. ``base`` is None for a new one."""

    test: TestName
    base: TestName | None


@dataclass(frozen=True)
class Tests:
    """The tests of counterfactual.json that the cells leave to what they notice, and all that pass in the subject."""

    asked: Sequence[Asked]
    changed: Sequence[Changed]


def read_tests(request: Request) -> Tests:
    """Read the tests of the cells. Raises ToolFailed if the artifact can't be read."""
    if not (request.task_dir / FILE).is_file():
        raise ToolFailed(f"{FILE} is missing", where=str(request.task_dir), hint=f"run {_FROM} first")
    return _parse(read_report(request.task_dir / FILE, _FROM), _FROM)


@reject_malformed
def _parse(raw: bytes, tool: str) -> Tests:
    document = parse_json_object(raw, tool)
    return Tests(list(_read_asked(document)), list(_read_changed(document)))


def _read_changed(document: Mapping[str, Any]) -> Iterator[Changed]:
    for entry in document["tests"]:
        if set(entry["cells"]["HH"]) == {"P"}:
            test = TestName(str(entry["path"]), str(entry["test"]))
            was = entry["was"]
            known = TestName(str(was["path"]), str(was["test"])) if was else test
            yield Changed(test, None if set(entry["cells"]["BB"]) == {"N"} else known)


def _read_asked(document: Mapping[str, Any]) -> Iterator[Asked]:
    for entry in document["tests"]:
        if entry["weakens"] != Weakens.SENSITIVITY.value or set(entry["cells"]["BB"]) != {"P"}:
            continue
        name = TestName(str(entry["path"]), str(entry["test"]))
        was = entry["was"]
        base = TestName(str(was["path"]), str(was["test"])) if was else name
        yield Asked(base, None if entry["class"] == Class.LOST.value else name, name.path, name.name)
