"""Options by which a command runs a part of its tests, by the table of the runner that it calls.

Sources: the option lists of pytest, unittest, go test, jest, Vitest, Mocha, node, AVA, Cypress, Playwright, Surefire,
Gradle, RSpec, PHPUnit, dotnet, Bats, CTest, Mix and Swift. What chooses a project, a package or a browser is left out:
suites are split by these.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

_VALUED: tuple[tuple[str, str], ...] = (
    (r"pytest|py\.test|python3?\s+-m\s+pytest", "-k -m --keyword --ignore --ignore-glob --deselect --rootdir"),
    (r"python3?\s+-m\s+unittest", "-k -p --pattern"),
    (r"go\s+test", "-run --run -skip --skip -list"),
    (r"jest|npx\s+jest", "-t --testNamePattern --testPathPattern --testPathPatterns --changedSince --findRelatedTests"),
    (r"vitest", "-t --testNamePattern --changed"),
    (r"mocha", "-g --grep -f --fgrep"),
    (r"node\s+--test", "--test-name-pattern --test-skip-pattern --test-shard"),
    (r"ava", "-m --match"),
    (r"cypress", "--spec -s"),
    (r"playwright", "-g --grep --grep-invert --shard"),
    (r"rspec", "-e --example --tag -t"),
    (r"phpunit", "--filter --group --exclude-group"),
    (r"dotnet\s+test", "--filter"),
    (r"bats", "-f --filter --filter-tags"),
    (r"ctest", "-R -E -L -LE --tests-regex --exclude-regex"),
    (r"mix\s+test", "--only --exclude"),
    (r"swift\s+test", "--filter --skip"),
    (r"gradlew?|\./gradlew", "--tests"),
)
"""What calls a runner -> its options with a value that choose tests."""

_BARE: tuple[tuple[str, str], ...] = (
    (r"pytest|py\.test|python3?\s+-m\s+pytest", "--lf --last-failed --sw --stepwise --noconftest --co --collect-only"),
    (r"go\s+test", "-short --short"),
    (r"jest|npx\s+jest", "-o --onlyChanged -f --onlyFailures --lastCommit"),
    (r"playwright", "--last-failed --only-changed"),
    (r"mvnw?|\./mvnw", ""),
)
_PROPERTIES = re.compile(r"-D(?:test|it\.test|groups|excludedGroups|surefire\.excludes)=\S+")
_HARMLESS = frozenset(
    {"cacheprovider", "randomly", "random_order", "terminal", "xdist", "sugar", "warnings", "logging", "faulthandler"}
    | {"pastebin", "debugging", "nose", "benchmark", "clarity", "rerunfailures", "legacypath", "junitxml", "stepwise"}
)
"""Plug-ins of pytest that judge nothing: without them the same tests run, and fail alike."""

_VALUES_OF_CARGO = frozenset(
    {"-p", "--package", "--exclude", "--bin", "--example", "--test", "--bench", "-F", "--features", "-j", "--jobs"}
    | {"--profile", "--target", "--target-dir", "--manifest-path", "--message-format", "--color", "--config", "-Z"}
)
"""Options whose value is the next word."""

_PARTS = re.compile(r"&&|\|\||[;|\n]")


def list_narrowing(command: str) -> Iterator[str]:
    """List what in a command leaves tests out, each option with its value."""
    for part in _PARTS.split(command):
        yield from _list_of(part, _VALUED, valued=True)
        yield from _list_of(part, _BARE, valued=False)
        if re.search(r"\bmvnw?\b", part):
            yield from _PROPERTIES.findall(part)
        yield from _list_filters_of_cargo(part)


def _list_of(part: str, table: Sequence[tuple[str, str]], *, valued: bool) -> Iterator[str]:
    for called, options in table:
        found = re.search(rf"(?<![\w./-])(?:\S*/)?(?:{called})(?=\s|$)", part)
        if found is None or not options:
            continue
        words = part[found.end() :].split()
        wanted = frozenset(options.split())
        for index, word in enumerate(words):
            name, equals, _ = word.partition("=")
            if name in wanted and (equals or not valued):
                yield word
            elif word in wanted and index + 1 < len(words):
                yield f"{word} {words[index + 1]}"


def _list_filters_of_cargo(part: str) -> Iterator[str]:
    """List the words of ``cargo test`` that are no options: only tests whose names have one are run."""
    found = re.search(r"(?<![\w./-])cargo\s+(?:\+\S+\s+)?(?:test|t)(?=\s|$)", part)
    words = _split_words(part[found.end() :]) if found is not None else []
    previous = ""
    for word in words:
        if word == "--":
            return
        if not word.startswith(("-", "$", ">", "2>", "#", "\\")) and previous not in _VALUES_OF_CARGO:
            yield word
        previous = word


def _split_words(text: str) -> list[str]:
    """Split as a shell does, an expression of a workflow (``${{ ... }}``) being part of a word."""
    plain = _EXPRESSION.sub("$value", text)
    try:
        return shlex.split(plain)
    except ValueError:
        return plain.split()


_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def is_harmless_plugin(name: str) -> bool:
    """Whether a plug-in of pytest may be switched off without a test less."""
    return name in _HARMLESS
