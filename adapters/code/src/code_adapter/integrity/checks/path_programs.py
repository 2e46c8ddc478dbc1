"""Check that pipelines put no folder of the repository on the path in which a program is called like a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.tools.commands import judges

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_ADDS = re.compile(r"GITHUB_PATH|BASH_ENV|task\.prependpath|\bPATH\b|^\S*:\$\{?PATH|\$\{\{ ?env\.PATH")
_FOLDER = re.compile(
    r"(?:\$\{?PWD\}?|\$\(pwd\)|`pwd`|\$\{?GITHUB_WORKSPACE\}?|\$\{\{\s*github\.workspace\s*\}\}|\$\{?CI_PROJECT_DIR\}?|"
    r"(?<![\w/$}.])\.)/([\w.-]+(?:/[\w.-]+)*)"
)
_ALWAYS = frozenset({"python", "python3", "node", "npm", "npx", "sh", "bash"})
_MOST_FOLDERS = 200


def find_path_programs(
    changes: ChangeSet, before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]
) -> Iterator[IntegrityFinding]:
    """Find programs that a pipeline runs in place of a check since the change.

    ``before`` and ``after`` are the commands of the pipelines, each with its file.
    """
    ran = [*after]
    tools = _ALWAYS | {word for _, command in ran for tool in judges(command) for word in tool.split()[:1]}
    known = set(changes.subject_paths)
    was = set(_list_programs(before, tools, lambda path: changes.at_base(path) is not None))
    for place, program in dict(_list_programs(ran, tools, known.__contains__)).items():
        if (place, program) not in was:
            message = f"a step puts a folder on the path in which {place} takes the place of a check"
            yield IntegrityFinding(
                "checks_shadowed", program, None, message, "weakening", "program-on-path", forms=Forms(None, place)
            )


def _list_programs(
    commands: Iterable[tuple[str, str]], tools: Iterable[str], is_there: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """List the programs of the repository that a command puts on the path, each with the pipeline."""
    added = [(path, command) for path, command in commands if _ADDS.search(command)]
    for path, command in added[:_MOST_FOLDERS]:
        for folder in _FOLDER.findall(command):
            yield from ((f"{folder}/{tool}", path) for tool in sorted(tools) if is_there(f"{folder}/{tool}"))
