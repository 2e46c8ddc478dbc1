"""Map names of file formats and kinds to extensions, and derive destinations from a format."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from verigate.requests.tokenizer import stem_text
from verigate.requests.vocabulary import EXTENSIONS, FORMATS, KINDS
from verigate.tools.matching import is_pattern

_DOUBLE = (".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst")


def parse_format(text: str) -> str | None:
    """Return the extension, without its dot, for the name of a format or an extension; None if it isn't known."""
    lowered = text.lower().removeprefix(".")
    if lowered in FORMATS:
        return FORMATS[lowered]
    return lowered if f".{lowered}" in _DOUBLE or lowered in EXTENSIONS else None


def parse_plural(text: str) -> str | None:
    """Return the extension for a plural: ``pngs``, ``PDFs``."""
    lowered = text.lower().replace("'", "")
    return lowered[:-1] if lowered.endswith("s") and lowered[:-1] in EXTENSIONS else None


def parse_kind(text: str) -> frozenset[str] | None:
    """Return the extensions of a kind of files: ``picture``, ``videos``."""
    lowered = text.lower()
    return KINDS.get(lowered) or KINDS.get(lowered.removesuffix("s"))


def get_extension(path: str) -> str:
    """Return the extension of a path in lower case, without its dot."""
    return posixpath.splitext(path)[1].lower().removeprefix(".")


def list_file_words(path: str) -> frozenset[str]:
    """List the stems of words for a file: its extension, its kind, the words of its name."""
    suffix = get_extension(path)
    found = {suffix, *(name for name, suffixes in KINDS.items() if suffix in suffixes)}
    found |= {name for name, known in FORMATS.items() if known == suffix}
    found.add(posixpath.basename(path).lower())
    found |= set(posixpath.basename(posixpath.splitext(path)[0]).lower().replace("-", " ").replace("_", " ").split())
    return frozenset(stem for word in found if word for stem in stem_text(word))


def derive_destinations(targets: Iterable[str], suffix: str, *, looped: bool) -> list[str] | None:
    """Derive destinations from a format: next to the targets, with their names.

    A pattern gives a pattern. None if no destination can be derived.
    """
    found = []
    listed = list(targets)
    if len(listed) != 1 and not looped:
        return None
    for target in listed:
        head, slash, name = target.rstrip("/").rpartition("/")
        if is_pattern(target):
            if is_pattern(head) or len(listed) != 1 or not looped:
                return None
            found.append(f"{head}{slash}*.{suffix}")
        elif looped:
            double = next((end for end in _DOUBLE if name.endswith(end)), None)
            stem = name.removesuffix(double) if double else posixpath.splitext(name)[0]
            found.append(f"{head}{slash}{stem}.{suffix}")
        else:
            found.append(f"{head}{slash}{name}.{suffix}")
    return None if any(new == old for new, old in zip(found, listed, strict=True)) else found
