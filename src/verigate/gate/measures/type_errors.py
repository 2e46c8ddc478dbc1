"""Compare statements about types with the steps of a build that check them."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import splitext

from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.rule_outcome import RuleOutcome, cite, cite_each, holds

_CHECKERS = frozenset({"tsc", "vue-tsc", "cargo", "go", "maven", "gradle", "dotnet"})
_JVM = frozenset({".java", ".kt", ".kts", ".groovy", ".scala"})
_TYPESCRIPT = frozenset({".ts", ".tsx", ".mts", ".cts", ".vue"})
_PYTHON = frozenset({".py", ".pyi"})
_SUFFIXES: Mapping[str, frozenset[str]] = {
    "tsc": _TYPESCRIPT,
    "vue-tsc": _TYPESCRIPT,
    "cargo": frozenset({".rs"}),
    "go": frozenset({".go"}),
    "maven": _JVM,
    "gradle": _JVM,
    "dotnet": frozenset({".cs", ".fs", ".vb"}),
    "mypy": _PYTHON,
    "pyright": _PYTHON,
    "basedpyright": _PYTHON,
    "ty": _PYTHON,
}
"""The ends of the sources whose types each checker reads."""

_NO_SOURCES = frozenset({"", ".md", ".rst", ".txt", ".json", ".toml", ".yml", ".yaml", ".lock", ".ini", ".cfg", ".svg"})
_NAMES, _SIDES = "verigate:diff-names.v1", ("added", "modified")
_UNNAMED = "the build passed, but its steps may not be all that checks types; name the tool, such as tsc or mypy"
_AT_LEAST_ONE = frozenset({Relation.GT, Relation.GE})


def measure_types(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the errors of the build, if each of its steps checks types, else whether the steps that do succeeded.

    Where the statement names no tool, success supports nothing but where a single checker ran and reads each changed
    source: types of another language may be checked by a program that the build doesn't run, and a trivial project next
    to it would stand for all.
    """
    if fact.tool is None and is_satisfied(fact, 0) and (alone := _find_single_checker(facts, artifact)) is not None:
        return holds(0, alone, message=f"{fact}")
    chosen = _CHECKERS if fact.tool is None else {fact.tool}
    steps = [(index, step) for index, step in enumerate(artifact.value.get("steps") or ()) if step["tool"] in chosen]
    if not steps:
        return leave_undecided(fact, "no step of the build checks types", cite(artifact, "tool"))
    refs = tuple(cite(artifact, "steps", index, "exit_code") for index, _ in steps[:5])
    if all(step["exit_code"] == 0 for _, step in steps):
        if fact.tool is None and is_satisfied(fact, 0):
            return leave_undecided(fact, _UNNAMED, *refs)
        return compare(fact, 0, *refs)
    return _measure_failed(artifact, fact, refs, alone=len(steps) == len(artifact.value["steps"]))


def _find_single_checker(facts: Facts, build: Artifact) -> EvidenceRef | None:
    """Find what the only checker of types says, if it succeeded, and each changed source is in a language of it."""
    steps = [(index, step) for index, step in enumerate(build.value.get("steps") or ()) if step["tool"] in _CHECKERS]
    found = {step["tool"]: cite(build, "steps", index, "exit_code") for index, step in steps}
    failed = any(step["exit_code"] for _, step in steps)
    for lint in facts.evidence.by_spec(LINT):
        for index, tool in enumerate(lint.value.get("tools") or ()):
            if tool.get("name") in _SUFFIXES:
                found[tool["name"]] = cite(lint, "tools", index)
                failed = failed or tool.get("errors") != 0
    if len(found) != 1 or failed:
        return None
    ((name, ref),) = found.items()
    sources = _list_changed_suffixes(facts)
    return ref if sources and sources <= _SUFFIXES[name] else None


def _list_changed_suffixes(facts: Facts) -> frozenset[str]:
    """List the ends of the changed files that may be sources."""
    names = [each for artifact in facts.evidence.by_spec(_NAMES) for key in _SIDES for each in artifact.value[key]]
    return frozenset(splitext(name)[1].lower() for name in names) - _NO_SOURCES


def _measure_failed(artifact: Artifact, fact: StatedFact, refs: tuple[EvidenceRef, ...], *, alone: bool) -> RuleOutcome:
    """Compare where a step failed; ``alone``: each step of the build checks types, so that all errors are of types."""
    errors = len(artifact.value["errors"])
    if fact.relation in _AT_LEAST_ONE:
        return holds(errors, *refs, message=f"{fact}")
    if fact.value == 0:
        return contradict(fact, errors, *refs, *cite_each(artifact, "errors"))
    if not alone:
        return leave_undecided(fact, "other steps of the build report errors too", *refs)
    return compare(fact, errors, *refs)
