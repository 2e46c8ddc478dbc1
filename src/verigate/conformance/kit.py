"""The table of checks, and the kit that runs them on an adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.conformance import artifact_checks as artifacts
from verigate.conformance import behavior_checks as conduct
from verigate.conformance import tool_checks as tools
from verigate.conformance.adapter_lookup import AdapterLocation
from verigate.conformance.calls import Calls, NotApplicableError, NotRunError
from verigate.conformance.finding_codes import Note, make_finding
from verigate.conformance.fixtures import Check as ReadFixture
from verigate.conformance.fixtures import Fixture, read_fixtures, select_fixtures
from verigate.conformance.manifest_checks import LoadedAdapter, check_entry
from verigate.conformance.trial_bench import KitMachine, TrialBench
from verigate.domain.conformance import (
    TOOLS_MISSING,
    Conformance,
    ConformanceAnswer,
    ConformanceCheck,
    ConformanceFinding,
)
from verigate.domain.manifest import Manifest
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name
from verigate.tools.model import Tool


class Check(Struct, frozen=True):
    """One check of every capability: its name, its question, its possible codes."""

    name: str
    asks: str
    codes: tuple[str, ...]
    run: Callable[[Calls, str], Iterator[ConformanceFinding | Note]]


MANIFEST = (
    "manifest",
    "manifest.json is valid by its schema",
    ("MANIFEST_SCHEMA", "MANIFEST_UNKNOWN_KEY", "CONFIG_DEFAULTS"),
)
DEFINITION = ("definition", "the .toml file of a tool is valid by its schema and its rules", ("TOOL_DEFINITION",))
ENTRY = (
    "entry",
    "the entry exists and can be started",
    ("ENTRY_MISSING", "ENTRY_NOT_EXECUTABLE", "ENTRY_INTERPRETER"),
)
FIXTURES = ("fixtures", "every folder below fixtures/ is a valid fixture", ("FIXTURE_INVALID",))
"""The checks of the adapter as a whole: name, question, codes."""

CHECKS: tuple[Check, ...] = (
    Check(
        "end",
        "it ends with 0 once facts are written, good or bad",
        ("CRASH_ON_FIXTURE", "EXIT_NONZERO_ON_FINDINGS", "TIMEOUT_EXCEEDED", "TOOL_SLOTS", "TOOL_REPORT"),
        artifacts.check_exit,
    ),
    Check(
        "artifacts",
        "its artifacts are declared, complete and valid",
        ("ARTIFACT_MISSING", "ARTIFACT_INVALID", "ARTIFACT_UNDECLARED", "ARTIFACT_CONFLICT"),
        artifacts.check_artifacts,
    ),
    Check(
        "expectations",
        "its artifacts contain what its fixtures expect",
        ("EXPECTATION_FAILED",),
        artifacts.check_expectations,
    ),
    Check("sorted", "arrays are sorted where a schema requires it", ("NOT_SORTED",), artifacts.check_sorting),
    Check("moments", "no artifact contains the time of the call", ("TIMESTAMP_IN_CONTENT",), artifacts.check_moments),
    Check("paths", "no artifact contains a path of the machine", ("PATH_IN_CONTENT",), artifacts.check_paths),
    Check(
        "verdicts",
        "no artifact says whether something passes",
        ("VERDICT_IN_CONTENT",),
        artifacts.check_verdicts,
    ),
    Check(
        "determinism",
        "called twice, under other circumstances, it writes the same canonical bytes",
        ("NOT_DETERMINISTIC",),
        artifacts.check_determinism,
    ),
    Check("stdout", "it writes nothing to stdout", ("STDOUT_USED",), conduct.check_stdout),
    Check(
        "writes",
        "it writes only to the task folder, HOME and TMPDIR",
        ("WRITES_OUTSIDE",),
        conduct.check_writes,
    ),
    Check(
        "network",
        "it uses no undeclared network",
        ("NETWORK_UNDECLARED",),
        conduct.check_network,
    ),
    Check("tools", "it starts only declared programs", ("TOOL_UNDECLARED",), conduct.check_tools),
    Check("processes", "no process that it started outlives it", ("PROCESS_LEFT_BEHIND",), conduct.check_processes),
    Check(
        "timeout", "it ends when it is stopped in the middle of its work", ("TIMEOUT_IGNORED",), conduct.check_timeout
    ),
    Check(
        "unknown-capability",
        "it refuses an undeclared capability",
        ("UNKNOWN_CAPABILITY_ACCEPTED",),
        conduct.check_unknown_capability,
    ),
    Check(
        "empty-repository",
        "it handles a repository without files",
        ("EMPTY_REPOSITORY",),
        conduct.check_empty_repository,
    ),
    Check("odd-file-names", "it handles odd file names", ("ODD_FILE_NAMES",), conduct.check_odd_file_names),
    Check(
        "read-only-subject",
        "it works on a read-only checkout",
        ("READ_ONLY_SUBJECT",),
        conduct.check_read_only_checkout,
    ),
)

PROGRAM = Check(
    "program",
    "its program is installed, and started on a fixture",
    ("TOOL_MISSING", "TOOL_NOT_STARTED"),
    tools.check_program,
)
TOOL_CHECKS: tuple[Check, ...] = (
    PROGRAM,
    Check(
        "effects",
        "existing files stay, unless it is declared destructive",
        ("DESTRUCTIVE_UNDECLARED",),
        tools.check_preservation,
    ),
)
"""Of a tool in TOML, before the others."""
DESTRUCTIVE_CHECKS: tuple[Check, ...] = (
    Check("destructive", "a gate run refuses it", ("DESTRUCTIVE_RUN",), tools.check_destructive_refusal),
)
"""Of a tool's destructive capability, instead of all others."""


class Choice(Struct, frozen=True):
    """The checks to run: empty means all. ``checks`` narrows further, for tests of the kit.

    ``without`` are programs that needn't be installed: capabilities that need one are left out.
    """

    capabilities: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


def check_adapter(
    adapter: AdapterLocation, loaded: LoadedAdapter, read: ReadFixture, machine: KitMachine, choice: Choice
) -> Conformance:
    """Check an adapter against the contract.

    Raises UsageError for an unknown choice, GateError for a machine that the kit can't work on.
    """
    manifest, tool = loaded.manifest, loaded.tool
    checked = [_report_static(DEFINITION if adapter.is_tool else MANIFEST, loaded.findings)]
    if manifest is None:
        return Conformance(adapter.name, "", str(adapter.place), (), (), tuple(checked))
    names = _choose_capabilities(manifest, choice.capabilities, tool)
    left_out = _find_excluded(tool, names, choice.without)
    names = tuple(name for name in names if name not in left_out)
    own, wrong = read_fixtures(adapter.fixtures, [each.name for each in manifest.capabilities], read, adapter.others)
    cases = _choose_fixtures(own, names, choice.fixtures)
    if tool is None:
        checked.append(_report_static(ENTRY, check_entry(manifest)))
    unusable = bool(checked[-1].findings) and tool is None
    checked.append(_report_static(FIXTURES, (make_finding("FIXTURE_INVALID", message) for message in wrong)))
    bench = TrialBench(manifest, machine)
    refused = {each.name for each in manifest.capabilities if each.destructive}
    calls = Calls(
        bench,
        manifest,
        [name for name in names if name not in refused],
        own,
        chosen=frozenset(choice.fixtures) or None,
        tool=tool,
    )
    try:
        for name in names:
            every = DESTRUCTIVE_CHECKS if name in refused else (*(TOOL_CHECKS if tool else ()), *CHECKS)
            asked = [each for each in every if not choice.checks or each.name in choice.checks]
            if unusable:
                checked += (_report_not_run(each, name, "its entry can't be started") for each in asked)
            else:
                checked += _run_checks(asked, name, calls)
    finally:
        bench.clear()
    conditions = _describe_conditions(machine, calls)
    return Conformance(
        manifest.name,
        manifest.version,
        str(adapter.place),
        names,
        cases,
        tuple(checked),
        conditions,
        bench.calls,
        tuple(left_out),
    )


def split_choice(adapters: Iterable[LoadedAdapter], choice: Choice) -> Iterator[Choice | None]:
    """Return the choice for each of several adapters, None for one without any of the chosen capabilities.

    Raises UsageError for a capability that none declares, and for a fixture where there are several adapters.
    """
    every = list(adapters)
    if len(every) > 1 and choice.fixtures:
        raise UsageError("which adapter's fixture?", where="--fixture", hint="name the file of one adapter")
    declared = [
        frozenset(each.name for each in loaded.manifest.capabilities) if loaded.manifest is not None else frozenset()
        for loaded in every
    ]
    if len(every) > 1:
        known = frozenset().union(*declared)
        for name in choice.capabilities:
            if name not in known:
                hint = suggest_name(name, known)
                raise UsageError(f"no adapter here declares {name!r}", where="--capability", hint=hint)
    for names in declared:
        own = tuple(name for name in choice.capabilities if name in names)
        if len(every) == 1 or not choice.capabilities:
            yield choice
        else:
            yield replace(choice, capabilities=own) if own else None


def _run_checks(checks: Sequence[Check], name: str, calls: Calls) -> Iterator[ConformanceCheck]:
    missing = False
    for each in checks:
        if missing:
            yield _report_not_run(each, name, "its program is not installed")
            continue
        answer = _run_check(each, name, calls)
        missing = any(found.code == "TOOL_MISSING" for found in answer.findings)
        yield answer


def _choose_capabilities(manifest: Manifest, wanted: Sequence[str], tool: Tool | None) -> tuple[str, ...]:
    declared = [each.name for each in manifest.capabilities]
    for name in wanted:
        if name not in declared:
            hint = suggest_name(name, declared) or f"it declares {', '.join(declared)}"
            raise UsageError(f"{manifest.name} declares no capability {name!r}", where="--capability", hint=hint)
    refused = {each.name for each in manifest.capabilities if each.destructive and tool is None}
    if refused & set(wanted):
        raise UsageError(
            f"{min(refused & set(wanted))} is destructive, and the gate never runs it", where="--capability"
        )
    return tuple(name for name in declared if (not wanted or name in wanted) and name not in refused)


def _find_excluded(tool: Tool | None, names: Sequence[str], without: Sequence[str]) -> tuple[str, ...]:
    if tool is None or not without:
        return ()
    return tuple(name for name in names if not tools.list_programs(tool, name).isdisjoint(without))


def _choose_fixtures(own: Sequence[Fixture], names: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    found = {fixture.name: None for name in names for fixture in select_fixtures(own, name)}
    for name in wanted:
        if name not in found:
            hint = suggest_name(name, found) or f"there are {', '.join(found)}"
            raise UsageError(f"there is no fixture {name!r}", where="--fixture", hint=hint)
    return tuple(name for name in found if not wanted or name in wanted)


def _report_static(about: tuple[str, str, tuple[str, ...]], findings: Iterable[ConformanceFinding]) -> ConformanceCheck:
    found = tuple(findings)
    return ConformanceCheck(
        about[0], about[1], ConformanceAnswer.REFUTED if found else ConformanceAnswer.HOLDS, findings=found
    )


def _report_not_run(each: Check, name: str, why: str, hint: str = "") -> ConformanceCheck:
    return ConformanceCheck(each.name, each.asks, ConformanceAnswer.NOT_RUN, name, why=why, hint=hint)


def _run_check(each: Check, name: str, calls: Calls) -> ConformanceCheck:
    found: list[ConformanceFinding] = []
    notes: list[ConformanceFinding] = []
    if not calls.fixtures(name):
        return _report_not_run(each, name, "none of the chosen fixtures is for it")
    try:
        for seen in each.run(calls, name):
            if isinstance(seen, Note):
                notes.append(seen.finding)
            else:
                found.append(seen)
    except NotRunError as problem:
        # Findings made before still count.
        if not found:
            return _report_not_run(each, name, problem.why, problem.hint)
    except NotApplicableError as reason:
        return ConformanceCheck(each.name, each.asks, ConformanceAnswer.NOT_ASKED, name, why=str(reason))
    answer = ConformanceAnswer.REFUTED if found else ConformanceAnswer.HOLDS
    return ConformanceCheck(each.name, each.asks, answer, name, tuple(found), notes=tuple(notes))


def _describe_conditions(machine: KitMachine, calls: Calls) -> dict[str, str]:
    seen = calls.list_calls()
    mechanisms = sorted({each.run.sandbox.mechanism for each in seen if each.run.sandbox})
    missing = sorted({tool for each in seen for tool in each.run.tools_missing})
    tracer = f"strace {machine.tracer.version}" if machine.tracer else "none"
    order = {None: "not varied", True: "reversed, on tmpfs", False: "could not be varied"}[calls.is_order_varied]
    found = {
        "sandbox": ", ".join(mechanisms) or "none",
        "watched by": tracer,
        "time zone": f"UTC, then {machine.zone}",
        "locale": f"C.UTF-8, then {machine.locale}",
        "order of folders": order,
    }
    return found | ({TOOLS_MISSING: ", ".join(missing)} if missing else {})
