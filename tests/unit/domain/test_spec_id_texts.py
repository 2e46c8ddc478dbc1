"""Spec IDs and media types: what is read, what is refused, and what must hold for any of them (hypothesis)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain import spec_id as spec_ids
from verigate.domain.media import MediaSpecError, resolve
from verigate.domain.spec_id import SpecId, SpecIdError
from verigate.formats import media_type as media_types
from verigate.formats.media_type import MediaType, MediaTypeError


@pytest.mark.parametrize(
    "text",
    [
        *("", "media", "media:", ":x", "Media:x", "9m:x", "media:x y", "media:x.", "media:.x", "me dia:x", "media:x\n"),
        *(
            "my:x.v01",
            "my:x.v1;",
            "my:x.v1;A",
            "my:x.v1;a;a",
            "my:x.v1;a=",
            "media:A;bytes",
            "media:a.b;binary",
            "my:x.v" + "9" * 30,
            "a:" + "b" * 300,
        ),
    ],
)
def test_what_is_no_spec_id_is_refused(text: str) -> None:
    with pytest.raises(SpecIdError):
        spec_ids.parse(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("media:bytes", "media:binary"),
        ("media:pdf;bytes", "media:binary;pdf"),
        ("media:bytes;scanned;pdf", "media:binary;pdf;scanned"),
        ("my:scan.v1;b;a", "my:scan.v1;a;b"),
        ("media:string", "media:string"),
        ("my:bytes.v1", "my:bytes.v1"),
    ],
)
def test_spellings_of_one_id_have_one_canonical_one(text: str, canonical: str) -> None:
    assert spec_ids.canonicalize(text) == canonical


@pytest.mark.parametrize(
    ("one", "other", "answers"),
    [
        ("media:binary", "media:bytes", (True, True, True, True)),
        ("media:pdf;bytes", "media:binary;pdf", (True, True, True, True)),
        ("media:binary", "media:pdf;bytes", (True, False, True, False)),
        ("media:pdf;bytes", "media:binary", (False, True, True, False)),
        ("media:pdf;bytes", "media:png;bytes", (False, False, False, False)),
        ("media:integer", "media:number", (False, False, False, False)),
        ("my:x.v1", "my:x.v2", (False, False, False, False)),
        ("my:x.v1", "my:x", (False, False, False, False)),
    ],
)
def test_the_four_questions_have_four_answers(one: str, other: str, answers: tuple[bool, bool, bool, bool]) -> None:
    asked = (spec_ids.accepts, spec_ids.conforms_to, spec_ids.is_comparable, spec_ids.is_equivalent)
    pair = (spec_ids.parse(one), spec_ids.parse(other))
    assert tuple(question(*pair) for question in asked) == answers


@pytest.mark.parametrize(
    ("text", "essence", "parameters"),
    [
        ("TEXT/Plain", "text/plain", ()),
        ("application/json ; Profile=https://x.example/a", "application/json", (("profile", "https://x.example/a"),)),
        (r'text/plain; a="x;y=\"z\""', "text/plain", (("a", 'x;y="z"'),)),
        ("text/plain; ;charset=utf-8;", "text/plain", (("charset", "utf-8"),)),
        ("application/vnd.x+json", "application/vnd.x+json", ()),
    ],
)
def test_a_media_type_is_read(text: str, essence: str, parameters: tuple[tuple[str, str], ...]) -> None:
    assert media_types.parse(text) == MediaType(essence, parameters)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "text",
            "text/",
            "/plain",
            "text/plain/x",
            "te xt/plain",
            "text/plain; a",
            "text/plain; =b",
            "text/plain a=b",
        ),
        *(
            'text/plain; a="b',
            "text/plain; a=b; A=c",
            "text/plain, text/html",
            "text/plain; a=b\n",
            "text/plain; a=\x00",
        ),
        "text/plain; a=" + "b" * 2000,
    ],
)
def test_what_is_no_media_type_is_refused(text: str) -> None:
    with pytest.raises(MediaTypeError):
        media_types.parse(text)


NAMESPACES = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True)
NAMES = st.from_regex(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,6}[A-Za-z0-9_-])?", fullmatch=True)
TAGS = st.lists(st.from_regex(r"[a-z0-9_-]{1,5}(=[A-Za-z0-9_.-]{1,4})?", fullmatch=True), unique=True, max_size=3)


def _is_a_type(spec_id: SpecId) -> bool:
    """A tag ``bytes`` makes the name of a medium a tag as well, and that has to be one."""
    is_binary = not {"bytes", "binary"}.isdisjoint(spec_id.tags)
    is_refined = spec_id.namespace == "media" and spec_id.version is None and is_binary
    return not is_refined or spec_ids._TAG.fullmatch(spec_id.name) is not None


IDS = st.builds(
    SpecId,
    NAMESPACES | st.just("media"),
    NAMES.filter(lambda name: not spec_ids._VERSION.fullmatch(name)) | st.sampled_from(["pdf", "bytes", "binary"]),
    st.none() | st.integers(0, 10**6),
    (TAGS | st.lists(st.sampled_from(["pdf", "bytes", "binary"]), unique=True)).map(tuple),
).filter(_is_a_type)


@given(IDS)
def test_any_spec_id_is_read_back_from_its_text(spec_id: SpecId) -> None:
    assert spec_ids.parse(str(spec_id)) == spec_id


@given(IDS)
def test_the_canonical_id_is_its_own_canonical_id(spec_id: SpecId) -> None:
    canonical = spec_id.canonical
    assert canonical.canonical == canonical
    assert spec_ids.parse(str(canonical)) == canonical
    assert spec_ids.is_equivalent(spec_id, canonical)


@given(IDS, IDS)
def test_the_relations_hang_together(one: SpecId, other: SpecId) -> None:
    assert spec_ids.accepts(one, one)
    assert spec_ids.conforms_to(one, other) is spec_ids.accepts(other, one)
    assert spec_ids.is_comparable(one, other) is (spec_ids.accepts(one, other) or spec_ids.accepts(other, one))
    assert spec_ids.is_equivalent(one, other) is (spec_ids.accepts(one, other) and spec_ids.accepts(other, one))
    if spec_ids.accepts(one, other):
        assert spec_ids.count_tags(other) >= spec_ids.count_tags(one)


@given(st.text(max_size=40) | st.text("media:bytes;.v1=", max_size=20))
def test_any_text_is_a_spec_id_or_a_plain_refusal(text: str) -> None:
    with contextlib.suppress(SpecIdError):
        assert str(spec_ids.parse(text)) == text
    with contextlib.suppress(MediaSpecError):
        assert resolve(text, {"my:x.v1": "image/png"}).spec_id == text


TOKENS = st.from_regex(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,6}", fullmatch=True)
PARTS = st.from_regex(r"[0-9a-z][0-9a-z!#$&^_.+-]{0,6}", fullmatch=True)
MEDIA_TYPES = st.builds(
    lambda kind, sub, parameters: MediaType(f"{kind}/{sub}", tuple(parameters.items())),
    PARTS,
    PARTS,
    st.dictionaries(
        TOKENS.map(str.lower),
        st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=8) | TOKENS,
        max_size=3,
    ),
)


@given(MEDIA_TYPES)
def test_any_media_type_is_read_back_from_its_text(media_type: MediaType) -> None:
    assert media_types.parse(str(media_type)) == media_type


@given(st.text(max_size=60) | st.text('a/;="\\ b', max_size=20).map(lambda text: f"text/plain{text}"))
def test_the_canonical_media_type_is_its_own_canonical_one(text: str) -> None:
    try:
        found = media_types.parse(text)
    except MediaTypeError:
        return
    assert media_types.parse(str(found)) == found
