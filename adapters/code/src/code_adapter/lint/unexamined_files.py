"""Find the changed files at which no linter of their language looked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from verigate.sdk import path_text
from verigate.sdk.reports.lint import LintRun

_PYTHON = (".py", ".pyi", ".ipynb")
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_READS: Mapping[str, Sequence[str]] = {
    "ruff": _PYTHON,
    "flake8": (".py",),
    **dict.fromkeys(("eslint", "xo", "standard", "semistandard", "ts-standard", "biome", "oxlint"), _JAVASCRIPT),
    "clippy": (".rs",),
    "go vet": (".go",),
}
"""The files that a linter is for. What a declared command is for isn't known."""


def list_unexamined_files(changed: Iterable[str], linted: Sequence[LintRun]) -> list[dict[str, Any]]:
    """List the ``changed`` files that no run looked at which is for them: the tool, the file, and why.

    A file that one of several linters looked at is examined.
    """
    paths = sorted(map(path_text, changed))
    reasons: dict[str, list[tuple[str, str]]] = {}
    for run in linted:
        own = [path for path in paths if path.endswith(tuple(_READS.get(run.tool, ("/",))))]
        left = dict(_find_left(run, own)) if own else {}
        for path in own:
            reasons.setdefault(path, []).append((run.tool, left.get(path, "")))
    return [_describe(path, found) for path, found in sorted(reasons.items()) if all(why for _, why in found)]


def _find_left(run: LintRun, own: Sequence[str]) -> Iterator[tuple[str, str]]:
    if run.ask is not None:
        yield from run.ask(own).items()
    else:
        yield from ((path, f"{run.tool} doesn't look at it") for path in own if path not in run.files)


def _describe(path: str, found: Sequence[tuple[str, str]]) -> dict[str, Any]:
    tools = dict.fromkeys(tool for tool, _ in found)
    return {"what": "+".join(sorted(tools)), "path": path, "why": "; ".join(dict.fromkeys(why for _, why in found))}
