"""The rules of tagged URNs, each as a table; and what must hold for any URN (hypothesis)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.urn import cap, tagged
from verigate.domain.urn.form import ABSENT, FREE, Form, FormKind, covers
from verigate.domain.urn.matching import compute_specificity, matches
from verigate.domain.urn.tagged import TaggedUrn, UrnError

EXAMPLE = "cap:ext=pdf;in=media:bytes;op=extract_metadata;out=media:extract-metadata-output"
"""The URN of the third source document, as it stands there."""


def test_the_document_s_urn_is_read_and_is_canonical_already() -> None:
    urn = cap.parse(EXAMPLE)
    assert str(urn) == EXAMPLE
    assert urn.spec_ids == (("in", "media:bytes"), ("out", "media:extract-metadata-output"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("cap:op=x;ext=pdf", "cap:ext=pdf;op=x"),
        ("CAP:Op=Extract", "cap:op=extract"),
        ('cap:name="Two Words"', 'cap:name="Two Words"'),
        ('cap:name="plain"', "cap:name=plain"),
        (r'cap:name="a\"b\\c;d=e"', r'cap:name="a\"b\\c;d=e"'),
        ("cap:ext=*", "cap:ext"),
        ("cap:ext", "cap:ext"),
        ('cap:ext="*"', 'cap:ext="*"'),
        ("cap:!b;?a;c?=1;d!=2", "cap:?a;!b;c?=1;d!=2"),
        ("cap:?c=1;!d=2", "cap:c?=1;d!=2"),
        ('cap:!name="Two Words"', 'cap:name!="Two Words"'),
        ('cap:in="media:pdf;bytes"', 'cap:in="media:pdf;bytes"'),
        ("cap:", "cap:"),
    ],
)
def test_a_urn_has_one_canonical_text(text: str, canonical: str) -> None:
    assert str(tagged.parse(text)) == canonical
    assert str(tagged.parse(canonical)) == canonical


@pytest.mark.parametrize("one", ["cap:a=1;b=2", 'CAP:B="2";A=1'])
def test_urns_are_equal_whatever_their_order_case_and_quotes(one: str) -> None:
    assert tagged.parse(one) == tagged.parse("cap:b=2;a=1")
    assert tagged.parse(one) != tagged.parse('cap:a=1;b="2 "')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "prefix"),
        ("cap", "prefix"),
        ("9p:x=1", "prefix"),
        ("\u212aap:x=1", "prefix"),
        ("cap:x=1;x=2", "twice"),
        ("cap:X=1;x=2", "twice"),
        ("cap:x=", "empty value"),
        ('cap:x=""', "empty value"),
        ("cap:x?=", "empty value"),
        ("cap:?!x", "no key"),
        ("cap:!x=*", "in quotes"),
        ("cap:?x=*", "in quotes"),
        ("cap:?x=?", "in quotes"),
        ("cap:!x=", "empty value"),
        ("cap:?x?=1", "not at both places"),
        ("cap:!x?=1", "not at both places"),
        ("cap:?x=1;x=2", "twice"),
        ("cap:?", "no key"),
        ("cap:!", "no key"),
        ("cap:x?", "no key"),
        ("cap:x=?", "in quotes"),
        ("cap:x!=*", "in quotes"),
        ("cap:;", "semicolon"),
        ("cap:x=1;", "semicolon"),
        ("cap:x=a b", "in quotes"),
        ("cap:x=a=b", "in quotes"),
        (r"cap:x=a\b", "in quotes"),
        ('cap:x="a', "not closed"),
        (r'cap:x="a\n"', "backslash"),
        ('cap:x="a"b', "in quotes"),
        ('cap:x="a\nb"', "printed"),
        ("cap:1x=1", "no key"),
        ("cap: x=1", "no key"),
        ("cap:x=" + "a" * 5000, "longer"),
    ],
)
def test_what_is_no_urn_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(UrnError, match=reason):
        tagged.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("urn:op=x", "no cap URN"),
        ("cap:in=nothing", "in: .*namespace:name"),
        ("cap:!out", "out .* is a type"),
        ("cap:in!=media:string", "in .* is a type"),
    ],
)
def test_in_and_out_are_spec_ids(text: str, reason: str) -> None:
    with pytest.raises(UrnError, match=reason):
        cap.parse(text)


@pytest.mark.parametrize(
    ("text", "score"), [("?x", 0), ("x?=v", 1), ("x", 2), ("x=*", 2), ("x!=v", 3), ("x=v", 4), ("!x", 5)]
)
def test_each_of_the_six_forms_has_its_specificity(text: str, score: int) -> None:
    assert compute_specificity(tagged.parse(f"cap:{text}")) == score
    assert compute_specificity(tagged.parse(f"cap:{text};op=y")) == score + 4


# Instances: no key, the value v, the value w.
@pytest.mark.parametrize(
    ("pattern", "absent", "v", "w"),
    [
        ("", True, True, True),
        ("?x", True, True, True),
        ("x?=v", True, False, True),
        ("x", False, True, True),
        ("x!=v", False, False, True),
        ("x=v", False, True, False),
        ("!x", True, False, False),
    ],
)
def test_a_pattern_matches_by_its_form(pattern: str, absent: bool, v: bool, w: bool) -> None:
    found = [matches(tagged.parse(f"cap:{pattern}"), tagged.parse(text)) for text in ("cap:", "cap:x=v", "cap:x=w")]
    assert found == [absent, v, w]


def test_what_only_the_instance_says_does_not_matter() -> None:
    assert matches(tagged.parse("cap:op=x"), tagged.parse("cap:ext=pdf;op=x"))
    assert not matches(tagged.parse("cap:ext=pdf;op=x"), tagged.parse("cap:op=x"))
    assert not matches(tagged.parse("cap:op=x"), tagged.parse("other:op=x"))


@pytest.mark.parametrize(
    ("provider", "request_", "serves"),
    [
        (EXAMPLE, EXAMPLE, True),
        (EXAMPLE, "cap:op=extract_metadata", True),
        (EXAMPLE, "cap:op=extract_metadata;ext=docx", False),
        ("cap:op=x", "cap:op=x;ext=pdf", False),
        # The provider may take more than it is given ...
        ("cap:in=media:bytes;op=x", 'cap:in="media:pdf;bytes";op=x', True),
        ('cap:in="media:pdf;bytes";op=x', "cap:in=media:bytes;op=x", False),
        ("cap:op=x", "cap:in=media:string;op=x", True),
        # ... and give something more specific than was asked for.
        ('cap:op=x;out="media:pdf;bytes"', "cap:op=x;out=media:binary", True),
        ("cap:op=x;out=media:binary", 'cap:op=x;out="media:pdf;bytes"', False),
        ("cap:op=x", "cap:op=x;out=media:string", False),
        # A request that doesn't constrain them is satisfied.
        ("cap:in=media:string;op=x;out=media:integer", "cap:?in;op=x;out", True),
        ("cap:op=x", "cap:!ext;op=x", True),
        ("cap:ext=pdf;op=x", "cap:!ext;op=x", False),
        ("cap:in=media:string", "cap:in=media:integer", False),
    ],
)
def test_who_may_serve_a_request(provider: str, request_: str, serves: bool) -> None:
    assert cap.can_serve(cap.parse(provider), cap.parse(request_)) is serves


def test_serving_is_not_symmetric() -> None:
    general, special = cap.parse("cap:op=x"), cap.parse("cap:ext=pdf;op=x")
    assert (cap.can_serve(special, general), cap.can_serve(general, special)) == (True, False)


def ranked(request_: str, **urns: str) -> list[tuple[str, int, bool]]:
    candidates = [cap.Candidate(name, cap.parse(urn)) for name, urn in urns.items()]
    return [(each.name, each.distance, each.tied) for each in cap.rank(candidates, cap.parse(request_))]


def test_exact_ones_come_first_then_refinements_then_more_general_ones_each_from_near_to_far() -> None:
    found = ranked(
        'cap:in="media:pdf;scanned;bytes";op=x',
        general="cap:in=media:bytes;op=x",
        nearly='cap:in="media:pdf;bytes";op=x',
        far='cap:ext=pdf;in="media:pdf;scanned;bytes";op=x',
        refined='cap:ext;in="media:pdf;scanned;bytes";op=x',
        exact='cap:in="media:pdf;scanned;bytes";op=x',
        other="cap:in=media:string;op=x",
    )
    assert found == [
        ("exact", 0, False),
        ("refined", 2, False),
        ("far", 4, False),
        ("nearly", -1, False),
        ("general", -2, False),
    ]


def test_ties_are_said_and_stand_by_name() -> None:
    found = ranked("cap:op=x", b="cap:ext=pdf;op=x", a="cap:ext=doc;op=x", c="cap:op=x")
    assert found == [("c", 0, False), ("a", 4, True), ("b", 4, True)]


def test_equal_caps_may_spell_a_type_in_two_ways() -> None:
    assert cap.is_equal(cap.parse("cap:in=media:bytes;op=x"), cap.parse("cap:op=x;in=media:binary"))
    assert cap.is_equal(cap.parse('cap:in="media:pdf;bytes"'), cap.parse('cap:in="media:binary;pdf"'))
    assert not cap.is_equal(cap.parse("cap:in=media:bytes"), cap.parse("cap:in=media:string"))
    assert not cap.is_equal(cap.parse("cap:in"), cap.parse("cap:"))


KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
VALUES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zs", "Zl", "Zp")) | st.just(" "), min_size=1, max_size=8
)
NAMED = (FormKind.EXACT, FormKind.ABSENT_OR_NOT, FormKind.PRESENT_AND_NOT)
FORMS = st.builds(Form, st.sampled_from(NAMED), VALUES.filter(str.isprintable)) | st.builds(
    Form, st.sampled_from([FormKind.FREE, FormKind.PRESENT, FormKind.ABSENT])
)
URNS = st.builds(tagged.build_urn, KEYS, st.dictionaries(KEYS, FORMS, max_size=5))
SMALL = st.builds(
    tagged.build_urn,
    st.just("cap"),
    st.dictionaries(
        st.sampled_from("xy"),
        st.builds(Form, st.sampled_from(NAMED), st.sampled_from("vw"))
        | st.builds(Form, st.sampled_from([FormKind.FREE, FormKind.PRESENT, FormKind.ABSENT])),
    ),
)
"""Few keys and values, so that patterns meet."""


@given(URNS)
def test_any_urn_is_read_back_from_its_text(urn: TaggedUrn) -> None:
    assert tagged.parse(str(urn)) == urn


@given(st.text(max_size=60) | st.text('cap:;=!?*"\\ xXyY', max_size=20).map(lambda text: f"cap:{text}"))
def test_the_canonical_text_of_any_text_is_its_own_canonical_text(text: str) -> None:
    try:
        canonical = str(tagged.parse(text))
    except UrnError:
        return
    assert str(tagged.parse(canonical)) == canonical
    assert tagged.parse(canonical) == tagged.parse(text)


@given(URNS)
def test_any_urn_matches_itself_and_is_matched_by_one_that_says_nothing(urn: TaggedUrn) -> None:
    assert matches(urn, urn)
    assert matches(TaggedUrn(urn.prefix), urn)


@given(SMALL, SMALL)
def test_what_a_pattern_matches_says_at_least_as_much_about_its_keys(pattern: TaggedUrn, instance: TaggedUrn) -> None:
    said = TaggedUrn("cap", tuple((key, instance.form(key) or ABSENT) for key, _ in pattern.tags))
    if matches(pattern, instance):
        assert compute_specificity(said) >= compute_specificity(pattern)
    if matches(pattern, said) and matches(said, pattern):
        assert compute_specificity(said) == compute_specificity(pattern)


@given(SMALL, SMALL, SMALL)
def test_matching_goes_on_through_what_speaks_of_every_key(one: TaggedUrn, two: TaggedUrn, three: TaggedUrn) -> None:
    keys = {key for key, _ in one.tags}
    if keys <= {key for key, _ in two.tags} and matches(one, two) and matches(two, three):
        assert matches(one, three)


@given(
    st.builds(Form, st.sampled_from(NAMED), st.sampled_from("vw"))
    | st.builds(Form, st.sampled_from([FormKind.FREE, FormKind.PRESENT, FormKind.ABSENT]))
)
def test_only_the_free_form_covers_the_free_form(form: Form) -> None:
    assert covers(form, FREE) is (form.kind is FormKind.FREE)


@given(st.lists(SMALL, max_size=6), SMALL)
def test_everybody_who_may_serve_is_ranked_once_and_nobody_else(providers: list[TaggedUrn], asked: TaggedUrn) -> None:
    candidates = [cap.Candidate(str(index), cap.CapUrn(urn)) for index, urn in enumerate(providers)]
    request_ = cap.CapUrn(asked)
    found = cap.rank(candidates, request_)
    assert sorted(each.name for each in found) == [c.name for c in candidates if cap.can_serve(c.urn, request_)]
    assert [each.distance for each in found] == sorted(
        (each.distance for each in found), key=lambda distance: (distance < 0, abs(distance))
    )
