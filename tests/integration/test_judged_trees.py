"""``gate show`` and ``gate list`` say whether what was judged is still what is here."""

from __future__ import annotations

from pathlib import Path

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

CHANGED = "the working tree has changed since"


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A repository with a small policy and a task that passed."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    order = {"order": ["code:diff"], "required": ["code:diff"], "optional": []}
    found.put("config/adapter-plan.json", {"facts": order, "code": order})
    rules = {"required_artifacts": ["diff.json"]}
    found.put("config/verification.profiles.json", {"facts": rules, "code_default": rules})
    found.sample.commit("the base")
    found.begin()
    found.put("shop.py", "TOTAL = 1\n")
    found.claim("file:shop.py")
    return found


def note_of(repository: gr.GatedRepository, task_id: str) -> str:
    rows = repository.gate("list", "--json").json["tasks"]
    return str(next(row["note"] for row in rows if row["task_id"] == task_id))


def test_a_working_tree_that_changed_since_is_named(repository: gr.GatedRepository) -> None:
    assert repository.verify().code == 0
    assert CHANGED not in repository.gate("show", "T1").output
    assert note_of(repository, "T1") == ""
    repository.put("shop.py", "TOTAL = 2\n")
    shown = repository.gate("show", "T1")
    assert shown.code == 0
    assert f"this verdict is no longer about what is here: {CHANGED}" in shown.output
    assert CHANGED in repository.gate("show", "T1", "--format", "markdown").output
    assert note_of(repository, "T1") == CHANGED
    repository.put("shop.py", "TOTAL = 1\n")
    assert note_of(repository, "T1") == ""


def test_the_verdict_of_a_commit_is_compared_with_head(repository: gr.GatedRepository) -> None:
    repository.sample.commit("the work")
    assert repository.gate("verify", "--ref", "HEAD", "--quiet").code == 0
    assert "no longer" not in repository.gate("show", "implicit").output
    repository.put("shop.py", "TOTAL = 2\n")
    assert note_of(repository, "implicit") == ""
    repository.sample.commit("more")
    assert "it is of another commit than HEAD" in repository.gate("show", "implicit").output


def test_an_index_that_changed_is_named(repository: gr.GatedRepository) -> None:
    repository.sample.git("add", "--all")
    assert repository.verify("T1", "--staged").code == 0
    assert note_of(repository, "T1") == ""
    repository.put("shop.py", "TOTAL = 2\n")
    assert note_of(repository, "T1") == ""
    repository.sample.git("add", "--all")
    assert note_of(repository, "T1") == "the index has changed since"


def test_a_commitment_that_is_edited_after_gate_start_is_refuted(repository: gr.GatedRepository) -> None:
    assert repository.gate("start", "T2", "--type", "facts", "--file", "shop.py").code == 0
    assert repository.gate("claim", "T2", "file:shop.py").code == 0
    assert repository.verify("T2").code == 0
    path = repository.root / ".artifacts/T2/commitment.json"
    agreed = path.read_text()
    path.write_text(agreed.replace("shop.py", "other.py"))
    edited = repository.gate("verify", "T2", "--quiet")
    assert edited.code == 1
    assert "differs from the version that `gate start` fixed" in " ".join(edited.output.split())
    path.write_text(agreed)
    assert repository.verify("T2").code == 0
    # Ended for good, the id can begin anew with another promise.
    assert repository.gate("end", "T2", "--remove").code == 0
    assert repository.gate("start", "T2", "--type", "facts").code == 0
    assert repository.gate("claim", "T2", "file:shop.py").code == 0
    assert repository.verify("T2").code == 0
