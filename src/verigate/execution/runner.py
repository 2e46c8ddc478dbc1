"""Run a plan: what is independent at the same time, everything else in order, each capability through five phases."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.errors import ExecutionError, GateError
from verigate.execution import lifecycle, sandbox, tools
from verigate.execution.environment import secret_values
from verigate.execution.job import Ended
from verigate.execution.process import Processes
from verigate.execution.streams import Redactor

if TYPE_CHECKING:
    from verigate.domain.artifact import Artifact
    from verigate.domain.plan import Plan, PlannedCapability
    from verigate.domain.ports import Listener, RunContext, Staging, Workspace
    from verigate.execution.cache import EvidenceCache


def run(
    plan: Plan,
    workspace: Workspace,
    staging: Staging,
    context: RunContext,
    listener: Listener,
    *,
    host: lifecycle.Host | None = None,
    probed: Callable[[], sandbox.Bubblewrap | None] | None = None,
) -> tuple[CapabilityRun, ...]:
    """Run every planned capability; returns one record each, in the plan's order.

    ``probed`` answers which bubblewrap works here; without it that is tried now.

    Raises ExecutionError if a required sandbox can't be had, Interrupted on SIGINT or SIGTERM, when every process has
    ended.
    """
    host = host or lifecycle.Host.current(context.environ)
    setting = _setting(workspace, staging, context, host, probed or partial(sandbox.probe, host.bwrap))
    redact = Redactor(secret_values(context.environ))
    with Processes(redact) as processes:
        return _Run(plan, setting, listener, processes).all()


def _setting(
    workspace: Workspace,
    staging: Staging,
    context: RunContext,
    host: lifecycle.Host,
    probed: Callable[[], sandbox.Bubblewrap | None],
) -> lifecycle.Setting:
    found = probed() if context.sandbox != "off" else None
    bubblewrap = sandbox.choose(context.sandbox, found)
    folder = f"{workspace.path}/adapters"
    Path(folder).mkdir(mode=0o700)
    Path(f"{folder}/core").mkdir(mode=0o755)
    Path(f"{folder}/empty").touch(mode=0o400)
    project = workspace.project_env
    shares = project is not None and os.path.realpath(project) in map(os.path.realpath, host.prefixes)
    search = tools.Search(
        project=workspace.tool_folders,
        path=tools.caller_path(context.environ, None if shares else host.bin),
        inside=(workspace.subject.root, workspace.path),
        root=workspace.subject.root,
        environ=context.environ,
    )
    masked = sandbox.secret_stores(context.environ) if bubblewrap else ()
    core = tools.locate_core(search)
    return lifecycle.Setting(workspace, staging, context, host, bubblewrap, folder, masked, search, core)


class _Turn(Struct, frozen=True):
    """A capability that has been started, until it is collected."""

    inputs: lifecycle.Inputs
    number: int
    cache_key: str | None = None
    cached: bool = False


class _Run:
    """The state of one run of a plan."""

    def __init__(self, plan: Plan, setting: lifecycle.Setting, listener: Listener, processes: Processes) -> None:
        self._plan = plan.capabilities
        self._setting = setting
        self._listener = listener
        self._processes = processes
        self._done: dict[str, CapabilityRun] = {}
        self._turns: dict[str, _Turn] = {}
        self._ended: dict[str, tuple[Ended, tuple[str, ...], Failure | None]] = {}
        self._jobs = max(1, setting.context.jobs)
        self._free = list(range(self._jobs))
        self._next_number = self._jobs
        self._cache: EvidenceCache | None = None
        if setting.context.use_cache and setting.bubblewrap is not None:
            # Without a sandbox an adapter could read the cache's key, and plant evidence for later runs.
            from verigate.execution.cache import EvidenceCache

            self._cache = EvidenceCache.at_home(setting.context.environ)

    def all(self) -> tuple[CapabilityRun, ...]:
        while len(self._done) < len(self._plan):
            while self._collect_in_order() or self._start_ready():
                pass
            if len(self._processes):
                self._on_ended(self._processes.wait())
            elif len(self._done) < len(self._plan):
                waiting = [planned.name for planned in self._plan if planned.name not in self._done]
                raise ExecutionError(f"{', '.join(waiting)} wait for each other", hint="look at needs in the manifests")
        return tuple(self._done[planned.name] for planned in self._plan)

    def _start_ready(self) -> bool:
        moved = False
        for planned in self._plan:
            if planned.name in self._done or planned.name in self._turns:
                continue
            if not all(need in self._done for need in self._needs(planned)):
                continue
            if len(self._processes) >= self._jobs:
                break
            self._begin(planned)
            moved = True
        return moved

    def _needs(self, planned: PlannedCapability) -> tuple[str, ...]:
        known = {each.name for each in self._plan}
        return tuple(need for need in planned.needs if need in known)

    def _begin(self, planned: PlannedCapability) -> None:
        self._listener.started(planned.name)
        failure = self._refusal(planned)
        if failure is not None:
            self._finish(lifecycle.run_record(planned, failure=failure))
            return
        number = self._free.pop(0)
        try:
            self._start(planned, number)
        except lifecycle.NotReadyError as error:
            self._free.insert(0, number)
            self._finish(lifecycle.run_record(planned, failure=Failure("MISSING_ADAPTER", error.message, error.hint)))
        except ExecutionError as error:
            self._free.insert(0, number)
            self._finish(lifecycle.run_record(planned, failure=Failure("ADAPTER_CRASH", error.message, error.hint)))

    def _refusal(self, planned: PlannedCapability) -> Failure | None:
        """Why this capability doesn't get a turn, None if it does."""
        if planned.problem is not None or planned.provider is None:
            return Failure("MISSING_ADAPTER", planned.problem or f"no adapter provides {planned.name}")
        if planned.declaration.destructive:
            message = "it is declared destructive, and the gate only looks"
            return Failure("MISSING_ADAPTER", message, hint="verify with a capability that changes nothing")
        explicit = planned.declaration.needs is not None
        for need in self._needs(planned):
            failed = self._done[need].failure
            if failed is not None and (explicit or failed.reason == "ARTIFACT_CONFLICT"):
                return Failure("ARTIFACT_MISSING", f"it was skipped: it needs {need}, which failed ({failed.reason})")
        leaks: tuple[str, ...] = tuple(getattr(self._setting.workspace, "editable_leaks", ()))
        if leaks and self._setting.bubblewrap is None:
            listed = ", ".join(sorted(leaks)[:5])
            hint = "install bubblewrap, or install the project without --editable"
            message = f"the project's environment links to files outside the subject ({listed})"
            return Failure("ADAPTER_CRASH", f"{message}; what runs there would not be the subject", hint=hint)
        return None

    def _start(self, planned: PlannedCapability, number: int) -> None:
        setting = self._setting
        configured = lifecycle.configure(setting, planned)
        checkout = setting.workspace.checkout(number)
        prepared = lifecycle.set_up_environment(setting, planned, configured, checkout, self._visible(planned))
        inputs = lifecycle.build_inputs(setting, planned, configured, prepared)
        turn = _Turn(inputs, number, self._key(inputs))
        if self._take_from_cache(turn):
            return
        lifecycle.execute(setting, inputs, self._processes)
        self._turns[planned.name] = turn

    def _visible(self, planned: PlannedCapability) -> tuple[Artifact, ...]:
        """The artifacts of everything that it needs, near and far: never of what happens to have finished."""
        closure: set[str] = set()
        pending = list(self._needs(planned))
        by_name = {each.name: each for each in self._plan}
        while pending:
            name = pending.pop()
            if name not in closure:
                closure.add(name)
                pending += self._needs(by_name[name])
        runs = (self._done[each.name] for each in self._plan if each.name in closure)
        return tuple(artifact for done in runs for artifact in done.artifacts)

    def _on_ended(self, ended: Ended) -> None:
        turn = self._turns[ended.key]
        changes: tuple[str, ...] = ()
        failure: Failure | None = None
        if turn.inputs.prepared.report.read_only:
            self._free.append(turn.number)
        else:
            try:
                changes = turn.inputs.prepared.checkout.restore()
                self._free.append(turn.number)
            except (GateError, OSError) as error:
                # Nobody runs in that checkout again; the next one gets a fresh copy.
                self._free.append(self._next_number)
                self._next_number += 1
                failure = Failure("ADAPTER_CRASH", f"it left a checkout that can't be put back: {error}")
        self._free.sort()
        self._ended[ended.key] = (ended, changes, failure)

    def _collect_in_order(self) -> bool:
        """Collect in the plan's order only: who wrote a path first must not depend on who was faster."""
        moved = False
        for planned in self._plan:
            if planned.name in self._done:
                continue
            if planned.name not in self._ended:
                break
            ended, changes, broken = self._ended.pop(planned.name)
            turn = self._turns.pop(planned.name)
            written = self._candidates(turn) if turn.cache_key else {}
            record = lifecycle.collect(self._setting, turn.inputs, ended)
            if broken is not None:
                record = replace(record, failure=record.failure or broken, artifacts=())
            self._finish(replace(record, subject_changes=changes, cached=turn.cached))
            self._keep(turn, record, written)
            moved = True
        return moved

    def _finish(self, record: CapabilityRun) -> None:
        self._done[record.capability] = record
        self._listener.finished(record)

    def _key(self, invocation: lifecycle.Inputs) -> str | None:
        """The cache key of an invocation; None where it isn't cached."""
        planned, configured, prepared = invocation.planned, invocation.configured, invocation.prepared
        inputs = planned.declaration.inputs
        manifest = planned.provider
        if self._cache is None or not inputs or manifest is None:
            return None
        from verigate.execution.cache import cache_key, tree_digest

        try:
            stats = {name: (path, Path(path).stat()) for name, path in prepared.toolbox.found.items()}
            return cache_key(
                {
                    "gate": self._setting.host.version,
                    "capability": planned.name,
                    "manifest": manifest.digest,
                    "adapter": tree_digest(lifecycle.adapter_folder(manifest, self._setting.workspace)),
                    "base": self._setting.workspace.subject.base,
                    "root": prepared.root,
                    "inputs": tree_digest(prepared.checkout.path, inputs),
                    "staged": tree_digest(str(prepared.staging)),
                    "profile": Path(configured.profile).read_text("utf-8"),
                    "config": configured.config_json,
                    "tools": {name: [path, at.st_size, at.st_mtime_ns] for name, (path, at) in stats.items()},
                    "env": {name: value for name, value in prepared.env.items() if name not in _PER_RUN},
                }
            )
        except (OSError, ValueError):
            return None

    def _take_from_cache(self, turn: _Turn) -> bool:
        files = self._cache.lookup(turn.cache_key) if self._cache and turn.cache_key else None
        if files is None:
            return False
        folder = turn.inputs.prepared.staging
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        ended = Ended(turn.inputs.planned.name, Outcome(exit_code=0), contained=True, last_line="")
        self._turns[turn.inputs.planned.name] = replace(turn, cache_key=None, cached=True)
        self._ended[turn.inputs.planned.name] = (ended, (), None)
        self._free = sorted([*self._free, turn.number])
        return True

    def _candidates(self, turn: _Turn) -> dict[str, bytes]:
        from verigate.execution.cache import SIZE_LIMIT

        found: dict[str, bytes] = {}
        size = 0
        for path in sorted(turn.inputs.prepared.staging.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            size += path.stat().st_size
            if size > SIZE_LIMIT:
                return {}
            found[str(path.relative_to(turn.inputs.prepared.staging))] = path.read_bytes()
        return found

    def _keep(self, turn: _Turn, record: CapabilityRun, written: Mapping[str, bytes]) -> None:
        own = {artifact.path for artifact in record.artifacts}
        if self._cache and turn.cache_key and record.failure is None and own and own <= written.keys():
            self._cache.store(turn.cache_key, {path: written[path] for path in own})


_PER_RUN = frozenset({"HOME", "PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
"""Variables that name folders of one run; what they hold is the same in every run."""
