"""Capabilities declared in TOML beside a manifest.json, as in the third source document."""

from __future__ import annotations

import json
import os
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.config.cap_definition import MAX_BYTES, read_cap
from verigate.config.documents import read_manifest_document
from verigate.discovery.cap_file import capability_name, find_cap_faults
from verigate.discovery.registry import discover
from verigate.discovery.search_path import SearchLocation
from verigate.domain.manifest import CAPABILITY_NAME, Argument, Manifest, Origin, Output
from verigate.errors import ConfigError, Fault

MANIFEST = {"name": "pdf-tools", "version": "1.0.0", "entry": "bin/run", "capabilities": ["pdf-tools:list"]}
EXAMPLE = """\
title = "Extract Document Metadata"
cap_description = "Extract metadata from PDF documents"
command = "extract-metadata"
stdin = "media:pdf;bytes"  # Specifies the media type stdin expects

[media_specs."media:extract-metadata-output"]
media_type = "application/json"
profile_uri = "https://capns.org/schema/extract-metadata-output"

[media_specs."media:extract-metadata-output".schema]
type = "object"
additionalProperties = false
properties.title = { type = "string" }
properties.author = { type = "string" }
properties.page_count = { type = "integer", minimum = 0 }
required = ["title", "page_count"]

[urn.tags]
op = "extract_metadata"
ext = "pdf"
in = "media:binary"
out = "media:extract-metadata-output"

[[arguments.required]]
name = "file_path"
media_spec = "media:string"
arg_description = "Path to the document file"
cli_flag = "file_path"
position = 0

[output]
media_spec = "media:extract-metadata-output"
output_description = "Structured metadata extracted from the document"
"""
"""The definition of the third source document, as it stands there."""

SMALL = 'title = "T"\ncommand = "count"\n[urn.tags]\nop = "count"\nout = "media:integer"\n'


def shelf(
    root: Path, *, manifest: Any = MANIFEST, origin: Origin = Origin.REPOSITORY, **files: str | bytes
) -> SearchLocation:
    folder = root / "pdf"
    folder.mkdir(parents=True)
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps(manifest))
    for name, content in files.items():
        path = folder / f"{name}.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return SearchLocation(str(root), origin)


def found(root: Path, **files: Any) -> Manifest:
    (manifest,) = discover([shelf(root, **files)], read_manifest_document).manifests
    return manifest


def refused(root: Path, **files: Any) -> tuple[Fault, ...]:
    with pytest.raises(ConfigError) as caught:
        found(root, **files)
    return caught.value.faults


def test_the_document_s_example_is_a_capability(tmp_path: Path) -> None:
    manifest = found(tmp_path, extract=EXAMPLE)
    assert [each.name for each in manifest.capabilities] == ["pdf-tools:list", "pdf-tools:extract-metadata"]
    capability = manifest.capabilities[1]
    assert capability.description == "Extract metadata from PDF documents"
    assert (capability.command, capability.stdin, capability.file) == (
        "extract-metadata",
        "media:pdf;bytes",
        "extract.toml",
    )
    assert capability.urn == ("cap:ext=pdf;in=media:binary;op=extract_metadata;out=media:extract-metadata-output")
    assert capability.arguments == (
        Argument("file_path", "media:string", True, None, 0, None, "Path to the document file"),
    )
    assert capability.outputs == (
        Output(
            "caps/pdf-tools/extract-metadata.json",
            "media:extract-metadata-output",
            ("/timestamp", "/duration", "/metadata"),
        ),
    )
    assert capability.needs == ()
    specs = manifest.specs_of(capability)
    assert list(specs) == ["media:extract-metadata-output"]
    assert manifest.specs_of(manifest.capabilities[0]) == {}


def test_a_manifest_may_leave_all_its_capabilities_to_definitions(tmp_path: Path) -> None:
    manifest = found(tmp_path / "a", manifest={**MANIFEST, "capabilities": []}, small=SMALL)
    assert [each.name for each in manifest.capabilities] == ["pdf-tools:count"]
    (fault,) = refused(tmp_path / "b", manifest={**MANIFEST, "capabilities": []})
    assert (fault.message, fault.pointer) == ("it provides no capability", "/capabilities")


def test_the_digest_is_that_of_manifest_and_definitions(tmp_path: Path) -> None:
    digests = {
        found(tmp_path / str(index), **files).digest
        for index, files in enumerate(
            ({}, {"a": SMALL}, {"b": SMALL}, {"a": SMALL + "# x"}, {"a": SMALL, "other": "[tool]\n"})
        )
    }
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("adapter", "command", "name"),
    [
        ("pdf-tools", "extract-metadata", "pdf-tools:extract-metadata"),
        ("PDF.Tools", "Extract.It", "pdf-tools:extract-it"),
        ("_x", "a", "x:a"),
        ("any", "code:lint", "code:lint"),
        ("any", "A:b", "any:a-b"),
    ],
)
def test_the_name_is_made_of_adapter_and_command_or_is_the_command(adapter: str, command: str, name: str) -> None:
    assert capability_name(adapter, command) == name
    assert CAPABILITY_NAME.fullmatch(name)


@pytest.mark.parametrize(
    ("out", "table", "path"),
    [
        ("media:object", "", "caps/pdf-tools/count.json"),
        ("media:integer", "", "caps/pdf-tools/count.txt"),
        ("media:bytes", "", "caps/pdf-tools/count.bin"),
        ("my:x.v1", '[media_specs]\n"my:x.v1" = "image/png"\n', "caps/pdf-tools/count.bin"),
        ("verigate:lint.v1", "", "caps/pdf-tools/count.json"),
    ],
)
def test_the_artifact_lies_below_caps_by_its_type(tmp_path: Path, out: str, table: str, path: str) -> None:
    text = SMALL.replace("media:integer", out) + table
    assert found(tmp_path, small=text).capabilities[1].outputs[0].path == path


def test_a_standard_capability_s_artifact_lies_where_rules_read_it(tmp_path: Path) -> None:
    text = SMALL.replace("media:integer", "verigate:lint.v1").replace('"count"', '"code:lint"', 1)
    capability = found(tmp_path, small=text).capabilities[1]
    assert (capability.name, capability.outputs[0].path) == ("code:lint", "lint.json")


ARGUMENT = '[[arguments.optional]]\nname = "depth"\nmedia_spec = "media:integer"\n'


@pytest.mark.parametrize(
    ("said", "flag", "position"),
    [
        ('cli_flag = "--depth"', "--depth", None),
        ('cli_flag = "depth"', "--depth", None),
        ('cli_flag = "d"', "-d", None),
        ("position = 2", None, 2),
        ('cli_flag = "--depth"\nposition = 2', None, 2),
    ],
)
def test_an_argument_stands_at_its_position_or_else_after_its_flag(
    tmp_path: Path, said: str, flag: str | None, position: int | None
) -> None:
    (argument,) = found(tmp_path, small=f"{SMALL}{ARGUMENT}{said}\n").capabilities[1].arguments
    assert (argument.cli_flag, argument.position, argument.required) == (flag, position, False)


def test_validation_is_a_schema_beyond_the_type(tmp_path: Path) -> None:
    rules = "[arguments.optional.validation]\nmin = 1\nmax = 9\nallowed_values = [1, 3]\n"
    rules += '[output]\nmedia_spec = "media:integer"\n'
    rules += 'validation = { min_length = 1, max_length = 2, pattern = "^a" }\n'
    capability = found(tmp_path, small=f'{SMALL}{ARGUMENT}cli_flag = "d"\n{rules}').capabilities[1]
    assert capability.arguments[0].rules == {"minimum": 1, "maximum": 9, "enum": [1, 3]}
    assert capability.outputs[0].rules == {"minLength": 1, "maxLength": 2, "pattern": "^a"}


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nname = "x"\n',
        '[adapter]\nname = "ffmpeg"\n',
        "this is no TOML at all [",
        'url = "https://example.com/urn"\n',
        '[urn]\nother = "x"\n',
        "urn = 3\n",
    ],
)
def test_other_toml_is_left_alone(tmp_path: Path, text: str) -> None:
    assert len(found(tmp_path, other=text).capabilities) == 1


def both(fault: Fault) -> tuple[str | None, str]:
    return (fault.pointer, fault.message)


BROKEN = """\
command = "-x"
colour = "blue"
stdin = "nothing"
[urn.tags]
op = 3
[[arguments.required]]
name = "a b"
media_spec = "media:string"
cli_flag = "--a b"
[[arguments.required]]
media_spec = "media:string"
[output]
media_spec = "media:string"
validation = { mni = 3 }
"""


def test_every_fault_of_a_file_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    faults = refused(tmp_path, broken=BROKEN)
    assert {fault.file for fault in faults} == {str(tmp_path / "pdf" / "broken.toml")}
    assert sorted(fault.pointer or "" for fault in faults) == [
        "",
        "/arguments/required/0/cli_flag",
        "/arguments/required/0/name",
        "/arguments/required/1",
        "/colour",
        "/command",
        "/output/validation/mni",
        "/stdin",
        "/urn/tags/op",
    ]
    assert any(fault.hint == "did you mean 'min'?" for fault in faults)


WRONG = """\
title = "T"
command = "x"
stdin = "my:in.v1"
[urn.tags]
op = "x"
in = "my:nothing.v1"
out = "media:string"
[media_specs]
"no id" = "text/plain"
"my:bad.v1" = "no type"
"my:in.v1" = "image/png"
[media_specs."my:far.v1"]
media_type = "application/json"
schema = { "$ref" = "https://example.com/s" }
[media_specs."my:off.v1"]
media_type = "application/json"
schema = { type = "nonsense" }
[[arguments.required]]
name = "a"
media_spec = "my:far.v2"
position = 0
default = "b"
[[arguments.required]]
name = "b"
media_spec = "my:bad.v1"
position = 0
[[arguments.optional]]
name = "a"
media_spec = "media:string"
validation = { pattern = "(" }
[output]
media_spec = "media:integer"
"""


def test_every_fault_that_a_schema_can_not_say_is_told_at_once(tmp_path: Path) -> None:
    faults = refused(tmp_path, wrong=WRONG)
    assert sorted((fault.pointer or "", fault.message) for fault in faults) == [
        ("/arguments/optional/0", "it has neither a position nor a cli_flag"),
        ("/arguments/optional/0/name", "/arguments/required/0 has the name 'a' too"),
        (
            "/arguments/optional/0/validation",
            next(f.message for f in faults if "usable" in f.message and "optional" in str(f.pointer)),
        ),
        ("/arguments/required/0/default", "a required argument has no default"),
        (
            "/arguments/required/0/media_spec",
            "spec ID 'my:far.v2' is neither in media_specs nor built in; nearest: my:far.v1, my:off.v1, my:bad.v1",
        ),
        ("/arguments/required/1/position", "/arguments/required/0 has the position 0 too"),
        ("/media_specs/my:bad.v1", "'no type' has no media type of the form type/subtype"),
        ("/media_specs/my:far.v1/schema", "it refers to https://example.com/s; a $ref may only lead inside it"),
        ("/media_specs/my:off.v1/schema", next(f.message for f in faults if "off" in str(f.pointer))),
        ("/media_specs/no id", "'no id' is not of the form namespace:name.v1 (it has no namespace)"),
        ("/output/media_spec", "media:integer doesn't conform to media:string, the out of the URN"),
        ("/urn/tags/in", next(f.message for f in faults if f.pointer == "/urn/tags/in")),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[urn.tags\nop = 1", "it is not TOML"),
        ('[urn.tags]\nop = "a"\nop = "b"', "it is not TOML"),
        (b'[urn.tags]\nop = "\xff"', "byte 0xff is not UTF-8"),
        (f"{SMALL}[output]\nmedia_spec = 2024-01-01\n", "a date or time"),
        (f'{SMALL}{ARGUMENT}cli_flag = "d"\ndefault = nan\n', "it is nan"),
        (f'{SMALL}{ARGUMENT}cli_flag = "d"\ndefault = 99999999999999999999\n', "a double can't hold"),
        (f'{SMALL}{ARGUMENT}cli_flag = "d"\ndefault = {"[" * 5000}{"]" * 5000}\n', "nested too deeply"),
        (f'{SMALL}{ARGUMENT}cli_flag = "d"\ndefault = {"[" * 110}{"]" * 110}\n', "nested too deeply"),
        (f"{SMALL}#{'x' * MAX_BYTES}", "more than the"),
        ('title = "T"\ncommand = "x"\n[urn.tags]\nop = "x"\n', "its output has no media spec"),
        ('title = "T"\ncommand = "x"\n[urn.tags]\n"9" = "x"\n', "the key '9'"),
        (SMALL.replace("media:integer", "integer"), "out: 'integer' is not of the form"),
        (SMALL.replace('"count"', '"list"', 1), "it declares pdf-tools:list, which manifest.json declares too"),
    ],
)
def test_a_definition_that_can_not_be_used_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    faults = refused(tmp_path, broken=text)
    assert any(message in fault.message for fault in faults), faults
    assert all(fault.file == str(tmp_path / "pdf" / "broken.toml") for fault in faults)


def test_what_is_not_toml_is_told_with_its_line(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path, broken='title = "T"\n[urn.tags]\nop = \n')
    assert fault.line == 3


def test_two_definitions_of_one_command_are_a_fault_of_the_second(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path, one=SMALL, two=SMALL)
    assert fault.message == "it declares pdf-tools:count, which one.toml declares too"
    assert fault.file == str(tmp_path / "pdf" / "two.toml")


def test_in_an_installed_package_a_broken_definition_is_a_warning_and_provides_nothing(tmp_path: Path) -> None:
    place = shelf(tmp_path, origin=Origin.PACKAGE, broken=BROKEN, good=SMALL)
    registry = discover([place], read_manifest_document)
    assert sorted(registry.providers) == ["pdf-tools:count", "pdf-tools:list"]
    assert any("broken.toml" in warning for warning in registry.warnings)


@pytest.mark.parametrize("where", ["pdf/a.toml", "a.toml"])
def test_a_definition_without_a_manifest_beside_it_is_a_fault(tmp_path: Path, where: str) -> None:
    place = shelf(tmp_path, manifest=None)
    (tmp_path / where).write_text(SMALL)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    with pytest.raises(ConfigError) as caught:
        discover([place], read_manifest_document)
    (fault,) = caught.value.faults
    assert (fault.file, fault.message.partition(",")[0]) == (
        str(tmp_path / where),
        "there is no manifest.json next to this cap definition",
    )


def test_what_can_not_be_read_is_a_fault_and_never_a_wait(tmp_path: Path) -> None:
    place = shelf(tmp_path)
    os.mkfifo(tmp_path / "pdf" / "pipe.toml")
    (tmp_path / "pdf" / "gone.toml").symlink_to("nowhere")
    (tmp_path / "pdf" / "folder.toml").mkdir()
    with pytest.raises(ConfigError) as caught:
        discover([place], read_manifest_document)
    assert len(caught.value.faults) == 3


URN = {"name": "my:check", "outputs": []}


@pytest.mark.parametrize(
    ("urn", "message"),
    [
        ("cap:op=check;op=other", "the key 'op' stands there twice"),
        ("op=check", "'op=check' does not begin with a prefix and a colon, as in cap:op=extract"),
        ("cap:in=my:none.v1", "in: spec ID 'my:none.v1' is neither in media_specs nor built in; nearest: my:one.v1"),
    ],
)
def test_a_urn_of_a_manifest_that_is_none_is_a_fault_with_its_place(tmp_path: Path, urn: str, message: str) -> None:
    specs = {"my:one.v1": "text/plain"}
    (fault,) = refused(
        tmp_path, manifest={**MANIFEST, "capabilities": [{"name": "my:check", "urn": urn}], "media_specs": specs}
    )
    assert (fault.pointer, fault.message) == ("/capabilities/0/urn", message)
    assert fault.file == str(tmp_path / "pdf" / "manifest.json")


def test_a_urn_of_a_manifest_finds_its_types_in_the_manifest_s_table(tmp_path: Path) -> None:
    capability = {"name": "my:check", "urn": "CAP:op=x;in=my:one.v1;out=media:string"}
    manifest = {**MANIFEST, "capabilities": [capability], "media_specs": {"my:one.v1": "text/plain"}}
    assert found(tmp_path, manifest=manifest).capabilities[0].urn == capability["urn"]


@pytest.mark.parametrize(
    ("specs", "pointer"),
    [
        ({"my one": "text/plain"}, "/media_specs/my one"),
        ({"my:one.v1": "text"}, "/media_specs/my:one.v1"),
        ({"media:bytes": "image/png", "media:binary": "image/png"}, "/media_specs/media:binary"),
        (
            {"my:one.v1": {"media_type": "application/json", "schema": {"$ref": "http://x.example/"}}},
            "/media_specs/my:one.v1/schema",
        ),
    ],
)
def test_a_table_of_a_manifest_is_checked_whether_or_not_it_is_used(
    tmp_path: Path, specs: dict[str, Any], pointer: str
) -> None:
    (fault,) = refused(tmp_path, manifest={**MANIFEST, "media_specs": specs})
    assert fault.pointer == pointer


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
GOOD = tomllib.loads(EXAMPLE)


@given(st.sampled_from(sorted(GOOD)), VALUES)
def test_any_value_in_any_place_is_a_definition_or_a_plain_refusal(key: str, value: Any) -> None:
    from verigate.config.validation import validate

    document = {**GOOD, key: value}
    try:
        refusals = validate("cap", document)
    except (ValueError, TypeError):
        return  # what is no JSON is refused before
    if not refusals:
        assert all(fault.file == "x.toml" for fault in find_cap_faults(document, "x.toml"))


@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: f"[urn.tags]\n{text}".encode()))
def test_any_bytes_are_a_definition_or_a_plain_refusal(content: bytes) -> None:
    document, faults = read_cap(content, "x.toml")
    assert document is None or isinstance(document, dict)
    assert all(fault.message for fault in faults)


@pytest.mark.parametrize(
    "text",
    ["a.", "[a.", "x=[", "x={a=", '"', "'''", "#", "\n", "[[a]]\n", "a=1\n", "=", '"\\u0041"="'],
)
@pytest.mark.parametrize("size", [MAX_BYTES - 100, 1_000_000])
def test_nothing_takes_long_to_refuse(text: str, size: int) -> None:
    content = b"[urn.tags]\n" + (text * (size // len(text))).encode()
    begun = time.process_time()
    _, faults = read_cap(content, "x.toml")
    assert faults
    assert time.process_time() - begun < 4


def arguments(spec_id: str, count: int) -> list[dict[str, Any]]:
    return [{"name": f"a{index}", "media_spec": spec_id.format(index)} for index in range(count)]


@pytest.mark.parametrize(
    ("entries", "size", "spec_id"),
    [
        (999, 2000, "media:bytes"),
        (999, 2000, "my:none{}.v1"),
        (999, 2000, "media:x{};bytes"),
        (999, 20_000, "media:bytes"),
        (20_000, 1000, "my:none.v1"),
        (0, 2000, "x:y;z"),
    ],
)
def test_a_manifest_of_a_megabyte_takes_no_longer(entries: int, size: int, spec_id: str) -> None:
    from verigate.discovery.manifest_file import find_manifest_faults

    table = {f"my:a{index};b": "text/plain" for index in range(entries)}
    document = {
        **MANIFEST,
        "capabilities": [{"name": "a:b", "arguments": arguments(spec_id, size)}],
        "media_specs": table,
    }
    begun = time.process_time()
    found_faults = find_manifest_faults(document, "manifest.json")
    assert time.process_time() - begun < 4
    assert len(found_faults) <= 60
    assert found_faults or spec_id in {"media:bytes", "media:x{};bytes"}
