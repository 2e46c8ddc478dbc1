"""What a push knows of commits: that this tree on these parents passed here, for 90 days, by a key of the user's."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from verigate.domain.commit_text import CommitText
from verigate.execution.evidence_cache import EvidenceCache
from verigate.usecases.verified_commits import VerifiedCommits

COMMIT = CommitText("c" * 40, "A", "A", "Add it", tree="t" * 40, parents=("p" * 40,))


class Clock:
    moment = "2026-01-01T10:00:00.000+00:00"

    def __call__(self) -> str:
        return self.moment


def make(folder: Path, clock: Clock, repository: str = "/r/.git") -> VerifiedCommits:
    return VerifiedCommits(EvidenceCache(folder / "commits", folder / "key"), repository, "1", clock)


def test_what_passed_is_known_for_ninety_days(tmp_path: Path) -> None:
    clock = Clock()
    known = make(tmp_path, clock)
    assert known.find_unknown([COMMIT]) == (COMMIT,)
    known.keep(COMMIT.tree, COMMIT.parents)
    assert known.find_unknown([COMMIT]) == ()
    for later in ("2026-04-01T10:00:01.000+00:00", "2025-12-31T10:00:00.000+00:00", "soon"):
        clock.moment = later
        assert known.find_unknown([COMMIT]) == (COMMIT,), later


@pytest.mark.parametrize(
    "other",
    [
        replace(COMMIT, tree="u" * 40),
        replace(COMMIT, parents=()),
        replace(COMMIT, parents=("q" * 40,)),
        replace(COMMIT, parents=(*COMMIT.parents, "q" * 40)),
        replace(COMMIT, tree=""),
    ],
)
def test_another_commit_isn_t_known(other: CommitText, tmp_path: Path) -> None:
    known = make(tmp_path, Clock())
    known.keep(COMMIT.tree, COMMIT.parents)
    assert known.find_unknown([other]) == (other,)
    # A message is no part of what was verified.
    assert known.find_unknown([replace(COMMIT, id="d" * 40, message="Say it otherwise")]) == ()


def test_another_repository_and_another_key_know_nothing(tmp_path: Path) -> None:
    known = make(tmp_path, Clock())
    known.keep(COMMIT.tree, COMMIT.parents)
    assert make(tmp_path, Clock(), "/other/.git").find_unknown([COMMIT]) == (COMMIT,)
    (tmp_path / "key").unlink()
    make(tmp_path, Clock()).keep("v" * 40, ())
    assert make(tmp_path, Clock()).find_unknown([COMMIT]) == (COMMIT,)


def test_a_record_that_was_written_without_the_key_is_none(tmp_path: Path) -> None:
    known = make(tmp_path, Clock())
    known.keep(COMMIT.tree, COMMIT.parents)
    (entry,) = (tmp_path / "commits").glob("*/*")
    content = entry.read_bytes()
    body = json.loads(content[64:])
    body["files"]["verified"] = base64.b64encode(b'{"verified": "2026-01-01T09:00:00.000+00:00", "gate": "1"}').decode()
    entry.write_bytes(content[:64] + json.dumps(body, sort_keys=True).encode())
    assert known.find_unknown([COMMIT]) == (COMMIT,)
