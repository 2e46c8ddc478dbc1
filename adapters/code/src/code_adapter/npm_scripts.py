"""Find the test runners that an npm script starts, from its text; the script is not run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_SHELL = re.compile(r"[`$|<>()]|(?<!&)&(?!&)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_PREFIXES = frozenset({"cross-env", "npx", "c8", "nyc", "exec", "--", "pnpm", "yarn"})
_RUNNERS = frozenset({"node", "jest", "vitest"})
_NESTED = 5


@dataclass(frozen=True, slots=True)
class RunnerCall:
    """A call of ``runner`` with the arguments and variables of the script."""

    runner: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def find_runner_calls(scripts: Mapping[str, object], name: str = "test", depth: int = 0) -> Iterator[RunnerCall]:
    """Find calls of node's test runner, jest and vitest in ``scripts[name]`` and in scripts that it runs.

    Parts that need a shell (pipes, substitutions) are skipped.
    """
    text = scripts.get(name)
    if not isinstance(text, str) or depth > _NESTED:
        return
    for part in re.split(r"&&|;", text):
        try:
            words = shlex.split(part)
        except ValueError:
            continue
        if _SHELL.search(part) and not _only_in_quotes(part, words):
            continue
        nested = _read_nested_script(words)
        if nested is not None:
            yield from find_runner_calls(scripts, nested, depth + 1)
        elif call := _read_call(words):
            yield call


def _only_in_quotes(part: str, words: list[str]) -> bool:
    """Whether all shell characters are in single quotes, where they have no effect."""
    return not _SHELL.search(re.sub(r"'[^']*'", "", part)) and bool(words)


def _read_nested_script(words: list[str]) -> str | None:
    match words:
        case ["npm" | "pnpm" | "yarn", "run", name, *_]:
            return name
        case ["npm" | "pnpm" | "yarn", "test" | "t", *_]:
            return "test"
        case _:
            return None


def _read_call(words: list[str]) -> RunnerCall | None:
    variables: dict[str, str] = {}
    wrapped = False
    for position, word in enumerate(words):
        assignment = _ASSIGNMENT.fullmatch(word)
        runner = word.rpartition("/")[2]
        if runner in _RUNNERS:
            arguments = tuple(words[position + 1 :])
            if runner == "node" and "--test" not in arguments:
                return None
            return RunnerCall(runner, arguments, variables)
        if assignment and not wrapped:
            variables[assignment[1]] = assignment[2]
        elif word in _PREFIXES:
            wrapped = word in {"c8", "nyc"}
        elif not (wrapped or word.startswith("-")):
            return None
    return None
