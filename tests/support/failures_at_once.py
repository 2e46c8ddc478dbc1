"""Each failure in a line as soon as it is known: a run that is ended before its summary has still said what failed."""

from __future__ import annotations

import pytest

_MOST = 300


class FailuresAtOnce:
    """Writes to the terminal of the process that reports, not to those of its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the test's id and the first line of what it failed with."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write("\n" + f"failed: {report.nodeid} ({report.when}): {_cause(report)}"[:_MOST] + "\n")


def register(config: pytest.Config) -> None:
    """Where the tests have workers, only their controller reports."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


def _cause(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    message = getattr(crash, "message", "") or report.longreprtext
    return message.strip().partition("\n")[0]
