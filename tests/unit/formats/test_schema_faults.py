from __future__ import annotations

from typing import Any

import pytest

from verigate.formats.schema import Schema, SchemaError, find_outside_references


def _schema(**properties: Any) -> Schema:
    return Schema({"type": "object", "properties": properties, "additionalProperties": False})


def test_valid_values_have_no_faults() -> None:
    assert _schema(a={"type": "integer"}).find_faults({"a": 1}) == ()


def test_an_unknown_key_names_the_nearest_known_one_and_its_line() -> None:
    source = b'{\n  "a": 1,\n  "coverge": 2\n}'
    (fault,) = _schema(a={}, coverage={}).find_faults({"a": 1, "coverge": 2}, file="f.json", source=source)
    assert str(fault) == "f.json:3 /coverge: unknown key 'coverge' (did you mean 'coverage'?)"


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"type": "integer"}, "x" * 500, "it is '" + "x" * 59 + "..., must be an integer"),
        ({"type": ["integer", "null"]}, {}, "it is an object with 0 members, must be an integer or null"),
        ({"enum": ["require", "report"]}, "requre", "must be one of 'require', 'report'"),
        ({"minimum": 0}, -1, "it is -1, at least 0 is needed"),
        ({"minLength": 1}, "", "it is empty"),
        ({"uniqueItems": True}, [1, 1], "the same item twice"),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, 3, "it is 3, must be an array or a string"),
        ({"anyOf": [{"type": "string"}, {"required": ["id"]}]}, {}, "the key 'id' is missing"),
        ({"const": 4}, True, "it is true, must be 4"),
    ],
)
def test_messages_say_what_is_there_and_what_must_be(schema: dict[str, Any], value: Any, message: str) -> None:
    (fault,) = Schema(schema).find_faults(value)
    assert message in fault.message


def test_a_percentage_where_a_fraction_belongs_has_a_hint() -> None:
    (fault,) = _schema(c={"type": "number", "maximum": 1}).find_faults({"c": 80})
    assert fault.hint == "a fraction from 0 to 1: write 0.8"


def test_a_known_key_with_a_wrong_value_is_not_called_unknown() -> None:
    schema = Schema(
        {
            "allOf": [{"$ref": "#/$defs/rules"}],
            "unevaluatedProperties": False,
            "$defs": {"rules": {"properties": {"n": {"type": "integer"}}}},
        }
    )
    faults = schema.find_faults({"n": "x", "m": 1})
    assert sorted(fault.message for fault in faults) == ["it is 'x', must be an integer", "unknown key 'm'"]


def test_the_number_of_faults_is_bounded() -> None:
    faults = Schema({"items": {"type": "integer"}}).find_faults(["x"] * 1000, limit=7)
    assert len(faults) == 7


@pytest.mark.parametrize(
    "document",
    [{"$ref": "https://example.com/x"}, {"$ref": "file:///etc/passwd"}, {"type": "nonsense"}, {"pattern": "(?=a)"}],
)
def test_a_schema_that_leads_outside_or_is_none_is_an_error(document: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        Schema(document).find_faults(1)


def test_references_lead_to_documents_that_are_handed_over() -> None:
    schema = Schema({"$ref": "urn:a"}, lambda uri: {"type": "integer"} if uri == "urn:a" else None)
    assert schema.find_faults(1) == ()
    assert schema.find_faults("x") != ()


def test_outside_references_are_found_at_any_depth() -> None:
    document = {"items": [{"$ref": "#/$defs/a"}, {"x": {"$dynamicRef": "other.json"}}], "$ref": "http://x/"}
    assert find_outside_references(document) == ("http://x/", "other.json")


def test_unknown_keys_are_told_only_where_the_schema_is_silent() -> None:
    schema = Schema(
        {
            "properties": {
                "open": {"type": "object", "additionalProperties": True},
                "list": {"items": {"$ref": "#/$defs/item"}},
            },
            "$defs": {"item": {"properties": {"name": {}}}},
        }
    )
    found = schema.find_unknown_keys({"open": {"x": 1}, "list": [{"nam": 1}], "opn": 2})
    assert sorted(fault.pointer or "" for fault in found) == ["/list/0/nam", "/opn"]
