"""Check out another tree temporarily in the gate's private checkout, to run it in the same place as the subject."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from verigate.sdk import Request
from verigate.sdk.subject import Repository

_UNTRACKED = ("ls-files", "--others", "--directory", "-z")


@contextmanager
def check_out(request: Request, tree: str) -> Iterator[Mapping[str, str]]:
    """Check out ``tree`` and yield the environment that selects its index; restore the subject afterwards.

    Use only in the gate's own checkout: files of the subject are overwritten and removed meanwhile, and files that
    were made meanwhile are removed at the end. The tree has a temporary index; the checkout's index stays unchanged.
    """
    repository = Repository(request.repo_root, request.environ)
    subject = repository.git("write-tree").stdout.decode().strip()
    with tempfile.TemporaryDirectory(prefix="verigate-tree-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        switched = Repository(request.repo_root, request.environ, index)
        before = frozenset(repository.entries(*_UNTRACKED))
        switched.git("read-tree", subject)
        switched.git("checkout-index", "--all", "--force")
        switched.git("update-index", "-q", "--refresh", check=False)
        switched.git("read-tree", "--reset", "-u", tree)
        try:
            yield index
        finally:
            switched.git("read-tree", "--reset", "-u", subject)
            for path in frozenset(repository.entries(*_UNTRACKED)) - before:
                _remove(request.repo_root / os.fsdecode(path))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
