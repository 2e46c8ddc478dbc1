"""Writes ``adapters/tools/index.json`` from the .toml files beside it; a test holds it equal."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_manifest import to_tool_manifest
from verigate.domain.manifest import Origin

TOOLS = Path(__file__).parents[2] / "adapters" / "tools"


def index() -> bytes:
    """The bytes of the index. Folder and launcher are those of the installation that reads it."""
    manifests = []
    for path in sorted(TOOLS.glob("*.toml")):
        content = path.read_bytes()
        document, faults = read_tool(content, path.name)
        if document is None or faults:
            raise ValueError("\n".join(map(str, faults)) or f"{path.name} is no tool adapter")
        digest = hashlib.sha256(content).hexdigest()
        made = to_tool_manifest(document, file=path.name, folder="", origin=Origin.BUILTIN, digest=digest, launcher="")
        manifests.append(made)
    return msgspec.json.format(msgspec.json.encode(manifests), indent=1) + b"\n"


if __name__ == "__main__":
    (TOOLS / "index.json").write_bytes(index())
