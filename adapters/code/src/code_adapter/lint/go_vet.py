"""Run go vet, which is part of go, and read its JSON if it finds anything.

go keeps what vet found out about each package, those of the standard library included, for the options that it was
called with. As a developer calls it, without any, most of that is known already.

What ``go test`` refuses to run is an error, other findings are warnings: projects pass their tests with them for years.
Source: golang.org/x/tools/go/analysis/unitchecker. It prints ``{package: {analyzer: [{posn, message}]}}``, once for
each package, between comment lines; go before 1.25 prints that to stderr.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from code_adapter.detection import Missing
from code_adapter.lint.linters import Linter
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.toolchains.go import find_modules, read_go_version, run_go
from verigate.sdk import Request, ToolRun, clean_text, path_text
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid, reject_malformed

_TOOL = "go vet"
_ERRORS = frozenset(
    {"atomic", "bool", "buildtag", "buildtags", "directive", "errorsas", "ifaceassert", "nilfunc", "printf"}
    | {"stringintconv", "tests"}
)
"""The analyzers that ``go test`` runs before the tests, of go 1.10 to 1.25."""

_FILES = "".join(
    f'{{{{range .{key}}}}}{{{{$.Dir}}}}/{{{{.}}}}{{{{"\\n"}}}}{{{{end}}}}'
    for key in ("GoFiles", "CgoFiles", "TestGoFiles", "XTestGoFiles")
)
_POSITION = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_UNTYPED = re.compile(
    r"^(?:vet: )?(?P<path>[^\s:][^:\n]*\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$", re.MULTILINE
)


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing]:
    """Yield a run for each module."""
    for found in find_modules(request, files, ".go"):
        if isinstance(found, Missing):
            # Without go nothing of the module can be judged: its tests and its build say so.
            yield replace(found, tool=_TOOL, due=False)
        else:
            yield Linter(_TOOL, found, partial(run_vet, request, files, found))


def run_vet(request: Request, files: SubjectFiles, folder: str) -> LintRun:
    """Return the findings of every package. Raises ToolFailed unless go vet ended with a report or type errors."""
    texts = Texts(request.repo_root)
    argv: tuple[str, ...] = ("go", "vet", "./...")
    run = run_go(request, folder, argv)
    findings: set[LintFinding] = set()
    if run.exit_code != 0:
        argv = ("go", "vet", "-json", "./...")
        run = run_go(request, folder, argv)
        if run.truncated:
            raise ReportInvalid("the output of go vet exceeds the size limit")
        findings |= set(parse_vet(run.stdout + b"\n" + run.stderr, _TOOL, texts, folder))
    if run.exit_code:
        untyped = set(_read_type_errors(run, texts, folder))
        if not untyped:
            raise run.as_failure(f"go vet ended with {run.ended}", where=folder or ".")
        findings |= untyped
    listed = None if run.exit_code else _list_vetted(request, folder, texts)
    checked = tuple(
        path_text(path)
        for path in files.below(folder)
        if (path_text(path) in listed if listed is not None else _is_source(path))
    )
    version = read_go_version(request, folder)
    return LintRun(_TOOL, version, folder, checked, tuple(sorted(findings)), argv, run.exit_code or 0)


def _is_source(path: str) -> bool:
    return path.endswith(".go") and not NOT_PROJECTS.intersection(path.split("/")[:-1])


def _list_vetted(request: Request, folder: str, texts: Texts) -> frozenset[str]:
    """List the files of all packages that this machine builds: what build constraints leave out, vet doesn't read."""
    argv = ("go", "list", "-e", "-f", _FILES, "./...")
    run = run_go(request, folder, argv)
    if run.exit_code or run.truncated:
        raise run.as_failure(f"go list ended with {run.ended}", where=folder or ".")
    found = (texts.path(line, folder) for line in clean_text(run.stdout).splitlines())
    return frozenset(path for path in found if path is not None)


def parse_vet(raw: bytes, tool: str, texts: Texts, folder: str) -> Iterator[LintFinding]:
    """Read the findings of all packages. Raises ReportInvalid for another shape."""
    for package, analyzer, position, message in _read_items(raw, tool):
        found = _POSITION.fullmatch(position)
        if found is None:
            raise ReportInvalid(f"the report of {tool} has a finding in {package!r} without a position")
        yield LintFinding(
            texts.path(found["path"], folder) or "",
            int(found["line"]),
            int(found["column"] or 0),
            analyzer,
            "error" if analyzer in _ERRORS else "warning",
            texts.message(message),
            tool,
        )


@reject_malformed
def _read_items(raw: bytes, tool: str) -> list[tuple[str, str, str, str]]:
    """Read package, analyzer, position and message of each finding."""
    lines = clean_text(raw).splitlines()
    # Braces at the start of a line begin and end an object; anything else outside is a comment or progress.
    objects: list[list[str]] = []
    inside = False
    for line in lines:
        if not inside and line.startswith("{"):
            objects.append([])
            inside = True
        if inside:
            objects[-1].append(line)
            inside = not line.startswith("}") and line != "{}"
    found = []
    for text in objects:
        for package, analyzers in json.loads("\n".join(text)).items():
            for analyzer, items in analyzers.items():
                if not isinstance(items, list):
                    raise ReportInvalid(f"{tool}: {analyzer} failed in {package}: {items.get('error', items)}")
                found += [(str(package), str(analyzer), str(item["posn"]), str(item["message"])) for item in items]
    return found


def _read_type_errors(run: ToolRun, texts: Texts, folder: str) -> Iterator[LintFinding]:
    for found in _UNTYPED.finditer(clean_text(run.stderr)):
        path = texts.path(found["path"], folder) or ""
        line, column = int(found["line"]), int(found["column"])
        yield LintFinding(path, line, column, "types", "error", texts.message(found["message"]), _TOOL)
