"""Detect a repository's stack: its languages, and the tools that can answer the gate's questions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.formats.visible import format_path
from verigate.integrations.setup.declared_tests import ADAPTERS_FILE, read_declared, read_excluded
from verigate.integrations.setup.repository_scan import Scan, scan_repository
from verigate.sdk.declared_tools import (
    UNREAD_OF_NODE,
    drop_covered,
    find_declared_linters,
    find_declared_runners,
    find_unclaimed_tests,
)
from verigate.sdk.java_layout import find_test_folders
from verigate.sdk.npm_scripts import LinterCall, OpaqueCommand, RunnerCall, WorkspaceCall, read_script, uses_typescript

_READ_FILES = 300


class StackFinding(Struct, frozen=True):
    """A language or tool. ``kind`` is language, tests, lint, coverage, build, docs or api; ``path`` shows it.

    Tools of the kinds ``unread tests`` and ``unread lint`` are declared here, and no built-in reader can read them.
    """

    kind: str
    name: str
    path: str


class Stack(Struct, frozen=True):
    """The findings of ``detect_stack``; nothing was executed, so a named tool may not be installed."""

    findings: tuple[StackFinding, ...] = ()
    notes: tuple[str, ...] = ()

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the names of one kind, sorted and unique."""
        return tuple(sorted({finding.name for finding in self.findings if finding.kind == kind}))

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages with at least one file or project file."""
        return self.names("language")

    @property
    def test_tools(self) -> tuple[str, ...]:
        """The tools that would run the tests."""
        return self.names("tests")

    @property
    def linters(self) -> tuple[str, ...]:
        """Linters that the project configures or depends on."""
        return self.names("lint")

    @property
    def gaps(self) -> tuple[str, ...]:
        """The questions that no tool here can answer: ``tests``, ``lint``. One that is only to be configured can."""
        return tuple(kind for kind in ("tests", "lint") if not self.is_declared(kind))

    def is_declared(self, kind: str) -> bool:
        """Whether the repository has a tool of this kind, even one that can't be run without configuration."""
        return bool(self.names(kind) or self.names(f"unread {kind}"))

    @property
    def is_documents(self) -> bool:
        """Whether there are documents, and no tool for code."""
        return bool(self.names("docs")) and not any(map(self.is_declared, ("tests", "lint", "build")))

    @property
    def is_built(self) -> bool:
        """Whether a build shows what the tests don't: cargo and go compile everything for their tests anyway."""
        return not set(self.names("build")) <= {"cargo", "go"} & set(self.test_tools)

    @property
    def rules(self) -> Mapping[str, Any]:
        """Rules to set on top of the shipped profile ``code``: null removes one that no tool here can answer."""
        rules: dict[str, Any] = {"files_min": 1, "images_found": True} if self.is_documents else {}
        if "tests" in self.gaps:
            rules |= {"tests_pass": None, "tests_min": None}
        if "lint" in self.gaps:
            rules |= {"lint_errors_max": None}
        if self.is_built:
            rules |= {"build_success": True}
        return rules


def detect_stack(root: Path, adapters_file: str | None = None) -> Stack:
    """Detect the stack of the repository at ``root`` from names, project files and a bounded part of the sources.

    ``adapters_file`` is the content of config/adapters.json as it will be; None: as it is.
    """
    seen = scan_repository(root)
    configured = seen.read_table(ADAPTERS_FILE) if adapters_file is None else json.loads(adapters_file)
    found = [finding for probe in _PROBES for finding in probe(seen)]
    found = [*_drop_configured(found, configured), *_list_declared(configured)]
    unique = {(finding.kind, finding.name): finding for finding in reversed(found)}
    findings = sorted(unique.values(), key=lambda finding: (finding.kind, finding.name))
    shown = tuple(StackFinding(item.kind, item.name, format_path(item.path)) for item in findings)
    return Stack(shown, seen.notes)


def _find_languages(seen: Scan) -> Iterator[StackFinding]:
    table = {
        "python": (("pyproject.toml", "setup.py"), (".py",)),
        "javascript": (("package.json",), (".js", ".mjs", ".cjs", ".jsx")),
        "typescript": (("tsconfig.json",), (".ts", ".tsx", ".mts", ".cts")),
        "rust": (("Cargo.toml",), (".rs",)),
        "go": (("go.mod",), (".go",)),
        "java": (("pom.xml", "build.gradle", "build.gradle.kts"), (".java",)),
    }
    for name, (markers, suffixes) in table.items():
        if (path := seen.find_suffix(*suffixes) or seen.find_first(*markers)) is not None:
            yield StackFinding("language", name, path)
    if (path := seen.find_suffix(".md", ".mdx", ".rst", ".html")) is not None:
        yield StackFinding("docs", "markup", path)
    if (path := next(seen.find_matching(r"(openapi|swagger)\.(json|ya?ml)"), None)) is not None:
        yield StackFinding("api", "openapi", path)


def _find_python(seen: Scan) -> Iterator[StackFinding]:
    project = seen.find_first("pyproject.toml")
    tools = seen.read_table(project).get("tool")
    tools = tools if isinstance(tools, dict) else {}
    named = {
        name: path
        for path in _list_requirement_files(seen)
        for name in _REQUIREMENT.findall(seen.read_text(path).lower())
    }
    tests = next(seen.find_matching(r"test_.*\.py|.*_test\.py"), None)
    pytest = (
        _find_configured(seen, "pytest", "tool:pytest")
        or seen.find_first("pytest.ini", "conftest.py")
        or named.get("pytest")
    )
    if "pytest" in tools:
        pytest = project
    # A configured runner without any test file would only report that no test ran.
    if tests is not None:
        # pytest also runs tests that aren't unittest's if nothing mentions it.
        by_pytest = pytest or "unittest" not in seen.read_text(tests)
        yield StackFinding("tests", "pytest" if by_pytest else "unittest", pytest or tests)
    for kind, tool, files in (
        ("lint", "ruff", ("ruff.toml", ".ruff.toml")),
        ("coverage", "coverage", (".coveragerc",)),
    ):
        shown = project if tool in tools else seen.find_first(*files) or named.get(tool)
        if shown is not None:
            yield StackFinding(kind, tool, shown)
    if (flake8 := seen.find_first(".flake8") or _find_configured(seen, "flake8")) is not None:
        yield StackFinding("lint", "flake8", flake8)
    if (plugin := named.get("pytest-cov")) is not None:
        yield StackFinding("coverage", "coverage", plugin)


_REQUIREMENT = re.compile(r"(?<![\w.-])(pytest-cov|pytest|ruff|coverage)(?![\w.-]*\w)")


def _list_requirement_files(seen: Scan) -> Iterator[str]:
    return seen.find_matching(
        r"pyproject\.toml|.*requirements.*\.txt|setup\.cfg|setup\.py|tox\.ini|noxfile\.py|Pipfile"
    )


def _find_configured(seen: Scan, *sections: str) -> str | None:
    for name in ("tox.ini", "setup.cfg"):
        path = seen.find_first(name)
        if path is not None and any(section in seen.read_table(path) for section in sections):
            return path
    return None


def _find_node(seen: Scan) -> Iterator[StackFinding]:
    for path in islice(seen.find_matching(r"package\.json"), _READ_FILES):
        package = seen.read_table(path)
        wanted = {**_read_mapping(package, "devDependencies"), **_read_mapping(package, "dependencies")}
        scripts = _read_mapping(package, "scripts")
        yield from _find_script_runners(package, wanted, path)
        for dependency, name in _LINTERS.items():
            if dependency in wanted or f"{name}Config" in package:
                yield StackFinding("lint", name, path)
        for name in UNREAD_OF_NODE:
            if any(re.search(rf"\b{name}\b", str(script)) for script in scripts.values()):
                yield StackFinding("unread lint", name, path)
        for name in ("c8", "nyc", "@vitest/coverage-v8", "@vitest/coverage-istanbul"):
            if name in wanted:
                yield StackFinding("coverage", name, path)
        if "build" in scripts:
            yield StackFinding("build", "npm", path)
    if (config := next(seen.find_matching(r"eslint\.config\.[cm]?[jt]s|\.eslintrc(\..+)?"), None)) is not None:
        yield StackFinding("lint", "eslint", config)
    if (project := seen.find_first("tsconfig.json")) is not None and _uses_tsc(seen):
        yield StackFinding("build", "tsc", project)


def _uses_tsc(seen: Scan) -> bool:
    """Whether a package depends on TypeScript or a script runs tsc: else tsconfig.json is there for editors."""
    packages = [seen.read_table(path) for path in islice(seen.find_matching(r"package\.json"), _READ_FILES)]
    return not packages or any(map(uses_typescript, packages))


_LINTERS = {"eslint": "eslint", "@biomejs/biome": "biome", "xo": "xo", "standard": "standard", "oxlint": "oxlint"}
_RUNNERS = ("jest", "vitest", "mocha", "ava", "tape")


def _find_script_runners(package: Mapping[str, Any], wanted: Mapping[str, Any], path: str) -> Iterator[StackFinding]:
    """Find the runners of the test script; for a script that calls none, those among the dependencies."""
    steps = [step for step in read_script(package) if not isinstance(step, LinterCall)]
    calls = {step.runner for step in steps if isinstance(step, RunnerCall)}
    delegated = any(isinstance(step, WorkspaceCall) for step in steps)
    if not calls and not delegated:
        calls = {name for name in _RUNNERS if name in wanted}
    yield from (StackFinding("tests", name, path) for name in sorted(calls))
    unread = {step.runner or "npm test" for step in steps if isinstance(step, OpaqueCommand)}
    if steps and not calls and not delegated:
        unread = unread or {"npm test"}
    yield from (StackFinding("unread tests", name, path) for name in sorted(unread))


def _read_mapping(package: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = package.get(key)
    return value if isinstance(value, dict) else {}


def _find_compiled(seen: Scan) -> Iterator[StackFinding]:
    if (cargo := seen.find_first("Cargo.toml")) is not None:
        yield StackFinding("build", "cargo", cargo)
        yield StackFinding("lint", "clippy", cargo)
        for path in islice(seen.find_matching(r".*\.rs"), _READ_FILES):
            if re.search(rb"#\[(\w+::)*test\b", seen.read(path)):
                yield StackFinding("tests", "cargo", path)
                break
    if (module := seen.find_first("go.mod")) is not None:
        yield StackFinding("build", "go", module)
        if seen.find_suffix(".go") is not None:
            yield StackFinding("lint", "go vet", module)
        if (tests := next(seen.find_matching(r".*_test\.go"), None)) is not None:
            yield StackFinding("tests", "go", tests)
    elif (tests := next(seen.find_matching(r".*_test\.go"), None)) is not None:
        yield StackFinding("unread tests", "go without a go.mod", tests)
    yield from _find_java(seen)


def _find_java(seen: Scan) -> Iterator[StackFinding]:
    for tool, markers in _JAVA.items():
        project = seen.find_first(*markers)
        folder = (project or "").rpartition("/")[0]
        own = [path for path in seen.files if path.startswith(f"{folder}/" if folder else "")]
        sources = [path for path in own if path.endswith(_JVM)]
        if project is None or not sources:
            continue
        yield StackFinding("build", tool, project)
        if (test := next(filter(find_test_folders(own, seen.read_text).find, sources), None)) is not None:
            yield StackFinding("tests", tool, test)


_JAVA = {"maven": ("pom.xml",), "gradle": ("build.gradle", "build.gradle.kts")}
_JVM = (".java", ".kt", ".groovy", ".scala")


def _drop_configured(found: list[StackFinding], configured: object) -> Iterator[StackFinding]:
    """Drop tools that can't be run as found where a command is declared in their place, or that are excluded."""
    excluded = read_excluded(configured)
    for finding in found:
        unread, _, kind = finding.kind.partition("unread ")
        replaced = not unread and kind and read_declared(configured, kind)
        if not (replaced or (kind and finding.name in excluded)):
            yield finding


def _list_declared(configured: object) -> Iterator[StackFinding]:
    """List the commands that the configuration declares."""
    for kind in ("tests", "lint", "coverage", "build"):
        for name in read_declared(configured, kind):
            yield StackFinding(kind, name, ADAPTERS_FILE)


def _find_unread(seen: Scan) -> Iterator[StackFinding]:
    found = [finding for probe in (_find_python, _find_node, _find_compiled) for finding in probe(seen)]
    known = [finding.name for finding in found]
    declared = list(drop_covered(find_declared_runners(seen.files, seen.read_text), known))
    if not declared and not any(finding.kind.endswith("tests") for finding in found):
        declared = list(find_unclaimed_tests(seen.files, seen.read_text))
    for tool in declared:
        yield StackFinding("unread tests", tool.name, tool.path)
    for tool in find_declared_linters(seen.files, seen.read_text):
        yield StackFinding("unread lint", tool.name, tool.path)


_PROBES: tuple[Callable[[Scan], Iterator[StackFinding]], ...] = (
    _find_languages,
    _find_python,
    _find_node,
    _find_compiled,
    _find_unread,
)
