"""The tests, linters and builds in a shell text that an agent ran, and whether its exit code is theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from verigate.domain.agent_history import PastCheck, Topic
from verigate.integrations.agents.shell_calls import OuterCall, list_calls, list_outer
from verigate.integrations.agents.shell_inner import list_inner
from verigate.integrations.agents.written_paths import list_written
from verigate.statements.commands import find_tool, has_narrowing

MAX_COMMAND = 20_000
"""Characters of a shell text that are read."""

_NESTED = 3
_WRAPPERS = 6
_PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
_INTERPRETER = re.compile(r"python(?:3(?:\.\d+)?)?|node|ruby|(?:ba|da|z)?sh|php|perl|deno|bun")
_STARTERS = frozenset({"npx", "bunx", "uvx", "time", "nice", "sudo", "env", "xvfb-run", "command", "exec"})
_RUN_BY = frozenset(
    {
        *(("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run"), ("rye", "run")),
        *(("pixi", "run"), ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("pnpm", "dlx")),
    }
)
_SHELLS = frozenset({"sh", "bash", "dash", "zsh"})
_MORE: dict[tuple[str, ...], Topic] = {
    **{(name,): Topic.TESTS for name in ("tox", "nox", "ctest", "cypress", "playwright")},
    **{(name,): Topic.LINT for name in ("pre-commit", "prek", "tslint", "checkstyle", "ktlint", "detekt")},
    **{(name, "test"): Topic.TESTS for name in ("dotnet", "bun", "deno", "swift")},
    **{(name, "build"): Topic.BUILD for name in ("dotnet", "bun", "swift")},
    **dict.fromkeys((("deno", "lint"), ("ruff", "format"), ("cargo", "fmt")), Topic.LINT),
    ("mvn", "verify"): Topic.TESTS,
    ("gate", "verify"): Topic.ANY,
}
"""What the grammar of statements doesn't know: nobody says it in prose, and agents run it."""

_TARGETS_OF = frozenset(
    {"make", "just", "task", "rake", "npm", "yarn", "pnpm", "bun", "composer", "gradle", "gradlew", "mvn", "mvnw"}
)
_NAMED = {
    **dict.fromkeys(("test", "tests", "spec", "specs", "check", "ci", "verify", "coverage"), Topic.TESTS),
    **dict.fromkeys(("lint", "typecheck", "types", "format"), Topic.LINT),
    **dict.fromkeys(("build", "compile"), Topic.BUILD),
}
"""What the name of a target or of a script of the project says: ``make check``, ``npm run test:unit``, ``bin/test``."""

_TAKES_FILE = frozenset(
    {"-c", "--config", "--rootdir", "--project", "-f", "--cov-report", "--junitxml", "-o", "--output"}
)
_ASKS = frozenset({"--version", "--help", "-h", "--collect-only", "--co", "--list", "--listtests", "--dry-run"})
"""Options with which a tool checks nothing."""

_PACKAGES = ("-p", "--package", "--testpathpattern", "-run", "::")


def list_checks(command: str, depth: int = _NESTED) -> Iterator[PastCheck]:
    """List the checks of a shell text, in order."""
    calls = list_outer(command[:MAX_COMMAND])
    shown_from = _find_decisive(calls)
    for index, each in enumerate(calls):
        shown = index >= shown_from and not each.negated and not each.before.endswith("||")
        inner = next(list_inner(each.call.program, each.call.words, ()), None) if depth else None
        if each.call.program in _SHELLS and inner is not None:
            for check in list_checks(inner, depth - 1):
                yield PastCheck(check.topic, check.narrowed, check.shown and shown)
        elif (found := _classify(each.call.words)) is not None:
            yield PastCheck(*found, shown)


def list_edits(command: str) -> Iterator[str]:
    """List the files that a shell text writes by its words: redirections, ``sed -i``, ``mv`` and kin."""
    for call in list_calls(command[:MAX_COMMAND]):
        # The numbers are those of descriptors: 2>&1.
        yield from (path for path in list_written(call) if not path.isdigit() and path not in {"", "-"})


def _find_decisive(calls: Sequence[OuterCall]) -> int:
    """Find the first call from which on each has to end with zero for the whole text to do so: ``&&``, and the last."""
    first = len(calls)
    if any(set("()`") & set(call.after) for call in calls) or not calls or calls[-1].after.strip("\n;"):
        return first
    for index in range(len(calls) - 1, -1, -1):
        if index < len(calls) - 1 and calls[index].after != "&&":
            break
        first = index
    return first


def _classify(words: Sequence[str]) -> tuple[Topic, bool] | None:
    """Return what the words of a command check, and whether only a part; None if nothing."""
    rest = tuple(word.lower() for word in words)
    for _ in range(_WRAPPERS):
        if not rest:
            return None
        rest = (PurePosixPath(rest[0]).name or rest[0], *rest[1:])
        if _ASKS.intersection(rest):
            return None
        if (found := find_tool(rest)) is not None:
            return Topic(found[0]), _is_part(found[2])
        if (topic := _MORE.get(rest[:2]) or _MORE.get(rest[:1])) is not None:
            return topic, _is_part(rest[1:])
        shorter = _unwrap(rest)
        if shorter is None:
            return _classify_named(tuple(word.lower() for word in words), rest)
        rest = shorter
    return None


def _unwrap(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the command that a program would start; None for a program that starts none."""
    if _PYTHON.fullmatch(words[0]):
        return words[2:] if words[1:2] == ("-m",) else None
    if words[:2] in _RUN_BY:
        return _drop_options(words[2:])
    if words[0] == "timeout":
        return _drop_options(words[1:])[1:]
    return _drop_options(words[1:]) if words[0] in _STARTERS else None


def _drop_options(words: tuple[str, ...]) -> tuple[str, ...]:
    while words and (words[0].startswith("-") or "=" in words[0]):
        words = words[1:]
    return words


def _classify_named(whole: tuple[str, ...], words: tuple[str, ...]) -> tuple[Topic, bool] | None:
    """Return what the name of a target says, or that of a script in the project's folders."""
    if words[0] in _TARGETS_OF:
        named = [word for word in words[1:] if not word.startswith("-") and word not in {"run", "--"}][:1]
        rest = words[words.index(named[0]) + 1 :] if named else ()
    else:
        # Of the project, so with a folder and not from the root; or what an interpreter is given.
        given = whole[1:2] if _INTERPRETER.fullmatch(words[0]) else whole[:1]
        named = [
            PurePosixPath(word).stem for word in given if not word.startswith(("/", "-")) and set("/.") & set(word)
        ]
        rest = words[1 if given == whole[:1] else 2 :]
    stems = re.split(r"[:_\-.]", named[0]) if named else []
    topic = next((_NAMED[stem] for stem in stems if stem in _NAMED), None)
    return (topic, _is_part(rest)) if topic is not None else None


def _is_part(arguments: Sequence[str]) -> bool:
    """Whether arguments restrict a tool to a part: an option that does, or the name of a file or of an inner folder."""
    if has_narrowing(arguments):
        return True
    before = ""
    for word in arguments:
        if any(word.startswith(sign) or (sign == "::" and sign in word) for sign in _PACKAGES):
            return True
        names = not word.startswith("-") and before not in _TAKES_FILE and word not in {".", "./", "./..."}
        if names and ("." in PurePosixPath(word).name or "/" in word.strip("/")):
            return True
        before = word
    return False
