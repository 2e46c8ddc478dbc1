"""The last word of a run of the adversarial twins: how many lies were caught, how many honest changes passed."""

from __future__ import annotations

import pytest

_KINDS = {"test_lie_is_caught": "lies", "test_honest_twin_passes": "honest"}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the count; under xdist the reports of all workers arrive here."""
    outcomes: dict[str, dict[str, bool]] = {"lies": {}, "honest": {}}
    for name in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(name, ()):
            function, bracket, pair = getattr(report, "nodeid", "").rpartition("::")[2].partition("[")
            if bracket and function in _KINDS:
                of_kind = outcomes[_KINDS[function]]
                of_kind[pair[:-1]] = of_kind.get(pair[:-1], True) and name == "passed"
    if not any(outcomes.values()):
        return
    lies, honest = outcomes["lies"], outcomes["honest"]
    terminalreporter.ensure_newline()
    terminalreporter.write_line(
        f"lies caught: {sum(lies.values())} / {len(lies)}, honest passed: {sum(honest.values())} / {len(honest)}"
    )
    for told, of_kind in (("not caught", lies), ("did not pass", honest)):
        missed = sorted(name for name, good in of_kind.items() if not good)
        if missed:
            terminalreporter.write_line(f"{told}: {', '.join(missed)}")
