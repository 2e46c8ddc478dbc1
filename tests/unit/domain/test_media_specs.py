from __future__ import annotations

import re
from typing import Any

import pytest

from verigate.domain.media import BUILTIN, MediaSpecError, is_binary, parse_media_spec, resolve
from verigate.domain.standard_artifacts import STANDARD


def test_every_standard_artifact_has_a_built_in_spec() -> None:
    for standard in STANDARD:
        spec = resolve(standard.media_spec, {})
        assert spec.origin == "built-in"
        assert spec.is_json is standard.path.endswith(".json")


@pytest.mark.parametrize(
    ("text", "media_type", "profile"),
    [
        ("application/json", "application/json", None),
        ("Text/Plain; profile=https://x.example/s", "text/plain", "https://x.example/s"),
        ('application/json; profile="https://x.example/s"', "application/json", "https://x.example/s"),
        ("application/vnd.x+json; charset=utf-8", "application/vnd.x+json", None),
    ],
)
def test_a_media_spec_string_is_read(text: str, media_type: str, profile: str | None) -> None:
    assert parse_media_spec(text) == (media_type, profile)


@pytest.mark.parametrize("text", ["", "json", "application/", "/json", "a b/c", "application/json; profile", "a/b/c"])
def test_a_media_spec_string_without_a_type_is_refused(text: str) -> None:
    with pytest.raises(MediaSpecError):
        parse_media_spec(text)


@pytest.mark.parametrize(
    ("media_type", "binary"),
    [
        ("image/png", True),
        ("audio/ogg", True),
        ("video/mp4", True),
        ("application/octet-stream", True),
        ("application/pdf", True),
        ("application/x-tar", True),
        ("application/epub+zip", True),
        ("application/y+gzip", True),
        ("application/json", False),
        ("text/plain", False),
    ],
)
def test_what_counts_as_binary(media_type: str, binary: bool) -> None:
    assert is_binary(media_type) is binary


def test_the_document_s_own_table_comes_first() -> None:
    table: dict[str, Any] = {
        "my:thing.v1": "application/json; profile=https://x.example/s",
        "my:other.v1": {"media_type": "text/plain", "profile_uri": "https://x.example/t", "schema": {"type": "string"}},
        "media:string": "application/json",
    }
    thing = resolve("my:thing.v1", table)
    assert (thing.media_type, thing.profile_uri, thing.schema, thing.origin) == (
        "application/json",
        "https://x.example/s",
        None,
        "table",
    )
    assert resolve("my:other.v1", table).schema == {"type": "string"}
    assert resolve("media:string", table).media_type == "application/json"
    assert resolve("media:string", {}).media_type == "text/plain"


@pytest.mark.parametrize("entry", [None, 1, [], {}, {"media_type": 1}, "nonsense"])
def test_a_broken_table_entry_is_an_error(entry: Any) -> None:
    with pytest.raises(MediaSpecError):
        resolve("my:thing.v1", {"my:thing.v1": entry})


def test_an_unknown_spec_names_the_table_and_the_nearest_ids() -> None:
    with pytest.raises(MediaSpecError, match=r"neither in media_specs nor built in; nearest: verigate:lint\.v1"):
        resolve("verigate:lnt.v1", {})
    with pytest.raises(MediaSpecError, match=r"nearest: media:bytes, "):
        resolve("media:byte", {})


def test_built_in_ids_are_well_formed() -> None:
    assert all(re.fullmatch(r"[a-z][a-z0-9_-]*:[A-Za-z0-9_.;=-]+", spec_id) for spec_id in BUILTIN)
