"""Find tests that pass on the code of base, are the same in the subject, and don't run there.

No test has to change for that: code can make a test skip that asks it first, leave the table empty over which it is
parametrised, or end the process. A report of the subject alone doesn't show it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from code_adapter.counterfactual.cell_calls import CellCalls
from code_adapter.counterfactual.cell_runs import CellRunner, TestName
from code_adapter.counterfactual.classes import Class, Outcome
from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.sides import read_sides
from code_adapter.counterfactual.versions import Difference, Trees, Version, read_differing
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.roles import is_collected
from code_adapter.syntax.changes import read_blobs
from code_adapter.testing.impact.change import Selected
from code_adapter.tree_checkout import is_users_tree, open_trees
from code_adapter.unrun.lasting_skips import stays_unrun
from code_adapter.unrun.reported_names import Seen, look_up
from verigate.sdk import Request, path_text
from verigate.sdk.languages import language_of
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.subject import IndexListing, Repository, list_index, open_repository, resolve_base
from verigate.sdk.tools import limit_tools
from verigate.sdk.weakening_ids import digest_form, make_weakening_id

_LEAST_S = 30.0
"""Seconds that the tests may take on the code of base, and twice as long as the whole suite took."""

_WHAT = "tests that didn't run"

_RUST_CHOICE = re.compile(rb"^.*\b(?:mod|cfg\w*|macro_rules|include)\b.*$", re.MULTILINE)
"""Lines of Rust that decide which tests are compiled."""


@dataclass
class Unrun:
    """What tests.json has of it: ``tests`` as ``no_longer_run``, and ``uncompared``.

    ``asked`` is how many tests were looked at, ``seconds`` how long all of it took. ``why`` says of files and folders
    why their tests couldn't be looked at.
    """

    tests: list[dict[str, Any]] = field(default_factory=list)
    why: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    seconds: float = 0.0

    @property
    def uncompared(self) -> list[dict[str, str]]:
        """The files and folders whose tests couldn't be looked at."""
        return [{"what": _WHAT, "path": path_text(path), "why": why} for path, why in sorted(self.why.items())]


def find_unrun(
    request: Request,
    runs: Sequence[SuiteRun],
    selected: Sequence[Selected] = (),
    listing: IndexListing | None = None,
) -> Unrun:
    """Find the tests that base's code passes and the subject, whose ``runs`` these are, doesn't run.

    Looks at tests that are the same in both; of a suite of which a part was ``selected``, at those of that part. Runs
    nothing if all of them are reported, or no code differs, and never anything in the user's own tree. Files of the
    checkout are overwritten meanwhile. ``listing`` is that of the index, where the caller has one. Raises ToolFailed if
    git fails.
    """
    found = Unrun()
    if is_users_tree(request):
        return found
    started = time.monotonic()
    _find_unrun(request, runs, selected, found, listing)
    found.seconds = time.monotonic() - started
    return found


def _find_unrun(
    request: Request,
    runs: Sequence[SuiteRun],
    selected: Sequence[Selected],
    found: Unrun,
    listing: IndexListing | None,
) -> None:
    texts = Texts(request.repo_root)
    with open_repository(request) as repository:
        base = resolve_base(request, repository)
        difference = read_differing(repository, base, list_index(repository) if listing is None else listing)
        if not _differ_in_code(difference):
            return
        silent, forms = _find_silent(repository, difference, runs, selected)
        if not silent:
            return
        sides = read_sides(repository, base)
        subject = repository.git("write-tree").stdout.decode().strip()
    found.asked = len(silent)
    paths = sorted({test.path for test in silent})
    limit = _LEAST_S + 2 * sum(run.outcomes.duration_ms for run in runs) / 1000
    with open_trees(request) as checkout, limit_tools(limit):
        calls = CellCalls(request, checkout, Trees({"BB": base, "HH": subject}), sides, 1)
        for runner in calls.find_runners(found.why):
            here = runner.choose(paths, paths)
            only = {path: frozenset(test.name for test in silent if test.path == path) for path in here}
            if only:
                found.tests += [_describe(test, forms, texts) for test in _compare(calls, runner, only, found)]
            paths = [path for path in paths if path not in only]


def _compare(calls: CellCalls, runner: CellRunner, only: Mapping[str, frozenset[str]], found: Unrun) -> list[TestName]:
    """Run the tests ``only`` on the code of base, and those that pass there on the subject's: list what doesn't run."""
    base = runner.run(calls.check_out("BB"), sorted(only), only)
    if base.why:
        found.why |= dict.fromkeys(only, base.why)
        return []
    passed = [name for name, outcome in base.outcomes.items() if outcome is Outcome.PASSED]
    passed = [name for name in passed if name.name in only.get(name.path, ())]
    again = {path: frozenset(name.name for name in passed if name.path == path) for path in only}
    again = {path: names for path, names in again.items() if names}
    if not again:
        return []
    # The report doesn't have them: that they don't run is seen again where each is asked for by its name.
    head = runner.run(calls.check_out("HH"), sorted(again), again)
    return sorted(name for name in passed if head.get(name) not in {Outcome.PASSED, Outcome.FAILED})


def _describe(test: TestName, forms: tuple[Forms, Forms], texts: Texts) -> dict[str, Any]:
    path = path_text(test.path)
    before, after = (digest_form(each.find(test)) for each in forms)
    return {
        "path": path,
        "test": texts.message(test.name),
        "id": make_weakening_id(Class.LOST.value, path, test.name, before, after),
    }


def _differ_in_code(difference: Difference) -> bool:
    before, after = difference.before, difference.after
    differing = (path for path in difference.differing if before.files.get(path) != after.files.get(path))
    return any(path not in before.tests | after.tests for path in differing)


def _find_silent(
    repository: Repository, difference: Difference, runs: Sequence[SuiteRun], selected: Sequence[Selected]
) -> tuple[list[TestName], tuple[Forms, Forms]]:
    """Find the tests that are the same in both and that no report has as run, with the sources of both.

    Files that weren't selected are left out.
    """
    before, after = difference.before, difference.after
    rust = _may_choose_rust_tests(repository, difference)
    chosen = next((item.paths for item in selected if item.leaves_out_others), None)
    held = [path for path in (after.files if chosen is None else chosen) if _holds_tests(path, rust=rust)]
    both = [
        path
        for path in sorted(held)
        if path in before.files and path in after.files and not any(item.leaves_out(path) for item in selected)
    ]
    blobs = read_blobs(repository, {version.files[path].oid for version in (before, after) for path in both})
    forms = (_read_forms(before, both, blobs), _read_forms(after, both, blobs))
    same = [
        test
        for path in both
        for test in forms[1].list_tests(path)
        if before.files[path].oid == after.files[path].oid or forms[0].find(test) == forms[1].find(test)
    ]
    seen = look_up(same, runs)
    silent = [
        test
        for test in same
        if seen.get(test, Seen.RUN) is not Seen.RUN
        and not stays_unrun(test.path, forms[1].find(test) or "", forms[1].read(test.path), seen[test])
    ]
    return silent, forms


def _read_forms(version: Version, paths: Sequence[str], blobs: Mapping[str, bytes | int]) -> Forms:
    found = {path: blobs.get(version.files[path].oid) for path in paths}
    return Forms({path: blob for path, blob in found.items() if isinstance(blob, bytes)})


def _holds_tests(path: str, *, rust: bool) -> bool:
    if language_of(path) not in LANGUAGES:
        return False
    return rust if path.endswith(".rs") else is_collected(path)


def _may_choose_rust_tests(repository: Repository, difference: Difference) -> bool:
    """Whether the change may decide which tests of Rust are compiled. At run time a test can't be skipped there."""
    before, after = difference.before, difference.after
    differing = [path for path in difference.differing if before.files.get(path) != after.files.get(path)]
    if any(path.rpartition("/")[2] in {"Cargo.toml", "build.rs"} or ".cargo/" in path for path in differing):
        return True
    sources = [path for path in differing if path.endswith(".rs")]
    blobs = read_blobs(
        repository,
        {version.files[path].oid for version in (before, after) for path in sources if path in version.files},
    )
    return any(_list_choices(before, path, blobs) != _list_choices(after, path, blobs) for path in sources)


def _list_choices(version: Version, path: str, blobs: Mapping[str, bytes | int]) -> list[bytes]:
    blob = blobs.get(version.files[path].oid) if path in version.files else b""
    return [line.strip() for line in _RUST_CHOICE.findall(blob)] if isinstance(blob, bytes) else []
