"""Call an adapter under the gate's own runner, in its own containment, and observe it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.conformance.artifact_content import CallWindow
from verigate.conformance.fixture_repository import make_repository
from verigate.conformance.fixtures import Fixture
from verigate.conformance.trace_analysis import CallPlaces, ObservedActions, analyze_trace
from verigate.conformance.trace_parser import parse_trace
from verigate.conformance.tracer import TRACE_FILE, TraceDelay, Tracer, read_trace
from verigate.conformance.trial_plan import TrialManifests, build_trial_plan
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Manifest, Registry
from verigate.domain.ports import Listener, RunContext
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.evidence.staging import RunStaging
from verigate.evidence.store import encode_json
from verigate.execution.phase_values import CallInputs
from verigate.execution.run_cache import read_candidates
from verigate.execution.runner import run_plan
from verigate.processes.tool_path import ALWAYS
from verigate.subject.entry_order import EntryOrder, list_entries
from verigate.subject.workspace import open_workspace

TASK_ID = "conformance"
UNKNOWN = "no-such-capability"
_INPUTS = (COMMITMENT_FILE, CLAIM_FILE)
_AHEAD_H = 14
_MEMORY = "/dev/shm"  # noqa: S108 (a tmpfs, where the order of a folder's entries can be chosen)
_CORE_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin")


class CallVariant(Enum):
    """A way to call an adapter."""

    PLAIN = "plain"
    """As by ``gate verify``, under the tracer where there is one."""
    VARIED = "varied"
    """In another folder, time zone and locale, with another hash seed and a reversed order of folder entries."""
    READ_ONLY = "read-only"
    """On a read-only checkout."""
    UNKNOWN = "unknown"
    """With an undeclared capability."""
    UNDECLARED = "undeclared"
    """As if nothing were declared destructive, so that the adapter itself has to refuse."""
    STOPPED = "stopped"
    """Delayed where it writes its artifacts, so that its timeout comes in the middle of its work."""


class Observation(Struct, frozen=True):
    """One call: its record, streams and files as they were written, and its trace (None: nothing was traced).

    ``paths`` are the paths of the machine that it was given; ``window`` is when it ran.
    """

    run: CapabilityRun
    out: bytes
    err: bytes
    files: Mapping[str, bytes]
    window: CallWindow
    paths: tuple[str, ...] = ()
    deeds: ObservedActions | None = None

    @property
    def ended_well(self) -> bool:
        """Whether the process exited with 0 in time; its artifacts may still be refused."""
        return self.run.outcome is not None and self.run.outcome.ok

    @property
    def was_called(self) -> bool:
        """Whether a process was started at all."""
        return self.run.outcome is not None


class KitMachine(Struct, frozen=True):
    """The kit's resources on this machine, passed in by ``composition``.

    ``folder`` is the kit's own; ``profile`` the profile file with the name of the active one; ``locale`` another locale
    than the usual one; ``zone`` another time zone, 14 hours ahead of UTC.
    """

    environ: Mapping[str, str]
    folder: Path
    tracer: Tracer | None
    registry: Registry
    profile: tuple[str, Mapping[str, Any]]
    check_artifact: Callable[..., Any]
    listener: Listener
    locale: str
    zone: str
    sandbox: str = "prefer"
    """``require`` calls nothing where there is no sandbox that holds everything."""


class TrialResult(Struct, frozen=True):
    """The calls of one trial by capability, and the order in which folders of its checkout listed their entries."""

    calls: Mapping[str, Observation]
    usual: EntryOrder
    turned: bool = False


class TimeoutTrial(Struct, frozen=True):
    """A call that times out after ``after_s`` seconds; ``hold_s`` are the seconds of each delay.

    ``artifacts`` are the names it writes; ``at_renames`` whether it moves them to their places.
    """

    after_s: float
    hold_s: float
    artifacts: tuple[str, ...]
    at_renames: bool


class TrialBench:
    """Run trials."""

    def __init__(self, manifest: Manifest, machine: KitMachine) -> None:
        self._manifest = manifest
        self._machine = machine
        self._number = 0
        self.calls = 0

    def run_trial(
        self,
        fixture: Fixture,
        manner: CallVariant,
        capabilities: Sequence[str],
        *,
        usual: EntryOrder | None = None,
        stop: TimeoutTrial | None = None,
    ) -> TrialResult:
        """Call ``capabilities`` on a fixture. ``usual`` is the entry order that a VARIED trial reverses.

        Raises GateError where the kit itself can't work.
        """
        varied = manner is CallVariant.VARIED
        place = self._place(varied=varied)
        environ = {**self._machine.environ, "TMPDIR": str(self._scratch(varied=varied))}
        make_repository(place, fixture, environ.get("PATH", os.defpath))
        wanted = {folder: names[::-1] for folder, names in usual.items()} if usual is not None else None
        started = time.time()
        with open_workspace(place, environ=environ, gate_prefix=sys.prefix, wanted=wanted) as workspace:
            listed = list_entries(workspace.checkout(0).path)
            staging = RunStaging(
                Path(workspace.path) / "calls", TASK_ID, _digest_inputs(fixture), self._machine.check_artifact
            )
            call = _Call(self._machine, manner, frozenset(capabilities), stop)
            manifests = TrialManifests(self._manifest, self._alter_manifest(manner, stop), self._machine.registry)
            plan = build_trial_plan(manifests, fixture, capabilities, TASK_ID)
            context = self._context(fixture, environ)
            runs = run_plan(plan, workspace, staging, context, self._machine.listener, amend=call.amend)
            window = CallWindow(started, time.time(), (0, _AHEAD_H) if varied else (0,), fixture.text)
            seen = {}
            for record in runs:
                if record.capability in call.inputs:
                    seen[record.capability] = self._observe(record, call.inputs[record.capability], staging, window)
                elif record.capability in capabilities:
                    seen[record.capability] = Observation(record, b"", b"", {}, window)
        self.calls += sum(observation.was_called for observation in seen.values())
        return TrialResult(seen, listed, wanted is not None and _has_same_order(listed, wanted))

    def _place(self, *, varied: bool) -> Path:
        self._number += 1
        name = f"another {self._number}/place/of the subject" if varied else f"{self._number}/subject"
        return self._machine.folder / name

    def _scratch(self, *, varied: bool) -> Path:
        """Return the run's own folder: for a varied one on a file system that can list in another order."""
        in_memory = Path(_MEMORY) / self._machine.folder.name
        folder = in_memory if varied and os.access(_MEMORY, os.W_OK) else self._machine.folder / "runs"
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder

    def clear(self) -> None:
        """Remove what was created outside the kit's folder."""
        shutil.rmtree(Path(_MEMORY) / self._machine.folder.name, ignore_errors=True)

    def _alter_manifest(self, manner: CallVariant, stop: TimeoutTrial | None) -> Manifest:
        policy = self._manifest.sandbox
        if manner is CallVariant.READ_ONLY:
            policy = replace(policy, read_only=True)
        if stop is not None:
            policy = replace(policy, timeout_s=stop.after_s)
        capabilities = self._manifest.capabilities
        if manner is CallVariant.UNDECLARED:
            capabilities = tuple(replace(each, destructive=False) for each in capabilities)
        return replace(self._manifest, sandbox=policy, capabilities=capabilities)

    def _context(self, fixture: Fixture, environ: Mapping[str, str]) -> RunContext:
        name, document = self._machine.profile
        return RunContext(
            task_id=TASK_ID,
            profile_name=name,
            profile_document=document,
            adapter_config={self._manifest.name: {**self._manifest.config_defaults, **fixture.config}},
            environ=environ,
            jobs=1,
            use_cache=False,
            sandbox=self._machine.sandbox,
        )

    def _observe(
        self, record: CapabilityRun, inputs: CallInputs, staging: RunStaging, window: CallWindow
    ) -> Observation:
        slug, prepared = inputs.planned.declaration.slug, inputs.prepared
        given = set(_INPUTS) | set(staging.accepted.paths) - {each.path for each in record.artifacts}
        files = {path: content for path, content in read_candidates(prepared.staging).items() if path not in given}
        content = read_trace(Path(inputs.configured.folder, "home.d", TRACE_FILE))
        places = self._list_places(inputs)
        return Observation(
            record,
            staging.logs.get(f"{slug}.out", b""),
            staging.logs.get(f"{slug}.err", b""),
            files,
            window,
            (prepared.root, str(prepared.staging), prepared.env["HOME"], self._manifest.folder),
            analyze_trace(parse_trace(content, prepared.root), places) if content is not None else None,
        )

    def _list_places(self, inputs: CallInputs) -> CallPlaces:
        prepared, env = inputs.prepared, inputs.prepared.env
        toolbox, _, core = env["PATH"].partition(":")
        found = prepared.toolbox.found
        return CallPlaces(
            adapter=self._manifest.folder,
            subject=prepared.root,
            writable=(str(prepared.staging), env["HOME"], env["TMPDIR"], "/var/tmp"),  # noqa: S108 (it is bound to TMPDIR)
            toolbox=toolbox,
            core=core,
            programs=found,
            core_programs=frozenset(f"{folder}/{name}" for folder in _CORE_FOLDERS for name in ALWAYS)
            - set(found.values()),
            declared=frozenset(self._manifest.sandbox.tools) | set(ALWAYS) | set(found),
            python=env["GATE_PYTHON"],
            gate=str(Path(env["GATE_PYTHON"]).parent) if sys.prefix != sys.base_prefix else None,
            # <folder>/bin/<launcher>, with the source next to bin.
            launcher=str(Path(launcher).parents[1]) if (launcher := self._manifest.launcher) else None,
            project=tuple(filter(None, env.get("GATE_PROJECT_PATH", "").split(":"))),
        )


class _Call:
    """Change how the capabilities of one trial are called, last of all."""

    def __init__(
        self, machine: KitMachine, manner: CallVariant, names: frozenset[str], stop: TimeoutTrial | None
    ) -> None:
        self._machine = machine
        self._manner = manner
        self._names = names
        self._stop = stop
        self.inputs: dict[str, CallInputs] = {}

    def amend(self, inputs: CallInputs) -> CallInputs:
        """As in ``runner.run``."""
        name = inputs.planned.name
        if name not in self._names:
            return inputs
        self.inputs[name] = inputs
        env, argv = dict(inputs.prepared.env), inputs.argv
        if self._manner is CallVariant.VARIED:
            env |= {"TZ": self._machine.zone, "LANG": self._machine.locale, "LC_ALL": self._machine.locale}
            env |= {"PYTHONHASHSEED": "4242"}
        if self._manner is CallVariant.UNKNOWN:
            argv = _add_unknown_name(inputs)
        if self._manner in {CallVariant.PLAIN, CallVariant.STOPPED} and self._machine.tracer is not None:
            argv = self._machine.tracer.wrap(argv, f"{env['HOME']}/{TRACE_FILE}", self._hold(inputs))
        return replace(inputs, argv=argv, prepared=replace(inputs.prepared, env=env))

    def _hold(self, inputs: CallInputs) -> TraceDelay | None:
        if self._stop is None:
            return None
        paths = tuple(f"{inputs.prepared.staging}/{name}" for name in self._stop.artifacts)
        return TraceDelay(self._stop.hold_s, paths, self._stop.at_renames)


def _add_unknown_name(inputs: CallInputs) -> tuple[str, ...]:
    """Return the argument vector with a name that nobody serves after the entry: a capability, or its command."""
    declared, provider = inputs.planned.declaration, inputs.planned.provider
    name = f"{declared.domain}:{UNKNOWN}" if declared.command is None else UNKNOWN
    at = inputs.argv.index(provider.entry_path) + 1 if provider is not None else 1
    return (*inputs.argv[:at], name, *inputs.argv[at + 1 :])


def _digest_inputs(fixture: Fixture) -> dict[str, bytes]:
    commitment = {"task_id": TASK_ID, "type": "code", **fixture.commitment}
    claim = {"task_id": TASK_ID, "claim": {"type": "code", **fixture.claim}}
    return {COMMITMENT_FILE: encode_json(commitment), CLAIM_FILE: encode_json(claim)}


def _has_same_order(listed: EntryOrder, wanted: EntryOrder) -> bool:
    """Whether every folder with more than one entry lists in the requested order."""
    return all(listed.get(folder) == names for folder, names in wanted.items() if len(names) > 1)
