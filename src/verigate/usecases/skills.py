"""Run a skill by itself: the five phases of an engine, without a task or a verdict."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from verigate.domain.engine import EngineSkill, ExecutionContext, ExecutionResult
from verigate.domain.engine_request import EngineRequest
from verigate.errors import ExecutionError, UsageError
from verigate.formats.near_names import suggest_nearest
from verigate.usecases.engines import drop_repository_paths, engine_services
from verigate.user_folders import UserFolders, is_inside
from verigate.verifier.engines import open_engine
from verigate.verifier.lifecycle.run_root import hold_run_root
from verigate.verifier.lifecycle.setup import ARTIFACTS, LOGS
from verigate.verifier.lifecycle.skill import SKILL_FILE, SkillManifest, find_own_skills, read_skill
from verigate.verifier.managed_engine import Watch
from verigate.verifier.record import sanitize_result


class SkillCall(Struct, frozen=True):
    """What a skill is run with. ``inputs`` and ``parameters`` are by name; an input file is its path.

    ``into`` is the folder that artifacts are copied to, None to leave them in the run folder.
    """

    skill: str
    engine: str
    prompt: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    timeout_s: float = 600.0
    into: Path | None = None


class SkillRun(Struct, frozen=True):
    """How a skill ran. ``logs`` is the folder with its prompt and its streams."""

    skill: str
    engine: str
    result: ExecutionResult
    logs: str
    copied: tuple[str, ...] = ()


def find_skill(name: str, environ: Mapping[str, str], root: Path | None) -> Path:
    """Find the skill ``name``: a path with a slash, else a folder in the user's folder of skills. Raises UsageError.

    A skill of the repository at ``root`` is refused: it may name packages, which would be installed and run with the
    user's rights.
    """
    where = None if root is None else str(root)
    if "/" in name or name in {".", ".."}:
        folder = Path(name).expanduser().resolve()
    else:
        own = {skill.name: skill for skill in find_own_skills(environ, where)}
        place = UserFolders(environ).config("skills")
        if name not in own:
            hint = suggest_nearest(name, list(own)) or "name a folder with a slash, as in ./name"
            raise UsageError(f"there is no skill {name!r}", where=place, hint=hint)
        folder = own[name]
    if where is not None and is_inside(str(folder), where):
        hint = "copy it to ~/.config/verigate/skills, and run it from there"
        raise UsageError("the skill lies in the repository, which must not choose what is run", where=name, hint=hint)
    if not (folder / SKILL_FILE).is_file():
        raise UsageError(f"there is no {SKILL_FILE}", where=str(folder), hint="name the folder of a skill")
    return folder


def read_input(skill: SkillManifest, name: str, text: str) -> Any:
    """Return the value of an input as it is given on a command line: a path, or JSON, or a text. Raises UsageError."""
    key = skill.input.get(name)
    if key is None:
        hint = suggest_nearest(name, list(skill.input)) or f"declared: {', '.join(sorted(skill.input)) or 'none'}"
        raise UsageError(f"the skill declares no input {name!r}", where="--input", hint=hint)
    return str(Path(text).expanduser().absolute()) if key.type == "file" else _read_value(key.type, text)


def read_parameter(skill: SkillManifest, name: str, text: str) -> Any:
    """Return the value of a parameter as it is given on a command line."""
    key = skill.parameter.get(name)
    return _read_value("string" if key is None else key.type, text)


def _read_value(kind: str, text: str) -> Any:
    import json

    if kind == "string":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text  # its type is refused where the key is checked, by name


def run_skill(
    call: SkillCall,
    folder: Path,
    *,
    root: Path | None,
    environ: Mapping[str, str],
    now: Callable[[], str],
    watch: Watch | None = None,
) -> SkillRun:
    """Run the skill in ``folder`` once. A failure is in the result, by name. Raises UsageError, ExecutionError.

    ``root`` is the repository that the caller stands in, if any: nothing in it is started.
    """
    skill = read_skill(folder)
    if call.into is not None:
        _check_target(call.into)
    if root is not None:
        environ = drop_repository_paths(environ, root)
    with hold_run_root(environ, None if root is None else str(root), f"skill {folder}") as run_root:
        services = engine_services(environ, root, run_root, now)
        overrides = {
            **call.options, "skill": str(folder), "inputs": dict(call.inputs), "parameters": dict(call.parameters),
        }  # fmt: skip
        engine = open_engine(call.engine, services, watch, overrides=overrides)
        if not engine.supports_skills:
            hint = "take one that has supportsSkills in gate adapters --json"
            raise UsageError(f"the engine {call.engine} runs no skills", where="--engine", hint=hint)
        request = EngineRequest(skill.id, "", call.prompt, skill.output, timeout_s=call.timeout_s)
        context = ExecutionContext(f"{skill.id}-1", {}, request.context())
        result = sanitize_result(asyncio.run(_execute(engine, context, call.timeout_s)))
        run_dir = Path(run_root) / engine.description.type
        copied = () if call.into is None or result.failed else _copy(result, run_dir / ARTIFACTS, call.into)
        return SkillRun(skill.id, engine.description.name, result, str(run_dir / LOGS), copied)


async def _execute(engine: Any, context: ExecutionContext, limit: float) -> ExecutionResult:
    try:
        async with asyncio.timeout(limit):
            found: ExecutionResult = await engine.execute(context)
            return found
    except TimeoutError:
        message, hint = "no answer came in time", "raise --timeout"
        return ExecutionResult(timed_out=True, error_code="timeout", error_message=message, error_hint=hint)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - an engine is anybody's code
        message = f"the engine ended with {type(problem).__name__}: {problem}"[:500]
        return ExecutionResult(
            error_code="engine_fault", error_message=message, error_hint="this is the engine's fault"
        )


def _check_target(into: Path) -> None:
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(
            "the folder isn't empty", where=f"--into {into}", hint="name a new one: nothing is overwritten"
        )


def _copy(result: ExecutionResult, folder: Path, into: Path) -> tuple[str, ...]:
    """Copy the artifacts; return their paths. Raises ExecutionError."""
    copied = []
    try:
        for artifact in result.artifacts:
            target = into / artifact.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / artifact.path, target, follow_symlinks=False)
            copied.append(str(target))
    except OSError as problem:
        raise ExecutionError(f"an artifact can't be copied: {problem.strerror}", where=str(into)) from problem
    return tuple(copied)


def list_skills(
    engine: str, *, root: Path | None, environ: Mapping[str, str], now: Callable[[], str] = str
) -> tuple[EngineSkill, ...]:
    """List the skills that an engine can run with the user's options. Raises UsageError."""
    if root is not None:
        environ = drop_repository_paths(environ, root)
    managed = open_engine(engine, engine_services(environ, root, "", now))
    return asyncio.run(managed.list_skills())
