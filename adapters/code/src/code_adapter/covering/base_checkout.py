"""Check out the base temporarily in the gate's private checkout, to measure it in the same place as the subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from code_adapter.tree_checkout import open_trees
from verigate.sdk import Request
from verigate.sdk.subject import Repository, resolve_base


@contextmanager
def check_out_base(request: Request) -> Iterator[Mapping[str, str]]:
    """Check out the base in the gate's own checkout, and yield the environment that selects its index."""
    base = resolve_base(request, Repository(request.repo_root, request.environ))
    with open_trees(request) as trees:
        yield trees.check_out(base)
