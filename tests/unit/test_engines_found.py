"""Where engines are looked for when one is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.usecases.engines import drop_repository_paths


@pytest.mark.parametrize("variable", ["PATH", "GATE_ENGINE_PATH"])
def test_no_engine_is_of_the_repository(tmp_path: Path, variable: str) -> None:
    """Whoever is judged can write to .venv/bin, and a program there would run with the user's rights and keys."""
    root = tmp_path / "repository"
    (root / ".venv/bin").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root)
    beside = tmp_path / "repository-tools"
    inside = (root, root / ".venv/bin", tmp_path / "link/.venv/bin", beside / "../repository/node_modules/.bin")
    given = ":".join((*map(str, inside), str(beside), "", ".", "node_modules/.bin", "/usr/bin"))
    found = drop_repository_paths({variable: given, "HOME": "/h"}, tmp_path / "link")
    assert found == {variable: f"{beside}:/usr/bin", "HOME": "/h"}
