"""Make the present commit with the gate's files: the subject of the first verdict."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from verigate.errors import SubjectError
from verigate.subject.git import Git

_WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "gate init"), ("EMAIL", "init@example.invalid"), ("DATE", "@0 +0000"))
}


def make_present_commit(
    root: Path,
    files: Mapping[str, bytes | None],
    environ: Mapping[str, str],
    *,
    message: str | None = None,
    head: str | None = None,
) -> str | None:
    """Make a commit of HEAD's tree with ``files`` laid over it, None for one that is gone; its id, None before any.

    Its parent is HEAD, so that git still describes it by the tags that version plugins read. It writes loose objects
    that nothing refers to; git removes them in time. With ``message`` it looks like one of whoever made HEAD. ``head``
    is the id of another commit that stands for HEAD. Raises SubjectError where git fails.
    """
    with tempfile.TemporaryDirectory(prefix="verigate-init-") as private:
        git = _PrivateIndex(root, environ, Path(private) / "index")
        head = head or git.find("HEAD^{commit}")
        if head is None:
            return None
        contents = {content for content in files.values() if content is not None}
        ids = {content: git.ask("hash-object", "-w", "--stdin", stdin=content) for content in contents}
        blobs = {path: None if content is None else ids[content] for path, content in files.items()}
        if message is None:
            return git.commit(
                f"{head}^{{tree}}", blobs, head, f"HEAD ({head[:12]}) with the gate's files; in no branch"
            )
        git.take_names(head)
        return git.commit(f"{head}^{{tree}}", blobs, head, message)


class _PrivateIndex:
    """Run git as verification does, with an index of its own, so that the user's is never touched."""

    def __init__(self, root: Path, environ: Mapping[str, str], index: Path) -> None:
        self._root = root
        self._git = Git.from_root(str(root), environ).with_variables(**_WHO, GIT_INDEX_FILE=str(index))

    def find(self, revision: str) -> str | None:
        done = self._git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        return os.fsdecode(done.stdout).strip() if done.returncode == 0 else None

    def take_names(self, commit: str) -> None:
        """Take the names, addresses and dates of a commit for those of the next one."""
        named = self.ask(
            "log", "-1", "--no-show-signature", "--date=raw", "--format=%an%n%ae%n@%ad%n%cn%n%ce%n@%cd", commit
        )
        who = {name: value for name, value in zip(_WHO, named.split("\n"), strict=False) if value}
        self._git = self._git.with_variables(**who)

    def commit(self, tree: str, blobs: Mapping[str, str | None], parent: str, message: str) -> str:
        """Commit ``tree`` with the files of ``blobs`` in place of its own."""
        none = "0" * len(parent)
        self.ask("read-tree", tree)
        lines = b"".join(
            b"%b %b\t%b\0" % (b"100644" if blob else b"0", (blob or none).encode(), os.fsencode(path))
            for path, blob in blobs.items()
        )
        self.ask("update-index", "--add", "--replace", "-z", "--index-info", stdin=lines)
        return self.ask("commit-tree", self.ask("write-tree"), "-p", parent, "-m", message)

    def ask(self, *arguments: str, stdin: bytes = b"") -> str:
        done = self._git.attempt(*arguments, stdin=stdin)
        if done.returncode != 0:
            raise SubjectError(f"git {arguments[0]} failed: {os.fsdecode(done.stderr).strip()}", where=str(self._root))
        return os.fsdecode(done.stdout).strip()
