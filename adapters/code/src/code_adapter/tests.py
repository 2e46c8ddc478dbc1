"""``code:tests``: find the suites, run each, merge their reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from code_adapter.detection import (
    Missing,
    Unexamined,
    list_folders,
    list_missing,
    list_unexamined,
    require_all,
)
from code_adapter.excluded_tools import list_declared_tools
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing import (
    cargo_suite,
    dotnet_suite,
    go_suite,
    java_suites,
    node_suites,
    phpunit_suite,
    pytest_suite,
    ruby_suites,
    unittest_suite,
)
from code_adapter.testing.affected_suites import select_suites
from code_adapter.testing.declared_suites import read_declared_suites
from code_adapter.testing.deselect import deselect, read_deselected
from code_adapter.testing.impact.change import read_change
from code_adapter.testing.measured_suites import RunSuites, read_measured, run_suites
from code_adapter.testing.restored_sources import restore_between
from code_adapter.testing.suites import Suite
from code_adapter.testing.written_files import WrittenFiles, write_all, write_needed
from code_adapter.unrun.unrun_tests import find_unrun
from verigate.sdk import ToolFailed, write_json
from verigate.sdk.declared_tools import drop_covered, find_declared_runners, find_unclaimed_tests
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.tests import tests_summary

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write tests.json and tests.meta.json. Raises ToolFailed if a suite leaves no report, or only some can run."""
    deselected = read_deselected(request)
    found, ran = _run(request, _detect(request, write_needed(request)))
    suites, missing, declared = found.suites, found.missing, found.declared
    runs, repeated = ran.runs, ran.repeated
    texts = Texts(request.repo_root)
    counted, left_out = deselect(runs, deselected, texts)
    summary = tests_summary(counted, texts) | list_declared_tools(request, list_unexamined(missing, declared))
    if ran.selected:
        summary["selected"] = [item.describe() for item in ran.selected]
    unrun = find_unrun(request, runs, ran.selected, found.written.listing)
    if unrun.tests:
        summary["no_longer_run"] = unrun.tests
    if unrun.uncompared:
        summary["uncompared"] = unrun.uncompared
    if repeated:
        summary["repeated"] = [{"what": item.what, "path": item.path, "why": item.why} for item in repeated]
    write_json(request.task_dir, "tests.json", summary | ({"deselected": left_out} if left_out else {}))
    meta = {
        "expected": list_folders(suites, missing),
        "examined": sorted({item.folder or "." for item in runs}),
        "skipped": list_missing(missing),
        "commands": [
            {
                "argv": list(item.argv),
                "cwd": item.folder or ".",
                "environment": item.origin,
                "exit_code": item.exit_code,
                "name": item.tool,
                **({"by": item.by} if item.by else {}),
            }
            for item in runs
        ],
        "metadata": {
            "durations_ms": [item.outcomes.duration_ms for item in runs],
            "asked_of_base": {"tests": unrun.asked, "seconds": round(unrun.seconds, 3)},
        },
    }
    write_json(request.task_dir, "tests.meta.json", meta)


@dataclass(frozen=True)
class _Found:
    """What was detected in the files that are ``written``."""

    written: WrittenFiles
    suites: Sequence[Suite]
    missing: Sequence[Missing]
    declared: Sequence[Unexamined]


def _detect(request: Request, written: WrittenFiles) -> _Found:
    items = list(detect(request, written.files))
    suites = [item for item in items if isinstance(item, Suite)]
    missing = [item for item in items if isinstance(item, Missing)]
    require_all(suites, missing)
    return _Found(written, suites, missing, [item for item in items if isinstance(item, Unexamined)])


def _run(request: Request, found: _Found) -> tuple[_Found, RunSuites]:
    """Run the suites, or of them what the rules of this call select by the change.

    Where that needs files that aren't written, all are written, and what is detected in these is returned. Raises
    ToolFailed if nothing ran, and others can't be written any more.
    """
    measured = read_measured(request)
    files, affected, suites = found.written.files, found.written.affected, found.suites
    if affected is None:
        change = read_change(request, files)
        return found, run_suites(restore_between(request, files.paths, suites), measured, change)
    if affected.why:
        ran = run_suites(restore_between(request, files.paths, suites), measured)
        return found, replace(ran, selected=[affected.describe(left_out=False)])
    chosen = select_suites(suites, affected, measured)
    if found.written.left_out and (measured or not chosen or not found.written.suffice(chosen)):
        return _run(request, _detect(request, write_all(request)))
    links = None if found.written.listing is None else found.written.listing.links
    ran = run_suites(restore_between(request, files.paths, chosen, links=links), measured, affected=affected)
    if any(run.outcomes.cases for run in ran.runs):
        left_out = len(chosen) < len(suites) or any(item.chosen < item.of for item in ran.selected)
        described = affected.describe(left_out=left_out or found.written.left_out)
        return found, replace(ran, selected=[described, *ran.selected])
    if found.written.left_out:
        # Not by writing the others now: what has run may have changed the index and the objects that they come from.
        hint = "verify without --affected, which here leaves out the files of other packages"
        raise ToolFailed("no test of the affected packages ran", hint=hint)
    # Of what has no tests of its own, others may have some.
    ran = run_suites(restore_between(request, files.paths, suites), measured)
    everything = replace(affected, why="no affected package has tests").describe(left_out=False)
    return found, replace(ran, selected=[everything])


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing | Unexamined]:
    """Return the declared suites, else those detected from the subject's files, and what else these declare."""
    suites = read_declared_suites(request, files)
    if suites is not None:
        yield from suites
        return
    modules = (
        *(pytest_suite, unittest_suite, node_suites, cargo_suite, go_suite, java_suites),
        *(ruby_suites, phpunit_suite, dotnet_suite),
    )
    found = list(chain.from_iterable(module.detect(request, files) for module in modules))
    yield from found
    names = [item.tool for item in found if not isinstance(item, Unexamined)]
    declared = list(drop_covered(find_declared_runners(files.paths, files.text), names))
    for tool in declared:
        yield Unexamined(tool.name, tool.path, "its report can't be read here")
    if not found and not declared:
        for tool in find_unclaimed_tests(files.paths, files.text):
            yield Unexamined(tool.name, tool.path, "nothing here that can be read says how they are run")
