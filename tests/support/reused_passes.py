"""Passes of an earlier run, for test modules that nothing has changed for since: what ``bin/test`` reuses.

A module is left out if all its tests passed in one run, at most a day ago, with the same files and the same machine
(see ``input_digests``). Pages and other test modules count if it reads any of them (see ``observed_reads``). A test
that fails or is skipped keeps its whole module from being reused. The record is in pytest's cache, which a fresh clone
doesn't have. Whoever can write the tests can write it too: CI runs all tests, with ``bin/test --all``.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Generator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from input_digests import Inputs, read_inputs
from observed_reads import ObservedReads, groups_by_module

VALID_FOR = timedelta(days=1)
GROUPS = ("pages", "tests")
_RECORD = "verigate/passes"
_HANDED = "reused_modules"
_OBSERVED = "files_in_groups"
_READS = "observed_reads"
_CHANGED = {
    "machine": "packages, programs or variables",
    "shared": "files of the repository",
    "pages": "pages of documentation",
    "tests": "test modules",
}


def add_option(parser: pytest.Parser) -> None:
    """Add ``--passes`` to pytest's options."""
    parser.addoption(
        "--passes",
        choices=("ignore", "record", "reuse"),
        default="ignore",
        help="record: keep which test modules passed; reuse: also leave out modules whose pass still holds",
    )


def register(config: pytest.Config) -> None:
    """Register what ``--passes`` asks for. Workers leave out what the process that started them says."""
    if hasattr(config, "workerinput"):
        handed = config.workerinput
        if _HANDED in handed:
            observed = ObservedReads(config.rootpath, handed[_OBSERVED])
            config.pluginmanager.register(LeftOut(config, handed[_HANDED], observed))
    elif config.getoption("passes", "ignore") != "ignore" and hasattr(config, "cache"):
        everything = config.args_source == pytest.Config.ArgsSource.TESTPATHS  # what is named on the command line runs
        reuse = config.getoption("passes") == "reuse" and everything
        config.pluginmanager.register(ReusedPasses(config, reuse=reuse))


class LeftOut:
    """Leaves test modules out of a run, before they are imported, and observes what the others read."""

    def __init__(self, config: pytest.Config, modules: Sequence[str], observed: ObservedReads) -> None:
        self.config = config
        self.observed = observed
        self._paths = {config.rootpath / name for name in modules}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path in self._paths else None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        module = collector.getparent(pytest.Module)
        self.observed.running = _module_of(collector.nodeid) if module is not None else None
        result = yield
        self.observed.running = None
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.observed.running = _module_of(item.nodeid)
        result = yield
        self.observed.running = None
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        sent: dict[str, Any] = vars(session.config)["workeroutput"]  # a worker has it, by pytest-xdist
        sent[_READS] = {name: sorted(groups) for name, groups in self.observed.found.items()}


class ReusedPasses(LeftOut):
    """Decides what is left out, and records what passes."""

    def __init__(self, config: pytest.Config, *, reuse: bool) -> None:
        self._inputs = read_inputs(config.rootpath)
        self._record: dict[str, Any] = config.cache.get(_RECORD, {})
        self._reused = self._find_valid() if reuse else {}
        self._collected: dict[str, set[str]] = defaultdict(set)
        self._passed: dict[str, set[str]] = defaultdict(set)
        self._not_passed: set[str] = set()
        self._silent_workers = 0
        self._changed: list[str] = []
        super().__init__(config, list(self._reused), ObservedReads(config.rootpath, self._inputs.in_groups))

    def _find_valid(self) -> dict[str, dict[str, Any]]:
        now = datetime.now(UTC)
        return {
            module: entry
            for module, entry in self._record.items()
            if timedelta() <= now - datetime.fromisoformat(entry["at"]) <= VALID_FOR
            and entry["key"] == self._inputs.key(module, entry["groups"])
        }

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_HANDED] = sorted(self._reused)
        node.workerinput[_OBSERVED] = sorted(self._inputs.in_groups)
        self._silent_workers += 1

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        reads = getattr(node, "workeroutput", {}).get(_READS)
        if reads is not None:
            self._silent_workers -= 1
            for name, groups in reads.items():
                self.observed.found[name].update(groups)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._add_collected(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._add_collected([item.nodeid for item in session.items])

    def _add_collected(self, ids: Sequence[str]) -> None:
        for test_id in ids:
            self._collected[_module_of(test_id)].add(test_id)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._not_passed.update(_module_of(item.nodeid) for item in items)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self._not_passed.add(_module_of(report.nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        module = _module_of(report.nodeid)
        if not report.passed or hasattr(report, "wasxfail"):
            self._not_passed.add(module)
        elif report.when == "teardown":
            self._passed[module].add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._reused and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
        for module in self._not_passed:
            self._record.pop(module, None)
        self._record = {module: entry for module, entry in self._record.items() if module in self._inputs.modules}
        self._record.update(self._find_passed())
        self.config.cache.set(_RECORD, self._record)

    def _find_passed(self) -> dict[str, dict[str, Any]]:
        """Modules whose tests all passed, unless a file that they depend on has changed during the run."""
        try:
            inputs: Inputs = read_inputs(self.config.rootpath)
        except (OSError, subprocess.CalledProcessError):
            return {}
        self._changed = [
            *(name for name in ("machine", "shared") if getattr(inputs, name) != getattr(self._inputs, name)),
            *(group for group in GROUPS if inputs.groups[group] != self._inputs.groups[group]),
        ]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        read = groups_by_module(self.config.rootpath, self._inputs.modules, self.observed.found)
        found = {}
        for module, tests in self._collected.items():
            # What a worker that was killed has read, nobody knows.
            groups = GROUPS if self._silent_workers else sorted(read.get(module, GROUPS))
            key = self._inputs.key(module, groups)
            if module in self._not_passed or tests != self._passed[module] or key is None:
                continue
            if key == inputs.key(module, groups):
                found[module] = {"key": key, "groups": groups, "at": now, "tests": len(tests)}
        return found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._changed:
            terminalreporter.ensure_newline()
            what = ", ".join(_CHANGED[name] for name in self._changed)
            terminalreporter.write_line(
                f"changed during the run, so that no pass that depends on it is recorded: {what}"
            )
        if not self._reused:
            return
        tests = sum(entry["tests"] for entry in self._reused.values())
        times = sorted(datetime.fromisoformat(entry["at"]) for entry in self._reused.values())
        between = " to ".join(dict.fromkeys(f"{time:%Y-%m-%d %H:%M}" for time in (times[0], times[-1])))
        terminalreporter.ensure_newline()
        terminalreporter.write_line(
            f"not run again: {tests} tests in {len(self._reused)} modules; they passed with the same files and "
            f"programs, {between} UTC; bin/test --all runs them"
        )


def _module_of(test_id: str) -> str:
    return test_id.partition("::")[0]
