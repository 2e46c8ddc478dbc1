"""Cap URNs, whose ``in`` and ``out`` are spec IDs: decide who can serve a request, and rank the candidates.

Source: the third source document (tags) and the facts on tagged URNs that come with it (dispatch, ranking).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from verigate.domain import spec_id as spec_ids
from verigate.domain.spec_id import SpecId, SpecIdError
from verigate.domain.urn.form import ABSENT, Form, FormKind, covers
from verigate.domain.urn.matching import compute_specificity as tags_specificity
from verigate.domain.urn.tagged import TaggedUrn, UrnError, build_urn
from verigate.domain.urn.tagged import parse as parse_tagged

PREFIX = "cap"
DIRECTIONS = ("in", "out")
_ANY = frozenset({FormKind.FREE, FormKind.PRESENT})


class CapUrn(Struct, frozen=True):
    """``takes`` and ``gives`` are the spec IDs of ``in`` and ``out``, None where they are not constrained."""

    tagged: TaggedUrn
    takes: SpecId | None = None
    gives: SpecId | None = None

    def __str__(self) -> str:
        """The canonical text."""
        return str(self.tagged)

    @property
    def spec_ids(self) -> tuple[tuple[str, str], ...]:
        """(``in`` or ``out``, the spec ID as it is written there) for those that are said."""
        said = ((key, self.tagged.form(key)) for key in DIRECTIONS)
        return tuple((key, form.value) for key, form in said if form is not None and form.kind is FormKind.EXACT)


class Candidate(Struct, frozen=True):
    """A candidate for a request. ``name`` is chosen by the caller."""

    name: str
    urn: CapUrn


class Ranked(Struct, frozen=True):
    """A ranked candidate; ``index`` is its place in the input.

    ``distance`` is how much more specific it is than the request; ``tied`` if others have the same distance.
    """

    index: int
    name: str
    urn: CapUrn
    distance: int
    tied: bool


def parse(text: str) -> CapUrn:
    """Parse a cap URN. Raises UrnError."""
    return _to_cap(parse_tagged(text))


def from_tags(tags: dict[str, str]) -> CapUrn:
    """Build the URN of a cap definition's ``urn.tags``: values verbatim, ``*`` for any. Raises UrnError."""
    return _to_cap(
        build_urn(
            PREFIX, {key: Form(FormKind.PRESENT) if v == "*" else Form(FormKind.EXACT, v) for key, v in tags.items()}
        )
    )


def _to_cap(tagged: TaggedUrn) -> CapUrn:
    if tagged.prefix != PREFIX:
        raise UrnError(f"{tagged} is no cap URN: it begins with {tagged.prefix}: and not with {PREFIX}:")
    found: dict[str, SpecId | None] = {}
    for key in DIRECTIONS:
        form = tagged.form(key)
        if form is None or form.kind in _ANY:
            found[key] = None
        elif form.kind is FormKind.EXACT:
            try:
                found[key] = spec_ids.parse(form.value)
            except SpecIdError as problem:
                raise UrnError(f"{key}: {problem}") from None
        else:
            raise UrnError(f"{key} of {tagged} is a type: write {key}=<spec ID>, or {key} for any")
    return CapUrn(tagged, found["in"], found["out"])


def compute_specificity(urn: CapUrn) -> int:
    """Add up the specificity of the tags, and one for each tag of ``in`` and ``out``: ``media:pdf;bytes`` adds one."""
    refined = sum(spec_ids.count_tags(spec_id) for spec_id in (urn.takes, urn.gives) if spec_id is not None)
    return tags_specificity(urn.tagged) + refined


def is_equal(one: CapUrn, other: CapUrn) -> bool:
    """Whether both are equivalent: ``in=media:bytes`` equals ``in=media:binary``."""
    return _split_types(one) == _split_types(other)


def _split_types(urn: CapUrn) -> tuple[TaggedUrn, SpecId | None, SpecId | None]:
    said = {key for key, _ in urn.spec_ids}
    tagged = TaggedUrn(urn.tagged.prefix, tuple(tag for tag in urn.tagged.tags if tag[0] not in said))
    return tagged, urn.takes and urn.takes.canonical, urn.gives and urn.gives.canonical


def _is_conforming(specific: SpecId | None, general: SpecId | None) -> bool:
    return general is None or (specific is not None and spec_ids.conforms_to(specific, general))


def can_serve(provider: CapUrn, request: CapUrn) -> bool:
    """Whether a provider can serve a request; not symmetric.

    A provider may accept more than the request gives, and return something more specific than it asks for. All other
    tags of the request must hold for the provider, which may have more.
    """
    if request.takes is not None and not _is_conforming(request.takes, provider.takes):
        return False
    if not _is_conforming(provider.gives, request.gives):
        return False
    others = ((key, form) for key, form in request.tagged.tags if key not in DIRECTIONS)
    return all(covers(form, provider.tagged.form(key) or ABSENT) for key, form in others)


def rank(candidates: Iterable[Candidate], request: CapUrn) -> tuple[Ranked, ...]:
    """Rank the candidates that can serve a request: exact ones, then refinements and more general ones by distance.

    Ties are sorted by name and marked: nothing chooses between them.
    """
    asked = compute_specificity(request)
    found = [
        (compute_specificity(each.urn) - asked, index, each)
        for index, each in enumerate(candidates)
        if can_serve(each.urn, request)
    ]
    counts: dict[int, int] = {}
    for distance, _, _ in found:
        counts[distance] = counts.get(distance, 0) + 1
    ordered = sorted(found, key=lambda item: (item[0] < 0, abs(item[0]), item[2].name, item[1]))
    return tuple(
        Ranked(index, each.name, each.urn, distance, counts[distance] > 1) for distance, index, each in ordered
    )
