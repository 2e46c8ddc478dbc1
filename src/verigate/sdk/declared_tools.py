"""Test runners and linters that a project declares by its files, and whose reports no built-in reader can read.

Names and small texts decide; nothing is run. A folder of examples or fixtures declares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

MAX_MATCHED = 200
"""Files with contents to read that are looked at, for each tool."""

_NOT_PROJECTS = frozenset(
    {
        *("node_modules", ".venv", "venv", "site-packages", "vendor", "third_party", "target", "dist", "build"),
        *("fixtures", "__fixtures__", "fixture", "testdata", "test-data", "test_data", "templates", ".git", "docs"),
        *("example", "examples", "examplefiles", "example-files", "example_files", "sample", "samples", "data"),
        *("testfiles", "test-files", "test_files", "corpus", "snippets", "__snapshots__"),
    }
)


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool that the file ``path`` declares. An ``ecosystem`` of "any" is a command that may start tools of any."""

    kind: Literal["tests", "lint"]
    name: str
    path: str
    ecosystem: str


@dataclass(frozen=True, slots=True)
class _Sign:
    name: str
    ecosystem: str
    files: re.Pattern[str]
    """Matches the whole path of a file that declares the tool."""
    text: re.Pattern[str] | None = None
    """What the file has to contain; None: its name is enough."""


def _sign(name: str, ecosystem: str, files: str, text: str | None = None) -> _Sign:
    return _Sign(name, ecosystem, re.compile(rf"(?:.*/)?(?:{files})"), re.compile(text, re.MULTILINE) if text else None)


_TESTS = (
    _sign("maven", "java", r"pom\.xml", r"<module>|junit|testng|surefire|spock|kotlin-test"),
    _sign("gradle", "java", r"build\.gradle(?:\.kts)?", r"(?i)junit|testng|spock|kotest|useJUnit|kotlin\(.test"),
    _sign("sbt", "java", r"build\.sbt", r"(?i)%\s*\"?test|munit|scalatest|specs2"),
    _sign("ant", "java", r"build\.xml", r"<junit|<testng"),
    _sign("leiningen", "clojure", r"project\.clj"),
    _sign("rspec", "ruby", r"\.rspec|spec/spec_helper\.rb"),
    _sign("minitest", "ruby", r"Rakefile", r"TestTask|Minitest"),
    _sign("rails test", "ruby", r"test/test_helper\.rb"),
    _sign("phpunit", "php", r"phpunit\.(?:xml|xml\.dist|dist\.xml)"),
    _sign("pest", "php pest", r"tests/Pest\.php"),
    _sign("codeception", "php codeception", r"codeception\.(?:yml|dist\.yml)"),
    _sign("dotnet test", "dotnet", r"[^/]+\.(?:cs|fs|vb)proj", r"Microsoft\.NET\.Test\.Sdk|MSTest|xunit|NUnit|TUnit"),
    _sign("mix test", "elixir", r"test/test_helper\.exs"),
    _sign("rebar3", "erlang", r"rebar\.config", r"eunit|common_test|ct_opts|proper"),
    _sign("cabal test", "haskell", r"[^/]+\.cabal", r"(?i)^test-suite"),
    _sign("stack test", "haskell", r"package\.yaml", r"^tests:"),
    _sign("swift test", "swift", r"Package\.swift", r"\.testTarget"),
    _sign("ctest", "c", r"CMakeLists\.txt", r"(?i)^\s*(?:enable_testing|add_test|gtest_discover_tests|catch_discover)"),
    _sign("meson test", "c", r"meson\.build", r"^\s*test\s*\("),
    _sign("automake check", "c", r"Makefile\.am", r"^\s*(?:TESTS|check_PROGRAMS)\s*\+?="),
    _sign("prove", "perl", r"t/[^/]+\.t"),
    _sign("dart test", "dart", r"pubspec\.ya?ml", r"^\s+(?:test|flutter_test):"),
    _sign("deno test", "deno", r"deno\.jsonc?", r"deno test"),
    _sign("zig test", "zig", r"build\.zig", r"addTest"),
    _sign("julia test", "julia", r"test/runtests\.jl"),
    _sign("testthat", "r", r"tests/testthat\.R"),
    _sign("busted", "lua", r"\.busted"),
    _sign("bats", "shell", r"[^/]+\.bats"),
    _sign("bazel test", "any", r"BUILD(?:\.bazel)?", r"_test\s*\("),
    _sign("behave", "python behave", r"features/(?:environment\.py|steps/[^/]+\.py)", r"\bbehave\b"),
    _sign("robot", "robot", r"[^/]+\.robot"),
    _sign("nox", "python", r"noxfile\.py", r"(?i)session\.run\(\s*[\"'](?:nose2?|trial|stestr|behave|ward|green|zope)"),
    _sign("tox", "python", r"tox\.(?:ini|toml)", r"(?is)^\s*commands\s*=.{0,400}?(?:test|nose|trial|behave|spec)"),
    _sign("make test", "any", r"(?:GNU)?[Mm]akefile", r"^(?:test|tests|check|unit-?test)\s*:(?!=)"),
    _sign("just test", "any", r"\.?[Jj]ustfile", r"^(?:test|tests|check)\b[^\n:]*:(?!=)"),
    _sign("task test", "any", r"[Tt]askfile\.ya?ml", r"^  (?:test|tests|check):"),
)

_LINTERS = (
    _sign("pylint", "python", r"\.?pylintrc(?:\.toml)?"),
    _sign("pylint", "python", r"pyproject\.toml", r"^\[tool\.pylint\b"),
    _sign("golangci-lint", "go", r"\.golangci\.(?:ya?ml|toml|json)"),
    _sign("stylelint", "css", r"\.stylelintrc(?:\.\w+)?|stylelint\.config\.\w+"),
    _sign("tslint", "node", r"tslint\.json"),
    _sign("jshint", "node", r"\.jshintrc"),
    _sign("rubocop", "ruby", r"\.rubocop\.ya?ml"),
    _sign("standardrb", "ruby", r"\.standard\.yml"),
    _sign("phpcs", "php", r"\.?phpcs\.xml(?:\.dist)?"),
    _sign("phpstan", "php", r"phpstan(?:\.dist)?\.neon(?:\.dist)?"),
    _sign("psalm", "php", r"psalm\.xml(?:\.dist)?"),
    _sign("checkstyle", "java", r"checkstyle[\w-]*\.xml|config/checkstyle/[^/]+\.xml"),
    _sign("detekt", "kotlin", r"detekt[\w-]*\.ya?ml"),
    _sign("scalafix", "scala", r"\.scalafix\.conf"),
    _sign("swiftlint", "swift", r"\.swiftlint\.ya?ml"),
    _sign("clang-tidy", "c", r"\.clang-tidy"),
    _sign("cppcheck", "c", r"cppcheck[\w-]*\.(?:cfg|xml)"),
    _sign("credo", "elixir", r"\.credo\.exs"),
    _sign("hlint", "haskell", r"\.hlint\.ya?ml"),
    _sign("luacheck", "lua", r"\.luacheckrc"),
    _sign("perlcritic", "perl", r"\.perlcriticrc"),
)

_JAVA_TESTS = r"(?:[Tt]ests?/(?:.*/)?[^/]+|[^/]*Tests?|Test[^/]*|[^/]*TestCase)\.(?:java|kt|groovy|scala)"
_NODE_TESTS = r"(?:[^/]+[._-](?:test|spec)|(?:__tests__|tests?|spec)/(?:.*/)?[^/]+|tests?)\.[cm]?[jt]sx?"
_CALLS_OF_NODE = (
    r"^\s*(?:describe|it|test|suite)(?:\.\w+)?\(\s*[\"'`]|[\"'](?:node:test|tape|ava|uvu|@jest/globals)[\"']"
)
PYTHON_TEST = r"^\s*(?:async\s+)?def\s+test_|^class\s+\w+\([^)]*\bTestCase\b"
RUST_TEST = r"^\s*#\[(?:\w+::)*test\b"
"""Lines that show a test in a source, whatever the name of its file."""

_SOURCES = (
    _sign(
        "java tests",
        "java",
        _JAVA_TESTS,
        r"(?:^|;)\s*import\s+(?:static\s+)?(?:org\.junit|junit\.framework|org\.testng)\b",
    ),
    _sign("javascript tests", "node", _NODE_TESTS, _CALLS_OF_NODE),
    _sign(
        "python tests",
        "python",
        r"(?:tests?/(?:.*/)?[^/]+|tests?|test_[^/]+|[^/]+_tests?)\.py",
        PYTHON_TEST,
    ),
    _sign("rust tests", "rust", r"[^/]+\.rs", RUST_TEST),
    _sign("ruby tests", "ruby", r"(?:[^/]+_(?:spec|test)|test_[^/]+|tests?)\.rb"),
    _sign("php tests", "php", r"[^/]+Test\.php", r"\bTestCase\b"),
    _sign(
        "dotnet tests",
        "dotnet",
        r"[^/]*Tests?\.(?:cs|fs|vb)",
        r"\[<?(?:Fact|Theory|Test|TestMethod)\b|<(?:Fact|Test)\b",
    ),
    _sign("swift tests", "swift", r"[^/]*Tests?\.swift", r"\bXCTestCase\b|^import Testing\b"),
)
"""Sources of tests, by language."""

UNREAD_OF_NODE = ("tslint", "stylelint", "jshint", "jscs", "standardx", "rslint")
"""Linters that scripts of a package call by these names."""

RUNS = {
    "pytest": "python",
    "unittest": "python",
    "node:test": "node",
    "cargo test": "rust",
    "go test": "go",
    "maven": "java",
    "mvn test": "java",
    "gradle": "java",
    "gradle test": "java",
    "rspec": "ruby",
    "minitest": "ruby",
    "phpunit": "php",
    "dotnet test": "dotnet",
}
"""Test runner -> its ecosystem, for those that ``code:tests`` runs; the others run tests of node."""


def find_declared_runners(paths: Iterable[str], read: Callable[[str], str]) -> Iterator[DeclaredTool]:
    """Yield test runners that files declare, and that ``code:tests`` can't run: one for each, at its first file."""
    return _find("tests", _TESTS, paths, read)


def find_declared_linters(paths: Iterable[str], read: Callable[[str], str]) -> Iterator[DeclaredTool]:
    """Yield linters that files declare, and that ``code:lint`` can't run: one for each, at its first file."""
    return _find("lint", _LINTERS, paths, read)


def find_unclaimed_tests(paths: Iterable[str], read: Callable[[str], str]) -> Iterator[DeclaredTool]:
    """Yield tests by their sources, one for each language, for a project in which no runner was found or declared.

    Without them it would count as a project that has no tests.
    """
    return _find("tests", _SOURCES, paths, read)


def _find(
    kind: Literal["tests", "lint"], signs: tuple[_Sign, ...], paths: Iterable[str], read: Callable[[str], str]
) -> Iterator[DeclaredTool]:
    # One pattern for all signs: a large repository has many paths, and few of them declare anything.
    declares = re.compile("|".join(f"(?:{sign.files.pattern})" for sign in signs)).fullmatch
    own = [path for path in paths if declares(path) and not _NOT_PROJECTS.intersection(path.split("/")[:-1])]
    own.sort(key=lambda path: (path.count("/"), path))
    seen: set[str] = set()
    for sign in signs:
        matched = (path for path in own if sign.files.fullmatch(path))
        for _, path in zip(range(MAX_MATCHED), matched, strict=False):
            if sign.name not in seen and (sign.text is None or sign.text.search(read(path))):
                seen.add(sign.name)
                yield DeclaredTool(kind, sign.name, path, sign.ecosystem)


def drop_covered(declared: Iterable[DeclaredTool], runs: Iterable[str]) -> Iterator[DeclaredTool]:
    """Yield the declared runners that aren't another name for one of ``runs``, the runners that were found.

    A target of make or an environment of tox usually starts the runners of its ecosystem, which then have been found.
    """
    found = {RUNS.get(name, "node") for name in runs}
    listed = list(declared)
    for tool in listed:
        others = {other.ecosystem for other in listed if other.ecosystem != "any"}
        if tool.ecosystem not in found and not (tool.ecosystem == "any" and (found or others)):
            yield tool
