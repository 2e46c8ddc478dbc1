"""Add the working tree to a copy of the index, as ``git add --all`` does, and what the index hides too."""

from __future__ import annotations

import os
import re
import shutil

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.errors import SubjectError
from verigate.subject.git import Git, escape_bytes
from verigate.subject.git_folder import Control

_FOLDER = os.fsencode(ARTIFACTS_FOLDER) + b"/"
_NAMED_ARTIFACTS = f":(top,exclude){ARTIFACTS_FOLDER}"
_MATCHED_ARTIFACTS = tuple(
    f":(top,exclude){ARTIFACTS_FOLDER[:-1]}[{ARTIFACTS_FOLDER[-1]}]{rest}" for rest in ("", "/*")
)
_LOOKED_AT, _UNMERGED, _SKIPPED = b"H ", b"M ", (b"S ", b"s ")
"""How ``git ls-files -v`` marks entries whose files git compares; others are S (skip-worktree) and small letters."""

_OF_ARTIFACTS = re.compile(rb"(?:\A|\0). %s[/\0]" % re.escape(_FOLDER[:-1]))
_OTHER = re.compile(rb"(?:\A|\0)(?!%s)[^\0]" % _LOOKED_AT)


def add_worktree(git: Git, control: Control, index: str) -> None:
    """Add the working tree to ``index``, whose entries git lists at the same time; there may be no such file yet.

    Where the listing shows what must be known first, as in a sparse checkout, that is done first. Raises SubjectError
    for unmerged files, and for what git can't add.
    """
    before = control.index("before")
    guessed = _keep(index, before)
    command = _make_add(git, control, has_artifacts=guessed)
    is_sparse = os.path.lexists(f"{control.repository.git_dir}/info/sparse-checkout")
    end = None if is_sparse else git.begin(*command)
    try:
        listed = git.with_variables(GIT_INDEX_FILE=before).run("ls-files", "-v", "-z")
        has_artifacts, has_others = _OF_ARTIFACTS.search(listed) is not None, _OTHER.search(listed) is not None
    finally:
        added = None if end is None else end()
    if added is None or has_others or has_artifacts != guessed:
        if os.path.lexists(before):
            os.replace(before, index)
        if has_others:
            _look_at_all(git, listed)
        command = _make_add(git, control, has_artifacts=has_artifacts)
        added = git.attempt(*command)
    plain = _make_plain_add(control)
    if added.returncode > 0 and _NAMED_ARTIFACTS in command:
        # If the error was that an ignored path is named, the plain command, which skips an ignored folder, succeeds.
        # If not, it reports what is wrong.
        git.run(*plain)
    elif added.returncode != 0:
        raise git.make_error(plain, added.returncode, added.stderr)


def _keep(index: str, kept: str) -> bool:
    """Keep an index as it is, which git replaces to change it; return whether ``.artifacts`` may be in it.

    Its paths are read as bytes: a compressed index has parts of them, and another path may end with that name.
    """
    try:
        os.link(index, kept)
    except FileNotFoundError:
        return False
    except OSError:
        # Some file systems and policies have no hard links.
        shutil.copy2(index, kept)
    with open(kept, "rb") as file:
        return _FOLDER in file.read()


def _look_at_all(git: Git, listed: bytes) -> None:
    """Let git look at the files that skip-worktree and assume-unchanged hide from it, as the index lists them.

    Raises SubjectError for unmerged files.
    """
    others = [entry for entry in listed.split(b"\0") if entry and not entry.startswith(_LOOKED_AT)]
    if any(entry.startswith(_UNMERGED) for entry in others):
        # Adding everything would treat the conflict markers as the resolution.
        refuse_unmerged(git)
    if any(entry.startswith(_SKIPPED) for entry in others) and _is_sparse(git):
        # Of a sparse checkout what isn't there was left out on purpose.
        top = os.fsencode(git.cwd)
        others = [
            each for each in others if not each.startswith(_SKIPPED) or os.path.lexists(os.path.join(top, each[2:]))
        ]
    there = b"".join(entry[2:] + b"\0" for entry in others)
    if there:
        for option in ("--no-skip-worktree", "--no-assume-unchanged"):
            git.run("update-index", option, "-z", "--stdin", stdin=there)


def _is_sparse(git: Git) -> bool:
    return git.attempt("config", "--type=bool", "--get", "core.sparseCheckout").stdout.strip() == b"true"


def _make_add(git: Git, control: Control, *, has_artifacts: bool) -> tuple[str, ...]:
    """Make the command that adds all but ``.artifacts``, which this gate may be making at the same time."""
    add = _make_plain_add(control)
    if not has_artifacts:
        # A pattern doesn't name it: of an ignored path that is named, even to be excluded, git reports an error.
        return (*add, *_MATCHED_ARTIFACTS)
    # Where files of it are committed, that error is what makes git add them as they are now.
    return (*add, _NAMED_ARTIFACTS) if os.path.lexists(f"{git.cwd}/{ARTIFACTS_FOLDER}") else add


def _make_plain_add(control: Control) -> tuple[str, ...]:
    return ("-c", f"lfs.storage={control.path}/lfs", "add", "--all", "--sparse", "--", ".")


def refuse_unmerged(git: Git) -> None:
    """Raise SubjectError for unmerged files."""
    unmerged = {line.split(b"\t", 1)[1] for line in git.run("ls-files", "-u", "-z").split(b"\0") if line}
    if unmerged:
        names = ", ".join(escape_bytes(name) for name in sorted(unmerged)[:10])
        raise SubjectError(f"{len(unmerged)} files have unmerged changes: {names}", where=git.cwd, hint="resolve them")
