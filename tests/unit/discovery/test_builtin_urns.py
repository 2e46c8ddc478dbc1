from __future__ import annotations

import json
from pathlib import Path

import pytest

from verigate.config.validation import validate
from verigate.discovery.manifest_file import find_manifest_faults
from verigate.domain.urn.cap import parse

MANIFESTS = sorted((Path(__file__).resolve().parents[3] / "adapters").glob("*/manifest.json"))


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_each_shipped_capability_says_what_it_gives(path: Path) -> None:
    for capability in json.loads(path.read_text())["capabilities"]:
        domain, _, action = capability["name"].partition(":")
        first = next(output["media_spec"] for output in capability["outputs"] if "media_spec" in output)
        assert capability["urn"] == f"cap:domain={domain};op={action};out={first}"
        assert str(parse(capability["urn"])) == capability["urn"]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_no_shipped_manifest_has_a_fault(path: Path) -> None:
    content = path.read_bytes()
    document = json.loads(content)
    assert validate("manifest", document, file=path.name, source=content) == ()
    assert find_manifest_faults(document, path.name) == ()
