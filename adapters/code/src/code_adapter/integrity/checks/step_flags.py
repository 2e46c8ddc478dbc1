"""What keeps the steps and jobs of a workflow (GitHub, Gitea, Forgejo) from failing, from running, or from the change.

Source: GitHub, "Workflow syntax for GitHub Actions": ``on``, ``shell``, ``strategy.matrix``, ``needs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from code_adapter.integrity.tools.commands import judges
from code_adapter.integrity.tools.exit_codes import ends_at_failure, goes_on, list_lost
from verigate.sdk.languages import language_of

Flag = tuple[str, Any]
"""What it is, and the part of the document that it is about."""

_EVENTS = frozenset({"push", "pull_request", "merge_group", "pull_request_target"})
_OF_CHANGES = _EVENTS - {"push"}
_STOPS = re.compile(r"\s-\w*e|errexit")
_MAIN = frozenset({"main", "master", "trunk", "*", "**"})
_ALWAYS = re.compile(r"\balways\(\)|!\s*cancelled\(\)")
_EVENT = re.compile(r"github\.event_name\s*==\s*['\"](\w+)['\"]")
_NO_VALUES = re.compile(r"fromJSON\(\s*'\s*(?:\[\s*\]|\{\s*\})\s*'\s*\)", re.IGNORECASE)
_OLD_CODE = re.compile(
    r"\bgit\s+(?:checkout|switch|reset\s+--hard)\s+(?:-f\s+)?(?:origin/)?(?:main|master|HEAD[~^]\S*)\s*$"
)
_RENAMED = re.compile(r"(?:^|[;&]\s*)(?:alias\s+(\w[\w-]*)=|(\w[\w-]*)[ \t]*\(\)\s*\{)", re.MULTILINE)


def list_step_flags(document: Any, paths: Sequence[str]) -> Iterator[Flag]:
    """List the flags of a workflow; ``paths`` are those of the subject, by which filters of paths are read."""
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, dict):
        return
    yield from ((text, jobs) for text in _list_filters(document.get("on", document.get(True)), paths))
    rare = _list_rare(jobs)
    for job in jobs.values():
        if not isinstance(job, dict):
            continue
        needed = [name for name in _as_list(job.get("needs")) if name in rare]
        if needed and not _ALWAYS.search(str(job.get("if", ""))):
            yield f"needs: {needed[0]}, which may not run", job
        if (text := _read_condition(job)) or (text := _read_matrix(job)):
            yield text, job
        yield from _list_of_steps(job, _read_shell(document))


def _list_filters(triggers: Any, paths: Sequence[str]) -> Iterator[str]:
    """List filters by which an event runs nothing for some code."""
    for event, filters in triggers.items() if isinstance(triggers, dict) else ():
        if event not in _EVENTS or not isinstance(filters, dict):
            continue
        code = [path for path in paths if language_of(path) is not None]
        for key in ("paths", "paths-ignore"):
            patterns = _as_list(filters.get(key))
            left = [path for path in code if _is_taken(path, patterns) == (key == "paths-ignore")]
            if patterns and left:
                yield f"{event}: {key}: not for {left[0]}"
        if event in _OF_CHANGES:
            branches, types = _as_list(filters.get("branches")), _as_list(filters.get("types"))
            if branches and not _MAIN.intersection(branches):
                yield f"{event}: branches: {', '.join(branches)[:80]}"
            if types and event != "merge_group" and not {"opened", "synchronize"} <= set(types):
                yield f"{event}: types: {', '.join(types)[:80]}"


def _is_taken(path: str, patterns: Sequence[str]) -> bool:
    taken = False
    for pattern in patterns:
        glob = re.escape(pattern.removeprefix("!")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
        if re.fullmatch(glob.replace(r"\*", "[^/]*").replace(r"\?", "."), path):
            taken = not pattern.startswith("!")
    return taken


def _list_rare(jobs: Mapping[Any, Any]) -> frozenset[str]:
    """List jobs with a condition, and those that wait for one: where it is skipped, so are they."""
    rare = {str(name) for name, job in jobs.items() if isinstance(job, dict) and "if" in job}
    rare = {name for name in rare if not _ALWAYS.search(str(jobs[name]["if"]))}
    for _ in range(len(jobs)):
        more = {
            str(name)
            for name, job in jobs.items()
            if isinstance(job, dict) and rare.intersection(_as_list(job.get("needs"))) and "if" not in job
        }
        if more <= rare:
            break
        rare |= more
    return frozenset(rare)


def _read_condition(part: Mapping[Any, Any]) -> str:
    """A condition that holds for no change."""
    said = str(part.get("if", ""))
    events = set(_EVENT.findall(said))
    return f"if: {said[:120]}" if events and not events & _EVENTS and "||" not in said else ""


def _read_matrix(job: Mapping[Any, Any]) -> str:
    strategy = job.get("strategy")
    matrix = strategy.get("matrix") if isinstance(strategy, dict) else None
    if isinstance(matrix, str):
        return f"matrix: {matrix[:80]}" if _NO_VALUES.search(matrix) else ""
    for key, values in matrix.items() if isinstance(matrix, dict) else ():
        if key not in {"include", "exclude"} and (values == [] or _NO_VALUES.search(str(values))):
            return f"matrix: {key} has no values"
    return ""


def _list_of_steps(job: Mapping[Any, Any], shell: str) -> Iterator[Flag]:
    shell = _read_shell(job) or shell
    steps = [step for step in _as_list(job.get("steps"), of=dict) if isinstance(step, dict)]
    for step in steps:
        run, own = step.get("run"), step.get("shell") or shell
        if (text := _read_condition(step)) or (text := _read_checkout(step)):
            yield text, step if "run" in step else job
        if not isinstance(run, str):
            continue
        if "{0}" in str(own) and not _STOPS.search(str(own)) and goes_on(run) and not ends_at_failure(run):
            yield f"shell: {own}", step
        # Named alone, bash is called with pipefail.
        for text in list_lost(run, pipefail=own == "bash" or "pipefail" in str(own)):
            yield text, step
        if (match := _RENAMED.search(run)) is not None and judges(match[1] or match[2]):
            yield f"{match[1] or match[2]} is another command", job
        if any(_OLD_CODE.search(line) for line in run.splitlines()):
            yield "the code of another commit is checked out", job


def _read_checkout(step: Mapping[Any, Any]) -> str:
    """A checkout of other code than the change, in its place."""
    options = step.get("with")
    if not re.search(r"(?:^|/)checkout@", str(step.get("uses", ""))) or not isinstance(options, dict):
        return ""
    for key in ("ref", "repository"):
        value = str(options.get(key) or "")
        if value and not options.get("path") and ("${{" not in value or re.search(r"\bbase\b|base_ref", value)):
            return f"checkout: {key}: {value[:80]}"
    return ""


def _read_shell(part: Any) -> str:
    run = part["defaults"].get("run") if isinstance(part.get("defaults"), dict) else None
    return str(run.get("shell") or "") if isinstance(run, dict) else ""


def _as_list(value: Any, of: type = str) -> list[Any]:
    found = value if isinstance(value, list) else [] if value is None else [value]
    return [item if of is not str else str(item) for item in found if isinstance(item, dict) == (of is dict)]
