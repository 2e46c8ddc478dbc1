"""Run ``gate verify`` and report its verdict, without click."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verigate.cli.target import Target, find_repository
from verigate.config.which_task import TaskChoice
from verigate.domain.task_folder import CURRENT_FILE

if TYPE_CHECKING:
    from verigate.cli.reports import Destination
    from verigate.cli.run_trace import RunTrace
    from verigate.domain.review import Reviews
    from verigate.domain.weakening import Stage
    from verigate.usecases.verify import Verified

_MOST_REVIEWS = 4 * 1024 * 1024


def run_verify(
    task_id: str | None,
    *,
    staged: bool = False,
    ref: str | None = None,
    base: str | None = None,
    profile: str | None = None,
    policy_ref: str | None = None,
    span: str | None = None,
    stage: str | None = None,
    pull_request: Path | None = None,
    reviews: Path | None = None,
    message: Path | None = None,
    message_follows: bool = False,
    only: tuple[str, ...] = (),
    formats: tuple[str, ...] = (),
    as_json: bool = False,
    output: Path | None = None,
    no_llm: bool = False,
    watch: bool = False,
    engine_set: tuple[str, ...] = (),
    no_cache: bool = False,
    touched: bool = False,
    affected: bool = False,
    profile_run: Path | None = None,
    unverified: bool = False,
    shard: str | None = None,
    tasks: Path | None = None,
    all_tasks: bool = False,
    executor: str | None = None,
    verbose: bool = False,
    advisory: bool = False,
    quiet: bool = False,
    of_others: bool = False,
    find_lack: Callable[[], str] | None = None,
) -> int:
    """Verify a task, report, and return the exit code; the parameters are the options in ``options.VERIFY``.

    ``of_others``: what git joins or picks is judged as no task's, unless GATE_TASK_ID names one. With ``find_lack``
    weakenings are left to the message unless it returns why they can't be. Raises GateError if there is no verdict.
    """
    named_stage, text = _parse_stage(stage), _read_text(pull_request, "--pull-request")
    executor = _take_remote_executor(executor)
    if span is not None or tasks is not None or all_tasks or unverified or shard or executor:
        excluded = {
            "TASK_ID": task_id,
            "--staged": staged,
            "--only": only,
            "--format": formats,
            "--message": message,
            "--pull-request": text,
            "--reviews": reviews,
            "--engine-set": engine_set,
            "--profile-run": profile_run,
            "--affected": affected,
        }
        from verigate.cli.verify_several import Several, verify_several
        from verigate.domain.verification_job import JobSettings

        return verify_several(
            Several(span, tasks, all_tasks, unverified, shard, executor),
            JobSettings(profile, policy_ref, stage, not no_cache, not no_llm, touched),
            ref=ref,
            base=base,
            output=output,
            excluded=excluded,
            as_json=as_json,
            verbose=verbose,
            advisory=advisory,
            quiet=quiet,
        )
    approving = None if reviews is None else _read_reviews(reviews)
    overrides = _parse_engine_options(engine_set)
    trace = _start_trace(profile_run)
    target = Target(find_repository(), task_id, staged, ref, base, profile, policy_ref)
    said = None if message is None else read_draft(message, target.root)
    follows = (message_follows or find_lack is not None) and not only
    choice = TaskChoice(None, "implicit") if of_others and "GATE_TASK_ID" not in os.environ else target.choice()
    task_id = choice.task_id
    _warn_of(choice)
    commitment = target.read_commitment(task_id)
    # git takes as long as loading the rest: start it first.
    from verigate.domain.policy_source import PolicyWanted
    from verigate.execution.prefetch import WantedSubject, prefetch

    code: int | None = None
    try:
        policy = PolicyWanted(target.policy, sets_base=True)
        wanted = WantedSubject(target.kind, target.ref, target.likely_base(commitment), policy)
        with prefetch(target.root, wanted, os.environ, None if no_cache else target.open_records) as ahead:
            from verigate import composition
            from verigate.cli.output import say_entry
            from verigate.cli.progress import progress
            from verigate.cli.reports import clear, destinations
            from verigate.usecases.verify import verify

            reports = destinations(formats, as_json=as_json, output=output)
            clear(reports)
            with progress(quiet=quiet, root=target.root) as listener:
                services = composition.services(
                    target.root,
                    listener=listener,
                    ahead=ahead,
                    watch=say_entry if watch else None,
                    engine_options=overrides,
                )
                request = target.request(
                    task_id,
                    only=only,
                    use_cache=not no_cache,
                    llm=not no_llm,
                    commitment=commitment,
                    notes=choice.left_aside,
                    touched=touched,
                    affected=affected,
                    stage=named_stage,
                    pull_request=text,
                    reviews=approving,
                    message=said,
                    message_follows=follows,
                )
                verified = verify(request, services if trace is None else trace.watch(services))
            _end_run(trace)
            _remember(target, verified, in_part=bool(only) or affected)
            if follows:
                from verigate.cli.left_to_message import leave_to_message

                code = leave_to_message(verified, choice.folder_name, target.root, find_lack)
            if code is None:
                code = _report(verified, reports, advisory=advisory, verbose=verbose)
                _say_more(target, choice, verified, named_stage, verbose=verbose)
            elif asked := [item for item in reports if item.file is not None or item.format != "text"]:
                _report(verified, asked, advisory=advisory, verbose=verbose)
        _write_trace(trace, profile_run)
    except KeyboardInterrupt:
        # The verdict is out. Only the run's private folder is left, which the next run removes.
        if code is None:
            raise
    return code


def _take_remote_executor(executor: str | None) -> str | None:
    """Have workers of a server execute capabilities, if that is asked for; return what is to execute verifications."""
    if executor is None or not executor.startswith(("grpc://", "grpcs://")):
        return executor
    from verigate.domain.remote_server import EXECUTOR_VARIABLE, parse_address

    # Other processes of this command find it here too.
    os.environ[EXECUTOR_VARIABLE] = str(parse_address(executor, "--executor"))
    return None


def _start_trace(path: Path | None) -> RunTrace | None:
    """Begin to record the run, if that is asked for. Raises UsageError if there is no folder for the file."""
    if path is None:
        return None
    from verigate.cli.run_trace import RunTrace

    if not path.absolute().parent.is_dir():
        from verigate.errors import UsageError

        raise UsageError(f"there is no folder {path.parent}", where="--profile-run", hint="make it first")
    return RunTrace()


def _end_run(trace: RunTrace | None) -> None:
    """What follows is the report."""
    if trace is not None:
        trace.begin("report")


def _write_trace(trace: RunTrace | None, path: Path | None) -> None:
    """Write the record of the run; that it can't be written changes no verdict."""
    if trace is None or path is None:
        return
    try:
        trace.write(path)
    except OSError as problem:
        from verigate.cli.output import warn

        warn((f"{path} can't be written: {problem.strerror}",))


def _warn_of(choice: TaskChoice) -> None:
    """Say what speaks against the task that was chosen."""
    if choice.objection:
        from verigate.cli.output import warn

        warn((choice.objection,))


def _remember(target: Target, verified: Verified, *, in_part: bool) -> None:
    """Remember the commit that git will make of an index, if that is one that passed by the profile of its type.

    ``in_part``: not all that the profile asks for ran.
    """
    if not target.staged or target.profile is not None or in_part or verified.landing is None:
        return
    if verified.verdict is not None and verified.verdict.status.exit_code == 0:
        from verigate.cli.verified_commits import remember_index

        remember_index(target.root, verified.landing, verified.merged)


def _say_more(target: Target, choice: TaskChoice, verified: Verified, stage: str | None, *, verbose: bool) -> None:
    if verbose and verified.logs:
        from verigate.cli.printed_logs import say_logs

        say_logs(verified.logs)
    _hint_at_new_work(target, choice, verified)
    if stage is None:
        _hint_at_other_subjects(target, verified)
    if stage == "push":
        _report_push(target, verified)


def _hint_at_other_subjects(target: Target, verified: Verified) -> None:
    """Say what else can be verified, to a person whose working tree or index has nothing to verify."""
    if verified.verdict is not None or target.ref is not None:
        return
    from verigate.cli.output import say

    if target.staged:
        say(
            "hint: nothing is staged: use `git add`, or verify the working tree without --staged",
            err=True,
        )
    else:
        say("hint: `gate verify --ref HEAD` verifies the last commit, `--range BASE..HEAD` several", err=True)


def _hint_at_new_work(target: Target, choice: TaskChoice, verified: Verified) -> None:
    """Say so if the task that is current had passed and been committed before this work."""
    failed = verified.verdict is not None and verified.verdict.status.exit_code != 0
    if not failed or target.ref is not None or choice.task_id is None or choice.origin != CURRENT_FILE:
        return
    from verigate.cli.committed_task import describe_committed
    from verigate.cli.output import say

    if hint := describe_committed(target.root, choice.task_id):
        say(f"hint: {hint}", err=True)


def _report_push(target: Target, verified: Verified) -> None:
    """Say which commits were never verified by themselves, where the ends of a push are named."""
    if target.ref is not None and target.base is not None:
        from verigate.cli.verified_commits import report_push

        report_push(target.root, target.base, target.ref, verified)


def _parse_engine_options(words: tuple[str, ...]) -> dict[str, Any]:
    """Parse the options of the engine for this run. Raises UsageError."""
    if not words:
        return {}
    from verigate.verifier.overrides import parse_overrides

    return parse_overrides(words)


def _parse_stage(word: str | None) -> Stage | None:
    """Return the stage of this name. Raises UsageError for another word."""
    if word is None:
        return None
    from verigate.domain.weakening import Stage
    from verigate.errors import UsageError
    from verigate.formats.near_names import suggest_name

    if word not in set(Stage):
        raise UsageError(f"there is no stage {word!r}", where="--stage", hint=suggest_name(word, tuple(Stage)))
    return Stage(word)


def read_draft(message: Path, root: Path) -> str:
    """Read the message of a commit that is being made, as git will store it. Raises UsageError."""
    from verigate.integrations.git.commit_message import read_said_message

    return read_said_message(message, root, os.environ)


def _read_text(file: Path | None, option: str) -> str | None:
    """Read a text of people. Raises UsageError for a file that can't be read."""
    if file is None:
        return None
    from verigate.errors import UsageError
    from verigate.statements.disclosures import MAX_TEXT

    try:
        with file.open("rb") as stream:
            return stream.read(4 * MAX_TEXT).decode("utf-8", "replace")
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=f"{option} {file}") from None


def _read_reviews(file: Path) -> Reviews | None:
    """Read reviews; None for an empty file, of a job without a pull request. Raises UsageError."""
    import msgspec

    from verigate.domain.review import REVIEWS_SCHEMA, Reviews
    from verigate.errors import UsageError

    where, hint = f"--reviews {file}", "write it with `gate-ci reviews`"
    try:
        with file.open("rb") as stream:
            content = stream.read(_MOST_REVIEWS)
        found = msgspec.json.decode(content, type=Reviews) if content.strip() else None
    except OSError as problem:
        raise UsageError(f"it can't be read: {problem.strerror}", where=where) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise UsageError(f"it has no reviews: {problem}", where=where, hint=hint) from None
    if found is not None and found.schema != REVIEWS_SCHEMA:
        raise UsageError(f"it is no {REVIEWS_SCHEMA}", where=where, hint=hint)
    return found


def _report(verified: Verified, reports: Sequence[Destination], *, advisory: bool, verbose: bool) -> int:
    """Write the reports; return the exit code."""
    from verigate.cli.output import say, warn
    from verigate.cli.reports import deliver, deliver_nothing, needs_texts, published_texts
    from verigate.reporting.report import ADVISORY, Report

    warn(verified.warnings)
    if verified.verdict is None:
        why = "nothing to verify: the subject does not differ from its base"
        if advisory:
            why = f"{why} ({ADVISORY})"
        say(why, err=True)
        deliver_nothing(why, reports)
        return 0
    texts = published_texts(verified.folder) if verified.folder is not None and needs_texts(reports) else {}
    report = Report(verified.verdict, verified.runs, texts, verified.warnings, advisory, verified.baseline)
    deliver(report, reports, verbose=verbose)
    return 0 if advisory else verified.verdict.status.exit_code
