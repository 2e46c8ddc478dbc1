"""Run the repository's own suite by its adapter: inside the sandbox, with grants, traced, and outside."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.execution import CapabilityRun, Invocation
from verigate.domain.grants import Grant
from verigate.domain.known_failures import TESTS, FailureKey
from verigate.domain.policy_names import CONFIG_FILES
from verigate.domain.policy_source import PolicyUse
from verigate.domain.profile import SANDBOX_FILE
from verigate.domain.subject import SubjectKind
from verigate.domain.suite_comparison import SuiteResult, read_result
from verigate.domain.task_folder import ARTIFACTS_FOLDER, CLAIM_FILE, COMMITMENT_FILE
from verigate.errors import ConfigError, ExecutionError, UsageError
from verigate.execution.phase_values import HOME, CallInputs
from verigate.integrations.setup.commit_with_files import make_present_commit
from verigate.integrations.setup.granted_files import merge_grants
from verigate.processes.failed_calls import TRACE_NAME, FailedCallTracer, read_failed_calls
from verigate.processes.job import EndedProcess
from verigate.processes.process_loop import Processes
from verigate.processes.sandbox import launch_under_supervisor
from verigate.processes.streams import Redactor
from verigate.subject.git_query import read_git_lines
from verigate.usecases.prepare import prepare
from verigate.usecases.request import Request
from verigate.usecases.run_plan import run_plan
from verigate.usecases.services import Services

CAPABILITY = "code:tests"
_REPORT = "tests.json"
_LONGEST_LIST = 60_000
_MAX_REPORT = 64 * 1024 * 1024
_IN_PLACE = "GATE_IN_PLACE"
"""Says to an adapter that it works in the user's own tree, of which it may overwrite and remove nothing."""

_KEPT = ("VIRTUAL_ENV",)
"""Variables of the call inside, apart from the gate's own, that hold outside as well."""


class SuiteCall(Struct, frozen=True):
    """How the adapter was called inside, as far as it holds outside: there the checkout stands at the same path."""

    entry: str
    adapter: str
    env: Mapping[str, str]
    timeout_s: float
    inputs: Mapping[str, bytes]
    private_home: str


class TracedResult(Struct, frozen=True):
    """A run under the tracer: its result, the trace, and the private home that it shows."""

    result: SuiteResult
    trace: bytes
    private_home: str


class FirstRun(Struct, frozen=True):
    """A run inside that has happened already, as part of a verification, and how the adapter was called."""

    call: SuiteCall
    result: SuiteResult


class SuiteBench:
    """Runs the suite of the current commit. Nothing is published.

    ``first`` is taken for the first run inside.
    """

    def __init__(
        self, root: Path, services: Services, tracer: FailedCallTracer | None, first: FirstRun | None = None
    ) -> None:
        self._root = root
        self._services = services
        self._tracer = tracer
        self._call: SuiteCall | None = first.call if first is not None else None
        self._first = first

    @property
    def adapter(self) -> str:
        """The name of the adapter that runs the suite; known after the first run."""
        return self._require_call().adapter

    @property
    def can_trace(self) -> bool:
        """Whether this machine has a tracer."""
        return self._tracer is not None

    def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
        """Run the suite in the sandbox, with ``grants`` besides those of the configuration.

        ``only`` these tests, where the runner can select them. Raises GateError where nothing can run, ExecutionError
        without a sandbox.
        """
        first, self._first = self._first, None
        if first is not None and not grants and not only:
            return first.result
        return self._run(grants, lambda inputs: _narrow(inputs, only))

    def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
        """Run the suite, or ``only`` these tests, inside under the tracer. Raises ExecutionError without one."""
        tracer, traces = self._tracer, list[bytes]()
        if tracer is None:
            raise ExecutionError("strace is missing or can't trace here", hint="install strace")

        def amend(inputs: CallInputs) -> CallInputs:
            wrapped = tracer.wrap(inputs.argv, f"{inputs.prepared.env['HOME']}/{TRACE_NAME}")
            return _narrow(replace(inputs, argv=wrapped), only)

        result = self._run((), amend, traces)
        return TracedResult(result, traces[0] if traces else b"", self._require_call().private_home)

    def run_outside(self) -> SuiteResult:
        """Run the suite by the same adapter in the user's own tree, with the user's rights and environment."""
        call = self._require_call()
        with tempfile.TemporaryDirectory(prefix="verigate-outside-") as folder:
            place = Path(folder).resolve() / "outside"
            place.mkdir()
            for name, content in call.inputs.items():
                (place / name).write_bytes(content)
            argv = (
                *(call.entry, CAPABILITY, "--task-dir", str(place)),
                *("--commitment", str(place / COMMITMENT_FILE), "--claim", str(place / CLAIM_FILE)),
            )
            started = time.monotonic()
            ended = self._execute(argv, call)
            return _read_outside(ended, place, time.monotonic() - started)

    def _execute(self, argv: Sequence[str], call: SuiteCall) -> EndedProcess:
        outside = {name: value for name, value in self._services.environ.items() if not name.startswith("GATE_")}
        outside.pop("VIRTUAL_ENV", None)
        env = outside | {name: call.env[name] for name in call.env if name.startswith("GATE_") or name in _KEPT}
        env.pop("GATE_PROGRESS", None)
        env[_IN_PLACE] = "1"
        invocation = Invocation(tuple(argv), str(self._root), env, call.timeout_s)
        launch = launch_under_supervisor(env["GATE_PYTHON"], argv, str(self._root), None)
        with Processes(Redactor()) as processes:
            processes.start(CAPABILITY, invocation, launch)
            return processes.wait()

    def _require_call(self) -> SuiteCall:
        if self._call is None:
            raise ExecutionError("the suite hasn't run inside yet")
        return self._call

    def _run(
        self,
        grants: Sequence[Grant],
        amend: Callable[[CallInputs], CallInputs],
        traces: list[bytes] | None = None,
    ) -> SuiteResult:
        present = make_present_commit(self._root, self._collect_files(grants), self._services.environ)
        if present is None:
            raise UsageError("there is no commit yet", where=str(self._root), hint="commit, then compare")
        request = Request(
            None,
            SubjectKind.COMMIT,
            present,
            present,
            only=(CAPABILITY,),
            use_cache=False,
            llm=False,
            whole=True,
            policy_use=PolicyUse.OWN,
        )
        watched = WatchedRunner(self._services.runner, amend, traces)
        services = replace(self._services, runner=watched)
        with prepare(request, services) as prepared:
            runs = run_plan(request, prepared, services).runs
        self._call = watched.call or self._call
        return read_inside(runs)

    def _collect_files(self, grants: Sequence[Grant]) -> dict[str, bytes]:
        """Collect the configuration of the working tree, with the grants: it holds for base and subject."""
        files: dict[str, bytes] = {}
        for name in CONFIG_FILES:
            content = read_bytes(self._root / name, shown=name, max_bytes=_MAX_REPORT)
            if content is not None:
                files[name] = content
        if grants:
            files[SANDBOX_FILE] = merge_grants(files.get(SANDBOX_FILE), self.adapter, grants)
        return files


class WatchedRunner:
    """A runner that changes the call of the suite last, and keeps how its adapter was called."""

    def __init__(
        self,
        runner: Callable[..., Any],
        amend: Callable[[CallInputs], CallInputs] = lambda inputs: inputs,
        traces: list[bytes] | None = None,
    ) -> None:
        self._runner = runner
        self._amend = amend
        self._traces = traces
        self._home: str | None = None
        self.call: SuiteCall | None = None

    def __call__(self, *arguments: Any, known: object = None, remote: object = None) -> tuple[CapabilityRun, ...]:  # noqa: ARG002 - as the protocol has them
        """Run the plan, as ``services.Runner``, whatever is known here or elsewhere: the call itself is looked at."""
        runs: tuple[CapabilityRun, ...] = self._runner(*arguments, amend=self._keep)
        if self._traces is not None and self._home is not None:
            # Before the folder of the run goes.
            self._traces.append(read_failed_calls(f"{self._home}/{TRACE_NAME}"))
        return runs

    def _keep(self, inputs: CallInputs) -> CallInputs:
        if inputs.planned.name != CAPABILITY:
            return inputs
        provider, staging = inputs.planned.provider, inputs.prepared.staging
        self._home = f"{inputs.configured.folder}/{HOME}"
        if provider is not None:
            self.call = SuiteCall(
                entry=provider.entry_path,
                adapter=provider.name,
                env=inputs.prepared.env,
                timeout_s=inputs.prepared.timeout_s,
                inputs={name: (staging / name).read_bytes() for name in (COMMITMENT_FILE, CLAIM_FILE)},
                private_home=self._home,
            )
        return self._amend(inputs)


def _narrow(inputs: CallInputs, only: Sequence[FailureKey]) -> CallInputs:
    """Let the adapter run these tests alone, if it can."""
    listed = json.dumps([{"id": key.id, "path": key.path} for key in only])
    if not only or len(listed) > _LONGEST_LIST:
        return inputs
    env = {**inputs.prepared.env, "GATE_ONLY_TESTS": listed}
    return replace(inputs, prepared=replace(inputs.prepared, env=env))


def read_inside(runs: Sequence[CapabilityRun]) -> SuiteResult:
    """Read the result of the suite from the runs of a plan.

    Raises ExecutionError where it didn't run, or not in a sandbox.
    """
    run = next((run for run in runs if run.capability == CAPABILITY), None)
    if run is None:
        raise ExecutionError(f"{CAPABILITY} didn't run", hint="gate plan shows what would run")
    if run.sandbox is None or not run.sandbox.is_whole:
        if run.failure is not None and run.sandbox is None:
            raise ExecutionError(run.failure.message, where=CAPABILITY, hint=run.failure.hint)
        raise ExecutionError(
            "no sandbox works on this machine, so there is nothing to compare with",
            hint="install bubblewrap and allow user namespaces; gate doctor",
        )
    seconds = run.outcome.duration_s if run.outcome else 0.0
    if run.failure is not None:
        return SuiteResult(seconds=seconds, problem=run.failure.message)
    report = next((item for item in run.artifacts if item.media_spec == TESTS), None)
    if report is None:
        return SuiteResult(seconds=seconds, problem="it left no report")
    return read_result(report.value, seconds)


def _read_outside(ended: EndedProcess, place: Path, seconds: float) -> SuiteResult:
    outcome = ended.outcome
    if outcome.exit_code != 0:
        how = "timed out" if outcome.timed_out else f"ended with {outcome.exit_code or outcome.signal}"
        return SuiteResult(seconds=seconds, problem=f"it {how}: {ended.last_line}")
    try:
        content = read_bytes(place / _REPORT, shown=_REPORT, max_bytes=_MAX_REPORT)
        value = parse_json(content, shown=_REPORT) if content is not None else None
        faults = validate(TESTS, value) if value is not None else ()
    except ConfigError as problem:
        return SuiteResult(seconds=seconds, problem=str(problem))
    if value is None or faults:
        return SuiteResult(seconds=seconds, problem=str(faults[0]) if faults else "it left no report")
    return read_result(value, seconds)


class DirtyPaths(Struct, frozen=True):
    """Paths that differ from the current commit, without the gate's own configuration."""

    changed: tuple[str, ...]
    untracked: tuple[str, ...]


def find_dirty_paths(root: Path, environ: Mapping[str, str]) -> DirtyPaths:
    """Find what differs from the current commit: changed files, and files that git neither tracks nor ignores."""
    lines = read_git_lines(root, environ, "status", "--porcelain", "--untracked-files=all")
    entries = [line.split(maxsplit=1) for line in lines]
    listed = [
        (entry[0], entry[-1]) for entry in entries if not entry[-1].startswith(("config/", f"{ARTIFACTS_FOLDER}/"))
    ]
    return DirtyPaths(
        tuple(path for letters, path in listed if letters != "??"),
        tuple(path for letters, path in listed if letters == "??"),
    )
