"""Check that CI pipelines still run each check and fail with it."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.jenkins_flags import list_jenkins_flags
from code_adapter.integrity.checks.path_programs import find_path_programs
from code_adapter.integrity.checks.step_flags import list_step_flags
from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.tools.commands import find_new_weakness, is_replaced, join_lines, judges
from code_adapter.integrity.tools.documents import Unreadable, load_yaml
from code_adapter.integrity.tools.included import find_included_jobs
from verigate.sdk.pipelines import is_pipeline

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_NONFATAL = {
    "continue-on-error": (True, "true"),
    "continueOnError": (True, "true"),
    "allow_failure": (True,),
    "allow_failures": (True,),
    "ignore_failure": (True,),
    "soft_fail": (True,),
    "fail_ci_if_error": (False,),
    "failure": ("ignore",),
}
_PARTLY = frozenset({"allow_failure", "soft_fail"})
"""Keys that may list the exit codes that count as a success."""

_NEVER = re.compile(r"\s*(?:\$\{\{\s*)?(?:false|!true|0|always\(\)\s*&&\s*false)(?:\s*\}\})?\s*", re.IGNORECASE)


_WANTED = frozenset({"push", "pull_request", "merge_group", "pull_request_target"})
_USES = re.compile(r"(?<![\w@])\./([\w./-]+)")


class _Flag(NamedTuple):
    """A flag that makes a step or job non-fatal: what it says, in which file, and the commands that it is about."""

    text: str
    path: str
    commands: tuple[str, ...]


@dataclass(slots=True)
class _Pipeline:
    """What one version of all pipeline files says, taken together: a step may move between files."""

    commands: list[tuple[str, str]] = field(default_factory=list)
    flags: list[_Flag] = field(default_factory=list)
    triggers: set[str] = field(default_factory=set)


def find_weakened_pipelines(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened pipelines. All files are taken together: what moves from one to another is still run."""
    before, after = _Pipeline(), _Pipeline()
    paths: list[str] = []
    included = _find_included(changes)
    for file, old, new in changes.sides():
        names = {side.path for side in (file.before, file.after) if side is not None}
        if any(is_pipeline(name) or name in included for name in names):
            paths.append(file.path)
            # A base that can't be read may well be what the subject repairs.
            with contextlib.suppress(Unreadable):
                _read(before, file.path, text(old), changes.subject_paths)
            try:
                _read(after, file.path, text(new), changes.subject_paths)
            except Unreadable as error:
                yield IntegrityFinding(
                    "ci_nonfatal",
                    file.path,
                    None,
                    f"this pipeline can't be read: {error}",
                    "weakening",
                    "ci-unreadable",
                )
    if paths:
        yield from _compared(before, after, paths, _running_elsewhere(changes, paths, after))
        yield from find_path_programs(changes, before.commands, after.commands)


def _find_included(changes: ChangeSet) -> frozenset[str]:
    """The files that GitLab's pipeline takes in, in base or subject."""
    known = {*changes.subject_paths, *(file.before.path for file in changes.files if file.before is not None)}
    return find_included_jobs(known, changes.at_base) | find_included_jobs(known, changes.at_subject)


def _running_elsewhere(changes: ChangeSet, changed: list[str], after: _Pipeline) -> Counter[str]:
    """The judges of pipelines that the change leaves alone, and that run for changes or are used by one that does."""
    used = {match[1].rstrip("/") for _, command in after.commands for match in _USES.finditer(command)}
    found: Counter[str] = Counter()
    for path in changes.subject_paths:
        if path in changed or not is_pipeline(path):
            continue
        other = _Pipeline()
        with contextlib.suppress(Unreadable):
            _read(other, path, (changes.at_subject(path) or b"").decode("utf-8", "replace"), ())
        if other.triggers or path in used or path.rpartition("/")[0] in used:
            found += _judges(other)
    return found


def _find_flags(before: _Pipeline, after: _Pipeline) -> Iterator[IntegrityFinding]:
    """Flags that there are more of. One of a new step, which runs none of the checks there were, is a note."""
    checks = Counter(command for _, command in before.commands if judges(command))
    ran = _judges(before)
    known = Counter((flag.text, flag.commands) for flag in before.flags)
    new: list[_Flag] = []
    for flag in after.flags:
        if known[flag.text, flag.commands]:
            known[flag.text, flag.commands] -= 1
        else:
            new.append(flag)
    # A step that has other commands now, and had the flag already.
    edited: Counter[tuple[str, bool]] = Counter()
    for (said, commands), count in known.items():
        edited[said, _is_about(commands, checks, ran)] += count
    for flag in new:
        about = _is_about(flag.commands, checks, ran)
        if edited[flag.text, about]:
            edited[flag.text, about] -= 1
            continue
        weight: Weight = "weakening" if about else "note"
        message = f"a step may fail or never runs: {flag.text}"
        forms = Forms(None, "\n".join((flag.text, *flag.commands)))
        yield IntegrityFinding("ci_nonfatal", flag.path, None, message, weight, "ci-nonfatal", forms=forms)


def _is_about(commands: Collection[str], checks: Mapping[str, int], ran: Mapping[str, int]) -> bool:
    """Whether a step or job runs something that was run before. One without commands may."""
    return not commands or any(command in checks or not ran.keys().isdisjoint(judges(command)) for command in commands)


def _compared(
    before: _Pipeline, after: _Pipeline, paths: list[str], elsewhere: Counter[str]
) -> Iterator[IntegrityFinding]:
    yield from _find_flags(before, after)
    old = Counter(command for _, command in before.commands)
    new = Counter(command for _, command in after.commands)
    lost, gained = old - new, new - old
    lost_text = "\n".join(sorted(lost))
    for path, command in after.commands:
        if not gained[command]:
            continue
        gained[command] -= 1
        for weakness in find_new_weakness(lost_text, command):
            message = f"the step {command[:120]!r} judges less: {weakness}"
            yield _weakened(path, message, "ci-command-weakened", Forms(lost_text or None, command))
    ran, runs = _judges(before), _judges(after) + elsewhere
    for tool in sorted(ran):
        if not runs[tool] and not is_replaced(tool, ran, runs):
            running = [(path, command) for path, command in before.commands if tool in judges(command)]
            forms = Forms("\n".join(sorted(command for _, command in running)), None)
            yield _weakened(running[0][0], f"no step runs {tool} any more", "ci-judge-gone", forms)
    for trigger in sorted(before.triggers - after.triggers):
        if _judges(before):
            message = f"the pipelines no longer run on {trigger}"
            forms = Forms(trigger, None)
            yield IntegrityFinding("ci_nonfatal", paths[0], None, message, "weakening", "ci-trigger-gone", forms=forms)


def _weakened(path: str, message: str, rule: str, forms: Forms) -> IntegrityFinding:
    return IntegrityFinding("check_command_weakened", path, None, message, "weakening", rule, forms=forms)


def _judges(pipeline: _Pipeline) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, command in pipeline.commands:
        found += judges(command)
    return found


def _read(pipeline: _Pipeline, path: str, source: str, paths: Sequence[str]) -> None:
    if not source.strip():
        return
    if path.endswith("Jenkinsfile"):
        pipeline.commands += [(path, line.strip()) for line in source.splitlines() if line.strip()]
        for said, around in list_jenkins_flags(source):
            pipeline.flags.append(_Flag(said, path, tuple(line.strip() for line in around.splitlines())))
        return
    document = load_yaml(source)
    if isinstance(document, dict):
        # YAML 1.1 reads the key `on` as true.
        triggers = document.get("on", document.get(True))
        if isinstance(triggers, str):
            triggers = [triggers]
        if isinstance(triggers, dict | list):
            pipeline.triggers |= {str(trigger) for trigger in triggers} & _WANTED
    for said, part in list_step_flags(document, paths):
        pipeline.flags.append(_Flag(said, path, tuple(_commands_of(part))))
    _collect(pipeline, path, document)


def _collect(pipeline: _Pipeline, path: str, document: Any) -> None:
    stack: list[tuple[str, Any, Any]] = [("", document, document)]
    while stack:
        key, value, around = stack.pop()
        if isinstance(value, dict):
            inside = around if key in _PARTS else value
            stack.extend((str(name), item, inside) for name, item in value.items())
        elif isinstance(value, list):
            stack.extend((key, item, around) for item in value)
        elif isinstance(value, str) and key not in _WORDS:
            pipeline.commands += [(path, command) for command in _lines(value)]
        flag = _flag(key, value)
        if flag:
            pipeline.flags.append(_Flag(flag, path, tuple(_commands_of(around))))


_WORDS = frozenset({"name", "if", "description", "id"})
"""Keys whose value is no command."""

_PARTS = frozenset({"with", "env", "strategy", "variables", "matrix"})
"""Keys of what belongs to the step or job around it."""


def _flag(key: str, value: Any) -> str:
    """What makes a step or job non-fatal, or keeps it from running; empty for anything else."""
    if key in _PARTLY and isinstance(value, dict | list) and value:
        return f"{key}: {json.dumps(value, default=str, sort_keys=True)[:80]}"
    if key == "skip" and (value is True or isinstance(value, str)):
        return f"skip: {str(value).lower()[:80]}"
    if key in _NONFATAL and (value in _NONFATAL[key] or (isinstance(value, str) and "${{" in value)):
        return f"{key}: {str(value).lower()}"
    if key in {"if", "condition"} and not isinstance(value, dict | list) and _NEVER.fullmatch(str(value)):
        return f"{key}: {str(value).lower()}"
    return f"when: {value}" if key == "when" and value in {"never", "manual"} else ""


def _commands_of(around: Any) -> Iterator[str]:
    """The commands of a step or job, at most some: a flag of a large job is about all of it anyway."""
    stack, count = [("", around)], 0
    while stack and count < _MOST_COMMANDS:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(name), item) for name, item in value.items())
        elif isinstance(value, list):
            stack.extend((key, item) for item in value)
        elif isinstance(value, str) and key not in _WORDS:
            for command in _lines(value):
                count += 1
                yield command


_MOST_COMMANDS = 500


def _lines(value: str) -> list[str]:
    lines = (line.strip() for line in join_lines(value).splitlines())
    return [line for line in lines if line and not line.startswith("#")]
