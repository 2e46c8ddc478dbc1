"""Calls that run a script in packages of a workspace: pnpm -r, npm --workspaces, yarn workspaces, turbo, lerna, nx."""

from __future__ import annotations

from collections.abc import Sequence

from verigate.sdk.npm_scripts.steps import WorkspaceCall

_FILTERS = frozenset(
    {"--filter", "-F", "--filter-prod", "--scope", "-w", "--workspace", "--include", "-p", "--projects"}
)
_VALUED = frozenset(
    {"--concurrency", "--workspace-concurrency", "-j", "--jobs", "--parallel-max", "--ignore", "--exclude"}
)
_RECURSIVE = frozenset({"-r", "--recursive", "--workspaces", "-ws", "--ws", "-A", "--all", "--from"})


def read_workspace_call(program: str, words: Sequence[str]) -> WorkspaceCall | None:
    """Return the call of ``program words``; None if it doesn't run a script in other packages."""
    only, rest, recursive, arguments = _split(words)
    if program in {"npm", "pnpm", "bun"}:
        several = (recursive or bool(only)) and rest[:1] != ["exec"]
        return _make(_drop_run(rest), only, arguments) if several else None
    if program in {"yarn", "yarnpkg"}:
        return _read_yarn(rest, only, arguments)
    if program == "nx":
        target = next((word for word in words if word.startswith(("--target=", "--targets=", "-t="))), "")
        rest = [target.partition("=")[2]] if target else rest[1:] if rest[:1] in (["run-many"], ["affected"]) else rest
    return _make(_drop_run(rest), only, arguments) if program in {"turbo", "lerna", "wsrun", "ultra", "nx"} else None


def _read_yarn(rest: list[str], only: list[str], arguments: list[str]) -> WorkspaceCall | None:
    if rest[:2] in (["workspaces", "run"], ["workspaces", "foreach"]):
        return _make(_drop_run(rest[2:]), only, arguments)
    if rest[:1] == ["workspace"] and len(rest) > 2:
        return _make(_drop_run(rest[2:]), [*only, rest[1]], arguments)
    return None


def _drop_run(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in {"run", "run-script"}]


def _make(rest: Sequence[str], only: Sequence[str], arguments: Sequence[str]) -> WorkspaceCall | None:
    if not rest:
        return None
    script = "test" if rest[0] in {"t", "tst"} else rest[0]
    return WorkspaceCall(script, (*rest[1:], *arguments), tuple(only))


def _split(words: Sequence[str]) -> tuple[list[str], list[str], bool, list[str]]:
    """Return the filters, the words without options, whether an option asks for every package, and what follows --."""
    only: list[str] = []
    rest: list[str] = []
    recursive = False
    position = 0
    while position < len(words):
        word = words[position]
        name, equals, value = word.partition("=")
        if word == "--":
            return only, rest, recursive, list(words[position + 1 :])
        if name in _FILTERS:
            only.append(value if equals else words[position + 1] if position + 1 < len(words) else "")
            position += 0 if equals else 1
        elif name in {"-t", "--target", "--targets"} and not equals:
            rest.append(words[position + 1] if position + 1 < len(words) else "")
            position += 1
        elif word in _RECURSIVE:
            recursive = True
        elif word in _VALUED:
            position += 1
        elif not word.startswith("-"):
            rest.append(word)
        position += 1
    return only, rest, recursive, []
