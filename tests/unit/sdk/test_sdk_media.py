"""Spec IDs and cap URNs for adapters."""

from __future__ import annotations

import pytest

from verigate import sdk


def test_a_spec_id_is_resolved_in_the_table_and_among_the_built_in_ones() -> None:
    table = {"my:page.v1": "application/pdf"}
    assert sdk.resolve("media:integer").schema == {"type": "integer"}
    spec = sdk.resolve("my:page.v1", table)
    assert (spec.media_type, spec.is_binary) == ("application/pdf", True)
    with pytest.raises(sdk.MediaSpecError, match="media:integer"):
        sdk.resolve("media:intger", table)


@pytest.mark.parametrize(("media_type", "binary"), [("image/png", True), ("text/plain", False), ("a/b+zip", True)])
def test_bytes_are_told_from_text(media_type: str, binary: bool) -> None:
    assert sdk.is_binary(media_type) is binary


def test_a_urn_is_built_in_its_canonical_form() -> None:
    assert sdk.build_urn({"op": "extract", "name": "Two Words", "ext": "*"}) == 'cap:ext;name="Two Words";op=extract'
    assert sdk.build_urn({"in": "media:pdf;bytes"}) == 'cap:in="media:pdf;bytes"'
    for tags in ({"Op": "x"}, {"op": ""}, {"in": "nothing"}):
        with pytest.raises(sdk.UrnError):
            sdk.build_urn(tags)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'resolv'"):
        sdk.resolv  # type: ignore[attr-defined]  # noqa: B018
