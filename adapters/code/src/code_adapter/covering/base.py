"""The base, checked out for a while in the gate's private checkout, so that it is measured where the subject was."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from verigate.sdk import Request
from verigate.sdk.subject import Repository, resolve_base


@contextmanager
def at_base(request: Request) -> Iterator[Mapping[str, str]]:
    """Check the base out and yield the environment that selects its index; the subject is put back afterwards.

    Only for a checkout that is the gate's own: files of the subject are overwritten and removed in between. The
    checkout's own index is left alone; the base has a temporary one.
    """
    repository = Repository(request.repo_root, request.environ)
    base = resolve_base(request, repository)
    subject = repository.git("write-tree").stdout.decode().strip()
    with tempfile.TemporaryDirectory(prefix="verigate-base-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        switched = Repository(request.repo_root, request.environ, index)
        switched.git("read-tree", subject)
        switched.git("checkout-index", "--all", "--force")
        switched.git("update-index", "-q", "--refresh", check=False)
        switched.git("read-tree", "--reset", "-u", base)
        try:
            yield index
        finally:
            switched.git("read-tree", "--reset", "-u", subject)
