"""The subject's files, as the patterns and domains of tools select them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath

from verigate.sdk import Request
from verigate.sdk.subject import Subject, find_subject
from verigate.tools.interpreter import detect_script_type

_HEAD_BYTES = 8192


class ToolSubject(Subject, frozen=True, dict=True):
    """The subject's regular files with their folders and MIME types."""

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The files and their folders, which patterns can match."""
        folders = {str(parent) for path in self.paths for parent in PurePosixPath(path).parents} - {"."}
        return tuple(sorted({*self.paths, *folders}))

    def below(self, path: str) -> Iterator[str]:
        """Yield the file ``path``, or the files in the folder ``path``; "." is the whole subject."""
        plain = path.rstrip("/")
        if plain in self.known:
            yield plain
        prefix = "" if plain in {".", ""} else f"{plain}/"
        yield from (file for file in self.paths if file.startswith(prefix))

    def mime_type(self, path: str) -> str | None:
        """Detect the MIME type of a file's content; a text's type comes from its first line or its name."""
        import mimetypes

        import puremagic

        try:
            with (self.root / path).open("rb") as stream:
                head = stream.read(_HEAD_BYTES)
        except OSError:
            return None
        if (script := detect_script_type(head)) is not None:
            return script
        try:
            found = puremagic.from_string(head, mime=True)
        except (puremagic.PureError, ValueError):
            found = ""
        if found and not found.startswith("text/"):
            return str(found)
        named = mimetypes.guess_type(path, strict=False)[0] or ""
        if b"\0" in head:
            return str(found) or None
        return named if named.startswith("text/") or named.endswith(("json", "xml", "yaml")) else found or "text/plain"


def find_tool_subject(request: Request) -> ToolSubject:
    """Find the subject with ``verigate.sdk.subject.find_subject``."""
    found = find_subject(request)
    return ToolSubject(found.root, tuple(found.paths), found.changed)
