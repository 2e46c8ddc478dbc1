"""Check out the base temporarily in the gate's private checkout, to measure it in the same place as the subject."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from verigate.sdk import Request
from verigate.sdk.subject import Repository, resolve_base


@contextmanager
def check_out_base(request: Request) -> Iterator[Mapping[str, str]]:
    """Check out the base and yield the environment that selects its index; restore the subject afterwards.

    Use only in the gate's own checkout: files of the subject are overwritten and removed meanwhile. The base has a
    temporary index; the checkout's index stays unchanged.
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
