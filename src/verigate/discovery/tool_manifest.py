"""Convert the document of a tool adapter to a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.manifest import Capability, Manifest, Origin, Output
from verigate.tools.document import to_tool
from verigate.tools.model import Slot, SlotType, Tool, ToolCapability
from verigate.tools.policy import build_sandbox_policy

RUN_ARTIFACT = "run.json"
_TESTS = "verigate:tests.v1"


def to_tool_manifest(
    document: Mapping[str, Any], *, file: str, folder: str, origin: Origin, digest: str, launcher: str
) -> Manifest:
    """Convert a valid document to a manifest. ``digest`` is the sha256 of the file's bytes."""
    tool = to_tool(document)
    return Manifest(
        name=tool.alias,
        version=tool.version,
        entry=file,
        folder=folder,
        origin=origin,
        digest=digest,
        description=tool.description or tool.name,
        capabilities=tuple(_to_capability(tool, each) for each in tool.capabilities),
        sandbox=build_sandbox_policy(tool),
        config_schema=_build_config_schema(tool),
        launcher=launcher,
    )


def _to_capability(tool: Tool, capability: ToolCapability) -> Capability:
    folder = f"{tool.alias}/{capability.name}"
    outputs = [Output(f"{folder}/{RUN_ARTIFACT}")]
    if capability.report is not None:
        name, media_spec = capability.report.artifact
        outputs.append(Output(f"{folder}/{name}", media_spec, ("/duration",) if media_spec == _TESTS else ()))
    return Capability(
        name=tool.qualify(capability),
        description=capability.description,
        as_string=False,
        needs=(),
        outputs=tuple(outputs),
        destructive=capability.destructive,
        triggers=capability.triggers,
        flags={"writes_subject": True} if capability.is_meant_to_write else {},
    )


def _build_config_schema(tool: Tool) -> Mapping[str, Any]:
    """Build the schema for config/adapters.json: capability -> slot -> value or values."""
    capabilities = {
        tool.qualify(each): {
            "type": "object",
            "additionalProperties": False,
            "properties": {slot.name: _build_value_schema(each, slot) for slot in each.slots},
        }
        for each in tool.capabilities
        if not each.destructive
    }
    return {"type": "object", "additionalProperties": False, "properties": capabilities}


def _build_value_schema(capability: ToolCapability, slot: Slot) -> Mapping[str, Any]:
    one: Mapping[str, Any]
    if slot.type in {SlotType.BOOLEAN, SlotType.INTEGER}:
        one = {"type": slot.type.value}
    elif slot.type is SlotType.ENUM:
        one = {"enum": list(slot.values)}
    elif slot.type in {SlotType.QUANTITY, SlotType.TIMESTAMP}:
        one = {"type": ["string", "number"]}
    else:
        one = {"type": "string"}
    if slot.cardinality == 1 and capability.loop_slot is None:
        return one
    return {"anyOf": [one, {"type": "array", "items": one}]}
