"""Check that CI pipelines still run each check and fail with it."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.commands import find_new_weakness, is_replaced, join_lines, judges
from code_adapter.integrity.documents import Unreadable, load_yaml
from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.roles import is_pipeline

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
_NEVER = re.compile(r"\s*(?:\$\{\{\s*)?(?:false|!true|0|always\(\)\s*&&\s*false)(?:\s*\}\})?\s*", re.IGNORECASE)


@dataclass(slots=True)
class _Pipeline:
    """What one version of all pipeline files says, taken together: a step may move between files."""

    commands: list[tuple[str, str]] = field(default_factory=list)
    flags: Counter[str] = field(default_factory=Counter)
    triggers: set[str] = field(default_factory=set)
    flag_paths: dict[str, str] = field(default_factory=dict)


def find_weakened_pipelines(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened pipelines. All files are taken together: what moves from one to another is still run."""
    before, after = _Pipeline(), _Pipeline()
    paths: list[str] = []
    for file, old, new in changes.sides():
        if is_pipeline(file.path) or (file.before is not None and is_pipeline(file.before.path)):
            paths.append(file.path)
            # A base that can't be read may well be what the subject repairs.
            with contextlib.suppress(Unreadable):
                _read(before, file.path, text(old))
            try:
                _read(after, file.path, text(new))
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
        added = {file.path for file in changes.files if file.before is None}
        yield from _compared(before, after, paths, added)


def _compared(before: _Pipeline, after: _Pipeline, paths: list[str], new_paths: set[str]) -> Iterator[IntegrityFinding]:
    for flag, count in after.flags.items():
        if count > before.flags[flag]:
            path = after.flag_paths.get(flag, paths[0])
            # What only a new file says takes nothing from the steps there were, as long as those are all there.
            weight: Weight = "note" if path in new_paths and not before.commands else "weakening"
            message, was = f"a step may fail or never runs: {flag}", before.flags[flag]
            forms = Forms("\n".join([flag] * was) or None, "\n".join([flag] * count))
            yield IntegrityFinding("ci_nonfatal", path, None, message, weight, "ci-nonfatal", forms=forms)
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
    ran, runs = _judges(before), _judges(after)
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


def _read(pipeline: _Pipeline, path: str, source: str) -> None:
    if not source.strip():
        return
    if path.endswith("Jenkinsfile"):
        pipeline.commands += [(path, line.strip()) for line in source.splitlines() if line.strip()]
        return
    document = load_yaml(source)
    if isinstance(document, dict):
        # YAML 1.1 reads the key `on` as true.
        triggers = document.get("on", document.get(True))
        if isinstance(triggers, str):
            triggers = [triggers]
        if isinstance(triggers, dict | list):
            wanted = {"push", "pull_request", "merge_group", "pull_request_target"}
            pipeline.triggers |= {str(trigger) for trigger in triggers} & wanted
    _collect(pipeline, path, document)


def _collect(pipeline: _Pipeline, path: str, document: Any) -> None:
    stack: list[tuple[str, Any]] = [("", document)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(name), item) for name, item in value.items())
        elif isinstance(value, list):
            stack.extend((key, item) for item in value)
        elif isinstance(value, str) and key not in {"name", "if", "description", "uses", "id"}:
            commands = [
                line.strip()
                for line in join_lines(value).splitlines()
                if line.strip() and not line.strip().startswith("#")
            ]
            pipeline.commands += [(path, command) for command in commands]
        if key in _NONFATAL and (value in _NONFATAL[key] or (isinstance(value, str) and "${{" in value)):
            _flag(pipeline, path, f"{key}: {str(value).lower()}")
        if key in {"if", "condition"} and not isinstance(value, dict | list) and _NEVER.fullmatch(str(value)):
            _flag(pipeline, path, f"{key}: {str(value).lower()}")
        if key == "when" and value in {"never", "manual"}:
            _flag(pipeline, path, f"when: {value}")


def _flag(pipeline: _Pipeline, path: str, flag: str) -> None:
    pipeline.flags[flag] += 1
    pipeline.flag_paths[flag] = path
