"""What ``gate doctor NAME`` reports of one adapter."""

from __future__ import annotations

from pathlib import Path

from verigate.discovery.manifest_file import to_manifest
from verigate.doctor.adapter import examine_adapter
from verigate.domain.engine import CheckLevel
from verigate.domain.manifest import Origin


def test_an_unknown_key_of_the_manifest_is_a_warning(tmp_path: Path) -> None:
    capability = {"name": "my:check", "output": []}
    document = {"name": "my", "version": "1", "entry": "run", "capabilities": [capability]}
    manifest = to_manifest(document, folder=str(tmp_path), origin=Origin.REPOSITORY, digest="")
    checks = examine_adapter(manifest, {"PATH": ""}, lambda _: None, "").checks
    assert [(each.code, each.message) for each in checks if each.level is CheckLevel.WARN] == [
        ("manifest", "/capabilities/0/output: unknown key 'output' (did you mean 'outputs'?)")
    ]
