"""Make the call of a leased action again, by this machine's own gate, runner and sandbox.

Nothing of the action is run as it is. Its input root is written to a folder; the adapter's manifest there says how the
capability is called; the call is planned, described and built as on any machine. Only if that description is the very
action, digest by digest, its adapter starts: the same argument vector, environment, inputs, tools, sandbox and gate.

What this machine offers beyond that, such as the network or a secret, only its own adapters get, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun
from verigate.domain.grants import Grant, GrantKind
from verigate.domain.manifest import BASE, Manifest
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.policy_source import PolicyUse, PolicyWanted
from verigate.domain.ports import RunContext, SubjectWorkspace
from verigate.domain.remote_call import CacheStage, InputFile, PendingCall, RemoteCall, RemoteResult
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.domain.worker_offer import NEEDS_PROPERTY, make_grants
from verigate.errors import ExecutionError
from verigate.evidence.staging import RunStaging
from verigate.formats.strict_json import loads
from verigate.remote.action import build_action, from_message
from verigate.remote.blobs import Digest
from verigate.remote.input_root import read_tree, write_tree
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import reapi
from verigate.subject.git import Git
from verigate.subject.workspace import open_workspace
from verigate.usecases.kept_evidence import digest_outcome
from verigate.usecases.services import ArtifactCheck, Runner
from verigate.usecases.silent import Silent

if TYPE_CHECKING:
    from verigate.domain.ports import Listener

_MOST_OF_A_MESSAGE = 4 * 1_048_576
_LONGEST_CALL_S = 3600.0
_MOST_NAMED = 5
_LONGEST_NEEDS = 200


class LeaseRefusedError(ExecutionError):
    """An action that this machine doesn't execute, and why."""


class FoundByLease(Struct, frozen=True):
    """What a leased action found: facts by their digest, files by task-relative path, and the output."""

    capability: str
    stage: CacheStage
    outcome: str
    result: RemoteResult


class LeaseServices(Struct, frozen=True):
    """What this machine makes calls with. ``find_manifests`` reads the adapters below a folder.

    ``environ`` is the worker's own environment, ``offers`` what it lets actions have of this machine, and
    ``is_own_adapter`` whether the files of an adapter are those of one that is installed here. Raises GateError.
    """

    environ: Mapping[str, str]
    find_manifests: Callable[[Path], Sequence[Manifest]]
    runner: Runner
    artifact_check: ArtifactCheck
    offers: frozenset[str] = frozenset()
    is_own_adapter: Callable[[Mapping[str, InputFile]], bool] = lambda _: False


class _Wanted(Struct, frozen=True):
    """What a leased action says: its messages, and its input root."""

    digest: Digest
    stage: CacheStage
    nonce: str
    command: reapi.Command
    files: Mapping[str, InputFile]

    @property
    def capability(self) -> str:
        return self.properties.get("verigate.capability", "")

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(each.value for each in self.command.platform.properties if each.name == NEEDS_PROPERTY)

    @property
    def properties(self) -> dict[str, str]:
        return {each.name: each.value for each in self.command.platform.properties if each.name != NEEDS_PROPERTY}

    @property
    def environment(self) -> dict[str, str]:
        return {each.name: each.value for each in self.command.environment_variables}


class _Staging(RunStaging):
    """Shows the capability what the action's task folder has."""

    given: tuple[Artifact, ...] = ()

    def open(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> Path:  # noqa: ARG002 - as the port has it
        return super().open(planned, self.given)


class _Comparison:
    """The ``RemoteEvidence`` of a worker: it lets the call be made that the action describes, and keeps its result."""

    executes = False

    def __init__(self, wanted: _Wanted, offers: frozenset[str]) -> None:
        self._wanted = wanted
        self.offers = offers
        self.is_same = False
        self.found: tuple[CapabilityRun, RemoteResult] | None = None

    def take(self, call: RemoteCall) -> None:
        """Refuse a call that isn't the action's. Raises LeaseRefusedError."""
        action = build_action(replace(call, nonce=self._wanted.nonce), self._wanted.stage)
        if action.digest != self._wanted.digest:
            raise LeaseRefusedError(_describe_difference(self._wanted, call))
        self.is_same = True

    def submit(self, call: RemoteCall, sources: Mapping[str, str], timeout_s: float) -> PendingCall | None:
        """The call is made here."""

    def receive(self, pending: PendingCall) -> RemoteResult | None:
        """Nothing was submitted."""

    def note(self, call: RemoteCall, run: CapabilityRun, files: Mapping[str, bytes], out: bytes, err: bytes) -> None:  # noqa: ARG002 - as the port has it
        """Keep what the call found."""
        paths = {artifact.path for artifact in run.artifacts}
        kept = {path: content for path, content in files.items() if path in paths}
        self.found = (run, RemoteResult(kept, out, err))

    def stays_local(self, capability: str, reason: str) -> None:  # noqa: ARG002 - as the port has it
        """Refuse what no other machine may use. Raises LeaseRefusedError."""
        raise LeaseRefusedError(reason)


def run_leased_call(server: RemoteServer, action: Digest, folder: Path, services: LeaseServices) -> FoundByLease:
    """Execute an action in ``folder``, which is private and empty.

    Raises LeaseRefusedError for one that isn't executed or finds nothing, RemoteFault, ValueError, OSError, GateError.
    """
    wanted = _read_action(server, action)
    _check_needs(wanted, services)
    parts = _write_parts(server, wanted, folder)
    root = parts / "subject"
    _make_repository(root, services.environ)
    manifest = _find_manifest(wanted, parts, services)
    comparison = _Comparison(wanted, services.offers)
    policy = PolicyWanted(use=PolicyUse.OWN, is_settled=True)
    with open_workspace(root, environ=services.environ, policy=policy) as workspace:
        run = _run(wanted, parts, manifest, workspace, services, comparison=comparison)
    if not comparison.is_same:
        raise LeaseRefusedError(run.failure.message if run.failure is not None else "it wasn't compared")
    if run.failure is not None or comparison.found is None:
        said = "it wrote nothing" if run.failure is None else f"{run.failure.reason}: {run.failure.message}"
        raise LeaseRefusedError(f"{wanted.capability} failed: {said}")
    record, result = comparison.found
    if record.sandbox is not None and record.sandbox.absent:
        raise LeaseRefusedError(f"this worker offers {', '.join(sorted(record.sandbox.absent))} and doesn't have it")
    return FoundByLease(wanted.capability, wanted.stage, digest_outcome(record).decode("ascii"), result)


def _read_action(server: RemoteServer, digest: Digest) -> _Wanted:
    action = reapi.Action.FromString(_read_message(server, digest))
    salts = {stage.namespace.encode("ascii"): stage for stage in CacheStage}
    salt, _, nonce = action.salt.partition(b" ")
    if salt not in salts or not nonce.isascii():
        raise LeaseRefusedError("it is no call of a capability: no stage is its salt")
    try:
        command = reapi.Command.FromString(_read_message(server, from_message(action.command_digest)))
    except DecodeError as problem:
        raise LeaseRefusedError("its command is no Command") from problem
    files = read_tree(server, from_message(action.input_root_digest))
    return _Wanted(digest, salts[salt], nonce.decode("ascii"), command, files)


def _check_needs(wanted: _Wanted, services: LeaseServices) -> None:
    """Check that this machine offers what the action needs, to an adapter that is its own. Raises LeaseRefusedError."""
    if not wanted.needs:
        return
    if lacking := sorted(set(wanted.needs) - services.offers):
        raise LeaseRefusedError(f"this worker doesn't offer {', '.join(lacking)[:_LONGEST_NEEDS]}")
    adapter = {path.partition("/")[2]: file for path, file in wanted.files.items() if path.startswith("adapter/")}
    if not services.is_own_adapter(adapter):
        raise LeaseRefusedError("what it needs this worker offers to adapters that are installed here, not to its own")


def _read_message(server: RemoteServer, digest: Digest) -> bytes:
    if not digest.is_valid or digest.size > _MOST_OF_A_MESSAGE:
        raise LeaseRefusedError("a message of it has no digest, or is too large")
    content = server.read([digest]).get(digest)
    if content is None:
        raise LeaseRefusedError("the server lacks a message of it")
    return content


def _write_parts(server: RemoteServer, wanted: _Wanted, folder: Path) -> Path:
    """Write the input root; the adapter is a folder among ``adapters``."""
    parts = folder / "input"
    for name in ("subject", "adapters/adapter", "task"):
        (parts / name).mkdir(parents=True)
    placed = {}
    for path, file in wanted.files.items():
        first, slash, rest = path.partition("/")
        if first == "adapter" and slash:
            placed[f"adapters/adapter/{rest}"] = file
        elif (first in {"subject", "task"} and slash) or path == "profile.json":
            placed[path] = file
        else:
            raise LeaseRefusedError(f"its input root has {path!r:.90}, which no call has")
    write_tree(server, placed, parts)
    return parts


def _make_repository(root: Path, environ: Mapping[str, str]) -> None:
    """Make the subject a repository in which each file is tracked, as it is where the call comes from."""
    git = Git.from_root(str(root), environ).with_variables(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    git.run("init", "--quiet", "--template=")
    git.run("add", "--all", "--force")


def _find_manifest(wanted: _Wanted, parts: Path, services: LeaseServices) -> Manifest:
    for manifest in services.find_manifests(parts / "adapters"):
        if any(each.name == wanted.capability for each in manifest.capabilities):
            break
    else:
        raise LeaseRefusedError(f"its adapter provides no {wanted.capability!r:.90}")
    declared = manifest.capability(wanted.capability)
    if not declared.inputs or declared.destructive or BASE in declared.sees:
        raise LeaseRefusedError(f"{wanted.capability} isn't a capability for other machines")
    return manifest


def _run(
    wanted: _Wanted,
    parts: Path,
    manifest: Manifest,
    workspace: SubjectWorkspace,
    services: LeaseServices,
    *,
    comparison: _Comparison,
) -> CapabilityRun:
    planned = PlannedCapability(wanted.capability, required=True, reasons=(), provider=manifest)
    plan = Plan("leased", PlanEntry((planned.name,), frozenset((planned.name,)), frozenset()), (planned,))
    task = parts / "task"
    own = {name: (task / name).read_bytes() for name in (COMMITMENT_FILE, CLAIM_FILE)}
    folder = Path(workspace.path)
    staging = _Staging(
        folder / "calls",
        _read_task_id(wanted),
        own,
        services.artifact_check,
        (planned,),
        kept=folder / "accepted",
    )
    staging.given = tuple(_accept_given(staging, task, wanted.files, own))
    context = _make_context(wanted, manifest, parts, services.environ)
    listener: Listener = Silent()
    (run,) = services.runner(plan, workspace, staging, context, listener, known=None, remote=comparison)
    return run


def _accept_given(
    staging: RunStaging, task: Path, files: Mapping[str, InputFile], own: Mapping[str, bytes]
) -> list[Artifact]:
    """Accept the artifacts of other capabilities that the call sees."""
    found = []
    for path, file in files.items():
        name = path.removeprefix("task/")
        if name == path or name in own:
            continue
        content = (task / name).read_bytes()
        staging.accepted.keep(name, content)
        found.append(Artifact(name, "elsewhere", file.size, file.sha256, file.sha256))
    return found


def _read_task_id(wanted: _Wanted) -> str:
    found = wanted.environment.get("GATE_TASK_ID", "")
    if not found or "/" in found or "\0" in found or found in {".", ".."} or not found.isprintable():
        raise LeaseRefusedError("its task has no id that names a folder")
    return found


def _make_context(wanted: _Wanted, manifest: Manifest, parts: Path, environ: Mapping[str, str]) -> RunContext:
    """Make the context of the run from what the contract gives a capability. Raises ValueError, LeaseRefusedError."""
    env = wanted.environment
    profile, config = loads((parts / "profile.json").read_bytes()), loads(env.get("GATE_CONFIG", "{}").encode())
    if not isinstance(profile, dict) or not isinstance(config, dict):
        raise LeaseRefusedError("its profile or its configuration is no object")
    grants = tuple(make_grants(wanted.needs))
    if "GATE_TIMEOUT" in env:
        if not 0 < float(env["GATE_TIMEOUT"]) <= _LONGEST_CALL_S:
            raise LeaseRefusedError(f"it may take longer than {_LONGEST_CALL_S:g} seconds")
        grants += (Grant(GrantKind.TIME, env["GATE_TIMEOUT"], "as where the call comes from"),)
    return RunContext(
        task_id=_read_task_id(wanted),
        profile_name=env.get("GATE_PROFILE", ""),
        profile_document=profile,
        adapter_config={manifest.name: config},
        environ=environ,
        sandbox="require",
        jobs=1,
        use_cache=False,
        grants={manifest.name: grants},
    )


def _describe_difference(wanted: _Wanted, call: RemoteCall) -> str:
    """Name what this machine has otherwise, for whoever sets up workers. Values aren't shown."""
    pairs = (
        ("", wanted.properties, dict(call.properties)),
        ("the variable ", wanted.environment, dict(call.environment)),
        ("the file ", dict(wanted.files), dict(call.files)),
        ("the need ", dict.fromkeys(wanted.needs, True), dict.fromkeys(call.needs, True)),
    )
    names = [
        f"{kind}{name}"
        for kind, asked, own in pairs
        for name in sorted(asked.keys() | own.keys())
        if asked.get(name) != own.get(name)
    ]
    if tuple(wanted.command.arguments) != call.arguments:
        names.append("the arguments")
    shown = ", ".join(names[:_MOST_NAMED]) or "the messages"
    return f"this worker differs in {shown}{', …' if len(names) > _MOST_NAMED else ''}"
