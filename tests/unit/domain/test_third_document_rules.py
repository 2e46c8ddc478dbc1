"""The rules of the third source document, one test each, written from the document and named by its sections."""

from __future__ import annotations

import base64
import json
import socket
from typing import Any

import pytest

from verigate.config.validation import check_inside_json, check_media
from verigate.domain.manifest import Capability, Manifest, Origin, Output
from verigate.domain.media import MediaSpec, MediaSpecError, is_binary, parse_media_spec, resolve
from verigate.domain.plan import PlannedCapability
from verigate.domain.spec_id import SpecId, parse
from verigate.domain.urn import cap
from verigate.evidence.artifact_validation import ArtifactInvalidError, accept_artifact

# Spec IDs


def test_spec_ids_are_namespace_name_and_version() -> None:
    assert parse("my:input-spec.v1") == SpecId("my", "input-spec", 1)
    assert parse("fgnd:listing-id.v12") == SpecId("fgnd", "listing-id", 12)
    assert parse("media:string") == SpecId("media", "string", None)


CAPNS = "https://capns.org/schema/"


@pytest.mark.parametrize(
    ("spec_id", "media_type", "profile"),
    [
        ("media:string", "text/plain", f"{CAPNS}str"),
        ("media:integer", "text/plain", f"{CAPNS}int"),
        ("media:number", "text/plain", f"{CAPNS}num"),
        ("media:boolean", "text/plain", f"{CAPNS}bool"),
        ("media:object", "application/json", f"{CAPNS}obj"),
        ("media:string-array", "application/json", f"{CAPNS}str-array"),
        ("media:integer-array", "application/json", f"{CAPNS}int-array"),
        ("media:number-array", "application/json", f"{CAPNS}num-array"),
        ("media:boolean-array", "application/json", f"{CAPNS}bool-array"),
        ("media:object-array", "application/json", f"{CAPNS}obj-array"),
        ("media:binary", "application/octet-stream", None),
        ("fgnd:listing-id.v1", "text/plain", "https://filegrind.com/schema/listing-id"),
        ("fgnd:task-id.v1", "text/plain", "https://filegrind.com/schema/task-id"),
        ("fgnd:file-path-array.v1", "application/json", "https://filegrind.com/schema/file-path-array"),
        ("media:extract-metadata-output", "application/json", None),
        ("media:extract-outline-output", "application/json", None),
        ("media:disbound-pages", "application/json", None),
        ("media:generated-text", "application/json", None),
        ("media:embeddings", "application/json", None),
        ("media:structured-query-output", "application/json", None),
        ("media:questions-array", "application/json", None),
        ("media:download-output", "application/json", None),
        ("media:load-output", "application/json", None),
        ("media:unload-output", "application/json", None),
        ("media:model-list", "application/json", None),
        ("media:status-output", "application/json", None),
        ("media:contents-output", "application/json", None),
    ],
)
def test_built_in_and_domain_specific_ids_need_no_declaration(
    spec_id: str, media_type: str, profile: str | None
) -> None:
    found = resolve(spec_id, {})
    assert (found.spec_id, found.media_type, found.profile_uri) == (spec_id, media_type, profile)
    assert (found.origin, found.step) == ("built-in", 2)


UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.mark.parametrize(
    ("spec_id", "good", "bad", "place"),
    [
        ("media:string", "", 1, ""),
        ("media:string", "text", None, ""),
        ("media:integer", -3, 1.5, ""),
        ("media:integer", 0, "0", ""),
        ("media:integer", 1, True, ""),
        ("media:number", 1.5, "1.5", ""),
        ("media:number", 2, False, ""),
        ("media:boolean", True, 1, ""),
        ("media:boolean", False, "false", ""),
        ("media:object", {}, [], ""),
        ("media:string-array", [], {}, ""),
        ("media:string-array", ["a"], ["a", 1], "/1"),
        ("media:integer-array", [1, 2], [1, 2.5], "/1"),
        ("media:number-array", [1, 2.5], ["1"], "/0"),
        ("media:boolean-array", [True], [0], "/0"),
        ("media:object-array", [{}], [[]], "/0"),
        ("fgnd:listing-id.v1", UUID, "one", ""),
        ("fgnd:task-id.v1", UUID, UUID[:-1], ""),
        ("fgnd:file-path-array.v1", ["a/b"], ["a", ""], "/1"),
    ],
)
def test_a_built_in_type_is_checked_against_the_value(spec_id: str, good: Any, bad: Any, place: str) -> None:
    assert check_media(resolve(spec_id, {}), good) == ()
    (fault,) = check_media(resolve(spec_id, {}), bad)
    assert fault.pointer == place


# Media Specs Table


def test_the_string_form_is_a_media_type_with_a_profile() -> None:
    found = resolve("my:input-spec.v1", {"my:input-spec.v1": "text/plain; profile=https://example.com/schema/input"})
    assert (found.media_type, found.profile_uri) == ("text/plain", "https://example.com/schema/input")
    assert (found.schema, found.origin, found.step) == (None, "table", 4)


OUTPUT = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}


def test_the_object_form_has_media_type_profile_and_schema() -> None:
    entry = {
        "media_type": "application/json",
        "profile_uri": "https://example.com/schema/output",
        "schema": OUTPUT,
    }
    found = resolve("my:output-spec.v1", {"my:output-spec.v1": entry})
    assert found == MediaSpec(
        "my:output-spec.v1", "application/json", "https://example.com/schema/output", OUTPUT, "table", None, 5
    )
    assert check_media(found, {"result": "x"}) == ()
    assert [fault.message for fault in check_media(found, {})] == ["the key 'result' is missing"]


def test_a_profile_of_a_built_in_type_means_that_type() -> None:
    table = {"my:count.v1": f"text/plain; profile={CAPNS}int", "my:other.v1": {"media_type": "text/plain"}}
    assert check_media(resolve("my:count.v1", table), "many")
    assert check_media(resolve("my:other.v1", table), 3) == ()


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("no media type", "type/subtype"),
        ({"profile_uri": "https://x.example/"}, "neither a string nor an object"),
        ({"media_type": "text/plain; profile=https://x.example/a", "profile_uri": "https://x.example/b"}, "two"),
        ({"media_type": "text/plain", "profile_uri": 1}, "no string"),
        ("text/plain; charset=utf-16", "utf-16"),
    ],
)
def test_an_entry_that_can_not_be_used_is_an_error(entry: Any, reason: str) -> None:
    with pytest.raises(MediaSpecError, match=reason):
        resolve("my:x.v1", {"my:x.v1": entry})


# URN Tags


def test_in_and_out_of_the_example_are_spec_ids() -> None:
    urn = cap.parse("cap:ext=pdf;in=media:bytes;op=extract_metadata;out=media:extract-metadata-output")
    assert urn.takes == SpecId("media", "bytes")
    assert urn.gives == SpecId("media", "extract-metadata-output")
    assert {key for key, _ in urn.tagged.tags} == {"ext", "in", "op", "out"}


# Spec ID Resolution


def test_step_1_the_table_comes_first() -> None:
    assert resolve("media:string", {"media:string": "application/json"}).media_type == "application/json"


def test_step_2_then_what_is_built_in() -> None:
    assert resolve("media:string", {"my:string.v1": "application/json"}).origin == "built-in"


def test_step_3_anything_else_fails_with_the_table_and_the_nearest_ids() -> None:
    with pytest.raises(MediaSpecError) as caught:
        resolve("my:ouput.v1", {"my:output.v1": "text/plain"}, table_name="media_specs of a.toml")
    assert "neither in media_specs of a.toml nor built in; nearest: my:output.v1" in str(caught.value)


@pytest.mark.parametrize("spec_id", ["my:output.v2", "my:output", "MY:output.v1", "media:strings", "", "string"])
def test_no_other_version_case_or_word_is_taken_instead(spec_id: str) -> None:
    with pytest.raises(MediaSpecError):
        resolve(spec_id, {"my:output.v1": "text/plain"})


def test_steps_4_and_5_are_told_apart() -> None:
    table: dict[str, Any] = {"my:a.v1": "text/plain", "my:b.v1": {"media_type": "text/plain"}}
    assert [resolve(spec_id, table).step for spec_id in table] == [4, 5]


# Where the examples stretch the rule: media:bytes, media:pdf;bytes


@pytest.mark.parametrize("spec_id", ["media:bytes", "media:pdf;bytes", "media:binary;pdf", "media:bytes;pdf;scanned"])
def test_bytes_are_binary_and_tags_refine_them(spec_id: str) -> None:
    found = resolve(spec_id, {})
    assert (found.spec_id, found.found_as, found.media_type) == (spec_id, "media:binary", "application/octet-stream")
    assert found.is_binary


def test_a_table_s_binary_id_can_be_refined_and_no_other() -> None:
    table = {"my:scan.v1": "image/tiff", "my:note.v1": "text/plain"}
    found = resolve("my:scan.v1;page", table)
    assert (found.media_type, found.found_as, found.spec_id) == ("image/tiff", "my:scan.v1", "my:scan.v1;page")
    for spec_id in ("my:note.v1;page", "media:string;page", "media:string;bytes"):
        with pytest.raises(MediaSpecError, match="only binary IDs have tags"):
            resolve(spec_id, table)
    with pytest.raises(MediaSpecError, match="neither in"):
        resolve("my:other.v1;page", table)


def test_a_table_may_say_what_another_spelling_of_an_id_is() -> None:
    assert resolve("media:bytes", {"media:binary": "application/pdf"}).media_type == "application/pdf"
    assert resolve("media:bytes;pdf", {"media:pdf;bytes": "application/pdf"}).media_type == "application/pdf"


# Binary Type Detection


@pytest.mark.parametrize(
    "media_type",
    [
        *("image/png", "image/svg+xml", "audio/ogg", "video/mp4", "application/octet-stream", "application/pdf"),
        *("application/x-tar", "application/epub+zip", "application/vnd.a+gzip"),
    ],
)
def test_each_binary_kind_is_known(media_type: str) -> None:
    assert is_binary(media_type)
    assert is_binary(parse_media_spec(media_type.upper())[0])


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/json", "application/zip", "text/x-diff", "font/woff"]
)
def test_what_is_not_listed_is_not_binary(media_type: str) -> None:
    assert not is_binary(media_type)


# Validation


def produced(path: str, content: bytes, output: Output, table: dict[str, Any] | None = None) -> Any:
    """What the gate takes ``content`` for, written to ``path`` by a capability that declares ``output``."""
    capability = Capability("my:check", outputs=(output,), as_string=False)
    manifest = Manifest("my", "1", "e", "/a", Origin.PATH, "d", capabilities=(capability,), media_specs=table or {})
    return accept_artifact(PlannedCapability("my:check", True, (), manifest), path, content, check_media)


@pytest.mark.parametrize(
    ("spec_id", "content", "message"),
    [
        ("media:integer", b"3", None),
        ("media:integer", b"-3\n", None),
        ("media:integer", b"3\r\n", None),
        ("media:integer", b" 3", "/: it is ' 3', must be an integer"),
        ("media:integer", b"3\n\n", r"/: it is '3\\n', must be an integer"),
        ("media:integer", b"3.0", "must be an integer"),
        ("media:integer", b"03", "must be an integer"),
        ("media:integer", b"+3", "must be an integer"),
        ("media:integer", b"", "/: it is '', must be an integer"),
        ("media:integer", "\u0663".encode(), "must be an integer"),
        ("media:integer", b"9" * 5000, "must be an integer"),
        ("media:number", b"1e-3", None),
        ("media:number", b"2", None),
        ("media:number", b"1e999", "must be a number"),
        ("media:number", b"NaN", "must be a number"),
        ("media:boolean", b"true\n", None),
        ("media:boolean", b"True", "must be true or false"),
        ("media:string", b"", None),
        ("media:string", "ä\n".encode(), None),
        ("media:string", b"\xff", "not UTF-8 at byte 0"),
        ("fgnd:listing-id.v1", UUID.encode(), None),
        ("fgnd:listing-id.v1", b"no uuid", "'no uuid' is not of the form"),
        ("media:object", b"{}", None),
        ("media:object", b"[]", "/: it is an array with 0 items, must be an object"),
        ("media:object", b"{", "not strict JSON"),
        ("media:string-array", b'["a", 1]', "/1: it is 1, must be a string"),
    ],
)
def test_a_text_file_is_held_to_its_type(spec_id: str, content: bytes, message: str | None) -> None:
    if message is None:
        assert produced("x", content, Output("x", spec_id)).media_spec == spec_id
        return
    with pytest.raises(ArtifactInvalidError, match=message):
        produced("x", content, Output("x", spec_id))


def test_1_an_id_that_does_not_resolve_fails() -> None:
    with pytest.raises(ArtifactInvalidError, match=r"'my:none\.v1' is neither in media_specs nor built in"):
        produced("x.json", b"{}", Output("x.json", "my:none.v1"))


def test_2_a_schema_is_enforced_with_pointer_expected_and_actual() -> None:
    schema = {"type": "object", "properties": {"page_count": {"type": "integer", "minimum": 0}}}
    table = {"my:x.v1": {"media_type": "application/json", "schema": schema}}
    with pytest.raises(ArtifactInvalidError, match=r"my:x.v1: /page_count: it is '3', must be an integer"):
        produced("x.json", b'{"page_count": "3"}', Output("x.json", "my:x.v1"), table)
    with pytest.raises(ArtifactInvalidError, match=r"/page_count: it is -1, at least 0 is needed"):
        produced("x.json", b'{"page_count": -1}', Output("x.json", "my:x.v1"), table)


def test_3_the_rules_of_the_definition_come_after_the_type() -> None:
    output = Output("x", "media:integer", (), {"maximum": 5})
    assert produced("x", b"5", output).media_spec == "media:integer"
    with pytest.raises(ArtifactInvalidError, match="/: it is 6, at most 5 is allowed"):
        produced("x", b"6", output)
    with pytest.raises(ArtifactInvalidError, match="must be an integer"):
        produced("x", b"six", output)


@pytest.mark.parametrize("value", ["", "QUJD", base64.b64encode(bytes(range(256))).decode()])
def test_4_a_binary_value_inside_json_is_base64(value: str) -> None:
    assert check_inside_json(resolve("media:pdf;bytes", {}), value) == ()


@pytest.mark.parametrize("value", ["QUJ", "QUJD\n", "QU JD", "Q===", "ä", "_-8=", 3, None, ["QUJD"]])
def test_4_what_is_not_base64_is_refused(value: Any) -> None:
    (fault,) = check_inside_json(resolve("media:pdf;bytes", {}), value)
    assert "must be a string in base64" in fault.message
    assert fault.pointer == ""


def test_4_a_field_whose_schema_says_so_is_base64_too() -> None:
    fields = {"raw": {"contentEncoding": "base64"}, "scan": {"contentMediaType": "image/png"}, "note": {}}
    spec = resolve("my:x.v1", {"my:x.v1": {"media_type": "application/json", "schema": {"properties": fields}}})
    assert check_media(spec, {"raw": "QUJD", "scan": "QUJD", "note": "!"}) == ()
    assert [f.pointer for f in check_media(spec, {"raw": "!", "scan": "!", "note": "!"})] == ["/raw", "/scan"]
    other = {"properties": {"raw": {"contentMediaType": "image/png", "contentEncoding": "base16"}}}
    spec = resolve("my:y.v1", {"my:y.v1": {"media_type": "application/json", "schema": other}})
    assert check_media(spec, {"raw": "!"}) == ()


def test_4_a_file_of_a_binary_type_is_its_bytes() -> None:
    found = produced("x.bin", b"\xff\x00 no base64", Output("x.bin", "media:binary"))
    assert (found.media_spec, found.is_json) == ("media:binary", False)


# Key Principles


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://ADDRESS/schema.json"},
        {"properties": {"a": {"$ref": "http://ADDRESS/#/a"}}},
        {"$id": "http://ADDRESS/", "properties": {"a": {"$ref": "other.json"}}},
        {"$ref": "file:///etc/passwd"},
        {"$dynamicRef": "http://ADDRESS/schema.json#x"},
    ],
)
def test_a_reference_that_leads_outside_is_an_error_and_nothing_is_fetched(schema: dict[str, Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        table: dict[str, Any] = {
            "my:x.v1": {"media_type": "application/json", "profile_uri": f"http://{address}/profile"}
        }
        table["my:x.v1"]["schema"] = json.loads(json.dumps(schema).replace("ADDRESS", address))
        (fault,) = check_media(resolve("my:x.v1", table), {"a": 1})
        assert "a $ref may only lead inside it" in fault.message
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_reference_inside_the_document_is_followed() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}
    spec = resolve("my:x.v1", {"my:x.v1": {"media_type": "application/json", "schema": schema}})
    assert check_media(spec, "x") == ()
    assert check_media(spec, 1)
