"""Command lines that agents mention: the topic of each tool, and whether the command covers everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

_LINTERS = (
    "ruff",
    "eslint",
    "flake8",
    "pylint",
    "clippy",
    "mypy",
    "pyright",
    "black",
    "prettier",
    "biome",
    "golangci-lint",
    "rubocop",
    "shellcheck",
    "stylelint",
    "hadolint",
    "yamllint",
    "codespell",
    "bandit",
    "oxlint",
    "isort",
)
_RUNNERS = ("pytest", "jest", "vitest", "mocha", "unittest", "nextest", "ava", "rspec", "phpunit")

_TOOLS: dict[str, tuple[str, str | None]] = {
    **{name: ("lint", name) for name in _LINTERS},
    **{name: ("tests", name) for name in _RUNNERS},
    "ruff check": ("lint", "ruff"),
    "cargo clippy": ("lint", "clippy"),
    "go vet": ("lint", "go"),
    "python -m pytest": ("tests", "pytest"),
    "uv run pytest": ("tests", "pytest"),
    "python -m mypy": ("lint", "mypy"),
    "npx eslint": ("lint", "eslint"),
    "npx jest": ("tests", "jest"),
    "npx vitest run": ("tests", "vitest"),
    "vitest run": ("tests", "vitest"),
    "cargo test": ("tests", "cargo"),
    "go test": ("tests", "go"),
    **{f"{program} test": ("tests", "maven") for program in ("mvn", "./mvnw")},
    **{f"{program} test": ("tests", "gradle") for program in ("gradle", "./gradlew")},
    "maven build": ("build", "maven"),
    "cargo build": ("build", "cargo"),
    "cargo check": ("build", "cargo"),
    "go build": ("build", "go"),
    "tsc": ("build", "tsc"),
    "npx tsc": ("build", "tsc"),
    **{
        f"{manager} {verb}": (topic, None)
        for manager in ("npm", "yarn", "pnpm", "npm run", "yarn run", "pnpm run", "make")
        for verb, topic in (
            *(("test", "tests"), ("lint", "lint"), ("build", "build")),
            *((name, "types") for name in ("typecheck", "type-check", "types")),
        )
    },
}
_WHOLE = frozenset({".", "./", "./...", "--"})
_BY_NAME = ("-k", "-t", "--grep", "-run", "--test-name-pattern", "--testnamepattern")
_NARROWING = (
    *(*_BY_NAME, "-m", "--only", "--select", "--filter", "--lf", "--last-failed", "--ignore"),
    *("-dtest", "--tests", "-pl", "--projects"),
)
"""Options that restrict a tool to a part of the project; those of ``_BY_NAME`` choose tests by their names."""

_PLAIN = frozenset(
    {
        *("-q", "-qq", "-v", "-vv", "-vvv", "-s", "-x", "-ra", "-b", "-o", "-ntp", "-nologo", "-l", "-n", "-j", "-i"),
        *("--quiet", "--verbose", "--silent", "--color", "--colors", "--no-color", "--pretty", "--tb", "--durations"),
        *("--jobs", "--workers", "--maxworkers", "--max-workers", "--numprocesses", "--runinband", "--parallel"),
        *("--ci", "--run", "--watch", "--watchall", "--no-watch", "--reporter", "--reporters", "--no-cache", "-count"),
        *("--cache-clear", "--bail", "--maxfail", "--failfast", "-failfast", "--exitfirst", "--no-fail-fast"),
        *("--coverage", "--cov", "--cov-report", "--no-cov", "--check", "--diff", "--noemit", "--no-emit"),
        *("--batch-mode", "--no-transfer-progress", "--no-daemon", "--offline", "--locked", "--frozen", "--no-header"),
        *("--no-summary", "--showlocals", "--output-format", "--nocapture", "--forceexit", "--detectopenhandles"),
        *("--single-run", "--timeout", "--no-error-on-unmatched-pattern", "--no-progress", "--json", "-cover"),
    }
)
"""Options that change how a tool runs and reports, but not what it checks. Any other may: ``-race``, ``--strict``."""
_WITH_VALUE = frozenset({"-n", "-j", "--jobs", "--workers", "--tb", "--maxfail", "--reporter", "--color", "--timeout"})


class Part(Struct, frozen=True):
    """A part of the tests or findings: the word for it, or a folder or file.

    ``found``: the report has to count it. ``named``: it is all tests whose paths have the words, as far as one knows.
    """

    name: str = ""
    scope: str | None = None
    found: bool = False
    named: bool = False


class Command(NamedTuple):
    """What a command checks: its topic, its tool, and the part that its arguments restrict it to."""

    topic: str
    tool: str | None
    part: Part | None = None


def list_commands() -> Iterable[str]:
    """List the lower-case commands whose topic is known, such as ``tsc`` and ``go test``."""
    return _TOOLS.keys()


def classify_command(text: str) -> Command | None:
    """Return what a command line checks, None if the command isn't known.

    One with an option that may change what is checked has the topic ``part`` and no tool.
    """
    words = text.split()
    found = find_tool([word.lower() for word in words])
    if found is None:
        return None
    topic, tool, rest = found
    arguments = words[len(words) - len(rest) :]
    if all(_is_plain(rest, index) for index in range(len(rest))):
        return Command(topic, tool)
    part = _find_part(topic, text, arguments)
    return Command("part", None) if part is None else Command(topic, tool, part)


def _is_plain(arguments: Sequence[str], index: int) -> bool:
    """Whether an argument restricts nothing and changes nothing of what is checked."""
    word = arguments[index]
    return word in _WHOLE or word.partition("=")[0] in _PLAIN or (index > 0 and arguments[index - 1] in _WITH_VALUE)


def _find_part(topic: str, text: str, arguments: Sequence[str]) -> Part | None:
    """Find the part that arguments restrict a command to; None where they may change what is checked otherwise."""
    lowered = [word.lower() for word in arguments]
    other = [index for index in range(len(lowered)) if not _is_plain(lowered, index)]
    paths = [arguments[index] for index in other if not lowered[index].startswith("-")]
    if topic in {"build", "types"} or (topic == "lint" and len(paths) < len(other)):
        return None
    if len(paths) == len(other):
        of_lint = topic == "lint"
        alone = len(paths) == 1 and "::" not in paths[0]
        return Part(scope=paths[0], found=True) if alone and not of_lint else Part(text, found=not of_lint)
    if not all(lowered[index].startswith(_NARROWING) for index in other if arguments[index] not in paths):
        return None
    return Part(text, found=not all(lowered[index].startswith(_BY_NAME) for index in other[:1]) or len(other) > 2)


def find_tool(words: Sequence[str]) -> tuple[str, str | None, Sequence[str]] | None:
    """Return the topic and the tool of a command's lower-case words, and its arguments; None if it isn't known."""
    for length in (3, 2, 1):
        found = _TOOLS.get(" ".join(words[:length])) if len(words) >= length else None
        if found is not None:
            return *found, words[length:]
    return None


def has_narrowing(arguments: Iterable[str]) -> bool:
    """Whether one of a tool's lower-case arguments is an option that restricts it to a part of the project."""
    return any(word.startswith(_NARROWING) for word in arguments)
