"""Replace, in what is checked out, imports of test files that the code doesn't have any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from code_adapter.counterfactual.gone_names import Modules, replace_gone
from code_adapter.counterfactual.sides import Sides
from verigate.sdk import Request
from verigate.sdk.subject import Repository


@contextmanager
def replace_in_files(request: Request, sides: Sides, paths: Iterable[str]) -> Iterator[Mapping[str, Mapping[str, str]]]:
    """Replace the missing imports of these files of the base, on disk, and put the files back at the end.

    Yields the names that are gone, by file; a file in which nothing was replaced isn't there.
    """
    repository = Repository(request.repo_root, request.environ)

    def read_base(path: str) -> str:
        return repository.git("cat-file", "blob", sides.base.files[path].oid).stdout.decode("utf-8", "replace")

    def read_head(path: str) -> str:
        # The tests that only the subject has aren't there.
        place = request.repo_root / path
        if not place.is_file():
            return ""
        if path in sides.head.tests or path in sides.test_tree:
            return place.read_text(encoding="utf-8", errors="replace")
        # What is handed on to a file is no part of it, and has no names that could be listed.
        return repository.git("cat-file", "blob", sides.head.files[path].oid).stdout.decode("utf-8", "replace")

    base, head = Modules(sides.base, read_base), Modules(sides.head, read_head)
    originals: dict[Path, bytes] = {}
    gone: dict[str, Mapping[str, str]] = {}
    try:
        for path in sorted(paths):
            place = request.repo_root / path
            if not place.is_file() or place.is_symlink():
                continue
            patched = replace_gone(place.read_text(encoding="utf-8", errors="replace"), base, head)
            if patched is not None:
                originals[place] = place.read_bytes()
                place.write_text(patched.source, encoding="utf-8")
                gone[path] = patched.gone
        yield gone
    finally:
        for place, content in originals.items():
            place.write_bytes(content)
