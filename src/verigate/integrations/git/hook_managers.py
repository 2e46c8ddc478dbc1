"""lefthook, the hook manager that tolerates no other hook: print what to write into its configuration instead.

Whenever its configuration changes, lefthook replaces any other hook by its own script, and moves the other to
``<hook>.old``, which nothing runs. A hook of ours would be lost silently. pre-commit and prek keep and run the hook
that was there before them, and husky doesn't touch its users' files; with them hooks are installed as everywhere.

https://lefthook.dev/usage/commands/install, https://lefthook.dev/configuration
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.integrations.git.hook_configuration import read_configuration

_NAMES = ("lefthook", ".lefthook", ".config/lefthook")
_LOCAL = ("lefthook-local", ".lefthook-local", ".config/lefthook-local")
_SUFFIXES = (".yml", ".yaml", ".toml", ".json")
_ARGUMENTS = {"commit-msg": ' "{1}"', "pre-push": ' "{1}"'}
_PARTS = frozenset({"jobs", "commands", "scripts", "group"})
_ELSEWHERE = {"extends", "remotes"}
_ALONE = re.compile(
    r"""\s*(exec[ ]+)?("[^"$`\\]*"|'[^']*'|[\w./~+@:-]+)[ ]git-hook([ ](--advisory|[a-z-]+))+"""
    r"""([ ]+("?\$(@|[1-9])"?|"?\{[0-9]\}"?))*[ ]*(\|\|[ ]*exit([ ](\d+|\$\?))?)?;?\s*"""
)
"""One program and its arguments, without a substitution, a redirection or a second command but ``exit``."""

_SKIPPED = "# Without this line lefthook lets every commit pass on a machine that has no lefthook.\n"


class Lefthook(Struct, frozen=True):
    """The configuration of lefthook in a repository. ``called`` are the hooks in which it calls the gate.

    ``documents`` are its files as they were read, by their paths below the top of the work tree.
    """

    path: str
    called: frozenset[str]
    asserts: bool
    documents: Mapping[str, Mapping[Any, Any]]

    def only(self, hook: str) -> Mapping[str, bytes]:
        """Return the files as YAML, with only the settings, and the jobs of ``hook`` that call the gate."""
        import yaml

        kept = {}
        for path, document in self.documents.items():
            settings = {key: value for key, value in document.items() if not _is_hook(value) and key not in _ELSEWHERE}
            entry = document.get(hook)
            calls = (
                {hook: _select_calls(entry, call_pattern(hook), {}) or _copy_settings(entry)}
                if isinstance(entry, dict)
                else {}
            )
            kept[str(Path(path).with_suffix(".yml"))] = {**settings, **calls}
        return {path: yaml.safe_dump(document).encode() for path, document in kept.items()}

    def calls_alone(self, hook: str) -> bool:
        """Whether each command that calls the gate in ``hook`` does nothing else."""
        called = call_pattern(hook)
        commands = [text for document in self.documents.values() for text in _list_commands(document.get(hook), set())]
        return all(is_alone(text, hook) for text in commands if called.search(text))


def find_lefthook(top: Path) -> Lefthook | None:
    """Read the configuration of lefthook at ``top``, the top of a work tree; None without one.

    Raises UsageError for a file that can't be read. Configuration from elsewhere (``extends``, ``remotes``) isn't read.
    """
    found = [top / (name + suffix) for name in (*_NAMES, *_LOCAL) for suffix in _SUFFIXES]
    paths = [path for path in found if path.is_file()]
    if not paths:
        return None
    documents = {str(path.relative_to(top)): _read_document(path) for path in paths}
    hooks = {hook for document in documents.values() for hook in document if isinstance(hook, str)}
    called = frozenset(
        hook for hook in hooks if any(_is_caller(document.get(hook), hook) for document in documents.values())
    )
    asserts = any(document.get("assert_lefthook_installed") is True for document in documents.values())
    return Lefthook(str(paths[0].relative_to(top)), called, asserts, documents)


def call_pattern(hook: str) -> re.Pattern[str]:
    """Return the pattern of a command that calls the gate for ``hook``."""
    return re.compile(
        rf"\bgate['\"]? git-hook (?:--(?:advisory|message-follows|each-commit) )*{re.escape(hook)}(?![\w-])"
    )


def is_alone(command: str, hook: str) -> bool:
    """Whether a command calls the gate for ``hook`` and does nothing else."""
    return _ALONE.fullmatch(command) is not None and call_pattern(hook).search(command) is not None


def is_lefthook_script(content: bytes) -> bool:
    """Whether a hook is the script that ``lefthook install`` writes."""
    return b"\ncall_lefthook run " in content


def render_configuration(hooks: Iterable[str], *, advisory: bool = False, each_commit: bool = False) -> str:
    """Render YAML for ``lefthook.yml`` that calls the gate in ``hooks``."""
    text = f"{_SKIPPED}assert_lefthook_installed: true\n"
    for hook in hooks:
        flags = f"{'--advisory ' if advisory else ''}{'--each-commit ' if each_commit and hook == 'pre-push' else ''}"
        call = f"gate git-hook {flags}{hook}{_ARGUMENTS.get(hook, '')}"
        text += f"{hook}:\n  jobs:\n    - name: gate\n      run: {call}\n"
        text += "      use_stdin: true\n" if hook == "pre-push" else ""
    return text


def _read_document(path: Path) -> dict[Any, Any]:
    return read_configuration(path, what="the configuration of lefthook", look="lefthook validate")


def _is_caller(entry: object, hook: str) -> bool:
    pattern = call_pattern(hook)
    return any(pattern.search(command) for command in _list_commands(entry, set()))


def _is_hook(value: object) -> bool:
    return isinstance(value, dict) and not {"jobs", "commands", "scripts"}.isdisjoint(value)


def _select_calls(entry: object, pattern: re.Pattern[str], seen: dict[int, dict[Any, Any] | None]) -> Any:
    """Return a hook, a group or a job with only its matching jobs and commands; None if none matches."""
    if not isinstance(entry, dict):
        return None
    if id(entry) not in seen:
        seen[id(entry)] = None
        seen[id(entry)] = _reduce(entry, pattern, seen)
    return seen[id(entry)]


def _reduce(
    entry: Mapping[Any, Any], pattern: re.Pattern[str], seen: dict[int, dict[Any, Any] | None]
) -> dict[Any, Any] | None:
    if isinstance(command := entry.get("run"), str):
        return dict(entry) if pattern.search(command) else None
    if "script" not in entry and _PARTS.isdisjoint(entry):
        # Without a command it adds settings to a job of that name in another file.
        return dict(entry)
    jobs, commands = entry.get("jobs"), entry.get("commands")
    parts: dict[str, Any] = {"group": _select_calls(entry.get("group"), pattern, seen)}
    if isinstance(jobs, list):
        parts["jobs"] = [job for item in jobs if (job := _select_calls(item, pattern, seen)) is not None]
    if isinstance(commands, dict):
        found = {name: _select_calls(item, pattern, seen) for name, item in commands.items()}
        parts["commands"] = {name: job for name, job in found.items() if job is not None}
    parts = {key: value for key, value in parts.items() if value}
    return {**_copy_settings(entry), **parts} if parts else None


def _copy_settings(entry: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in entry.items() if key not in _PARTS}


def _list_commands(entry: object, seen: set[int]) -> Iterator[str]:
    """List every ``run`` below ``entry``; each part once, for YAML can refer to one part many times."""
    if id(entry) in seen:
        return
    seen.add(id(entry))
    if isinstance(entry, dict):
        command = entry.get("run")
        if isinstance(command, str):
            yield command
        for value in entry.values():
            yield from _list_commands(value, seen)
    elif isinstance(entry, list):
        for value in entry:
            yield from _list_commands(value, seen)
