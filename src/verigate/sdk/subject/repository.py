"""Run git so that its output depends on the repository's content alone, and no program named there is started.

Removed or overridden: every ``GIT_*`` variable of the caller, hooks, the file system monitor, pagers, external diff
programs and text conversions, replaced and grafted objects, lazy fetches, the network, and all settings that change
what a diff or a listing prints. The user's settings for ignored files, line ends and clean filters still apply in a
call by hand, as they do when the gate takes its snapshot; in the gate's checkout no settings apply.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.sdk.errors import AdapterError, ToolFailed
from verigate.sdk.subject.held_git import hold_git, is_gates_checkout, known_answers
from verigate.sdk.tools import ToolRun, limit_tools, run_tool

if TYPE_CHECKING:
    from verigate.sdk.request import Request

GIT_TIMEOUT_S = 300.0
MAX_GIT_BYTES = 64 << 20
"""Output of git above this size is an error; it is never truncated."""

EXCLUDE_ARTIFACTS = (".", f":(top,exclude){ARTIFACTS_FOLDER}")
"""Pathspecs: everything but the gate's own folder, which never belongs to a subject."""

_SETTINGS = (
    # Start no program named by the configuration.
    *("core.fsmonitor=false", "core.hooksPath=/dev/null"),
    *("protocol.allow=never", "gc.auto=0", "maintenance.auto=false"),
    # Disable optimisations that can hide a change.
    *("core.untrackedCache=false", "core.splitIndex=false", "core.trustctime=true", "core.checkStat=default"),
    *("core.ignoreStat=false", "core.commitGraph=false", "core.multiPackIndex=false"),
    *("submodule.recurse=false", "add.ignoreErrors=false"),
    # Keep the output format fixed.
    *("core.quotePath=false", "core.safecrlf=false", "color.ui=false", "diff.algorithm=default", "diff.context=3"),
    *("diff.interHunkContext=0", "diff.mnemonicPrefix=false", "diff.noprefix=false", "diff.orderFile=/dev/null"),
    *("diff.renameLimit=1000", "diff.suppressBlankEmpty=false"),
    *("advice.addEmbeddedRepo=false", "advice.graftFileDeprecated=false"),
)
_OPTIONS = ("--no-pager", "--no-optional-locks", *(word for setting in _SETTINGS for word in ("-c", setting)))
_ISOLATED = ("-c", "core.attributesFile=/dev/null", "-c", "core.excludesFile=/dev/null")
"""In the gate's checkout, where what runs can write settings of a user."""

_ENVIRON: Mapping[str, str] = {
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}

DIFF = (
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=dirty",
    "--submodule=short",
)
"""Start of every diff command: run no configured program, enter no submodule."""


class Repository(Struct, frozen=True):
    """A git repository, used from its working tree ``root``.

    ``environ`` is the caller's environment without effect of its ``GIT_*`` variables. ``extra`` are variables that git
    gets: they select another index or another object folder.
    """

    root: Path
    environ: Mapping[str, str]
    extra: Mapping[str, str] = field(default_factory=dict)

    def git(self, *arguments: str, check: bool = True, stdin: bytes = b"", max_bytes: int = MAX_GIT_BYTES) -> ToolRun:
        """Run ``git <arguments>`` with ``stdin``; at most ``max_bytes`` of each stream are kept.

        With ``check``, any exit code but 0 and longer output raise ToolFailed. Without it, check ``exit_code`` and
        ``truncated`` yourself. Begin the arguments of a diff with ``DIFF``.
        """
        inherited = {name: value for name, value in self.environ.items() if not name.startswith("GIT_")}
        if folder := self.environ.get("GATE_GIT_DIR"):
            # Without the base, for a capability that does not see it.
            inherited |= {"GIT_DIR": folder, "GIT_WORK_TREE": str(self.root)}
        options = _OPTIONS
        if is_gates_checkout(self.root, self.environ):
            inherited |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
            options = (*_OPTIONS, *_ISOLATED)
        # Limits are meant for what runs tests, not for what makes their tree.
        with hold_git(self.root, self.environ), limit_tools(None):
            run = run_tool(
                ("git", *options, *arguments),
                cwd=self.root,
                timeout_s=GIT_TIMEOUT_S,
                env={**inherited, **_ENVIRON, **self.extra},
                max_bytes=max_bytes,
                stdin=stdin,
            )
        if check and (run.exit_code != 0 or run.truncated):
            why = f"wrote more than {max_bytes} bytes" if run.truncated else f"ended with {run.ended}"
            raise run.as_failure(f"git {arguments[0]} {why}", where=str(self.root))
        return run

    def entries(self, *arguments: str) -> Iterator[bytes]:
        """Yield the NUL-terminated entries that ``git <arguments>`` prints; pass ``-z``.

        Raises ToolFailed if git fails, prints more than MAX_GIT_BYTES, or ends in the middle of an entry.
        """
        out = self.git(*arguments).stdout
        if out and not out.endswith(b"\0"):
            raise ToolFailed(f"git {arguments[0]} ended in the middle of an entry", where=str(self.root))
        return _split(out)

    def ask(self, *arguments: str) -> ToolRun:
        """Run ``git <arguments>``, whatever its exit code; in the gate's checkout only until it succeeded once.

        For what no later command of the call changes: which commits there are, where the working tree is.
        """
        answers, key = known_answers(self.root, self.environ), (arguments, *sorted(self.extra.items()))
        if answers is not None and key in answers:
            return answers[key]
        run = self.git(*arguments, check=False)
        if answers is not None and run.exit_code == 0:
            answers[key] = run
        return run

    def resolve(self, revision: str) -> str:
        """Resolve ``revision``, a commit or a tree, to its object id. Raises AdapterError if there is none."""
        if not revision or revision.startswith("-"):
            raise AdapterError(f"{revision!r} is not a revision", where="GATE_BASE")
        for kind in ("commit", "tree"):
            run = self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{{kind}}}")
            if run.exit_code == 0:
                return run.stdout.decode().strip()
        raise AdapterError(
            f"the base {revision!r} is not in this repository",
            where=str(self.root),
            hint="run git fetch, or pass another --base",
        )

    def objects(self) -> str:
        """Return the absolute path of the repository's object folder."""
        return str(self.root / os.fsdecode(self.git("rev-parse", "--git-path", "objects").stdout.rstrip(b"\n")))

    def indexed_files(self) -> list[bytes]:
        """List the paths of the index, as bytes, sorted, without submodules and ``.artifacts``. Raises ToolFailed."""
        listed = self.entries("ls-files", "--cached", "--stage", "-z", "--", *EXCLUDE_ARTIFACTS)
        parts = (entry.partition(b"\t") for entry in listed)
        return sorted({path for head, _, path in parts if not head.startswith(b"160000 ")})


def _split(out: bytes) -> Iterator[bytes]:
    # Yield one at a time: a list would take several times the memory of the text.
    start = 0
    while (end := out.find(b"\0", start)) >= 0:
        yield out[start:end]
        start = end + 1


def find_repository(request: Request, extra: Mapping[str, str] | None = None) -> Repository | None:
    """Find the subject's repository; None outside git. ``extra`` as in Repository.

    Raises ToolFailed if there is a ``.git`` that git can't use.
    """
    repository = Repository(request.repo_root, request.environ, extra or {})
    run = repository.ask("rev-parse", "--is-inside-work-tree")
    if run.exit_code == 0 and run.stdout.strip() == b"true":
        return repository
    if os.path.lexists(request.repo_root / ".git"):
        raise run.as_failure("git can't use this repository", where=str(request.repo_root))
    return None


@contextmanager
def open_repository(request: Request) -> Iterator[Repository]:
    """Open the repository with the subject in its index. Raises AdapterError outside git.

    Under the gate the index is the subject. In a call by hand the subject is the working tree with untracked, unignored
    files: it is written to a temporary index and object folder, and the user's own stay unchanged.
    """
    plain = find_repository(request)
    if plain is None:
        raise AdapterError(
            "not a git repository with a working tree", where=str(request.repo_root), hint="run git init and git commit"
        )
    if request.gated:
        yield plain
        return
    with tempfile.TemporaryDirectory(prefix="verigate-index-") as folder:
        index = plain.root / os.fsdecode(plain.git("rev-parse", "--git-path", "index").stdout.rstrip(b"\n"))
        temporary = Path(folder)
        (temporary / "objects").mkdir()
        if index.is_file():
            # Keep the times: git reads a file that is younger than the index before it treats it as unchanged.
            shutil.copy2(index, temporary / "index")
        extra = {
            "GIT_INDEX_FILE": str(temporary / "index"),
            "GIT_OBJECT_DIRECTORY": str(temporary / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": plain.objects(),
        }
        written = Repository(plain.root, plain.environ, extra)
        written.git("add", "--all", "--", *EXCLUDE_ARTIFACTS)
        yield written


def resolve_base(request: Request, repository: Repository) -> str:
    """Return the object id of the base: the requested one, else HEAD, else the empty tree. Raises AdapterError."""
    if request.base:
        return repository.resolve(request.base)
    head = repository.git("rev-parse", "--verify", "--quiet", "HEAD^{commit}", check=False)
    if head.exit_code == 0:
        return head.stdout.decode().strip()
    return repository.git("hash-object", "-t", "tree", "/dev/null").stdout.decode().strip()
