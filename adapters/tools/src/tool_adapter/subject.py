"""The subject's files, those of them that the change touches, and what their content is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from verigate.domain.tool.interpreter import script_type
from verigate.sdk import Request, ToolFailed, run_tool

GIT_TIMEOUT_S = 120.0
MAX_TEXT_BYTES = 4 << 20
_HEAD_BYTES = 8192
_OPTIONS = ("--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_NOT_THE_GATES = (".", ":(top,exclude).artifacts")
_NOT_WALKED = frozenset({".artifacts", ".git", ".venv", "venv", "node_modules", "__pycache__"})


@dataclass(frozen=True)
class Subject:
    """Its regular files, sorted; ``changed`` are those that differ from the base, None where that isn't known."""

    root: Path
    files: tuple[str, ...]
    changed: frozenset[str] | None

    @cached_property
    def known(self) -> frozenset[str]:
        """``files`` for look-ups."""
        return frozenset(self.files)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files and the folders that hold them: what a pattern can mean."""
        folders = {str(parent) for path in self.files for parent in PurePosixPath(path).parents} - {"."}
        return tuple(sorted({*self.files, *folders}))

    def below(self, path: str) -> Iterator[str]:
        """The file of this path, or the files in the folder of it; "." is the whole subject."""
        plain = path.rstrip("/")
        if plain in self.known:
            yield plain
        prefix = "" if plain in {".", ""} else f"{plain}/"
        yield from (file for file in self.files if file.startswith(prefix))

    def text(self, path: str) -> str:
        """The content of a file; empty where it can't be read, or is too large for a text."""
        try:
            with (self.root / path).open("rb") as stream:
                raw = stream.read(MAX_TEXT_BYTES + 1)
        except OSError:
            return ""
        return raw.decode("utf-8", "replace") if len(raw) <= MAX_TEXT_BYTES else ""

    def mime_type(self, path: str) -> str | None:
        """The MIME type of a file's content. What is text has no other mark than its first line or its name."""
        import mimetypes

        import puremagic

        try:
            with (self.root / path).open("rb") as stream:
                head = stream.read(_HEAD_BYTES)
        except OSError:
            return None
        if (script := script_type(head)) is not None:
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


def find_subject(request: Request) -> Subject:
    """The index under the gate; by hand the working tree with its untracked, unignored files; outside git all files."""
    root = request.repo_root
    inside = _git(request, "rev-parse", "--is-inside-work-tree", check=False).strip() == b"true"
    if not inside:
        return Subject(root, tuple(sorted(_walk(root))), None)
    which = ["--cached"] if request.gated else ["--cached", "--others", "--exclude-standard"]
    listed = _split(_git(request, "ls-files", *which, "-z", "--", *_NOT_THE_GATES))
    files = tuple(sorted({path for path in listed if _is_file(root / path)}))
    return Subject(root, files, frozenset(_changed(request)) if request.base else None)


def _changed(request: Request) -> Iterator[str]:
    compared = ["--cached"] if request.gated else []
    options = ("--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z")
    out = _git(request, "diff", *compared, *options, str(request.base), "--", *_NOT_THE_GATES, check=False)
    yield from _split(out)


def _git(request: Request, *words: str, check: bool = True) -> bytes:
    run = run_tool(("git", *_OPTIONS, *words), cwd=request.repo_root, timeout_s=GIT_TIMEOUT_S, env=request.environ)
    if check and run.exit_code != 0:
        raise ToolFailed(f"git {words[0]} ended with {run.ended}:\n{run.tail()}")
    return run.stdout


def _split(raw: bytes) -> Iterator[str]:
    return (os.fsdecode(path) for path in raw.split(b"\0") if path)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - _NOT_WALKED)
        yield from (
            (Path(folder) / name).relative_to(root).as_posix() for name in names if _is_file(Path(folder, name))
        )
