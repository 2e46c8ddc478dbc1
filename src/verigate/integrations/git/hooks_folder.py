"""Find a repository's git hooks folder: core.hooksPath, worktrees, submodules, husky."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.errors import UsageError
from verigate.formats.visible import format_path

_TIMEOUT_S = 30.0
_NO_REPOSITORY = "fatal: not a git repository (or any"
"""What git prints where no folder above has a ``.git``; for one that can't be used it names that."""


class HooksFolder(Struct, frozen=True):
    """The folder in which git looks for hooks, and the top of the work tree, where it starts them.

    ``interpreter`` is the command of a hook runner that starts the hooks in it (empty: they are executed); ``shared``
    is true if the folder lies outside the repository and serves others too; ``tracked`` if it lies in the work tree.
    """

    path: Path
    top: Path
    interpreter: tuple[str, ...] = ()
    shared: bool = False
    tracked: bool = False


def find_hooks_folder(root: Path, environ: Mapping[str, str]) -> HooksFolder:
    """Find the hooks folder of the repository at ``root``.

    Raises UsageError outside a git repository, in a bare one, and if core.hooksPath doesn't name a folder.
    """
    top = _read_git(root, environ, "rev-parse", "--show-toplevel")
    # git resolves a relative core.hooksPath from where hooks run: the top of the work tree.
    hooks, common, own = (
        Path(_read_git(top, environ, "rev-parse", "--path-format=absolute", *question))
        for question in (("--git-path", "hooks"), ("--git-common-dir",), ("--git-dir",))
    )
    if hooks.exists() and not hooks.is_dir():
        raise UsageError(
            f"core.hooksPath is {format_path(hooks)}, which is not a folder: git runs no hooks here",
            where=_find_origin(top, environ),
            hint="unset it with `git config --unset core.hooksPath` (add --global if it is set there)",
        )
    interpreter: tuple[str, ...] = ()
    if hooks.name == "_" and (hooks / "h").is_file():
        # husky rewrites `_` at every npm install and starts the files next to it with `sh -e`.
        hooks, interpreter = hooks.parent, ("sh", "-e")
    real = Path(os.path.realpath(hooks))
    in_git = any(real.is_relative_to(os.path.realpath(folder)) for folder in (common, own))
    in_tree = not in_git and real.is_relative_to(os.path.realpath(top))
    return HooksFolder(hooks, Path(top), interpreter, shared=not (in_git or in_tree), tracked=in_tree)


def _read_git(folder: Path | str, environ: Mapping[str, str], *arguments: str) -> str:
    done = _run_git(folder, environ, *arguments)
    if done.returncode != 0:
        lines = os.fsdecode(done.stderr).strip().splitlines()
        # At the edge of a file system git explains the error in a line after it.
        fatal = next((line for line in lines if line.startswith("fatal:")), lines[-1] if lines else "")
        failed = f"git {arguments[0]} failed: {fatal or f'exit code {done.returncode}'}"
        raise UsageError(
            "this is not a git repository" if fatal.startswith(_NO_REPOSITORY) else failed,
            where=format_path(Path(folder)),
            hint="run git init, or go to your repository: hooks need one with a work tree",
        )
    return os.fsdecode(done.stdout.removesuffix(b"\n"))


def _find_origin(folder: str, environ: Mapping[str, str]) -> str | None:
    done = _run_git(folder, environ, "config", "--show-origin", "--get", "core.hooksPath")
    return os.fsdecode(done.stdout).split("\t")[0] or None


def _run_git(folder: Path | str, environ: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    # Inside a hook GIT_DIR and the like name the repository of that hook. Configuration from the environment applies.
    kept = {name: value for name, value in environ.items() if not name.startswith("GIT_") or "CONFIG" in name}
    argv = ["git", "-C", os.fspath(folder), *arguments]
    try:
        return subprocess.run(
            argv, env={**kept, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=_TIMEOUT_S,
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git is not on PATH", hint="install git") from None


def refuse_shared(folder: HooksFolder, root: Path, environ: Mapping[str, str]) -> None:
    """Raise UsageError, with a hint, for a folder that serves other repositories too."""
    if not folder.shared:
        return
    raise UsageError(
        f"core.hooksPath is {format_path(folder.path)}, outside this repository: a hook there would gate every "
        "repository that uses it",
        where=_find_origin(os.fspath(root), environ),
        hint=(
            "give this repository hooks of its own with `git config --local core.hooksPath .git/hooks`, "
            "or install for all of them with `gate install --shared`"
        ),
    )
