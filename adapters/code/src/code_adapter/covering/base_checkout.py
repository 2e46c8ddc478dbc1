"""Check out the base temporarily in the gate's private checkout, to measure it in the same place as the subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from code_adapter.tree_checkout import check_out
from verigate.sdk import Request
from verigate.sdk.subject import Repository, resolve_base


@contextmanager
def check_out_base(request: Request) -> Iterator[Mapping[str, str]]:
    """Check out the base as ``check_out`` does, in the gate's own checkout."""
    base = resolve_base(request, Repository(request.repo_root, request.environ))
    with check_out(request, base) as index:
        yield index
