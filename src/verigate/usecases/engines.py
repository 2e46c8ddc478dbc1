"""Find, configure, test and ask engines on this machine. Imported only if one is needed."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from verigate.domain.engine import (
    CheckLevel,
    Engine,
    EngineServices,
    EnvironmentCheck,
    EnvironmentTest,
    normalize_engine_type,
)
from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.domain.ports import Listener
from verigate.domain.verification import Problem
from verigate.errors import UsageError
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.environment import find_secret_values, is_secret_name
from verigate.processes.streams import Redactor
from verigate.user_folders import is_inside
from verigate.verifier.engine_options import read_options
from verigate.verifier.engines import create_from_offer, describe_engines, find_engine, find_engines, open_engine
from verigate.verifier.inquiry import Inquiry, ask, record_unasked
from verigate.verifier.lifecycle.layers import KeyOrigin, MergedConfig
from verigate.verifier.lifecycle.run_root import hold_run_root
from verigate.verifier.managed_engine import Watch
from verigate.verifier.plugins import PATH_VARIABLE
from verigate.verifier.policy import read_policy
from verigate.verifier.record import find_problem


def engine_services(
    environ: Mapping[str, str], root: Path | None, run_root: str, now: Callable[[], str]
) -> EngineServices:
    """Make the services of engines: the caller's environment, a folder for runs, and supervised processes.

    ``root`` is the repository, in which nothing configures an engine; None outside of any.
    """
    processes = EngineProcesses(sys.executable, Redactor(find_secret_values(environ)), now)
    return EngineServices(environ, processes, run_root, now, time.monotonic, None if root is None else str(root))


def drop_repository_paths(environ: Mapping[str, str], root: Path) -> dict[str, str]:
    """Drop relative folders, and those inside the repository, from the paths on which engines are found.

    An engine runs outside the sandbox with the user's credentials, and a verdict can depend on its answer. Whoever is
    judged can write a ``claude`` into the project's ``.venv/bin``.
    """
    found = dict(environ)
    for variable in ("PATH", PATH_VARIABLE):
        if variable in found:
            folders = (folder for folder in found[variable].split(os.pathsep) if folder.startswith("/"))
            kept = [folder for folder in folders if not is_inside(folder, str(root))]
            found[variable] = os.pathsep.join(kept)
    return found


def ask_engine(
    inquiry: Inquiry,
    *,
    root: Path,
    environ: Mapping[str, str],
    listener: Listener,
    now: Callable[[], str],
    watch: Watch | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Mapping[str, bytes]:
    """Ask the engine that the inquiry's policy names, and report progress. Returns the files of the record.

    ``watch`` gets the engine's run log; ``overrides`` are the engine's options for this run.
    """
    name, began = f"verifier {inquiry.policy.engine}", time.monotonic()
    environ = drop_repository_paths(environ, root)
    listener.started(name)
    with hold_run_root(environ, str(root), inquiry.task.id) as folder:
        try:
            engine_for = engine_services(environ, root, folder, now)
            engine = open_engine(
                inquiry.policy.engine, engine_for, watch, session=inquiry.policy.session, overrides=overrides
            )
            files = asyncio.run(ask(inquiry, engine, time.monotonic))
        except UsageError as problem:
            files = record_unasked(inquiry, Problem("unknown_engine", problem.message, problem.hint))
        except SystemExit as problem:  # in a task of the engine's own, which ends the whole loop
            message = f"the engine ended with SystemExit: {problem}"
            files = record_unasked(inquiry, Problem("engine_fault", message, "this is the engine's fault"))
    why = find_problem(files)
    failure = None if why is None else Failure(why.code, why.message, why.hint)
    outcome = Outcome(exit_code=0, duration_s=time.monotonic() - began)
    listener.finished(CapabilityRun(name, required=False, outcome=outcome, failure=failure))
    return files


def list_engines(environ: Mapping[str, str], root: Path) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """List the engines for display, with warnings about plugins. Starts nothing."""
    return describe_engines(engine_services(environ, root, "", str))


def list_engine_types(environ: Mapping[str, str], root: Path) -> tuple[str, ...]:
    """List the types of all engines."""
    return tuple(find_engines(environ, str(root)).by_type)


def run_environment_test(
    name: str, root: Path, environ: Mapping[str, str], now: Callable[[], str], model: str | None = None
) -> EnvironmentTest:
    """Run the environment test of an engine with the user's options. Raises UsageError for an unknown engine."""
    environ = drop_repository_paths(environ, root)
    with tempfile.TemporaryDirectory(prefix="verigate-doctor-") as folder:
        engine = open_engine(name, engine_services(environ, root, folder, now))
        try:
            checks = asyncio.run(engine.test_environment({} if model is None else {"model": model}))
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - an engine is anybody's code
            message, hint = f"its test ended with {type(problem).__name__}: {problem}", "this is the engine's fault"
            checks = (EnvironmentCheck("engine_fault", CheckLevel.ERROR, message[:500], hint=hint),)
    return EnvironmentTest(engine.description.type, checks, now())


def run_environment_tests(
    rules: Iterable[Mapping[str, Any]], root: Path, environ: Mapping[str, str], now: Callable[[], str]
) -> list[EnvironmentTest]:
    """Run the environment test of each engine and model that these profiles name. An unknown engine fails its test."""
    policies = filter(None, map(read_policy, rules))
    wanted = sorted({(normalize_engine_type(policy.engine), policy.model or "") for policy in policies})
    found = []
    for name, model in wanted:
        try:
            found.append(run_environment_test(name, root, environ, now, model or None))
        except UsageError as problem:
            check = EnvironmentCheck("unknown_engine", CheckLevel.ERROR, problem.message, problem.where, problem.hint)
            found.append(EnvironmentTest(name, (check,), now()))
    return found


def explain_configurations(environ: Mapping[str, str], root: Path, name: str | None) -> list[dict[str, Any]]:
    """Explain the configuration of an engine, or of each that has one: every key with its layer.

    Values of keys that look like secrets are left out. Raises UsageError for an unknown engine.
    """
    services = engine_services(environ, root, "", str)
    known = read_options(environ, str(root))
    if name is not None:
        chosen: list[Engine] = [find_engine(name, services)]
    else:
        chosen = [create_from_offer(used, services) for used, *_ in find_engines(environ, str(root)).by_type.values()]
    found = []
    for engine in chosen:
        explain = getattr(engine, "explain_config", None)
        if explain is None:
            continue
        merged: MergedConfig = explain(known.get(engine.description.type, {}))
        keys = [{**msgspec.to_builtins(origin), "value": _show_value(origin)} for origin in merged.origins]
        found.append({"engine": engine.description.name, "file": engine.config_path, "keys": keys})  # type: ignore[attr-defined]
    if name is not None and not found:
        raise UsageError(
            f"the engine {name} has no configuration file", hint="gate config, without a name, lists those that do"
        )
    return found


def _show_value(origin: KeyOrigin) -> Any:
    return "[redacted]" if any(is_secret_name(part) for part in origin.pointer.split("/")) else origin.value
