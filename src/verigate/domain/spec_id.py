"""Spec IDs ``<namespace>:<name>.v<version>``, and the four relations between two of them.

Source: the third source document (form, built-in IDs without a version, ``media:pdf;bytes``) and, for refinement and
the relations, the facts on tagged URNs that come with it.
"""

from __future__ import annotations

import re

from msgspec import Struct

_BYTES = frozenset({"binary", "bytes"})
"""Two words for the same built-in type; as a tag either makes an ID of ``media`` a refinement of it."""

_NAMESPACE = r"[a-z][a-z0-9_-]*"
_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?"
_TAG = re.compile(r"[a-z0-9_-]+(?:=[A-Za-z0-9_.-]+)?")
_HEAD = re.compile(rf"({_NAMESPACE}):({_NAME})")
_VERSION = re.compile(r"(.+)\.v([0-9]+)")
LONGEST = 200


class SpecIdError(ValueError):
    """A text that isn't a spec ID; the message says why."""


class SpecId(Struct, frozen=True):
    """``version`` is None where the ID has none, as most built-in ones; ``tags`` refine a binary ID."""

    namespace: str
    name: str
    version: int | None = None
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The text that ``parse`` accepts."""
        version = "" if self.version is None else f".v{self.version}"
        return ";".join([f"{self.namespace}:{self.name}{version}", *self.tags])

    @property
    def base(self) -> SpecId:
        """The ID without its tags."""
        return SpecId(self.namespace, self.name, self.version)

    @property
    def canonical(self) -> SpecId:
        """The one spelling of equivalent IDs: tags sorted, ``media:bytes`` as ``media:binary``.

        ``media:pdf;bytes`` becomes ``media:binary;pdf``.
        """
        words = {self.name, *self.tags}
        if self.namespace == "media" and self.version is None and words & _BYTES:
            return SpecId("media", "binary", None, tuple(sorted(words - _BYTES)))
        return SpecId(self.namespace, self.name, self.version, tuple(sorted(set(self.tags))))


def parse(text: str) -> SpecId:
    """Read a spec ID. Raises SpecIdError."""
    if len(text) > LONGEST:
        raise SpecIdError(f"a spec ID of {len(text)} characters is longer than the {LONGEST} that are read")
    head, *tags = text.split(";")
    found = _HEAD.fullmatch(head)
    if found is None:
        hint = " (it has no namespace)" if ":" not in head else ""
        raise SpecIdError(f"{text!r} is not of the form namespace:name.v1{hint}")
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise SpecIdError(f"the tag {tag!r} of {text!r} is not a word in lower case")
    if len(set(tags)) != len(tags):
        raise SpecIdError(f"{text!r} has the same tag twice")
    namespace, name = found.groups()
    versioned = _VERSION.fullmatch(name)
    if versioned is None:
        if namespace == "media" and not _BYTES.isdisjoint(tags) and not _TAG.fullmatch(name):
            raise SpecIdError(f"the name {name!r} of {text!r} is a tag of binary data, so a word in lower case")
        return SpecId(namespace, name, None, tuple(tags))
    if versioned[2] != str(int(versioned[2][:20])):
        raise SpecIdError(f"the version v{versioned[2]} of {text!r} is not a small number without leading zeros")
    return SpecId(namespace, versioned[1], int(versioned[2]), tuple(tags))


def canonicalize(text: str) -> str:
    """Return the canonical spelling of a spec ID. Raises SpecIdError."""
    return str(parse(text).canonical)


def accepts(general: SpecId, specific: SpecId) -> bool:
    """Whether every value of ``specific`` is a value of ``general``: the same ID with at least the same tags.

    Decided by the IDs alone. Different versions or names are different types: nothing is inferred from a name.
    """
    one, other = general.canonical, specific.canonical
    return one.base == other.base and set(one.tags) <= set(other.tags)


def conforms_to(specific: SpecId, general: SpecId) -> bool:
    """Whether every value of ``specific`` is a value of ``general``."""
    return accepts(general, specific)


def is_comparable(one: SpecId, other: SpecId) -> bool:
    """Whether one of the two is a refinement of the other."""
    return accepts(one, other) or accepts(other, one)


def is_equivalent(one: SpecId, other: SpecId) -> bool:
    """Whether both are spellings of one type."""
    return one.canonical == other.canonical


def count_tags(spec_id: SpecId) -> int:
    """Return the number of tags."""
    return len(spec_id.canonical.tags)
