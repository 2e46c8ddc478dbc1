"""Command lines that agents mention: the topic of each tool, and whether the command covers everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    "cargo build": ("build", "cargo"),
    "cargo check": ("build", "cargo"),
    "go build": ("build", "go"),
    "tsc": ("build", "tsc"),
    "npx tsc": ("build", "tsc"),
    **{
        f"{manager} {verb}": (topic, None)
        for manager in ("npm", "yarn", "pnpm", "npm run", "yarn run", "pnpm run", "make")
        for verb, topic in (("test", "tests"), ("lint", "lint"), ("build", "build"))
    },
}
_WHOLE = frozenset({".", "./", "./...", "--"})
_NARROWING = (
    *("-k", "-m", "--only", "--grep", "-t", "--select", "-run", "--filter", "--lf", "--last-failed", "--ignore"),
    *("-dtest", "--tests", "-pl", "--projects"),
)
"""Options that restrict a tool to a part of the project."""


def list_commands() -> Iterable[str]:
    """List the lower-case commands whose topic is known, such as ``tsc`` and ``go test``."""
    return _TOOLS.keys()


def classify_command(text: str) -> tuple[str, str | None] | None:
    """Return the topic and the tool of a lower-case command line, None if the command isn't known.

    A command that an argument or an option restricts has the topic ``part`` and no tool.
    """
    words = text.split()
    found = find_tool(words)
    if found is None:
        return None
    topic, tool, rest = found
    if has_narrowing(rest) or not all(word.startswith("-") or word in _WHOLE for word in rest):
        return "part", None
    return topic, tool


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
