"""A program as an engine, in data alone: what ships is described like what a stranger's manifest describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from verigate.domain.engine import EngineCapabilities, EngineDescription, EngineModel


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a command line. ``needs`` is a value without which they are left out; ``each`` repeats them.

    Placeholders: ``{model}``, ``{session}``, ``{schema}`` (JSON text), ``{schema_file}``, ``{config_file}``,
    ``{skills}`` (the folder that holds ``skills/``), ``{instruction}``, ``{run_dir}``. With ``each: settings`` the
    words are repeated for each key of the resolved configuration, as ``{key}`` (dotted) and ``{value}`` (TOML); with
    ``each: arguments`` for each ``{argument}`` of the user's.
    """

    words: tuple[str, ...]
    needs: str | None = None
    unless: str | None = None
    each: Literal["settings", "arguments"] | None = None


class ConfigFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The engine's own configuration file in the run folder."""

    path: str
    format: Literal["json", "toml"] = "json"


class Trust(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a run folder is registered as trusted. ``{run_dir}`` stands in ``keys`` for its path.

    ``file`` begins with ``~`` for the caller's home. ``home_variable`` names the variable that moves its folder.
    """

    file: str
    format: Literal["json", "toml"]
    keys: tuple[str, ...]
    value: str
    home_variable: str | None = None


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """A JSON object between two lines, which a program that answers in text puts below it, or on stderr.

    ``fields`` are as in LogRule.
    """

    begin: str
    end: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class SkillDelivery(Struct, frozen=True, forbid_unknown_fields=True):
    """How skills reach a program: a flag, its global folder, an environment variable. None of them: in the prompt.

    Which of them a program has is what it declares; that they are tried in this order is the gate's.
    """

    flag: tuple[str, ...] = ()
    global_folder: str | None = None
    variable: str | None = None


Kind = Literal["message", "tool_call", "tool_result", "usage", "error", "session", "result"]


class LogRule(Struct, frozen=True, forbid_unknown_fields=True):
    """What a line of the output is. ``when`` maps JSON pointers to what must stand there.

    ``each`` is a pointer to an array whose items are looked at instead, those for which ``item`` holds. ``text``,
    ``name`` and ``id`` are pointers, of which the first that leads somewhere counts. ``fields`` maps what is known
    after it (``response``, ``session``, ``model``, ``asked``, ``version``, ``cost``, ``input_tokens``,
    ``output_tokens``, ``status``, ``error``) to pointers: numbers are added up. ``model`` is the one that answered,
    ``asked`` the one that was asked for. ``most`` maps such a name to the pointer of a table and a pointer into its
    members: the key of the member with the highest number there. ``delta``: texts that follow each other are one.
    ``prefix`` is for lines that aren't JSON: what they begin with.
    """

    kind: Kind
    when: Mapping[str, str | bool | int | None] = field(default_factory=dict)
    each: str | None = None
    item: Mapping[str, str | bool | int | None] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    delta: bool = False
    prefix: str | None = None


class SessionLog(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a program itself keeps a session, and what is to be learned there that its output doesn't say.

    ``folder`` begins with ``~`` for the caller's home; ``home_variable`` names the variable that moves its first
    folder. ``name`` is the end of the file's name, with ``{session}``; ``log`` are the rules for its lines.
    """

    folder: str
    name: str
    log: tuple[LogRule, ...]
    home_variable: str | None = None


class Program(Struct, frozen=True, rename={"configuration_doc": "agentConfigurationDoc"}, forbid_unknown_fields=True):
    """A program that is an engine.

    ``command`` starts it; ``arguments`` follow, then those of the user. The prompt is its stdin. ``environment`` are
    names of variables, or beginnings of names with ``*``, that it gets from the caller beside the common ones;
    ``credentials`` those and the files (``~/...``) that may hold what it logs in with. ``set`` are variables for it.
    ``unknown_session`` are words by which it says that it doesn't know a session. ``strict_schema``: it wants every
    property of a schema to be required. ``package`` is the npm package that it comes in, for its version.
    """

    type: str
    label: str
    command: tuple[str, ...] = ()
    models: tuple[EngineModel, ...] = ()
    configuration_doc: str = ""
    capabilities: EngineCapabilities = EngineCapabilities()
    arguments: tuple[Words, ...] = ()
    provider: str | None = None
    version: tuple[str, ...] = ("--version",)
    config: ConfigFile | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    enforced: Mapping[str, Any] = field(default_factory=dict)
    environment: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    set: Mapping[str, str] = field(default_factory=dict)
    trust: Trust | None = None
    skills: SkillDelivery = SkillDelivery()
    instructions_file: str | None = None
    system_prompt: bool = False
    strict_schema: bool = False
    unknown_session: tuple[str, ...] = ()
    log: tuple[LogRule, ...] = ()
    session_log: SessionLog | None = None
    trailer: Trailer | None = None
    package: str | None = None
    install: str | None = None

    @property
    def description(self) -> EngineDescription:
        """How it presents itself."""
        return EngineDescription(self.type, self.label, self.models, self.configuration_doc)

    @property
    def config_file(self) -> ConfigFile:
        """Where its configuration is written in the run folder."""
        return self.config or ConfigFile(f"{self.folder}/settings.json")

    @property
    def folder(self) -> str:
        """The name of its own folder in the run folder."""
        return f".{self.type.removesuffix('_cli')}"
