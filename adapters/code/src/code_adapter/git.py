"""git as a value: fixed options, so that neither the user's configuration nor the subject's changes what it says."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from verigate.sdk import AdapterError, Request, ToolFailed, ToolRun, run_tool

GIT_TIMEOUT_S = 300.0
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The SHA-1 of the tree without entries, which git knows without its being stored."""

EXCLUDE_ARTIFACTS = (".", ":(top,exclude).artifacts")
"""Pathspecs: everything but the gate's own folder, which is never part of a subject."""

_OPTIONS = (
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "color.ui=false"),
    *("-c", "diff.algorithm=default"),
    *("-c", "diff.context=3"),
    *("-c", "diff.interHunkContext=0"),
    *("-c", "diff.mnemonicPrefix=false"),
    *("-c", "diff.noprefix=false"),
    *("-c", "diff.orderFile=/dev/null"),
    *("-c", "diff.renameLimit=1000"),
    *("-c", "diff.suppressBlankEmpty=false"),
    *("-c", "protocol.allow=never"),
)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository and the index that stands for the subject in it.

    ``extra`` is environment that selects the index and the object folders; git's own variables of the caller that
    would select another repository are removed.
    """

    root: Path
    environ: Mapping[str, str]
    extra: Mapping[str, str] = field(default_factory=dict)

    def git(self, *arguments: str, check: bool = True, max_bytes: int = 64 << 20) -> ToolRun:
        """Run git. With ``check`` any end but exit code 0 raises ToolFailed, as does output above ``max_bytes``."""
        inherited = {name: value for name, value in self.environ.items() if not name.startswith("GIT_")}
        env = inherited | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"} | dict(self.extra)
        run = run_tool(
            ["git", *_OPTIONS, *arguments], cwd=self.root, timeout_s=GIT_TIMEOUT_S, env=env, max_bytes=max_bytes
        )
        if check and (run.exit_code != 0 or run.truncated):
            why = f"wrote more than {max_bytes} bytes" if run.truncated else f"ended with {run.ended}: {run.tail()}"
            raise ToolFailed(f"git {arguments[0]} {why}", where=str(self.root))
        return run

    def tree_of(self, revision: str) -> str:
        """The object id that ``revision`` names: a commit, or a tree. Raises AdapterError if there is none."""
        if not revision or revision.startswith("-"):
            raise AdapterError(f"{revision!r} is no revision", where="GATE_BASE")
        for kind in ("commit", "tree"):
            run = self.git("rev-parse", "--verify", "--quiet", f"{revision}^{{{kind}}}", check=False)
            if run.exit_code == 0:
                return run.stdout.decode().strip()
        raise AdapterError(
            f"the base {revision!r} is not in this repository",
            where=str(self.root),
            hint="git fetch, or another --base",
        )

    def files(self) -> list[bytes]:
        """Paths of the subject's files, as git's bytes, sorted; submodules and ``.artifacts`` are left out."""
        out = self.git("ls-files", "--cached", "--stage", "-z", "--", *EXCLUDE_ARTIFACTS).stdout
        entries = (entry.partition(b"\t") for entry in out.split(b"\0") if entry)
        return sorted({path for head, _, path in entries if not head.startswith(b"160000 ")})


@contextmanager
def open_repository(request: Request) -> Iterator[Repository]:
    """The repository with the subject in its index.

    Under the gate the index is the subject. By hand the subject is the working tree with its untracked, unignored
    files: it is written to a temporary index and a temporary object folder, and the user's own stay as they are.
    """
    plain = Repository(request.repo_root, request.environ)
    if plain.git("rev-parse", "--is-inside-work-tree", check=False).stdout.strip() != b"true":
        raise AdapterError(
            "not a git repository with a working tree", where=str(request.repo_root), hint="git init, then git commit"
        )
    if request.gated:
        yield plain
        return
    with tempfile.TemporaryDirectory(prefix="verigate-index-") as folder:
        objects = os.fsdecode(plain.git("rev-parse", "--git-path", "objects").stdout.rstrip(b"\n"))
        index = Path(os.fsdecode(plain.git("rev-parse", "--git-path", "index").stdout.rstrip(b"\n")))
        if not index.is_absolute():
            index = request.repo_root / index
        temporary = Path(folder)
        (temporary / "objects").mkdir()
        if index.is_file():
            # With its times: git takes a file that is younger than its index for unchanged only after reading it.
            shutil.copy2(index, temporary / "index")
        extra = {
            "GIT_INDEX_FILE": str(temporary / "index"),
            "GIT_OBJECT_DIRECTORY": str(temporary / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(request.repo_root / objects),
        }
        written = Repository(request.repo_root, request.environ, extra)
        written.git("add", "--all", "--", *EXCLUDE_ARTIFACTS)
        yield written


def base_of(request: Request, repository: Repository) -> str:
    """The base's object id: the one asked for, else HEAD, else the empty tree."""
    if request.base:
        return repository.tree_of(request.base)
    head = repository.git("rev-parse", "--verify", "--quiet", "HEAD^{commit}", check=False)
    return head.stdout.decode().strip() if head.exit_code == 0 else EMPTY_TREE
