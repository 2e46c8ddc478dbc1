"""The entry of the adapter where its extra, or a part of it, isn't installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from code_adapter import __main__ as entry


@pytest.mark.parametrize(
    ("missing", "refused"),
    [
        ("ruff", set(entry.MODULES) - {"code:diff", "code:functions"}),
        ("tree_sitter_go", set(entry.MODULES) - {"code:diff"}),
    ],
)
def test_a_capability_is_refused_without_what_it_needs(
    missing: str,
    refused: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    served: list[str] = []
    monkeypatch.setattr(entry, "_import_on_call", lambda _module: lambda request: served.append(request.capability))
    monkeypatch.setitem(sys.modules, missing, None)
    codes = {}
    for capability in entry.MODULES:
        monkeypatch.setattr(sys, "argv", ["adapter-code", capability, "--task-dir", str(tmp_path)])
        codes[capability] = entry.run()
    assert {capability for capability, code in codes.items() if code == 1} == refused
    assert set(served) == set(entry.MODULES) - refused
    assert f"missing: {missing.replace('_', '-')}" in capsys.readouterr().err.replace("_", "-")


@pytest.mark.parametrize(
    ("capability", "unused"),
    [
        (
            "code:counterfactual",
            {"tap", "code_adapter.integrity.capability", "code_adapter.counterfactual.cargo_cells"},
        ),
        ("code:tests", {"tap", "code_adapter.integrity.capability"}),
        ("code:coverage", {"tap", "code_adapter.integrity.capability"}),
        ("code:integrity", {"doctest", "junitparser"}),
    ],
)
def test_a_capability_starts_without_what_few_projects_need(capability: str, unused: set[str]) -> None:
    program = f"import sys; sys.path[:] = {sys.path!r}; import {entry.MODULES[capability]}; print(*sys.modules)"
    loaded = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True, timeout=60)
    assert not unused.intersection(loaded.stdout.split())
