"""Contract of engines, which ask language models: description, declared capabilities, one execution.

Fields and flags are those of the fifth source document, with its names in JSON and snake_case in Python. An engine gets
only what it declares.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
from msgspec import Struct, field

from verigate.domain.execution import Invocation, Outcome
from verigate.domain.sent_request import SentRequest

ENGINE_TYPE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
"""snake_case. Profiles and people write ``gemini-api`` for ``gemini_api``; both mean the same engine."""

DEFAULT_INSTRUCTIONS_PATH_KEY = "instructionsFilePath"

Stream = Literal["stdout", "stderr"]


def normalize_engine_type(name: str) -> str:
    """Return the engine type for a profile's ``engine``: ``gemini-api`` becomes ``gemini_api``."""
    return name.strip().lower().replace("-", "_")


AGENT_URL, AGENT_TOKEN = "GATE_AGENT_URL", "GATE_AGENT_TOKEN"
"""Where `gate serve` lets an agent read the task that it is asked about, and the token for it (RFC 7519).

Only an engine that declares ``supports_local_agent_jwt`` is given them.
"""

Origin = Literal["folder", "package", "built-in"]


class EngineOrigin(Struct, frozen=True):
    """The source of an engine: ``where`` is a folder or a package; ``overrides`` are other sources of its type."""

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
    """The declared capabilities of an engine. They alone decide what it is given, never its name.

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
    """A model that an engine offers. The list is for people: other models may be named too."""

    id: str
    label: str


class EngineDescription(Struct, frozen=True, rename={"agent_configuration_doc": "agentConfigurationDoc"}):
    """Description of an engine: a unique snake_case ``type``, and a document that says when (not) to use it.

    The first of ``models`` is the default where the profile names none; empty means the engine's own default. Raises
    ValueError for a type that isn't snake_case.
    """

    type: str
    label: str
    models: tuple[EngineModel, ...] = ()
    agent_configuration_doc: str = ""

    def __post_init__(self) -> None:
        if not ENGINE_TYPE.fullmatch(self.type):
            raise ValueError(f"{self.type!r} isn't an engine type: use snake_case, such as gemini_api")

    @property
    def name(self) -> str:
        """The type as profiles, verdicts and command lines write it: ``gemini-api``."""
        return self.type.replace("_", "-")


class InvocationMeta(Struct, frozen=True, rename="camel"):
    """Reported before an invocation. Never contains a secret, neither in ``command_args`` nor in ``env``."""

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
    """The agent on whose behalf an engine runs. For the gate: the verifier, in the company of the repository."""

    id: str = "verifier"
    company_id: str = ""
    name: str = "Verigate verifier"
    adapter_config: Mapping[str, Any] = field(default_factory=dict)


class Runtime(Struct, frozen=True, rename="camel"):
    """The session of an earlier execution of this task with this engine, if any."""

    session_id: str | None = None
    session_params: Mapping[str, Any] | None = None


async def _ignore(*_: Any) -> None:
    """Default callback."""


class ExecutionContext(Struct, frozen=True, rename="camel"):
    """Input of one execution. ``config`` is the engine's resolved configuration.

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
        """Return the context as JSON, without the callbacks."""
        return {
            "runId": self.run_id,
            "agent": msgspec.to_builtins(self.agent),
            "runtime": msgspec.to_builtins(self.runtime),
            "config": dict(self.config),
            "context": dict(self.context),
        }


class Usage(Struct, frozen=True, rename="camel"):
    """Token counts. Reasoning tokens count as output if the provider bills them so."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)

    @property
    def total(self) -> int:
        """The sum of both; negative counts are taken as zero."""
        return max(0, self.input_tokens) + max(0, self.output_tokens)


class RunArtifact(Struct, frozen=True):
    """A file that a run wrote for its caller. ``path`` is relative to the run's folder for artifacts."""

    path: str
    size: int
    sha256: str


class ExecutionResult(Struct, frozen=True, rename="camel"):
    """Result of one execution. ``signal`` is a name (``SIGKILL``).

    ``output`` is the model's answer as text; ``result_json`` is the answer as the engine parsed it, None if it doesn't
    parse or can't. ``error_code`` (snake_case, ``rate_limited``) and ``error_message`` name the error; ``error_hint``
    says what to try. ``model_version`` is the exact model that answered, ``engine_version`` the program or library.
    ``usage`` is that of this execution alone. ``sent`` is what was sent to the model, None if that isn't known.
    ``artifacts`` are the files that a skill wrote.
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
    sent: SentRequest | None = None
    artifacts: tuple[RunArtifact, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the execution failed. After a signal or a timeout it has failed, whatever it printed."""
        bad_exit = self.exit_code not in {None, 0}
        return bad_exit or self.signal is not None or self.timed_out or self.error_code is not None

    def document(self) -> dict[str, Any]:
        """Return the result as JSON."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


class CheckLevel(StrEnum):
    """Severity of a check of an environment test; ``error`` blocks execution."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class EnvironmentCheck(Struct, frozen=True):
    """One check of an environment test. Never contains a credential; may name the source of one."""

    code: str
    level: CheckLevel
    message: str
    detail: str | None = None
    hint: str | None = None


class EnvironmentTest(Struct, frozen=True, rename="camel"):
    """Result of an engine's environment test. ``tested_at`` is ISO 8601 in UTC."""

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


class EngineSkill(Struct, frozen=True):
    """A skill that an engine can run. ``delivery`` is how it reaches the model: ``flag``, ``prompt``, ...

    ``folder`` is where it lies, None for a skill of the engine's own.
    """

    id: str
    delivery: str
    folder: str | None = None
    description: str = ""


class SessionCodec(Protocol):
    """Validates the stored parameters of a session between executions."""

    def deserialize(self, raw: Any) -> Mapping[str, Any] | None:
        """Return the session parameters in a stored value, None if it isn't usable."""

    def serialize(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the value to store for session parameters, None for nothing."""

    def display_id(self, params: Mapping[str, Any]) -> str | None:
        """Return the session id to show to people."""


class Engine(Protocol):
    """Interface of every engine.

    Optional members are looked up by name: ``capabilities: EngineCapabilities``, ``session_codec: SessionCodec``, and
    either of these, which makes ``supportsSkills`` true: ``async list_skills(config) -> Sequence[EngineSkill]``, for
    ``gate skill list``, and ``async sync_skills(config) -> None``, awaited before the first execution of a run, to
    bring what the engine keeps of skills up to date.
    """

    @property
    def description(self) -> EngineDescription:
        """The engine's description."""

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask the model. Errors are in the result, by name; raises only for a bug of the engine itself."""

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Check whether the engine is usable: library or program, its version, credentials. Asks no model."""


@runtime_checkable
class _Declares(Protocol):
    capabilities: EngineCapabilities


def read_capabilities(engine: Engine) -> EngineCapabilities:
    """Return the capabilities that an engine declares; all false if it declares none."""
    declared = engine.capabilities if isinstance(engine, _Declares) else None
    return declared if isinstance(declared, EngineCapabilities) else EngineCapabilities()


def supports_skills(engine: Engine) -> bool:
    """Whether an engine has ``list_skills`` or ``sync_skills``, as in the fifth source document."""
    return any(callable(getattr(engine, name, None)) for name in ("list_skills", "sync_skills"))


def describe_capabilities(engine: Engine) -> dict[str, Any]:
    """Return the ``capabilities`` object of a listing: all flags, declared and derived."""
    return {**msgspec.to_builtins(read_capabilities(engine)), "supportsSkills": supports_skills(engine)}


def describe_engine(engine: Engine) -> dict[str, Any]:
    """Return an engine's entry in a listing: also the schema of its options, and the rules that its output is read by.

    Both are data: a form and a parser in another language can be made of them.
    """
    described = msgspec.to_builtins(engine.description)
    schema = getattr(engine, "options_schema", None)
    return {
        **described,
        "models": list(described["models"]),
        "capabilities": describe_capabilities(engine),
        "optionsSchema": schema if isinstance(schema, dict) else None,
        "logRules": _describe_rules(getattr(engine, "log_rules", ())),
    }


def _describe_rules(rules: Any) -> list[Any]:
    """Of an engine of a package they may be anything; what is no rule is left out."""
    listed = rules if isinstance(rules, tuple | list) else ()
    return [msgspec.to_builtins(rule) for rule in listed if isinstance(rule, Struct)]


class Processes(Protocol):
    """Starts processes for engines: in their own process group, streamed, with timeouts, and none left behind."""

    async def run(
        self,
        invocation: Invocation,
        *,
        stdin: bytes = b"",
        silence_s: float | None = None,
        grace_s: float = 2.0,
        on_log: Callable[[Stream, str], Awaitable[None]] = _ignore,
        on_spawn: Callable[[Spawned], Awaitable[None]] = _ignore,
        is_over: Callable[[], bool] | None = None,
    ) -> tuple[Outcome, bytes, bytes]:
        """Run a process to its end; return the outcome with the kept parts of stdout and stderr.

        ``is_over`` is asked after each ``on_log``; if true, the process is ended as after its time.
        ``silence_s`` seconds without output count as a timeout. Raises ExecutionError if it can't be started.
        """


class EngineServices(Struct, frozen=True):
    """Services for an engine's factory. ``environ`` is the caller's, and the only source of credentials.

    ``run_root`` is a private folder outside of the subject, for run folders; ``monotonic`` counts seconds.
    ``repository`` is the root of the verified repository; nothing in it configures an engine.
    """

    environ: Mapping[str, str]
    processes: Processes | None
    run_root: str
    now: Callable[[], str]
    monotonic: Callable[[], float]
    repository: str | None = None

    def __repr__(self) -> str:
        """Leave out the environment, which contains secrets."""
        return f"EngineServices(run_root={self.run_root!r})"


EngineFactory = Callable[[EngineServices], Engine]
"""Type of the factories in the entry point group ``verigate.engines``."""
