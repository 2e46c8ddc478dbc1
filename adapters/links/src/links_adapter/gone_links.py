"""Find links of the base that are gone: a text that the change touches lost them, and as many new ones didn't come."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from links_adapter.scope import MAX_TEXT_BYTES, is_utf8, make_file_filter, text_kind
from links_adapter.settings import Settings
from links_adapter.text_links import Link, find_text_links
from verigate.sdk import Request, path_text
from verigate.sdk.subject import Change, Repository, find_repository, open_repository, read_changes, resolve_base

_REGULAR = frozenset({"100644", "100755"})


def find_gone_links(request: Request, settings: Settings, found: Iterable[Link]) -> list[dict[str, str]]:
    """Return ``links/gone.json``: ``url`` and ``file`` of each link that is nowhere any more, sorted.

    ``found`` are the links of the subject. A link that another one of the same text replaces isn't gone. Outside git
    there is no base, and nothing is gone. Raises ToolFailed if git can't list the changes.
    """
    if find_repository(request) is None:
        return []
    with tempfile.TemporaryDirectory(prefix="verigate-base-") as name:
        root = Path(name).resolve()
        with open_repository(request) as repository:
            changes = read_changes(repository, resolve_base(request, repository))
            texts = dict(_write_texts(repository, settings, changes, root))
        not_utf8 = frozenset(path for path in texts if not is_utf8((root / path).read_bytes()))
        kinds = {path: kind for path in texts if (kind := text_kind(path)) is not None}
        before = _group_by_file(find_text_links(request, settings, root, kinds, not_utf8))
    after = _group_by_file(found)
    everywhere = frozenset(name for names in after.values() for name in names)
    return sorted(_compare(texts, before, after, everywhere), key=lambda entry: (entry["url"], entry["file"]))


def _write_texts(
    repository: Repository, settings: Settings, changes: Iterable[Change], root: Path
) -> Iterator[tuple[str, str]]:
    """Write each changed text as it was at the base; yield its path there and its path in the subject."""
    is_chosen = make_file_filter(settings)
    for change in changes:
        path = change.source or change.path
        if change.modes[0] not in _REGULAR or text_kind(path) is None or not is_chosen(path):
            continue
        blob = repository.git("cat-file", "blob", change.oids[0], check=False, max_bytes=MAX_TEXT_BYTES + 1)
        if blob.exit_code != 0 or len(blob.stdout) > MAX_TEXT_BYTES:
            continue  # Larger texts are left out in the subject as well.
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(blob.stdout)
        yield path, change.path


def _group_by_file(links: Iterable[Link]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for link in links:
        found[link.place.source].add(link.name)
    return {file: frozenset(names) for file, names in found.items()}


def _compare(
    texts: Mapping[str, str],
    before: Mapping[str, frozenset[str]],
    after: Mapping[str, frozenset[str]],
    everywhere: frozenset[str],
) -> Iterator[dict[str, str]]:
    for old, new in texts.items():
        had = before.get(path_text(old), frozenset())
        has = after.get(path_text(new), frozenset())
        gone = had - everywhere
        if len(gone) > len(has - had):
            yield from ({"url": url, "file": path_text(new)} for url in gone)
