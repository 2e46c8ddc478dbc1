from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verigate.config.documents import read_manifest_document
from verigate.discovery.bounded_read import MAX_MANIFEST_BYTES
from verigate.discovery.manifest_keys import KNOWN_KEYS
from verigate.discovery.registry import discover
from verigate.discovery.search_path import SearchLocation, list_locations
from verigate.domain.manifest import Origin, Registry
from verigate.errors import ConfigError

SCHEMA = Path(__file__).resolve().parents[3] / "src/verigate/config/schemas/manifest.v1.schema.json"
MANIFEST = {"name": "one", "version": "1.0.0", "entry": "bin/run", "capabilities": ["my:check"]}


def put(location: Path, name: str, document: Any) -> Path:
    folder = location / name
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(document if isinstance(document, str) else json.dumps(document))
    return folder


def found(*folders: tuple[Path, Origin]) -> Registry:
    return discover([SearchLocation(str(folder), origin) for folder, origin in folders], read_manifest_document)


def test_the_first_adapter_wins_by_shelf_and_then_by_name(tmp_path: Path) -> None:
    put(tmp_path / "path", "a", {**MANIFEST, "name": "a"})
    put(tmp_path / "repository", "z", {**MANIFEST, "name": "z"})
    put(tmp_path / "repository", "m", {**MANIFEST, "name": "m"})
    registry = found((tmp_path / "repository", Origin.REPOSITORY), (tmp_path / "path", Origin.PATH))
    assert [manifest.name for manifest in registry.providers["my:check"]] == ["m", "z", "a"]
    provider = registry.provider("my:check")
    assert provider is not None
    assert provider.entry_path == str(tmp_path / "repository" / "m" / "bin" / "run")
    assert registry.provider("my:other") is None


def test_integrity_can_not_be_shadowed(tmp_path: Path) -> None:
    put(tmp_path / "repository", "mine", {**MANIFEST, "name": "mine", "capabilities": ["code:integrity", "code:lint"]})
    put(tmp_path / "builtin", "code", {**MANIFEST, "name": "code", "capabilities": ["code:integrity", "code:lint"]})
    registry = found((tmp_path / "repository", Origin.REPOSITORY), (tmp_path / "builtin", Origin.BUILTIN))
    assert [manifest.name for manifest in registry.providers["code:integrity"]] == ["code", "mine"]
    assert [manifest.name for manifest in registry.providers["code:lint"]] == ["mine", "code"]


BROKEN: dict[str, Any] = {
    "truncated": '{"name": "x", ',
    "empty": "",
    "binary": "\x00\x01",
    "array": [],
    "null": "null",
    "no name": {key: value for key, value in MANIFEST.items() if key != "name"},
    "no entry": {key: value for key, value in MANIFEST.items() if key != "entry"},
    "wrong types": {**MANIFEST, "capabilities": "my:check"},
    "capability": {**MANIFEST, "capabilities": ["not a capability"]},
    "twice": {**MANIFEST, "capabilities": ["my:check", "my:check"]},
    "entry leads out": {**MANIFEST, "entry": "../run"},
    "entry is absolute": {**MANIFEST, "entry": "/bin/sh"},
    "output leads out": {**MANIFEST, "capabilities": [{"name": "my:check", "outputs": [{"path": "../x"}]}]},
    "unknown spec": {
        **MANIFEST,
        "capabilities": [{"name": "my:check", "outputs": [{"path": "x.json", "media_spec": "my:none.v1"}]}],
    },
    "repeated key": '{"name":"x","name":"y","version":"1","entry":"e","capabilities":["my:check"]}',
    "too large": " " * (MAX_MANIFEST_BYTES + 1),
    "deep": "[" * 10_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_manifest_hides_what_it_provides_until_it_is_mended(tmp_path: Path, name: str) -> None:
    put(tmp_path, "good", MANIFEST)
    folder = put(tmp_path, "broken", BROKEN[name])
    with pytest.raises(ConfigError) as caught:
        found((tmp_path, Origin.REPOSITORY))
    assert all(fault.file == str(folder / "manifest.json") for fault in caught.value.faults)
    assert all(fault.message for fault in caught.value.faults)
    assert caught.value.exit_code == 2
    registry = found((tmp_path, Origin.PACKAGE))
    assert registry.provider("my:check") is not None
    assert len(registry.warnings) == len(caught.value.faults)


def test_all_faults_of_all_manifests_are_told_at_once(tmp_path: Path) -> None:
    for index in range(3):
        put(tmp_path, f"broken{index}", "{")
    with pytest.raises(ConfigError) as caught:
        found((tmp_path, Origin.REPOSITORY))
    assert len(caught.value.faults) == 3


def test_what_is_no_regular_file_is_a_fault_and_never_a_wait(tmp_path: Path) -> None:
    for name in ("pipe", "folder", "nowhere", "circle"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / "manifest.json")
    (tmp_path / "folder" / "manifest.json").mkdir()
    (tmp_path / "nowhere" / "manifest.json").symlink_to("gone")
    (tmp_path / "circle" / "manifest.json").symlink_to("manifest.json")
    with pytest.raises(ConfigError) as caught:
        found((tmp_path, Origin.REPOSITORY))
    assert len(caught.value.faults) == 4


def test_what_is_no_adapter_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nowhere")
    put(tmp_path, "$(touch x) -rf\n", MANIFEST)
    registry = found(
        (tmp_path, Origin.REPOSITORY), (tmp_path / "missing", Origin.PATH), (tmp_path / "file", Origin.PATH)
    )
    assert len(registry.manifests) == 1


def test_a_shelf_that_can_not_be_listed_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "adapters").symlink_to("adapters")
    with pytest.raises(ConfigError, match="can't be listed"):
        found((tmp_path / "adapters", Origin.REPOSITORY))
    assert found((tmp_path / "adapters", Origin.PACKAGE)).warnings


def test_the_shelves_in_order_of_precedence(tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    path = f"{extra}:{tmp_path}/absent::"
    listed = list_locations(str(tmp_path / "repository"), str(tmp_path / "builtin"), {"GATE_ADAPTER_PATH": path})
    own = [location for location in listed if location.origin is not Origin.PACKAGE]
    assert [(location.folder, location.origin) for location in own] == [
        (f"{tmp_path}/repository/adapters", Origin.REPOSITORY),
        (str(extra), Origin.PATH),
        (f"{tmp_path}/absent", Origin.PATH),
        (f"{tmp_path}/builtin/adapters", Origin.BUILTIN),
    ]


def test_the_source_document_s_manifests_and_the_older_fields(tmp_path: Path) -> None:
    older = {
        "schema": "adapter.v0",
        "name": "older-adapter",
        "version": "1.0.0",
        "description": "As seen in the wild",
        "author": {"name": "somebody"},
        "license": "MIT",
        "requires": {"node": ">=18"},
        "deterministic": True,
        "entry": "bin/run",
        "capabilities": ["my:check", "my:validate"],
        "outputs": {"my:check": {"file": "check.json", "schema": "check-v1"}, "my:validate": "validate.json"},
        "sandbox": {
            "tools": ["node"],
            "timeout_ms": 1500,
            "memory_mb": 256,
            "filesystem": "readonly",
            "network": False,
        },
        "metadata": {"homepage": "https://x.example"},
        "surprise": 1,
    }
    put(tmp_path, "older", older)
    manifest = found((tmp_path, Origin.REPOSITORY)).manifests[0]
    assert manifest.warnings == ("unknown key 'surprise'",)
    assert manifest.sandbox.timeout_s == 1.5
    assert manifest.sandbox.memory_mb == 256
    assert manifest.sandbox.read_only
    assert manifest.sandbox.tools == ("node",)
    check = manifest.capability("my:check")
    assert check.as_string
    assert check.needs is None
    assert [(output.path, output.media_spec) for output in check.outputs] == [("check.json", None)]
    assert check.outputs[0].volatile == ("/timestamp", "/duration", "/metadata")


@pytest.mark.parametrize(
    ("change", "warnings"),
    [
        ({"entri": "x"}, ("unknown key 'entri' (did you mean 'entry'?)",)),
        (
            {"capabilities": [{"name": "my:check", "output": []}]},
            ("/capabilities/0/output: unknown key 'output' (did you mean 'outputs'?)",),
        ),
        (
            {"capabilities": ["my:old", {"name": "my:check", "outputs": [{"path": "a.json", "volatil": []}]}]},
            ("/capabilities/1/outputs/0/volatil: unknown key 'volatil' (did you mean 'volatile'?)",),
        ),
        (
            {
                "capabilities": [
                    {"name": "my:check", "arguments": [{"name": "a", "media_spec": "media:integer", "flag": 1}]}
                ]
            },
            ("/capabilities/0/arguments/0/flag: unknown key 'flag' (did you mean 'cli_flag'?)",),
        ),
        ({"sandbox": {"tool": ["node"]}}, ("/sandbox/tool: unknown key 'tool' (did you mean 'tools'?)",)),
        ({"config": {"default": {}}}, ("/config/default: unknown key 'default' (did you mean 'defaults'?)",)),
        ({"capabilities": [{"name": "my:check", "owner": "me", "flags": {"output": 1}}], "metadata": {"nam": 1}}, ()),
    ],
)
def test_unknown_keys_are_warnings_with_place_and_nearest_name(
    change: dict[str, Any], warnings: tuple[str, ...], tmp_path: Path
) -> None:
    put(tmp_path, "one", {**MANIFEST, **change})
    registry = found((tmp_path, Origin.REPOSITORY))
    assert registry.manifests[0].warnings == warnings
    assert [each.partition(": ")[2] for each in registry.warnings] == list(warnings)


def test_known_keys_are_those_of_the_schema() -> None:
    properties = json.loads(SCHEMA.read_text("utf-8"))["properties"]
    capability = properties["capabilities"]["items"]["anyOf"][1]["properties"]
    assert {name: set(keys) for name, keys in KNOWN_KEYS.items()} == {
        "": set(properties),
        "sandbox": set(properties["sandbox"]["properties"]),
        "config": set(properties["config"]["properties"]),
        "capability": set(capability),
        "argument": set(capability["arguments"]["items"]["properties"]),
        "output": set(capability["outputs"]["items"]["properties"]),
    }


def test_a_capability_as_an_object(tmp_path: Path) -> None:
    document = {
        **MANIFEST,
        "media_specs": {"my:check.v1": {"media_type": "application/json", "schema": {"type": "object"}}},
        "capabilities": [
            {
                "name": "my:check",
                "needs": [],
                "inputs": ["src/**"],
                "arguments": [{"name": "depth", "media_spec": "media:integer", "cli_flag": "--depth", "default": 3}],
                "outputs": [{"path": "check.json", "media_spec": "my:check.v1", "volatile": ["/at"]}],
                "destructive": True,
            }
        ],
    }
    put(tmp_path, "one", document)
    capability = found((tmp_path, Origin.REPOSITORY)).manifests[0].capability("my:check")
    assert capability.needs == ()
    assert capability.inputs == ("src/**",)
    assert capability.destructive
    assert (capability.arguments[0].cli_flag, capability.arguments[0].default) == ("--depth", 3)
    assert capability.outputs[0].volatile == ("/at",)


def test_what_is_read_from_a_copy_is_told_and_recorded_by_where_it_stands(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "adapters"
    put(copy, "one", {**MANIFEST, "surprise": 1})
    location = SearchLocation(str(copy), Origin.REPOSITORY, real_folder="/home/me/repository/adapters")
    registry = discover([location], read_manifest_document)
    assert registry.manifests[0].folder == "/home/me/repository/adapters/one"
    assert registry.warnings == ("adapters/one/manifest.json: unknown key 'surprise'",)
    put(copy, "two", "{")
    with pytest.raises(ConfigError) as caught:
        discover([location], read_manifest_document)
    assert [fault.file for fault in caught.value.faults] == ["adapters/two/manifest.json"]


ARGUMENT = {"name": "limit", "media_spec": "media:integer", "cli_flag": "--limit"}


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ({"default": "abc"}, "the default of 'limit' is not valid media:integer: it is 'abc', must be an integer"),
        ({"default": 50, "validation": {"max": 10}}, "it is 50, at most 10 is allowed"),
        ({"default": [5]}, "must be an integer"),
        ({"media_spec": "media:pdf;bytes", "default": "no base64"}, "must be a string in base64"),
        ({"media_spec": "my:level.v1", "default": "middle"}, "must be one of 'low', 'high'"),
    ],
)
def test_a_default_that_does_not_fit_its_argument_is_a_fault_of_the_manifest(
    tmp_path: Path, argument: dict[str, Any], says: str
) -> None:
    capability = {"name": "my:check", "needs": [], "arguments": [ARGUMENT | argument]}
    table = {"my:level.v1": {"media_type": "application/json", "schema": {"enum": ["low", "high"]}}}
    put(tmp_path, "one", {**MANIFEST, "capabilities": [capability], "media_specs": table})
    with pytest.raises(ConfigError) as problem:
        found((tmp_path, Origin.REPOSITORY))
    [fault] = problem.value.faults
    assert says in fault.message
    assert str(fault.pointer).startswith("/capabilities/0/arguments/0/default")


@pytest.mark.parametrize("argument", [{"default": 5}, {"default": None}, {"default": 5, "validation": {"max": 10}}, {}])
def test_a_default_that_fits_is_taken(tmp_path: Path, argument: dict[str, Any]) -> None:
    capability = {"name": "my:check", "needs": [], "arguments": [ARGUMENT | argument]}
    put(tmp_path, "one", {**MANIFEST, "capabilities": [capability]})
    assert found((tmp_path, Origin.REPOSITORY)).provider("my:check") is not None


@pytest.mark.parametrize(("default", "valid"), [('"abc"', False), ("11", False), ("3", True)])
def test_a_default_of_a_cap_definition_is_checked_too(tmp_path: Path, default: str, valid: bool) -> None:
    folder = put(tmp_path, "one", MANIFEST)
    text = 'title = "t"\ncommand = "probe"\n[urn.tags]\nop = "probe"\nout = "media:integer"\n[[arguments.optional]]\n'
    text += 'name = "limit"\nmedia_spec = "media:integer"\narg_description = "d"\ncli_flag = "--limit"\n'
    (folder / "probe.toml").write_text(f"{text}default = {default}\nvalidation = {{ max = 10 }}\n")
    if valid:
        assert found((tmp_path, Origin.REPOSITORY)).provider("one:probe") is not None
        return
    with pytest.raises(ConfigError) as problem:
        found((tmp_path, Origin.REPOSITORY))
    assert problem.value.faults[0].pointer == "/arguments/optional/0/default"
