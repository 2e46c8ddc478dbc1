"""Declarative description of a program as an engine, the same for built-in engines and for manifests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from verigate.domain.engine import EngineCapabilities, EngineDescription, EngineModel


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a command line. They are left out if the value ``needs`` is missing; ``each`` repeats them.

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
    """The place where a run folder is registered as trusted. ``{run_dir}`` in ``keys`` is its path.

    ``file`` begins with ``~`` for the caller's home. ``home_variable`` names the variable that moves its folder.
    """

    file: str
    format: Literal["json", "toml"]
    keys: tuple[str, ...]
    value: str
    home_variable: str | None = None


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """A JSON object between two lines, which a program prints below its text answer, or on stderr.

    ``fields`` are as in LogRule.
    """

    begin: str
    end: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    """The words that have a program say, by its exit code, whether it is logged in.

    ``unless`` is a key of its settings with which that says nothing: another provider.
    """

    words: tuple[str, ...]
    unless: str = ""


class SkillDelivery(Struct, frozen=True, forbid_unknown_fields=True):
    """How skills are delivered to a program: a flag, its global folder, an environment variable; else in the prompt.

    The program declares which of them it supports; the gate tries them in this order.
    """

    flag: tuple[str, ...] = ()
    global_folder: str | None = None
    variable: str | None = None


Kind = Literal["message", "tool_call", "tool_result", "usage", "error", "session", "result"]


class LogRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Rule that reads a line of the output. ``when`` maps JSON pointers to the required values.

    ``each`` is a pointer to an array whose items are read instead, those that match ``item``. ``text``, ``name`` and
    ``id`` are pointers, of which the first that resolves is used. ``fields`` maps names (``response``, ``session``,
    ``model``, ``asked``, ``version``, ``cost``, ``input_tokens``, ``output_tokens``, ``status``, ``error``) to
    pointers: numbers are added up. ``model`` is the one that answered, ``asked`` the requested one. ``most`` maps such
    a name to the pointer of a table and a pointer into its members: its value is the key of the member with the highest
    number. ``delta``: consecutive texts are joined. ``prefix`` is the start of lines that aren't JSON.
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


Fault = Literal[
    "not_permitted",
    "not_logged_in",
    "rate_limited",
    "model_not_found",
    "untrusted_folder",
    "unavailable",
    "unreachable",
]


class FaultRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Rule that names a fault by a line of the output, of a program that would go on trying, or ends without a name.

    A line of stdout matches if it is a JSON object with the values of ``when``, and its text at one of the pointers
    ``text`` contains all ``words``. With ``prefix``, a line of stderr matches that starts with it and contains all
    ``words``. ``ends``: the program is ended at that line; else its own end is awaited, and the name counts only if it
    failed. What a model writes is in neither place, so that it can't name a fault.
    """

    code: Fault
    when: Mapping[str, str | bool | int | None] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    prefix: str | None = None
    ends: bool = False


class SessionLog(Struct, frozen=True, forbid_unknown_fields=True):
    """A program's own log of a session, and the rules to read what its output lacks.

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
    names of variables, or prefixes with ``*``, that it gets from the caller in addition to the common ones;
    ``credentials`` are the variables and files (``~/...``, of JSON and TOML also
    ``#`` and a pointer) that may contain its credentials. ``set`` are variables to
    set for it. ``unknown_session`` are words in its error for an unknown session. ``strict_schema``: every property of
    a schema must be required. ``package`` is its npm package, to read its version.
    ``usage_of_session``: the tokens that it reports are those of its whole session so far.
    """

    type: str
    label: str
    kind: Literal["program"] = "program"
    command: tuple[str, ...] = ()
    models: tuple[EngineModel, ...] = ()
    configuration_doc: str = ""
    capabilities: EngineCapabilities = EngineCapabilities()
    arguments: tuple[Words, ...] = ()
    provider: str | None = None
    version: tuple[str, ...] = ("--version",)
    login: Login | None = None
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
    usage_of_session: bool = False
    faults: tuple[FaultRule, ...] = ()
    log: tuple[LogRule, ...] = ()
    session_log: SessionLog | None = None
    trailer: Trailer | None = None
    package: str | None = None
    install: str | None = None

    @property
    def description(self) -> EngineDescription:
        """The engine's description."""
        return EngineDescription(self.type, self.label, self.models, self.configuration_doc)

    @property
    def config_file(self) -> ConfigFile:
        """Its configuration file in the run folder."""
        return self.config or ConfigFile(f"{self.folder}/settings.json")

    @property
    def folder(self) -> str:
        """The name of its own folder in the run folder."""
        return f".{self.type.removesuffix('_cli')}"
