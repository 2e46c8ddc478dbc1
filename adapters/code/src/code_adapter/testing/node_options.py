"""Options of JavaScript's test runners: the project's own, and those by which they report."""

from __future__ import annotations

import re
from pathlib import Path

from verigate.sdk.npm_scripts import RunnerCall
from verigate.sdk.npm_scripts.shell_words import Pattern

NODE_REPORTER = Path(__file__).with_name("node_reporter.mjs")
MOCHA_REPORTER = Path(__file__).with_name("mocha_reporter.cjs")

_DROPPED = {
    "node": re.compile(r"--(?:watch|test-reporter|test-reporter-destination|experimental-test-coverage|test-coverage)"),
    "jest": re.compile(r"--(?:no-)?(?:coverage|collectCoverage|watch|json|outputFile|reporters|ci\b)|-w$"),
    "vitest": re.compile(r"--(?:coverage|watch|run\b|reporter|outputFile)|-w$|(?:run|watch|dev)$"),
    "mocha": re.compile(r"--(?:reporter|watch)|-[ROw]\b"),
    "ava": re.compile(r"--(?:watch|tap|verbose|color|no-color)|-[wtvc]+$"),
    "tape": re.compile(r"^$"),
}
_WITH_VALUE = re.compile(
    r"--(?:test-reporter|test-reporter-destination|outputFile|reporters?|coverageReporters|reporter-options?"
    r"|coverage\.[\w.]+|watch-files|watch-ignore)$|-[RO]$"
)

VITEST_REPORTERS = ("--reporter=default", "--reporter=json")
"""A report of JSON has no errors outside of tests; the default one prints them."""


def read_arguments(folder: Path, call: RunnerCall) -> list[str]:
    """Return the arguments of the project's script without those for reports, coverage and watch mode.

    ``folder`` is where the script runs: sh replaces unquoted patterns by the names of files there.
    """
    kept: list[str] = ["run"] if call.runner == "vitest" else []
    skip = False
    for word in call.arguments or (("--test",) if call.runner == "node" else ()):
        if skip and not word.startswith("-"):
            skip = False
            continue
        skip = False
        if _DROPPED[call.runner].match(word):
            skip = bool(_WITH_VALUE.match(word))
        elif call.runner == "node" and not word.startswith("-") and any(sign in word for sign in "*?["):
            # node below 21 doesn't expand patterns itself.
            kept += expand_pattern(folder, word, recursive=True)
        elif isinstance(word, Pattern):
            kept += expand_pattern(folder, word)
        else:
            kept.append(word)
    if call.runner == "ava" and not any(_LIMITS.match(word) for word in kept):
        kept.append(_PATIENCE)
    return kept


_LIMITS = re.compile(r"--timeout\b|-T")
_PATIENCE = "--timeout=10m"
"""AVA ends a run in which no test ends for ten seconds. Other capabilities run at the same time, so that happens."""


def expand_pattern(folder: Path, pattern: str, *, recursive: bool = False) -> list[str]:
    """Return the names that match ``pattern``, or itself if there are none. In sh ``**`` is ``*``."""
    text = pattern if recursive else pattern.replace("**", "*")
    if text.startswith(("-", "/")):
        return [pattern]
    try:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(text))
    except (ValueError, NotImplementedError):
        found = []
    hidden = not any(part.startswith(".") and part not in {".", ".."} for part in text.split("/"))
    found = [path for path in found if not (hidden and any(part.startswith(".") for part in path.split("/")))]
    return [f"./{path}" for path in found if "node_modules" not in path.split("/")] or [pattern]


def make_report_options(runner: str, report: Path, private: Path) -> list[str]:
    """Make the options for ``runner`` to write its outcomes to ``report`` (ava and tape: to stdout) and no coverage."""
    if runner == "jest":
        common = ["--ci", "--watchAll=false", "--passWithNoTests", "--coverage=false", "--testLocationInResults"]
        return [*common, f"--cacheDirectory={private / 'cache'}", "--json", f"--outputFile={report}"]
    if runner == "vitest":
        return ["--passWithNoTests", "--coverage.enabled=false", *VITEST_REPORTERS, f"--outputFile={report}"]
    if runner == "mocha":
        return ["--reporter", str(MOCHA_REPORTER), "-O", f"verigate={report}"]
    if runner == "ava":
        return ["--tap"]
    if runner == "tape":
        return []
    return [f"--test-reporter={NODE_REPORTER.as_uri()}", f"--test-reporter-destination={report}"]
