"""Select the texts that are searched for links.

These are all texts of the subject. If the commitment has a scope, they are the texts that it names, those below its
folder, and all texts that the change touches, so that no scope hides a change.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from links_adapter.settings import Settings
from verigate.sdk import Request, ToolFailed, path_text
from verigate.sdk.scopes import named_by, read_committed_scope
from verigate.sdk.subject import Repository, changed_paths, find_repository, list_paths, read_file

KINDS: Mapping[str, str] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn", ".mkdown", ".mdx"), "markdown"),
    **dict.fromkeys((".html", ".htm"), "html"),
    **dict.fromkeys((".rst", ".rest"), "rst"),
    **dict.fromkeys((".adoc", ".asciidoc"), "asciidoc"),
    ".txt": "text",
}
"""Suffix, in lower case -> kind of text."""

BARE = frozenset({"README", "CHANGELOG", "CHANGES", "CONTRIBUTING", "AUTHORS", "NEWS", "TODO", "INSTALL", "HISTORY"})
"""Names without a suffix that are plain text."""

_GLOB = frozenset("*?[")
MAX_TEXT_BYTES = 32 << 20


class Scope(Struct, frozen=True):
    """``texts``: path -> kind. ``left_out``: path -> reason. ``not_utf8``: paths of ``texts`` that aren't UTF-8."""

    texts: Mapping[str, str]
    left_out: Mapping[str, str]
    not_utf8: frozenset[str]


def text_kind(path: str) -> str | None:
    """Return the kind of text by the file's name; None if it isn't searched for links."""
    pure = PurePosixPath(path)
    if not pure.suffix:
        return "text" if pure.name.upper() in BARE else None
    return KINDS.get(pure.suffix.lower())


def find_texts(request: Request, settings: Settings) -> Scope:
    """Find the texts in scope, sorted.

    Raises ToolFailed if git can't list them, UnreadableFileError for one that can't be read.
    """
    texts: dict[str, str] = {}
    left_out: dict[str, str] = {}
    repository = find_repository(request)
    wanted = _scope_filter(request, repository)
    only, without = _matcher(settings.files), _matcher(settings.exclude_files)
    for path in list_paths(request, repository):
        kind = text_kind(path)
        if kind is None:
            continue
        full = request.repo_root / path
        if wanted is not None and not wanted(path):
            left_out[path] = "outside the commitment's scope"
        elif settings.files and not only(path):
            left_out[path] = "not among the configured files"
        elif without(path):
            left_out[path] = "excluded by configuration"
        elif full.is_symlink():
            left_out[path] = "a symbolic link"
        elif not full.is_file():
            left_out[path] = "not in the checkout"
        elif full.stat().st_size > MAX_TEXT_BYTES:
            left_out[path] = f"larger than {MAX_TEXT_BYTES} bytes"
        else:
            texts[path] = kind
    not_utf8 = frozenset(path for path in texts if not is_utf8(read_file(request.repo_root, path, MAX_TEXT_BYTES)))
    return Scope(texts, left_out, not_utf8)


def make_file_filter(settings: Settings) -> Callable[[str], bool]:
    """Return whether the configuration lets a path be read."""
    only, without = _matcher(settings.files), _matcher(settings.exclude_files)
    return lambda path: (not settings.files or only(path)) and not without(path)


def decode(raw: bytes) -> str:
    """Decode as UTF-8, or as UTF-16 after its byte order mark; invalid bytes are replaced."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    return raw.decode("utf-8", "replace")


def is_utf8(raw: bytes) -> bool:
    """Whether lychee can read a file with this content."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in raw


def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    if not patterns:
        return lambda _path: False
    import pathspec

    matching = pathspec.GitIgnoreSpec.from_lines(patterns)
    # pathspec uses RE2 if installed, which accepts only Unicode.
    return lambda path: matching.match_file(path_text(path))


def _scope_filter(request: Request, repository: Repository | None) -> Callable[[str], bool] | None:
    scope = read_committed_scope(request.commitment)
    if scope is None:
        return None
    below = _normal(scope.directory)
    named = {name for name in map(_normal, scope.files) if _may_name_texts(name, request.repo_root)}
    if not below and not named:
        return None
    if repository is None:
        raise ToolFailed("the changed files are unknown outside a git repository", where=str(request.repo_root))
    is_named, touched = named_by(named, below), changed_paths(request, repository)
    return lambda path: path in touched or is_named(path)


def _may_name_texts(name: str, root: Path) -> bool:
    return bool(text_kind(name) or _GLOB & set(name) or (name and (root / name).is_dir()))


def _normal(path: str) -> str:
    normal = os.path.normpath(path)
    return "" if normal == "." else normal.lstrip("/")
