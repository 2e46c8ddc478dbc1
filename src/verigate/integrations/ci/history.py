"""Ask git about the history of the clone, to find a base."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.errors import SubjectError

_TIMEOUT_S = 60.0
_FETCH_TIMEOUT_S = 600.0
_ORIGIN = "refs/remotes/origin/"
_SHALLOW = "this is a shallow clone; get its history"


class History(Struct, frozen=True):
    """The commits of the clone at ``root``. Raises SubjectError whenever git can't answer."""

    root: Path
    environ: Mapping[str, str]

    def commit(self, name: str) -> str:
        """Return the id of a commit. Raises SubjectError if the clone doesn't have it."""
        found = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if found is None:
            raise SubjectError(f"the commit {name!a} is not in this clone", where="base", hint=self._hint())
        return found

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the ids of its parents, as far as the clone has them."""
        return tuple(self._ask("rev-list", "--parents", "--max-count=1", commit).split()[1:])

    def is_cut(self, commit: str) -> bool:
        """Whether the clone ends at this commit, so that its parents are unknown."""
        shallow = Path(self._ask("rev-parse", "--path-format=absolute", "--git-path", "shallow"))
        return shallow.is_file() and commit in shallow.read_text("ascii", "replace").split()

    def merge_base(self, one: str, other: str) -> str:
        """Return the last common commit of both. Raises SubjectError if the clone has none."""
        found = self._try("merge-base", one, other)
        if found is None:
            raise SubjectError(f"{one} and {other} have no commit in common", where="base", hint=self._hint())
        return found

    def branch(self, name: str | None) -> str:
        """Return the tip of a branch of the remote, or of its default branch; fetch it if it is missing.

        Raises SubjectError if that fails.
        """
        reference = f"refs/remotes/origin/{'HEAD' if name is None else name}"
        if self._try("rev-parse", "--verify", "--quiet", reference) is None:
            self.fetch(name)
        return self.commit(reference)

    def fetch(self, name: str | None) -> str:
        """Fetch a branch of the remote, or its default branch, as it is now; return the ref that holds it.

        Raises SubjectError if that fails.
        """
        if name is None:
            found = self._try("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
            if found is None or not found.startswith(_ORIGIN):
                # The clone may have one branch only: the remote's default can be named once all of them are there.
                named = "origin '+refs/heads/*:refs/remotes/origin/*' && git remote set-head origin --auto"
                hint = f"get all branches with: git fetch {named}; or name the base"
                if self._is_shallow():
                    hint = f"{_SHALLOW} and all branches with: git fetch --unshallow {named}"
                raise SubjectError("the default branch of the remote is not known here", where="origin", hint=hint)
            name = found.removeprefix(_ORIGIN)
        reference = f"{_ORIGIN}{name}"
        if self._run("check-ref-format", reference).returncode != 0:
            raise SubjectError(f"{name!a} is no name of a branch", where="origin", hint="name the ref yourself")
        spec = f"+refs/heads/{name}:{reference}"
        done = self._run("fetch", "--quiet", "--no-tags", "origin", spec, timeout=_FETCH_TIMEOUT_S)
        if done.returncode != 0:
            hint = f"fetch the branch before this step, with all of its history: git fetch origin {name!a}"
            raise SubjectError(
                f"the branch {name!a} can't be fetched: {_format_stderr(done)}", where="origin", hint=hint
            )
        return reference

    def holds(self, reference: str, commit: str) -> bool:
        """Whether a ref has this commit in its history."""
        return self._run("merge-base", "--is-ancestor", commit, reference).returncode == 0

    def tasks(self, commit: str) -> tuple[str, ...]:
        """Return the tasks that the ``Gate-Task:`` trailers of a commit name, each once."""
        form = "--format=%(trailers:key=Gate-Task,valueonly,unfold)"
        named = (line.strip() for line in self._ask("log", "-1", form, "--end-of-options", commit).splitlines())
        return tuple(dict.fromkeys(name for name in named if name))

    def empty_tree(self) -> str:
        """The id of the empty tree, in the repository's own format."""
        return self._ask("hash-object", "-t", "tree", "--stdin")

    def _hint(self) -> str:
        if self._is_shallow():
            return f"{_SHALLOW} with: git fetch --unshallow (GitHub: fetch-depth: 0, GitLab: GIT_DEPTH: 0)"
        return "fetch the target branch of the change, with all of its history"

    def _is_shallow(self) -> bool:
        return self._try("rev-parse", "--is-shallow-repository") == "true"

    def _try(self, *arguments: str) -> str | None:
        done = self._run(*arguments)
        if done.returncode != 0:
            return None
        return done.stdout.decode("ascii", "backslashreplace").strip()

    def _ask(self, *arguments: str) -> str:
        done = self._run(*arguments)
        if done.returncode != 0:
            raise SubjectError(f"git {arguments[0]} failed: {_format_stderr(done)}", where=str(self.root))
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def _run(self, *arguments: str, timeout: float = _TIMEOUT_S) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ("git", *arguments), cwd=self.root, env=dict(self.environ), capture_output=True,
                stdin=subprocess.DEVNULL, timeout=timeout, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise SubjectError(f"git {arguments[0]} can't be run: {problem!a}", where=str(self.root)) from None


def _format_stderr(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return git's stderr as one line of ASCII, since a remote can write to it."""
    lines = done.stderr.decode("ascii", "backslashreplace").split("\n")
    return " ".join("".join(character if character.isprintable() else "?" for character in line) for line in lines)[
        :500
    ]
