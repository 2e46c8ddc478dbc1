"""What is committed is what was verified: with --staged and --ref the claim is the one that lands."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
WARNING = ".artifacts/T1/claim.json in the working tree differs from the one that lands, which is verified"


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A task with a claim that holds, all of it staged."""
    found = gr.make(tmp_path, CODE, {"tests_pass": True})
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    found.sample.git("add", "--all", "--force", "a.py", ".artifacts/T1/claim.json", ".artifacts/T1/commitment.json")
    return found


def units(repository: gr.GatedRepository) -> list[tuple[str, str]]:
    return [(unit["id"], unit["outcome"]) for unit in repository.verdict()["units"]["per_unit"]]


def test_flip_a_false_claim_is_not_committed_behind_an_honest_one_on_the_disk(repository: gr.GatedRepository) -> None:
    # Before: the claim on the disk was verified, and passed.
    repository.claim("file:missing.py")
    repository.sample.git("add", ".artifacts/T1/claim.json")
    repository.claim("file:a.py")
    done = repository.gate("verify", "T1", "--staged")
    assert (done.code, units(repository)) == (1, [("file:missing.py", "refuted")])
    assert WARNING in done.err
    assert repository.gate("verify", "T1").code == 0, "the working tree has its own claim"


def test_flip_an_honest_claim_that_is_staged_counts_whatever_the_disk_says(repository: gr.GatedRepository) -> None:
    repository.claim("file:missing.py")
    done = repository.gate("verify", "T1", "--staged")
    assert (done.code, units(repository)) == (0, [("file:a.py", "supported")])
    assert WARNING in done.err


def test_without_a_difference_there_is_no_warning(repository: gr.GatedRepository) -> None:
    done = repository.gate("verify", "T1", "--staged")
    assert (done.code, WARNING in done.err) == (0, False)


def test_a_claim_that_is_not_staged_is_read_from_the_disk(repository: gr.GatedRepository) -> None:
    repository.sample.git("rm", "--cached", "--quiet", ".artifacts/T1/claim.json")
    assert repository.gate("verify", "T1", "--staged").code == 0


@pytest.mark.parametrize("content", ["{", "[]", '{"task_id": "T2", "claim": {"type": "facts"}}'])
def test_a_staged_claim_that_is_invalid_is_refuted(repository: gr.GatedRepository, content: str) -> None:
    repository.put(".artifacts/T1/claim.json", content)
    repository.sample.git("add", "--force", ".artifacts/T1/claim.json")
    repository.claim("file:a.py")
    assert repository.gate("verify", "T1", "--staged").code == 1
    assert [reason["code"] for reason in repository.verdict()["reasons"]] == ["CLAIM_INVALID"]


def test_a_staged_link_is_no_claim(repository: gr.GatedRepository) -> None:
    path = repository.root / ".artifacts/T1/claim.json"
    path.rename(repository.root / "elsewhere.json")
    path.symlink_to("../../elsewhere.json")
    repository.sample.git("add", "--force", ".artifacts/T1/claim.json")
    path.unlink()
    repository.claim("file:a.py")
    done = repository.gate("verify", "T1", "--staged")
    assert (done.code, ".artifacts/T1/claim.json" in done.err) == (2, True), done.output


def test_the_commitment_is_read_as_staged(repository: gr.GatedRepository) -> None:
    path = repository.root / ".artifacts/T1/commitment.json"
    staged = path.read_text()
    path.write_text(json.dumps({**json.loads(staged), "commitments": {"expected_total": 0}}))
    assert repository.gate("verify", "T1", "--staged").code == 0
    path.unlink()
    assert repository.gate("verify", "T1", "--staged").code == 0


def test_the_claim_of_a_commit_is_that_commit_s(repository: gr.GatedRepository) -> None:
    repository.sample.git("commit", "-q", "-m", "The work")
    repository.claim("file:missing.py")
    base = repository.sample.git("rev-parse", "HEAD~1").strip()
    done = repository.gate("verify", "T1", "--ref", "HEAD", "--base", base)
    assert (done.code, units(repository)) == (0, [("file:a.py", "supported")])
    assert WARNING in done.err
