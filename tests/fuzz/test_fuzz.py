"""Some seconds of fuzzing for each reader, and every input that once was a finding.

``tests/fuzz/run.py`` does it for as long as one likes, led by what code an input reaches.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from mutations import mutate_json, mutate_text
from one_target import LONGEST, name_finding
from targets import ALL

# re says so of a set like ``[[``, which may mean something else one day.
pytestmark = pytest.mark.filterwarnings("ignore:Possible (nested set|set difference):FutureWarning")

SECONDS = 0.2
"""Processor time for each of a hundred targets."""

FOUND = sorted((Path(__file__).parent / "found").glob("*/*"))


@pytest.mark.parametrize("path", FOUND, ids=[f"{path.parent.name}/{path.name}" for path in FOUND])
def test_what_was_found_is_read_or_refused(path: Path, tmp_path: Path) -> None:
    folders = {name.replace(" ", "_").replace("/", "_"): target for name, target in ALL.items()}
    target = folders[path.parent.name]
    assert name_finding(target, tmp_path, path.read_bytes()) is None


@pytest.mark.parametrize("name", ALL)
def test_changed_inputs(name: str, tmp_path: Path) -> None:
    target, chance = ALL[name], random.Random(1)  # noqa: S311 - inputs, no secrets
    pool = list(target.seeds)
    assert all(name_finding(target, tmp_path, content) is None for content in pool[:20])
    until = time.process_time() + SECONDS
    tried = 0
    while time.process_time() < until or tried < 3:
        content = chance.choice(pool)
        try:
            made = mutate_json(content, chance) if target.is_json else mutate_text(content, target, chance)
        except ValueError:  # what was JSON no longer is
            made = mutate_text(content, target, chance)
        made = made[:LONGEST]
        assert name_finding(target, tmp_path, made) is None, made
        pool.append(made)
        tried += 1
