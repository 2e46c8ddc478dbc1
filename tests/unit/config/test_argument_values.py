"""What a configuration gives to arguments is held to their media specs before anything runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verigate.config.adapters_config import load_adapters_config, resolve_adapters_config
from verigate.config.builtin import find_builtin_root
from verigate.domain.manifest import Argument, Capability, Manifest, Origin
from verigate.errors import ConfigError, Fault

TABLE = {"my:level.v1": {"media_type": "application/json", "schema": {"enum": ["low", "high"]}}}
ARGUMENTS = (
    Argument("path", "media:string", required=True, position=0),
    Argument("depth", "media:integer", cli_flag="--depth", rules={"maximum": 5}),
    Argument("paths", "media:string-array", cli_flag="--paths"),
    Argument("key", "media:pdf;bytes", cli_flag="--key"),
    Argument("level", "my:level.v1", cli_flag="--level"),
)


def manifest(*arguments: Argument, **fields: Any) -> Manifest:
    capability = Capability("my:check", arguments=arguments or ARGUMENTS, stdin="media:string")
    fields = {"media_specs": TABLE} | fields
    return Manifest("my", "1", "run", "/a", Origin.PATH, "d", capabilities=(capability,), **fields)


def faults(root: Path, config: Any, *arguments: Argument, **fields: Any) -> tuple[Fault, ...]:
    (root / "config").mkdir(parents=True)
    (root / "config" / "adapters.json").write_text(json.dumps({"my": config}, indent=1))
    layers = load_adapters_config(root, find_builtin_root())
    try:
        resolve_adapters_config(layers, [manifest(*arguments, **fields)])
    except ConfigError as problem:
        return problem.faults
    return ()


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"path": "a", "depth": 5, "paths": [], "key": "QUJD", "level": "low", "stdin": "a.txt"},
        {"path": None},
        {"my:check": {"path": "a"}},
    ],
)
def test_values_of_their_types_are_taken(tmp_path: Path, config: Any) -> None:
    assert faults(tmp_path, config) == ()


@pytest.mark.parametrize(
    ("config", "pointer", "message"),
    [
        ({"path": 3}, "/my/path", "'path' of my:check is not valid media:string: it is 3, must be a string"),
        ({"depth": "3"}, "/my/depth", "it is '3', must be an integer"),
        ({"depth": True}, "/my/depth", "it is true, must be an integer"),
        ({"depth": 6}, "/my/depth", "it is 6, at most 5 is allowed"),
        ({"paths": ["a", 1]}, "/my/paths/1", "it is 1, must be a string"),
        ({"key": "no base64"}, "/my/key", "it is 'no base64', must be a string in base64"),
        ({"key": 5}, "/my/key", "must be a string in base64"),
        ({"level": "middle"}, "/my/level", "must be one of 'low', 'high'"),
        ({"my:check": {"depth": "x"}}, "/my/my:check/depth", "must be an integer"),
        ({"stdin": 1}, "/my/stdin", "stdin of my:check must be a string"),
        ({"dept": 5}, "/my/dept", "my has no argument 'dept'"),
        ({"my:check": {"dept": 5}}, "/my/my:check/dept", "my:check has no argument 'dept'"),
        ({"my:chek": {"depth": 5}}, "/my/my:chek", "my has no argument 'my:chek'"),
        ({"my:check": 5}, "/my/my:check", "the arguments of my:check must be an object"),
    ],
)
def test_any_other_value_is_a_fault_at_its_place(tmp_path: Path, config: Any, pointer: str, message: str) -> None:
    (fault,) = faults(tmp_path, config)
    assert (fault.file, fault.pointer) == ("config/adapters.json", pointer)
    assert fault.line is not None
    assert message in fault.message


def test_an_unknown_name_is_reported_with_the_nearest(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, {"dept": 5})
    assert fault.hint == "did you mean 'depth'?"


@pytest.mark.parametrize(
    "fields",
    [
        {"config_defaults": {"dept": 1}},
        {"config_schema": {"properties": {"dept": {"type": "integer"}}}},
        {"config_schema": {"additionalProperties": True}},
        {"config_schema": {"patternProperties": {"^d": {"type": "integer"}}}},
    ],
)
def test_a_key_that_the_manifest_declares_is_known(tmp_path: Path, fields: dict[str, Any]) -> None:
    assert faults(tmp_path / "a", {"dept": 5}, **fields) == ()
    assert faults(tmp_path / "b", {"my:check": {"dept": 5}}, **fields) == ()


def test_a_schema_of_the_manifest_that_is_none_breaks_nothing(tmp_path: Path) -> None:
    found = faults(tmp_path, {"dept": 5}, config_schema={"properties": 5})
    assert "my has no argument 'dept'" in [fault.message for fault in found]


def test_all_of_them_are_told_at_once(tmp_path: Path) -> None:
    found = faults(tmp_path, {"path": 1, "depth": "2", "paths": 3})
    assert [fault.pointer for fault in found] == ["/my/path", "/my/depth", "/my/paths"]


def test_what_the_manifest_says_itself_is_held_to_the_types_too(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path / "a", {}, Argument("depth", "media:integer", cli_flag="-d", default="x"))
    assert (fault.file, fault.message.startswith("the default of 'depth' of my:check")) == ("/a/manifest.json", True)
    (fault,) = faults(tmp_path / "b", {}, config_defaults={"depth": "x"})
    assert fault.pointer == "/my/depth"


def test_the_value_that_is_judged_is_the_one_that_is_passed(tmp_path: Path) -> None:
    schema = {"properties": {"a": {"type": "integer"}}, "maxProperties": 1}
    table = {"my:o.v1": {"media_type": "application/json", "schema": schema}}
    argument = Argument("o", "my:o.v1", cli_flag="-o")
    found = faults(tmp_path, {"o": {"a": 1}}, argument, media_specs=table, config_defaults={"o": {"b": 2}})
    assert len(found) == 1, "objects are merged key by key before they are passed"
