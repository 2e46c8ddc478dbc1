"""Every lie is caught for the right reason, and its honest twin, as near to it as can be, passes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from cases.pair import PAIRS, Pair
from repositories import Repository

for module in sorted((Path(__file__).parent / "cases").glob("[a-z]*.py")):
    import_module(f"cases.{module.stem}")

NAMES = [pair.name for pair in PAIRS]


def test_there_are_enough_pairs_and_each_has_its_own_name() -> None:
    assert len(PAIRS) >= 45
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_lie_is_caught(pair: Pair, tmp_path: Path) -> None:
    ended = pair.build(Repository.make(tmp_path), True)
    assert ended.exit_code == pair.exit_code, str(ended)
    if pair.says is not None:
        assert pair.says in ended.stderr.decode() + ended.stdout.decode(), str(ended)
    if pair.reason is None or pair.check is None:
        return
    assert pair.reason in ended.reasons, str(ended)
    check = ended.check(pair.check)
    assert check is not None, str(ended)
    assert check["reason"] == pair.reason, check
    assert check["outcome"] in {"refuted", "error", "unknown"}, check


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_honest_twin_passes(pair: Pair, tmp_path: Path) -> None:
    ended = pair.build(Repository.make(tmp_path), False)
    assert ended.exit_code == 0, str(ended)
