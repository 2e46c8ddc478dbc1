"""What the hook pre-commit remembers: for an hour, of one index on one commit, and of nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from verigate.execution.evidence_cache import EvidenceCache
from verigate.usecases.judged_indexes import _RECORD, IndexKey, JudgedIndexes

KEY = IndexKey("/r", "t" * 40, ("p" * 40,), "implicit")


class Clock:
    moment = "2026-01-01T10:00:00.000+00:00"

    def __call__(self) -> str:
        return self.moment


def make(folder: Path, clock: Clock, version: str = "1") -> JudgedIndexes:
    return JudgedIndexes(EvidenceCache(folder / "indexes", folder / "key"), version, clock)


@pytest.mark.parametrize("left", [False, True])
def test_what_was_judged_is_known_for_an_hour(left: bool, tmp_path: Path) -> None:
    clock = Clock()
    indexes = make(tmp_path, clock)
    assert indexes.is_left_to_message(KEY) is None
    indexes.keep(KEY, left_to_message=left)
    clock.moment = "2026-01-01T10:59:59.000+00:00"
    assert indexes.is_left_to_message(KEY) is left
    for later in ("2026-01-01T11:00:00.000+00:00", "2026-01-01T09:59:59.000+00:00", "soon"):
        clock.moment = later
        assert indexes.is_left_to_message(KEY) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(KEY, root="/other"),
        replace(KEY, tree="u" * 40),
        replace(KEY, parents=()),
        replace(KEY, parents=(*KEY.parents, "q" * 40)),
        replace(KEY, task="T1"),
    ],
)
def test_another_index_isn_t_known(other: IndexKey, tmp_path: Path) -> None:
    indexes = make(tmp_path, Clock())
    indexes.keep(KEY, left_to_message=False)
    assert indexes.is_left_to_message(other) is None


def test_another_version_of_the_gate_knows_nothing(tmp_path: Path) -> None:
    make(tmp_path, Clock()).keep(KEY, left_to_message=False)
    assert make(tmp_path, Clock(), "2").is_left_to_message(KEY) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"judged": 1, "left": false}', b"\xff"])
def test_a_record_that_can_t_be_read_is_none(content: bytes, tmp_path: Path) -> None:
    indexes = make(tmp_path, Clock())
    indexes._cache.store(indexes._compute(KEY), {_RECORD: content})
    assert indexes.is_left_to_message(KEY) is None
    indexes._cache.store(indexes._compute(KEY), {})
    assert indexes.is_left_to_message(KEY) is None


def test_what_somebody_else_wrote_is_none(tmp_path: Path) -> None:
    indexes = make(tmp_path, Clock())
    indexes.keep(KEY, left_to_message=False)
    (entry,) = (tmp_path / "indexes").glob("*/*")
    entry.write_bytes(b"0" * 64 + entry.read_bytes()[64:])
    assert indexes.is_left_to_message(KEY) is None
