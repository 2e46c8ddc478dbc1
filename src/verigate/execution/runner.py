"""Run a plan: independent capabilities in parallel, others in order, each through five phases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.domain.manifest import BASE
from verigate.domain.standard_artifacts import STANDARD_NEEDS
from verigate.errors import ExecutionError, GateError
from verigate.execution import lifecycle
from verigate.execution.declared_inputs import find_inputs, writes_its_files
from verigate.execution.gate_installation import GateInstallation
from verigate.execution.known_calls import accept_known, list_visible, take_all
from verigate.execution.phase_values import CallInputs, RunSetting
from verigate.execution.plan_order import PlanOrder
from verigate.execution.run_setting import prepare_setting
from verigate.processes import sandbox
from verigate.processes.environment import find_secret_values
from verigate.processes.job import EndedProcess
from verigate.processes.process_loop import Processes
from verigate.processes.streams import Redactor
from verigate.user_folders import UserFolders

if TYPE_CHECKING:
    from verigate.domain.artifact import Artifact
    from verigate.domain.plan import Plan, PlannedCapability
    from verigate.domain.ports import Checkout, KnownCall, KnownEvidence, Listener, RunContext, Staging, Workspace
    from verigate.domain.remote_call import PendingCall, RemoteCall, RemoteEvidence
    from verigate.execution.remote_calls import RemoteCalls
    from verigate.execution.run_cache import RunCache
    from verigate.processes.stop_request import StopRequest

Amendment = Callable[[CallInputs], CallInputs]


def run_plan(
    plan: Plan,
    workspace: Workspace,
    staging: Staging,
    context: RunContext,
    listener: Listener,
    *,
    host: GateInstallation | None = None,
    probed: Callable[[], sandbox.Sandbox | None] | None = None,
    meanwhile: Iterator[None] | None = None,
    amend: Amendment | None = None,
    known: KnownEvidence | None = None,
    remote: RemoteEvidence | None = None,
    stop: StopRequest | None = None,
) -> tuple[CapabilityRun, ...]:
    """Run every planned capability; return one record each, in the plan's order.

    ``probed`` returns the sandbox that works here; without it that is probed now. ``meanwhile`` is other work, done
    step by step while nothing happens. ``amend`` may change the call of a capability last: the conformance kit uses it
    to call in other time zones, and under a tracer. What is ``known`` is taken instead, or what ``remote`` machines
    found. A ``stop`` request ends all, as a signal does.

    Raises ExecutionError if a required sandbox is unavailable, Interrupted on SIGINT or SIGTERM, when every process has
    ended.
    """
    if known is not None and (taken := take_all(plan, staging, known, listener)) is not None:
        return taken
    host = host or GateInstallation.current(context.environ)
    setting = prepare_setting(
        workspace, staging, context, host, probed or partial(sandbox.probe_sandbox, host.bwrap, host.python)
    )
    granted = {grant.what for grants in context.grants.values() for grant in grants if grant.kind == "env"}
    redact = Redactor(find_secret_values(context.environ, granted))
    with Processes(redact, stop=stop) as processes:
        return _Run(plan, setting, listener, processes, amend=amend, known=known, remote=remote).all(meanwhile)


class _Turn(Struct, frozen=True):
    """A started capability, until it is collected; ``pending`` while another machine makes its call."""

    inputs: CallInputs
    number: int
    cache_key: str | None = None
    cached: bool = False
    remote_call: RemoteCall | None = None
    pending: PendingCall | None = None


class _Ended(Struct, frozen=True):
    """A capability whose process has ended; ``failure`` is that of its checkout."""

    process: EndedProcess
    changes: tuple[str, ...] = ()
    failure: Failure | None = None
    took_base: bool = True


class _Held(Struct, frozen=True):
    """A capability whose sandbox is built, or why it can't be, before its turn.

    ``identity`` is the device and inode of the checkout that the sandbox shows.
    """

    number: int
    identity: tuple[int, int]
    inputs: CallInputs | None = None
    error: GateError | None = None


class _Run:
    """The state of one run of a plan."""

    def __init__(
        self,
        plan: Plan,
        setting: RunSetting,
        listener: Listener,
        processes: Processes,
        *,
        amend: Amendment | None,
        known: KnownEvidence | None,
        remote: RemoteEvidence | None,
    ) -> None:
        self._amend = amend
        self._known = known
        self._whole_plan = plan
        self._plan = plan.capabilities
        self._setting = setting
        self._listener = listener
        self._processes = processes
        self._done: dict[str, CapabilityRun] = {}
        self._turns: dict[str, _Turn] = {}
        self._held: dict[str, _Held] = {}
        self._ended: dict[str, _Ended] = {}
        self._taken: dict[str, KnownCall] = {}
        self._order = PlanOrder(plan)
        self._jobs = max(1, setting.context.jobs)
        self._free = list(range(self._jobs))
        self._next_number = self._jobs
        self._written: set[int] = set()
        self._cache: RunCache | None = None
        self._remote: RemoteCalls | None = None
        self._inputs = {
            each.name: shown[0]
            for each in self._plan
            if each.problem is None and (shown := find_inputs(each, setting.context, setting.workspace)) is not None
        }
        self._demanding: frozenset[str] = frozenset()
        if setting.workspace.is_huge:
            self._demanding = frozenset(each.name for each in self._plan if writes_its_files(each, setting.context))
        if remote is not None:
            from verigate.execution.remote_calls import open_remote_calls  # few runs have a remote cache

            self._remote = open_remote_calls(self._plan, setting, remote)
        if setting.context.use_cache and self._inputs and setting.bubblewrap is not None:
            from verigate.execution.evidence_cache import EvidenceCache
            from verigate.execution.run_cache import RunCache

            folders = UserFolders(setting.context.environ, setting.workspace.subject.root)
            found = EvidenceCache.from_user(folders)
            self._cache = RunCache(setting, found) if found else None

    def all(self, meanwhile: Iterator[None] | None) -> tuple[CapabilityRun, ...]:
        self._order.begin()
        while True:
            while self._collect_in_order() or self._start_ready():
                pass
            if len(self._done) == len(self._plan):
                return tuple(self._done[planned.name] for planned in self._plan)
            self._hold_next()
            self._on_ended(self._processes.wait(meanwhile))

    def _start_ready(self) -> bool:
        """Start a capability whose needs are done, if a slot is free."""
        planned = self._order.take() if len(self._processes) < self._jobs else None
        if planned is None:
            return False
        self._begin(planned)
        return True

    def _begin(self, planned: PlannedCapability) -> None:
        self._listener.started(planned.name, lifecycle.locate_progress(self._setting, planned))
        failure = self._find_refusal(planned)
        held = self._held.pop(planned.name, None)
        if failure is not None:
            if held is not None and held.inputs is not None:
                self._processes.drop(planned.name)
            self._finish(lifecycle.build_run_record(planned, failure=failure))
            return
        if self._known is not None and (call := self._known.take(planned, self._list_visible(planned))) is not None:
            if held is not None and held.inputs is not None:
                self._processes.drop(planned.name)
            self._taken[planned.name] = call
            return
        number = held.number if held is not None and held.number in self._free else self._free[0]
        self._free.remove(number)
        try:
            self._start(planned, number, held)
        except lifecycle.NotReadyError as error:
            self._free.insert(0, number)
            self._finish(
                lifecycle.build_run_record(planned, failure=Failure("MISSING_ADAPTER", error.message, error.hint))
            )
        except ExecutionError as error:
            self._free.insert(0, number)
            self._finish(
                lifecycle.build_run_record(planned, failure=Failure("ADAPTER_CRASH", error.message, error.hint))
            )

    def _find_refusal(self, planned: PlannedCapability) -> Failure | None:
        """Return why this capability doesn't run, None if it does."""
        if planned.problem is not None or planned.provider is None:
            return Failure("MISSING_ADAPTER", planned.problem or f"no adapter provides {planned.name}")
        if planned.declaration.destructive:
            message = "it is declared destructive, and the gate runs no destructive capability"
            return Failure("MISSING_ADAPTER", message, hint="use a capability that changes nothing")
        declared: tuple[str, ...] = planned.declaration.needs or STANDARD_NEEDS.get(planned.name, ())
        for need in self._order.list_needs(planned):
            failed = self._done[need].failure
            if failed is not None and (need in declared or failed.reason == "ARTIFACT_CONFLICT"):
                return Failure("ARTIFACT_MISSING", f"skipped: it needs {need}, which failed ({failed.reason})")
        if self._setting.bubblewrap is None and self._setting.workspace.editable_leaks:
            listed = ", ".join(sorted(self._setting.workspace.editable_leaks)[:5])
            hint = "install bubblewrap, or install the project without --editable"
            message = f"the project's environment links to files outside the subject ({listed})"
            return Failure("ADAPTER_CRASH", f"{message}; code outside the subject would run", hint=hint)
        return None

    def _start(self, planned: PlannedCapability, number: int, held: _Held | None) -> None:
        setting = self._setting
        if held is not None and held.error is not None:
            raise held.error
        if number not in self._written:
            if setting.workspace.is_large:
                self._processes.let_begin()
            self._written.add(number)
        checkout = self._open_checkout(planned, number)
        if held is not None and held.inputs is not None:
            inputs = self._release(held, checkout, self._list_visible(planned))
            self._turns[planned.name] = _Turn(inputs, number)
            return
        inputs = self._build_inputs(planned, checkout, self._list_visible(planned))
        key = self._cache.key(inputs) if self._cache else None
        if self._cache and key and self._cache.take(key, inputs.prepared.staging):
            self._end_without_a_call(inputs, number, None)
            return
        call = self._remote.describe(inputs) if self._remote and planned.declaration.inputs else None
        if self._remote and call and (streams := self._remote.take(call, inputs.prepared.staging)) is not None:
            self._end_without_a_call(inputs, number, streams)
            return
        pending = self._remote.submit(call, inputs) if self._remote and call else None
        if pending is not None:
            self._processes.expect(planned.name, pending.fileno())
            self._turns[planned.name] = _Turn(inputs, number, key, remote_call=call, pending=pending)
            return
        if self._cache and key:
            inputs = self._cache.give_facts(inputs)
        lifecycle.execute(setting, inputs, self._processes)
        self._turns[planned.name] = _Turn(inputs, number, key, remote_call=call)

    def _open_checkout(self, planned: PlannedCapability, number: int) -> Checkout:
        """Return the checkout of a call: of the whole subject, of what its capability declares, or for it to write."""
        inputs, workspace = self._inputs.get(planned.name), self._setting.workspace
        found: Checkout | None = None
        if planned.name in self._demanding:
            found = workspace.on_demand_checkout()
        elif inputs is not None:
            found = workspace.declared_checkout(number, inputs, based=BASE in planned.declaration.sees)
        return workspace.checkout(number) if found is None else found

    def _end_without_a_call(self, inputs: CallInputs, number: int, streams: tuple[bytes, bytes] | None) -> None:
        """End a capability whose artifacts were found; ``streams`` is the output of the call that found them."""
        name = inputs.planned.name
        ended = EndedProcess(name, Outcome(exit_code=0), contained=True, last_line="", streams=streams)
        self._turns[name] = _Turn(inputs, number, cached=True)
        self._ended[name] = _Ended(ended)
        self._free = sorted([*self._free, number])

    def _build_inputs(
        self, planned: PlannedCapability, checkout: Checkout, visible: tuple[Artifact, ...]
    ) -> CallInputs:
        configured = lifecycle.configure(self._setting, planned)
        prepared = lifecycle.set_up_environment(self._setting, planned, configured, checkout, visible)
        inputs = lifecycle.build_inputs(self._setting, planned, configured, prepared)
        return self._amend(inputs) if self._amend else inputs

    def _release(self, held: _Held, checkout: Checkout, visible: tuple[Artifact, ...]) -> CallInputs:
        """Release a held capability; build a new sandbox first if the held one doesn't show the checkout any more."""
        inputs = held.inputs
        if inputs is None:
            raise ValueError("no capability is held")
        name, prepared = inputs.planned.name, inputs.prepared
        self._setting.staging.show(inputs.planned, prepared.staging, visible)
        if prepared.checkout.path == checkout.path and held.identity == _read_identity(checkout.path):
            self._processes.release(name)
            return inputs
        self._processes.drop(name)
        inputs = replace(inputs, prepared=replace(prepared, checkout=checkout))
        lifecycle.execute(self._setting, inputs, self._processes)
        return inputs

    def _hold_next(self) -> None:
        """Build the sandboxes of what comes next while others run: that takes longer than a short adapter."""
        for planned in self._plan:
            if len(self._held) >= self._jobs:
                return
            if planned.name in self._done or planned.name in self._turns or planned.name in self._held:
                continue
            number = self._choose_number(planned)
            if number is not None and self._is_holdable(planned, number):
                self._held[planned.name] = self._hold(planned, number)

    def _hold(self, planned: PlannedCapability, number: int) -> _Held:
        checkout = self._setting.workspace.checkout(number)
        identity = _read_identity(checkout.path)
        try:
            inputs = self._build_inputs(planned, checkout, ())
            lifecycle.start_containment(self._setting, inputs, self._processes)
        except (lifecycle.NotReadyError, ExecutionError) as error:
            return _Held(number, identity, error=error)
        return _Held(number, identity, inputs=inputs)

    def _choose_number(self, planned: PlannedCapability) -> int | None:
        """Return the checkout of the last running capability that this one needs, directly or indirectly."""
        closure = self._order.list_all_needs(planned)
        running = [each.name for each in self._plan if each.name in closure and each.name in self._turns]
        return self._turns[running[-1]].number if running else None

    def _is_holdable(self, planned: PlannedCapability, number: int) -> bool:
        """Whether its sandbox can be built while others run, so that none of them can notice or influence it.

        Not where something is mounted inside the checkout: a program that runs there could move the mount point
        meanwhile.
        """
        setting = self._setting
        if setting.bubblewrap is None or planned.problem is not None or planned.provider is None:
            return False
        if planned.declaration.destructive or planned.name in self._inputs or planned.name in self._demanding:
            return False
        if planned.declaration.stdin is not None:
            # Its stdin is a file of the checkout, in which another capability still runs.
            return False
        if setting.context.grants.get(planned.provider.name):
            # A granted path may be mounted inside the checkout, and is compared with what is there.
            return False
        root = setting.workspace.subject.root.rstrip("/")
        mounts = setting.workspace.checkout(number).mounts
        return not any(mount.target.startswith(f"{root}/") for mount in mounts)

    def _list_visible(self, planned: PlannedCapability) -> tuple[Artifact, ...]:
        found = {name: run.artifacts for name, run in self._done.items()}
        return list_visible(self._whole_plan, self._order, planned, found)

    def _receive(self, turn: _Turn, pending: PendingCall) -> None:
        """Take what another machine found, or make the call here after all: its checkout is as it was."""
        inputs, name = turn.inputs, turn.inputs.planned.name
        streams = self._remote.receive(pending, inputs.prepared.staging) if self._remote else None
        if streams is not None:
            self._end_without_a_call(inputs.as_offered(), turn.number, streams)
            return
        self._turns[name] = replace(turn, pending=None)
        try:
            lifecycle.execute(self._setting, inputs, self._processes)
        except ExecutionError as error:
            del self._turns[name]
            self._free = sorted([*self._free, turn.number])
            failure = Failure("ADAPTER_CRASH", error.message, error.hint)
            self._finish(lifecycle.build_run_record(inputs.planned, failure=failure))

    def _on_ended(self, ended: EndedProcess) -> None:
        turn = self._turns[ended.key]
        if turn.pending is not None:
            self._receive(turn, turn.pending)
            return
        changes: tuple[str, ...] = ()
        failure: Failure | None = None
        took_base = self._known is not None and turn.inputs.prepared.checkout.took_base()
        if turn.inputs.prepared.report.read_only:
            self._free.append(turn.number)
        else:
            try:
                changes = turn.inputs.prepared.checkout.restore()
                self._free.append(turn.number)
            except (GateError, OSError) as error:
                # Nothing runs in that checkout again; the next capability gets a fresh copy.
                self._free.append(self._next_number)
                self._next_number += 1
                failure = Failure("ADAPTER_CRASH", f"its checkout can't be restored: {error}")
        self._free.sort()
        self._ended[ended.key] = _Ended(ended, changes, failure, took_base)

    def _collect_in_order(self) -> bool:
        """Collect in the plan's order only: who wrote a path first must not depend on speed."""
        moved = False
        for planned in self._plan:
            if planned.name in self._done:
                continue
            if planned.name in self._taken:
                self._finish(accept_known(planned, self._taken.pop(planned.name), self._setting.staging))
                moved = True
                continue
            if planned.name not in self._ended:
                break
            end, turn = self._ended.pop(planned.name), self._turns.pop(planned.name)
            # Before it is collected: store the files as they were written.
            written = self._read_written(turn)
            record = lifecycle.collect(self._setting, turn.inputs, end.process)
            if end.failure is not None:
                record = replace(record, failure=record.failure or end.failure, artifacts=())
            if self._known is not None and not turn.cached:
                self._known.note(planned, self._list_visible(planned), record, took_base=end.took_base)
            self._finish(replace(record, subject_changes=end.changes, cached=turn.cached))
            if self._cache and turn.cache_key:
                self._cache.keep(turn.cache_key, record, written, turn.inputs)
            if self._remote and turn.remote_call:
                self._remote.note(turn.remote_call, record, written, end.process.streams or (b"", b""))
            moved = True
        return moved

    def _read_written(self, turn: _Turn) -> Mapping[str, bytes]:
        if turn.cache_key is None and turn.remote_call is None:
            return {}
        from verigate.execution.run_cache import read_candidates

        return read_candidates(turn.inputs.prepared.staging)

    def _finish(self, record: CapabilityRun) -> None:
        self._done[record.capability] = record
        self._order.end(record.capability)
        self._listener.finished(record)


def _read_identity(path: str) -> tuple[int, int]:
    status = os.lstat(path)
    return status.st_dev, status.st_ino
