"""Look up a verifier's citations in the sealed evidence. A citation that isn't found there is void."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.task_folder import RESERVED_NAMES
from verigate.domain.verdict import EvidenceRef, shorten_cited
from verigate.domain.verification import Citation
from verigate.formats import pointer
from verigate.formats.patch import FileDiff, parse_patch
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.formats.visible import escape_invisible, format_json_line, unescape_at_signs
from verigate.gate.repetition import is_blank, repeats_statement

PATCH_SPEC = "verigate:diffs-patch.v1"
MAX_LINES = 200
"""Longest span of lines that may be cited: a longer one points at nothing in particular."""


class VoidCitationError(Exception):
    """A citation isn't found where it points. The message says why and quotes nothing from the model."""


class CitedPlace(Struct, frozen=True):
    """An existing place in the evidence, and its text."""

    ref: EvidenceRef
    text: str


def look_up_all(
    citations: Iterable[Citation], evidence: Evidence, texts: Mapping[str, str], statement: str
) -> tuple[EvidenceRef, ...]:
    """Resolve citations to evidence, in their order. ``statement`` is the text that they are cited for.

    Raises VoidCitationError if one isn't there, differs from what it quotes, or together they repeat the statement.
    """
    found = [(citation, look_up(citation, evidence, texts)) for citation in citations]
    in_place = sorted(found, key=lambda item: _sort_key(item[0]))
    for order in (found, in_place):
        if repeats_statement(statement, (cited.text for _, cited in order)):
            raise VoidCitationError("it quotes the statement itself: a claim can't vouch for itself")
    return tuple(cited.ref for _, cited in found)


def _sort_key(citation: Citation) -> tuple[str, str, int, str]:
    return citation.artifact, citation.file or "", citation.first_line or 0, citation.pointer or ""


def look_up(citation: Citation, evidence: Evidence, texts: Mapping[str, str]) -> CitedPlace:
    """Resolve one citation, quoted verbatim or as the prompt displayed it. Raises VoidCitationError."""
    try:
        return _resolve(citation, evidence, texts)
    except VoidCitationError:
        unescaped = _unescape_citation(citation)
        if unescaped == citation:
            raise
        return _resolve(unescaped, evidence, texts)


def _unescape_citation(citation: Citation) -> Citation:
    """Remove the backslashes that the prompt puts before at signs."""
    return replace(
        citation,
        artifact=unescape_at_signs(citation.artifact),
        quoted=unescape_at_signs(citation.quoted),
        pointer=None if citation.pointer is None else unescape_at_signs(citation.pointer),
        file=None if citation.file is None else unescape_at_signs(citation.file),
    )


def _resolve(citation: Citation, evidence: Evidence, texts: Mapping[str, str]) -> CitedPlace:
    artifact = _find_artifact(citation.artifact, evidence)
    if not citation.quoted.strip():
        raise VoidCitationError("it quotes nothing")
    by_lines = citation.first_line is not None or citation.last_line is not None
    if (citation.pointer is not None) is by_lines:
        raise VoidCitationError("it needs either a JSON pointer or a span of lines")
    if citation.pointer is not None:
        return _resolve_pointer(artifact, citation.pointer, citation)
    return _resolve_lines(artifact, citation, texts)


def _find_artifact(name: str, evidence: Evidence) -> Artifact:
    found = evidence.artifacts.get(name)
    if found is None:
        # The prompt escapes invisible characters, so a name may be cited in its escaped form.
        shown = [artifact for path, artifact in evidence.artifacts.items() if escape_invisible(path) == name]
        found = shown[0] if len(shown) == 1 else None
    if found is not None:
        return found
    if name.partition("/")[0] in RESERVED_NAMES or name in {"claim", "commitment", "prompt", "statement"}:
        raise VoidCitationError(
            "it cites the claim, the commitment, the prompt or the gate itself, which prove nothing"
        )
    raise VoidCitationError("it cites an artifact that isn't there")


def _resolve_pointer(artifact: Artifact, place: str, citation: Citation) -> CitedPlace:
    if not artifact.is_json:
        raise VoidCitationError("it uses a pointer for an artifact that isn't JSON; cite text by its lines")
    if citation.file is not None:
        raise VoidCitationError("it has both a file and a JSON pointer")
    document = pointer.copy_without(artifact.value, artifact.volatile)
    try:
        place = _unescape_pointer(document, place)
        value = pointer.resolve(document, place)
    except (LookupError, ValueError):
        raise VoidCitationError("nothing is at its pointer") from None
    if not _is_quoted(value, citation.quoted):
        raise VoidCitationError("the value at its pointer differs from what it quotes")
    if isinstance(value, str) and is_blank(value):
        raise VoidCitationError("the value at its pointer is empty")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return CitedPlace(EvidenceRef(artifact.path, place, shorten_cited(value), artifact.digest), text)


def _unescape_pointer(document: Any, place: str) -> str:
    """Map a pointer with escaped member names, as the prompt displays them, to the actual names."""
    found: list[str | int] = []
    for segment in pointer.split(place):
        name = segment
        if isinstance(document, dict) and segment not in document:
            shown = [key for key in document if escape_invisible(key).replace("\n", "\\n") == segment]
            name = shown[0] if len(shown) == 1 else segment
        document = pointer.resolve(document, pointer.join(name))
        found.append(name)
    return pointer.join(*found)


def _is_quoted(value: Any, quoted: str) -> bool:
    if quoted == format_json_line(value) or (isinstance(value, str) and quoted in {value, escape_invisible(value)}):
        return True
    try:
        parsed = loads(quoted.encode("utf-8"))
    except (StrictJsonError, UnicodeEncodeError):
        return False
    return _comparable_json(parsed) == _comparable_json(value) or (
        isinstance(value, str) and parsed == escape_invisible(value)
    )


def _comparable_json(value: Any) -> str:
    """JSON text for comparison: true and 1 differ, 1 and 1.0 are equal (as in RFC 8785)."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{_comparable_json(value[key])}' for key in sorted(value))}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_comparable_json, value))}]"
    return json.dumps(value)


def _resolve_lines(artifact: Artifact, citation: Citation, texts: Mapping[str, str]) -> CitedPlace:
    if artifact.is_json:
        raise VoidCitationError("it cites lines of a JSON artifact; cite JSON values by pointer")
    text = texts.get(artifact.path)
    if text is None:
        raise VoidCitationError("it cites lines of an artifact that isn't text")
    first = citation.first_line if citation.first_line is not None else citation.last_line
    last = citation.last_line if citation.last_line is not None else citation.first_line
    if first is None or last is None or first < 1 or last < first or last - first >= MAX_LINES:
        raise VoidCitationError(f"its span of lines is invalid, or longer than {MAX_LINES} lines")
    if citation.file is not None:
        lines = _read_file_lines(artifact, citation.file, text)
        place = f"#{citation.file}:{first}-{last}"
    else:
        lines = dict(enumerate(text.removesuffix("\n").split("\n"), start=1))
        place = f"#lines={first}-{last}"
    if any(number not in lines for number in range(first, last + 1)):
        raise VoidCitationError("its lines are not there")
    there = "\n".join(lines[number] for number in range(first, last + 1))
    if is_blank(there):
        raise VoidCitationError("its lines are empty")
    if _strip_lines(citation.quoted) not in {_strip_lines(there), _strip_lines(escape_invisible(there))}:
        raise VoidCitationError("its lines differ from what it quotes")
    # Bytes that aren't UTF-8 are lone surrogates in a str, which JSON can't represent.
    value = shorten_cited(there.encode("utf-8", "backslashreplace").decode("utf-8"))
    return CitedPlace(EvidenceRef(artifact.path, place, value, artifact.digest), there)


def _read_file_lines(artifact: Artifact, file: str, text: str) -> dict[int, str]:
    """The lines of a file's new version that a patch contains, by line number."""
    if artifact.media_spec != PATCH_SPEC:
        raise VoidCitationError("it names a file, but the artifact isn't a patch")
    found = [part for part in _parse_patch(text) if file in {part.path, escape_invisible(part.path)}]
    if len(found) != 1:
        raise VoidCitationError("its file is not in the patch")
    return {line.new: line.text for line in found[0].lines if line.new is not None}


@lru_cache(maxsize=1)
def _parse_patch(text: str) -> tuple[FileDiff, ...]:
    """Parse a patch, cached: it may have many megabytes and many citations."""
    return parse_patch(text)


def _strip_lines(text: str) -> tuple[str, ...]:
    """Lines without trailing blanks and carriage returns, which models don't quote reliably."""
    return tuple(line.removesuffix("\\r").rstrip() for line in text.strip("\n").split("\n"))
