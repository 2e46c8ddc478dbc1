"""Engines: what asks a language model. How one describes itself, what it declares that it can do, one execution.

Fields and flags are those of the fifth source document, by its names in JSON; in Python they are snake_case. What the
issue adds has the issue's names. An engine that declares nothing gets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
from msgspec import Struct, field

from verigate.domain.execution import Invocation, Outcome

ENGINE_TYPE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
"""snake_case. Profiles and people write ``gemini-api`` for ``gemini_api``; both mean the same engine."""

DEFAULT_INSTRUCTIONS_PATH_KEY = "instructionsFilePath"

Stream = Literal["stdout", "stderr"]


def normalize_engine_type(name: str) -> str:
    """The type that a profile's ``engine`` means: ``gemini-api`` is ``gemini_api``."""
    return name.strip().lower().replace("-", "_")


Origin = Literal["folder", "package", "built-in"]


class EngineOrigin(Struct, frozen=True):
    """Who offers an engine: ``where`` is a folder or a package; ``overrides`` are the origins of others of its type."""

    origin: Origin = "built-in"
    where: str = "verigate"
    overrides: tuple[Origin, ...] = ()


class EngineCapabilities(
    Struct,
    frozen=True,
    rename={
        "supports_local_agent_jwt": "supportsLocalAgentJwt",
        "supports_instructions_bundle": "supportsInstructionsBundle",
        "instructions_path_key": "instructionsPathKey",
        "requires_materialized_runtime_skills": "requiresMaterializedRuntimeSkills",
    },
):
    """What an engine declares. Nothing else decides what it is given or asked for, and no list of names.

    ``json_output``: its answer can be asked for as JSON. ``response_schema``: it holds the answer to a JSON Schema.
    ``session_resume``: a session id of an earlier execution continues it. ``cost_reporting``: results carry
    ``costUsd``. ``trust_folder``: the run folder has to be registered as trusted before it starts.
    """

    json_output: bool = False
    response_schema: bool = False
    session_resume: bool = False
    cost_reporting: bool = False
    trust_folder: bool = False
    supports_local_agent_jwt: bool = False
    supports_instructions_bundle: bool = False
    instructions_path_key: str = DEFAULT_INSTRUCTIONS_PATH_KEY
    requires_materialized_runtime_skills: bool = False


class EngineModel(Struct, frozen=True):
    """A model that an engine offers. Others may be named too: the list is for people."""

    id: str
    label: str


class EngineDescription(Struct, frozen=True, rename={"agent_configuration_doc": "agentConfigurationDoc"}):
    """How an engine presents itself: a unique snake_case ``type``, and a document that says when (not) to use it.

    ``models`` begins with the one that is used where the profile names none; empty means that the engine's own default
    holds. Raises ValueError for a type that isn't snake_case.
    """

    type: str
    label: str
    models: tuple[EngineModel, ...] = ()
    agent_configuration_doc: str = ""

    def __post_init__(self) -> None:
        if not ENGINE_TYPE.fullmatch(self.type):
            raise ValueError(f"{self.type!r} is no engine type: snake_case, such as gemini_api")

    @property
    def name(self) -> str:
        """The type as profiles, verdicts and command lines write it: ``gemini-api``."""
        return self.type.replace("_", "-")


class InvocationMeta(Struct, frozen=True, rename="camel"):
    """What is about to be called, told before it is: never a secret, neither in ``command_args`` nor in ``env``."""

    adapter_type: str
    command: str | None = None
    command_args: tuple[str, ...] = ()
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    prompt: str | None = None
    notes: tuple[str, ...] = ()


class Spawned(Struct, frozen=True, rename="camel"):
    """A process that an engine has started. ``started_at`` is ISO 8601 in UTC."""

    pid: int
    started_at: str


class Agent(Struct, frozen=True, rename="camel"):
    """On whose behalf an engine runs. For the gate: the verifier, in the company of the repository."""

    id: str = "verifier"
    company_id: str = ""
    name: str = "Verigate verifier"
    adapter_config: Mapping[str, Any] = field(default_factory=dict)


class Runtime(Struct, frozen=True, rename="camel"):
    """The session that an earlier execution of this task with this engine left, if any."""

    session_id: str | None = None
    session_params: Mapping[str, Any] | None = None


async def _ignore(*_: Any) -> None:
    """For who doesn't want to be told."""


class ExecutionContext(Struct, frozen=True, rename="camel"):
    """One execution: what an engine is given. ``config`` is the engine's resolved configuration.

    ``context`` is the request (``verigate.verifier.request`` makes and reads it). The three callbacks are awaited.
    """

    run_id: str
    config: Mapping[str, Any]
    context: Mapping[str, Any]
    agent: Agent = Agent()
    runtime: Runtime = Runtime()
    on_log: Callable[[Stream, str], Awaitable[None]] = _ignore
    on_meta: Callable[[InvocationMeta], Awaitable[None]] = _ignore
    on_spawn: Callable[[Spawned], Awaitable[None]] = _ignore

    def document(self) -> dict[str, Any]:
        """The context as JSON, without the callbacks."""
        return {
            "runId": self.run_id,
            "agent": msgspec.to_builtins(self.agent),
            "runtime": msgspec.to_builtins(self.runtime),
            "config": dict(self.config),
            "context": dict(self.context),
        }


class Usage(Struct, frozen=True, rename="camel"):
    """Tokens. What a model thought counts as output, where its provider bills it so."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)

    @property
    def total(self) -> int:
        """Both together; a negative count is none."""
        return max(0, self.input_tokens) + max(0, self.output_tokens)


class ExecutionResult(Struct, frozen=True, rename="camel"):
    """What came of one execution. ``signal`` is a name (``SIGKILL``).

    ``output`` is what the model answered, as text; ``result_json`` what the engine's own parsing made of it, None where
    it makes nothing of it or can't. An ``error_code`` (snake_case, ``rate_limited``) and an ``error_message`` name what
    went wrong; ``error_hint`` says what to try. ``model_version`` is the exact model that answered,
    ``engine_version`` the program or library that asked.
    """

    exit_code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    error_message: str | None = None
    error_code: str | None = None
    error_hint: str | None = None
    usage: Usage | None = None
    session_id: str | None = None
    session_params: Mapping[str, Any] | None = None
    session_display_id: str | None = None
    provider: str | None = None
    model: str | None = None
    model_version: str | None = None
    engine_version: str | None = None
    cost_usd: float | None = None
    clear_session: bool = False
    output: str | None = None
    result_json: Mapping[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Whether anything went wrong. What was killed by a signal or timed out has failed, whatever it printed."""
        bad_exit = self.exit_code not in {None, 0}
        return bad_exit or self.signal is not None or self.timed_out or self.error_code is not None

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


class CheckLevel(StrEnum):
    """How bad what an environment test found is; ``error`` blocks execution."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class EnvironmentCheck(Struct, frozen=True):
    """One thing that an environment test looked at. Never holds a credential; may say where one came from."""

    code: str
    level: CheckLevel
    message: str
    detail: str | None = None
    hint: str | None = None


class EnvironmentTest(Struct, frozen=True, rename="camel"):
    """What an engine's environment test found. ``tested_at`` is ISO 8601 in UTC."""

    adapter_type: str
    checks: tuple[EnvironmentCheck, ...]
    tested_at: str

    @property
    def status(self) -> Literal["pass", "warn", "fail"]:
        """``fail`` with any error, ``warn`` with any warning."""
        levels = {check.level for check in self.checks}
        return "fail" if CheckLevel.ERROR in levels else "warn" if CheckLevel.WARN in levels else "pass"

    def document(self) -> dict[str, Any]:
        """The test as JSON."""
        made = msgspec.to_builtins(self)
        return {**made, "checks": list(made["checks"]), "status": self.status}


class SessionCodec(Protocol):
    """Validates what is stored of a session between executions."""

    def deserialize(self, raw: Any) -> Mapping[str, Any] | None:
        """Session parameters from what was stored, None where that can't be used."""

    def serialize(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What to store of session parameters, None for nothing."""

    def display_id(self, params: Mapping[str, Any]) -> str | None:
        """What people are shown of a session."""


class Engine(Protocol):
    """What every engine has.

    Optional members beside these are looked for by name: ``capabilities: EngineCapabilities``, ``session_codec:
    SessionCodec``, and ``list_skills()`` and ``sync_skills()``, either of which makes ``supportsSkills`` true.
    """

    @property
    def description(self) -> EngineDescription:
        """How the engine presents itself."""

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask. What goes wrong is in the result, by name; raises only for a fault of the engine itself."""

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Whether it could be asked now: library or program, its version, credentials. Asks no model anything."""


@runtime_checkable
class _Declares(Protocol):
    capabilities: EngineCapabilities


def read_capabilities(engine: Engine) -> EngineCapabilities:
    """What an engine declares; everything false where it declares nothing."""
    declared = engine.capabilities if isinstance(engine, _Declares) else None
    return declared if isinstance(declared, EngineCapabilities) else EngineCapabilities()


def supports_skills(engine: Engine) -> bool:
    """Derived, as in the fifth source document: it has ``list_skills`` or ``sync_skills``."""
    return any(callable(getattr(engine, name, None)) for name in ("list_skills", "sync_skills"))


def describe_capabilities(engine: Engine) -> dict[str, Any]:
    """The ``capabilities`` object of a listing: every flag, and what is derived."""
    return {**msgspec.to_builtins(read_capabilities(engine)), "supportsSkills": supports_skills(engine)}


def describe_engine(engine: Engine) -> dict[str, Any]:
    """An engine's entry in a listing."""
    described = msgspec.to_builtins(engine.description)
    return {**described, "models": list(described["models"]), "capabilities": describe_capabilities(engine)}


class Processes(Protocol):
    """How engines start processes: in a process group of their own, streamed, with timeouts, and none left behind."""

    async def run(
        self,
        invocation: Invocation,
        *,
        stdin: bytes = b"",
        silence_s: float | None = None,
        grace_s: float = 2.0,
        on_log: Callable[[Stream, str], Awaitable[None]] = _ignore,
        on_spawn: Callable[[Spawned], Awaitable[None]] = _ignore,
    ) -> tuple[Outcome, bytes, bytes]:
        """Run to the end; the outcome with the kept parts of stdout and stderr.

        ``silence_s`` seconds without output count as a timeout. Raises ExecutionError if it can't be started.
        """


class EngineServices(Struct, frozen=True):
    """What composition gives an engine's factory. ``environ`` is the caller's: credentials come from there alone.

    ``run_root`` is a private folder outside of the subject, for run folders; ``monotonic`` counts seconds. Nothing in
    ``repository``, the root of the one that is verified, configures an engine.
    """

    environ: Mapping[str, str]
    processes: Processes | None
    run_root: str
    now: Callable[[], str]
    monotonic: Callable[[], float]
    repository: str | None = None

    def __repr__(self) -> str:
        """Without the environment, which holds secrets."""
        return f"EngineServices(run_root={self.run_root!r})"


EngineFactory = Callable[[EngineServices], Engine]
"""What an entry point of the group ``verigate.engines`` loads."""
