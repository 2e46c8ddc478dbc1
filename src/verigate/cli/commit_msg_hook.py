"""Answer git's hook commit-msg: name the task in the message, and judge the commit's weakenings by what it says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.cli.output import say, warn
from verigate.cli.target import Target, find_repository
from verigate.errors import UsageError
from verigate.formats.visible import format_path

if TYPE_CHECKING:
    from verigate.integrations.git.landing import Landing
    from verigate.usecases.judge_message import MessageJudged
    from verigate.usecases.judged_indexes import IndexKey


_OF_TASK = re.compile(r"^Gate-Task:[ \t]*\S", re.MULTILINE)


def answer_commit_msg(arguments: tuple[str, ...], *, advisory: bool) -> int:
    """Name the task and judge the message; return the exit code, 0 if ``advisory``. Raises GateError."""
    if len(arguments) != 1:
        raise UsageError(
            f"commit-msg takes one file, not {len(arguments)}",
            where="git-hook commit-msg",
            hint="pass on the argument that git gave: the file with the message",
        )
    from verigate.integrations.git.landing import read_landing
    from verigate.integrations.git.operations import find_operation

    root, file = find_repository(), Path(arguments[0]).absolute()
    has_task = _name_task(root, file)
    landing = read_landing(root, os.environ)
    # Of a commit that is replayed or joined nobody knows the task.
    in_operation = find_operation(root, os.environ) not in {None, "revert"}
    code = _judge(root, file, landing, in_operation=in_operation, advisory=advisory)
    if code == 0 and not has_task and not in_operation:
        code = _judge_statements(root, file, landing)
    return 0 if advisory else code


def _name_task(root: Path, file: Path) -> bool:
    """Add the Gate-Task trailer of the task that was verified, if any. The trailer of HEAD is another commit's."""
    from verigate.config.task_history import TaskHistory
    from verigate.config.which_task import choose_task

    choice = choose_task(None, os.environ, root, TaskHistory(root, os.environ, staged=True, trailers=False))
    if choice.task_id is not None:
        from verigate.integrations.git.commit_message import add_trailer

        add_trailer(file, choice.task_id, root, os.environ)
    return choice.task_id is not None


def _judge_statements(root: Path, file: Path, landing: Landing) -> int:
    """Report what the message says that the commit doesn't do; stop where statements are required."""
    if len(landing.parents) > 1 or (landing.amends and not landing.parents):
        return 0
    from verigate.cli.run_verify import read_draft
    from verigate.composition import services
    from verigate.reporting.commit_message import render_refuted_message
    from verigate.usecases.judge_draft import judge_message_draft

    message = read_draft(file, root)
    if _OF_TASK.search(message) is not None:
        return 0  # whose claim says what was done
    judged = judge_message_draft(message, next(iter(landing.parents), None), services(root))
    if judged.entry.error:
        warn((f"the message can't be judged: {judged.entry.error}",))
    if not judged.refuted:
        return 0
    again = _edit_again(file, amends=landing.amends) if judged.decides else ""
    say(render_refuted_message(judged.refuted, again), err=True)
    return 1 if judged.decides else 0


def _judge(root: Path, file: Path, landing: Landing, *, in_operation: bool, advisory: bool) -> int:
    from verigate.composition.judged_indexes import open_judged_indexes

    indexes, key = open_judged_indexes(root, os.environ), _make_key(root, landing, in_operation=in_operation)
    left = indexes.is_left_to_message(key) if indexes is not None else None
    if left is False:
        return 0
    if left and not landing.amends:
        return _decide_again(file, advisory=advisory)
    judged = _compare(root, file, landing, in_operation=in_operation)
    warn(judged.warnings)
    if judged.exit_code == 0 and indexes is not None and (judged.verdict is None or not judged.verdict.weakenings):
        # Whatever the next message says.
        indexes.keep(key, left_to_message=False)
    if judged.verdict is None:
        return judged.exit_code
    from verigate.reporting.commit_message import render_accounted, render_refused

    if judged.exit_code:
        if landing.keeps_tree:
            say("verigate: the files are those of HEAD, so its own change is judged by this message", err=True)
        again = _edit_again(file, amends=landing.amends)
        say(render_refused(judged.verdict, again, judged.places), err=True)
    elif text := render_accounted(judged.verdict):
        say(text, err=True)
    return judged.exit_code


def _make_key(root: Path, landing: Landing, *, in_operation: bool) -> IndexKey:
    from verigate.domain.task import IMPLICIT_TASK_ID
    from verigate.usecases.judged_indexes import IndexKey

    folder_name = IMPLICIT_TASK_ID if in_operation else Target(root, None, staged=True).choice().folder_name
    return IndexKey(str(root), landing.tree, landing.parents, folder_name)


def _decide_again(file: Path, *, advisory: bool) -> int:
    """Decide on the run of pre-commit again, with the message, and publish that."""
    from verigate.cli.run_verify import run_verify

    code = run_verify(None, staged=True, touched=True, message=file, advisory=advisory, quiet=True)
    if code:
        say(f"verigate: not committed; the message is kept: {_edit_again(file)}", err=True)
    return code


def _compare(root: Path, file: Path, landing: Landing, *, in_operation: bool) -> MessageJudged:
    """Compare what pre-commit didn't see with the parents that the commit will have."""
    from verigate.cli.run_verify import read_draft
    from verigate.composition import services
    from verigate.integrations.git.landing import list_differing
    from verigate.usecases.judge_message import MessageJudged, judge_message

    replaced = landing.head if landing.keeps_tree else None
    parents = landing.parents
    paths = None
    if len(parents) > 1:
        paths = list_differing(root, os.environ, landing.tree, parents)
        if not paths:
            # Each file is as in one of the parents, where it was judged.
            return MessageJudged(0)
    # Without a parent the gate looks for itself: of a shallow clone git hides it.
    bases: tuple[str | None, ...] = parents or (None,)
    task_id = None if in_operation or not parents else _choose_task(root, replaced)
    if task_id is not None and not landing.amends:
        bases = (None,)  # as pre-commit compares: with the base of the task
    message = read_draft(file, root)
    return judge_message(
        message, bases, services(root), task_id=task_id, ref=replaced, amends=landing.amends, paths=paths
    )


def _choose_task(root: Path, replaced: str | None) -> str | None:
    return Target(root, None, staged=replaced is None, ref=replaced).choice().task_id


def _edit_again(file: Path, *, amends: bool = False) -> str:
    name = format_path(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)
    return f"git commit {'--amend ' if amends else ''}--edit --file={name}"
