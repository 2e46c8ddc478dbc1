"""What a script starts, one step for each simple command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RunnerCall:
    """A call of the test runner ``runner`` with the arguments and variables of the script.

    ``launcher`` are the words that start it instead of its own program: an interpreter with options
    (``node --experimental-vm-modules``) or a wrapper (``react-scripts test``). ``folder`` is relative to the package.
    ``before`` and ``after`` are the commands of the script around it.
    """

    runner: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    launcher: tuple[str, ...] = ()
    folder: str = ""
    before: tuple[OtherCommand, ...] = ()
    after: tuple[OtherCommand, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherCommand:
    """A simple command that is no known test runner: a build, a check of types, a program of the project."""

    words: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""

    @property
    def text(self) -> str:
        """The command for messages."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class WorkspaceCall:
    """A call of ``script`` in packages of the workspace; ``only`` are the names and patterns of packages, if given."""

    script: str
    arguments: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpaqueCommand:
    """A part of a script that can't be taken apart, or a test runner that isn't known; ``why`` says which."""

    text: str
    why: str
    runner: str = ""


@dataclass(frozen=True, slots=True)
class LinterCall:
    """A call of the linter ``linter`` with the arguments and variables of the script."""

    linter: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""


ScriptStep = RunnerCall | LinterCall | OtherCommand | WorkspaceCall | OpaqueCommand
