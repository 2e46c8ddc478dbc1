"""A checkout may share its environment with another: then ``.venv`` is a symbolic link, which git takes for a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sample_repository import SampleRepository

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", [".venv", "node_modules"])
def test_an_environment_that_is_a_link_is_ignored_too(tmp_path: Path, name: str) -> None:
    sample = SampleRepository.create(tmp_path / "checkout")
    shutil.copy(ROOT / ".gitignore", sample.path)
    (sample.path / name).symlink_to(tmp_path)
    assert sample.git("status", "--porcelain", "--untracked-files=all") == "?? .gitignore"
