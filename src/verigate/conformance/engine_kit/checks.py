"""The checks of an engine. Each asks one thing and returns findings; an exception of the engine is one, too."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.conformance.engine_kit.bench import CANARY, CANARY_VARIABLE, EngineBench
from verigate.conformance.engine_kit.broken_server import serve_broken
from verigate.conformance.engine_kit.replies import list_broken_outputs, list_broken_replies
from verigate.domain.conformance import ConformanceFinding
from verigate.domain.engine import (
    CheckLevel,
    EngineDescription,
    EngineSkill,
    EnvironmentCheck,
    ExecutionResult,
    Runtime,
    read_capabilities,
)
from verigate.processes.environment import find_secret_values
from verigate.verifier.answers import UnreadableAnswerError, read_answers
from verigate.verifier.session_file import PlainCodec

_CODE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_CANCELLED_S = 10.0
_OVER_S = 8.0
_MAX_FILE = 64 * 1024 * 1024
UNKNOWN = "00000000-dead-4bad-8bad-000000000000"

Findings = tuple[ConformanceFinding, ...]


class NotAskedError(Exception):
    """The check doesn't apply to this engine; the message says why."""


class NotRunError(Exception):
    """The check can't be run; the message says why."""


def _find(code: str, message: str, fix: str) -> ConformanceFinding:
    return ConformanceFinding(code, message, fix, "engine")


async def check_description(bench: EngineBench) -> Findings:
    """It describes itself: type, label, and a document that says when to use it."""
    said: Any = bench.make().description
    found = []
    if not isinstance(said, EngineDescription):
        return (_find("description", "its description is no EngineDescription", "return an EngineDescription"),)
    if said.type != bench.subject.type:
        found.append(_find("type", f"it calls itself {said.type!r}", f"return the type {bench.subject.type!r}"))
    if not said.label.strip():
        found.append(_find("label", "it has no label", "give it a name for people"))
    if "use when" not in said.agent_configuration_doc.lower():
        fix = "write 'Use when:' and 'Don't use when:' into agentConfigurationDoc"
        found.append(_find("document", "its document doesn't say when to use it", fix))
    return tuple(found)


async def check_environment(bench: EngineBench) -> Findings:
    """Its environment test reports structured checks, and no error."""
    checks: Any = await asyncio.wait_for(bench.make().test_environment(dict(bench.subject.options)), 120)
    if not isinstance(checks, tuple | list) or not all(isinstance(check, EnvironmentCheck) for check in checks):
        return (_find("environment", "its environment test returns no checks", "return a tuple of EnvironmentCheck"),)
    found = [
        _find("environment_code", f"{check.code!r} is no code", "name it in snake_case, as in missing_key")
        for check in checks
        if not _CODE.fullmatch(check.code)
    ]
    for check in checks:
        if check.level is CheckLevel.ERROR:
            message = f"{check.code}: {check.message}"
            found.append(_find("environment_error", message, check.hint or "fix it, then check again"))
            if not check.hint:
                found.append(_find("environment_hint", f"{check.code} has no hint", "say what to try"))
    return tuple(found)


async def check_bad_option(bench: EngineBench) -> Findings:
    """An option that it doesn't know is refused by name: a misspelled one must not be silence."""
    wrong = {"no_such_option_of_anybody": 1}
    checks = await bench.make().test_environment({**bench.subject.options, **wrong})
    if any(check.level is CheckLevel.ERROR for check in checks):
        return ()
    return (_find("unknown_option", "an unknown option is taken without a word", "refuse it in the environment test"),)


async def check_execute(bench: EngineBench) -> Findings:
    """It answers the gate's question with the agreed document, and reports what it used."""
    engine = bench.make()
    result, heard = await bench.execute(engine)
    bench.good_output = bench.processes.printed
    if not isinstance(result, ExecutionResult):
        return (_find("result", "it returns no ExecutionResult", "return an ExecutionResult"),)
    if result.failed:
        reported = f"{result.error_code}: {result.error_message}"
        return (_find("execute_failed", reported, result.error_hint or "see its log with gate verify --watch"),)
    found = [*_check_answer(bench, result), *_check_reports(engine, result)]
    if not heard.log:
        found.append(_find("no_log", "it reports nothing to on_log", "pass on its output, a line at a time"))
    return tuple(found)


def _check_answer(bench: EngineBench, result: ExecutionResult) -> Iterator[ConformanceFinding]:
    try:
        answers = read_answers(result, bench.build_prompt().mark)
    except UnreadableAnswerError as problem:
        fix = "return the document in result_json, or as the whole of output"
        yield _find("unreadable_answer", f"its answer can't be read: {problem}", fix)
        return
    if [answer.question for answer in answers] != ["q1"]:
        yield _find("unanswered", "its answer has no word about the question q1", "answer each question once")


def _check_reports(engine: Any, result: ExecutionResult) -> Iterator[ConformanceFinding]:
    """Whether the result holds what the engine's flags promise."""
    flags = read_capabilities(engine)
    if flags.cost_reporting and result.cost_usd is None:
        yield _find("cost", "it declares cost_reporting and reports no costUsd", "report it, or drop the flag")
    if flags.session_resume and result.session_params is None:
        yield _find("session", "it declares session_resume and returns no sessionParams", "return them, or drop it")
    if result.usage is not None and min(result.usage.input_tokens, result.usage.output_tokens) < 0:
        yield _find("usage", "it reports fewer than no tokens", "report counts, or None")


async def check_time(bench: EngineBench) -> Findings:
    """It keeps the time of the request, and has failed when that is over."""
    result, heard = await bench.execute(bench.make(), timeout_s=1.0)
    found = []
    if heard.took_s > 1.0 + _OVER_S:
        message = f"a request for 1 s took {heard.took_s:.1f} s"
        found.append(_find("late", message, "end the call at timeoutS, with all that it started"))
    if result.timed_out and not result.failed:
        found.append(_find("timeout", "it timed out and hasn't failed", "return timedOut with an error_code"))
    return tuple(found)


async def check_cancel(bench: EngineBench) -> Findings:
    """A call that is cancelled ends at once, and nothing that it started goes on."""
    task = asyncio.create_task(bench.execute(bench.make(), hold=True))
    await _await_start(bench, task)
    if task.done():
        task.exception()
        raise NotRunError("it had answered before it could be cancelled")
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=_CANCELLED_S)
    fix = "let CancelledError through"
    if not done:
        return (
            _find(
                "cancel", f"it goes on for {_CANCELLED_S:.0f} s after it was cancelled", "let CancelledError through"
            ),
        )
    if not task.cancelled():
        task.exception()
        return (_find("cancel", "it swallows the cancellation", fix),)
    return _check_processes(bench)


async def _await_start(bench: EngineBench, task: asyncio.Task[Any]) -> None:
    """Wait until the engine has started something or says something, at most two seconds."""
    before = len(bench.processes.started)
    for _ in range(100):
        await asyncio.sleep(0.02)
        if task.done() or len(bench.processes.started) > before or bench.heard[-1].log:
            break
    await asyncio.sleep(0.1)


async def check_resume(bench: EngineBench) -> Findings:
    """A session of an earlier call is continued, through its codec."""
    engine = bench.make()
    if not read_capabilities(engine).session_resume:
        raise NotAskedError("it doesn't declare session_resume")
    first, _ = await bench.execute(engine)
    codec = getattr(engine, "session_codec", None) or PlainCodec()
    if first.failed or first.session_params is None:
        raise NotRunError("the first call has no session to resume")
    stored = codec.serialize(first.session_params)
    params = None if stored is None else codec.deserialize(stored)
    if params is None:
        return (_find("codec", "its codec doesn't read what it wrote", "let deserialize take what serialize returns"),)
    found = []
    if codec.deserialize({"sessionId": "--flag"}) is not None or codec.deserialize("x" * 10_000) is not None:
        found.append(_find("codec", "its codec takes anything", "validate what is stored: it may be anybody's"))
    label = codec.display_id(params)
    if not isinstance(label, str) or not label:
        found.append(_find("label_of_session", "its sessions have no name for people", "return one from display_id"))
    session = params.get("sessionId")
    runtime = Runtime(session if isinstance(session, str) else None, dict(params))
    second, _ = await bench.execute(engine, runtime=runtime)
    if second.failed:
        message = f"a resumed call failed: {second.error_code}: {second.error_message}"
        found.append(_find("resume_failed", message, "continue the session in runtime.sessionParams"))
    return tuple(found)


async def check_unknown_session(bench: EngineBench) -> Findings:
    """A session that nobody knows is an error, or a fresh start; never an answer of that session."""
    engine = bench.make()
    if not read_capabilities(engine).session_resume:
        raise NotAskedError("it doesn't declare session_resume")
    result, _ = await bench.execute(engine, runtime=Runtime(UNKNOWN, {"sessionId": UNKNOWN}))
    if result.failed:
        if result.clear_session or result.error_code == "unknown_session":
            return ()
        message = f"it fails with {result.error_code} and doesn't drop the session"
        return (_find("unknown_session", message, "return clearSession, or the code unknown_session"),)
    if result.session_id == UNKNOWN:
        message = "it answers as if it knew a session that nobody has"
        return (_find("unknown_session", message, "fail with unknown_session, or start a session of its own"),)
    return ()


async def check_malformed(bench: EngineBench) -> Findings:
    """What isn't an answer is none, whatever is printed or replied; and nothing makes it raise."""
    if bench.subject.is_http:
        return await _check_replies(bench)
    before = len(bench.processes.started)
    found: list[ConformanceFinding] = []
    for name, broken in list_broken_outputs(bench.good_output, bench.build_prompt().mark).items():
        bench.processes.instead = broken
        try:
            found += await _check_broken(bench, name)
        finally:
            bench.processes.instead = None
    if len(bench.processes.started) == before:
        raise NotAskedError("it starts no program through its services, and has no base_url")
    return tuple(found)


async def _check_replies(bench: EngineBench) -> Findings:
    found: list[ConformanceFinding] = []
    with serve_broken() as server:
        for name, reply in list_broken_replies().items():
            server.reply = reply
            found += await _check_broken(bench, name, {"base_url": server.url, "model": "m", "key_from": None})
        if not server.asked:
            found.append(_find("base_url", "it doesn't ask the server in base_url", "send requests to base_url"))
    return tuple(found)


async def _check_broken(bench: EngineBench, name: str, config: Mapping[str, Any] | None = None) -> Findings:
    fix = "return a result with an error_code, or without a readable answer"
    try:
        result, _ = await bench.execute(bench.make(), config=config, timeout_s=20.0, real=False)
    except Exception as problem:  # noqa: BLE001 - an engine is anybody's code
        return (_find("malformed_raises", f"{name}: it raises {type(problem).__name__}: {problem}"[:400], fix),)
    if result.failed:
        if result.error_code is None and result.error_message is None:
            return (_find("malformed_unnamed", f"{name}: its failure has no name", "set error_code"),)
        return ()
    try:
        read_answers(result, bench.build_prompt().mark)
    except UnreadableAnswerError:
        return ()
    return (_find("malformed_taken", f"{name}: it is taken for an answer", fix),)


async def check_secrets(bench: EngineBench) -> Findings:
    """No secret of the environment is in its log, its result, or a file that it leaves."""
    declared = {name: f"{CANARY}-{number}" for number, name in enumerate(_list_credentials(bench))}
    bench.processes.shows_environment = True
    more = {name: value for name, value in declared.items() if name not in bench.environ}
    try:
        with contextlib.suppress(Exception):  # whether it raises is asked elsewhere
            await bench.execute(bench.make(more), timeout_s=20.0, real=bench.subject.is_http)
    finally:
        bench.processes.shows_environment = False
    secrets = {*find_secret_values(bench.environ), CANARY}
    found = []
    for place, text in _list_texts(bench):
        if any(secret in text for secret in secrets):
            found.append(_find("secret", f"a secret of the environment is in {place}", "redact what is logged"))
        elif f"{CANARY_VARIABLE}=" in text:
            message = f"{CANARY_VARIABLE}, which it didn't ask for, reaches its program: it is in {place}"
            found.append(_find("undeclared_variable", message, "pass on common and declared variables alone"))
    return tuple(found)


def _list_credentials(bench: EngineBench) -> Iterable[str]:
    program = getattr(bench.make(), "program", None)
    return [name for name in getattr(program, "credentials", ()) if not name.startswith("~")]


def _list_texts(bench: EngineBench) -> Iterator[tuple[str, str]]:
    """List what the engine reported and left, by place."""
    for heard in bench.heard:
        yield "its log", "".join(heard.log)
        yield "what it reports of an invocation", repr(heard.meta)
    for result in bench.results:
        yield "a result", repr(result)
    for path in sorted(bench.run_root.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _MAX_FILE:
            yield f"the file {path.relative_to(bench.run_root)}", path.read_bytes().decode("utf-8", "replace")


async def check_skills(bench: EngineBench) -> Findings:
    """It lists its skills, and brings them up to date twice in a row."""
    engine = bench.make()
    lists, syncs = (getattr(engine, name, None) for name in ("list_skills", "sync_skills"))
    if not callable(lists) and not callable(syncs):
        raise NotAskedError("it has neither list_skills nor sync_skills")
    options = dict(bench.subject.options)
    if callable(syncs):
        await syncs(options)
        await syncs(options)
    if not callable(lists):
        return ()
    skills = tuple(await lists(options))
    if all(isinstance(skill, EngineSkill) and skill.id and skill.delivery for skill in skills):
        return ()
    return (_find("skills", "list_skills returns what is no EngineSkill", "return EngineSkills with id and delivery"),)


async def check_cleanup(bench: EngineBench) -> Findings:
    """Nothing that it started goes on, and it left nothing outside of its run folder."""
    found = list(_check_processes(bench))
    left = sorted(path.name for path in bench.folder.iterdir() if path.name not in bench.own_names)
    if left:
        message = f"it left {', '.join(left)[:200]} next to its run folders"
        found.append(_find("left_behind", message, "write below services.run_root alone"))
    program = getattr(bench.make(), "program", None)
    if getattr(program, "trust", None) is not None:
        found += _check_trust(bench, program)
    return tuple(found)


def _check_trust(bench: EngineBench, program: Any) -> Iterator[ConformanceFinding]:
    from verigate.verifier.lifecycle.trust import TrustRegister

    path = TrustRegister(program.trust, bench.environ).path
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return
    if str(bench.run_root) in text:
        yield _find("trust", f"a run folder is still trusted in {path}", "take the entry out when the run ends")


def _check_processes(bench: EngineBench) -> Findings:
    """Find processes that work in the run folders, or have its canary: they outlived their call."""
    alive = [pid for pid in _list_processes() if _is_of(bench, pid)]
    if not alive:
        return ()
    message = f"{len(alive)} processes that it started go on"
    return (_find("processes", message, "start them by services.processes, and let that end them"),)


def _list_processes() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid())  # noqa: PTH208 - names


def _is_of(bench: EngineBench, pid: int) -> bool:
    try:
        if Path(os.readlink(f"/proc/{pid}/cwd")).is_relative_to(bench.folder):  # noqa: PTH115 - may be "(deleted)"
            return True
        return f"TMPDIR={bench.temporary}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


CHECKS = (
    ("description", check_description),
    ("environment", check_environment),
    ("bad_option", check_bad_option),
    ("execute", check_execute),
    ("time", check_time),
    ("cancel", check_cancel),
    ("resume", check_resume),
    ("unknown_session", check_unknown_session),
    ("malformed", check_malformed),
    ("skills", check_skills),
    ("secrets", check_secrets),
    ("cleanup", check_cleanup),
)
"""Checks in their order: name and function. The last two look at what all others have left."""
