"""Which task a change belongs to, in real histories: ended, reset, rebased, elsewhere; and what can't be shed."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository

from verigate.composition.agent_gate import RepositoryGate

CODE = {"tests.json": lf.GOOD["tests.json"]}
RULES = {"tests_pass": True}
ENTRY = {"order": ["code:tests"], "required": ["code:tests"], "optional": []}
FILES = {".gitignore": ".artifacts/\n", "config/adapter-plan.json": {"code": ENTRY, "facts": ENTRY}}


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    """One commit on main, and a second one, after which the task T1 was started and claimed."""
    made = gr.make(tmp_path, CODE, RULES, files=FILES)
    made.put("first.py", "first = 1\n")
    made.sample.commit("first")
    assert made.gate("start", "T1", "--type", "facts").code == 0
    made.claim(statements=["All tests pass."])
    return made


def stage(repository: GatedRepository, path: str = "work.py", content: str = "work = 1\n") -> None:
    repository.put(path, content)
    repository.sample.git("add", "--force", path)


def commit(repository: GatedRepository, message: str, path: str = "work.py", content: str = "work = 1\n") -> str:
    stage(repository, path, content)
    repository.sample.git("commit", "--quiet", "-m", message)
    return repository.sample.git("rev-parse", "HEAD")


def planned(repository: GatedRepository, *arguments: str, **environ: str) -> tuple[str, str]:
    """The task that would be verified, and what is said about it."""
    done = repository.gate("plan", "--json", *arguments, **environ)
    assert done.code == 0, done.output
    return str(done.json["task_id"]), done.err


def refused(done: Done, text: str) -> bool:
    return done.code == 2 and text in done.err


def make_stale(repository: GatedRepository) -> None:
    """Take the commit back at which T1 began."""
    repository.sample.git("reset", "--quiet", "--hard", "HEAD~1")
    stage(repository)


def test_a_task_whose_base_was_taken_back_is_left_aside_in_one_line(repository: GatedRepository) -> None:
    base = repository.sample.git("rev-parse", "HEAD")
    assert planned(repository, "--staged") == ("T1", "")
    make_stale(repository)
    task, said = planned(repository, "--staged")
    assert task == "implicit"
    why = f"its base {base[:12]} is not in this history (another branch, a reset or a rebase)"
    assert said == f"warning: the task T1 is left aside: {why}; end it with `gate end T1`\n"
    done = repository.gate("verify", "--staged", "--quiet")
    assert (done.code, done.err.count("left aside")) == (0, 1), done.output
    assert any("left aside" in text for text in repository.published("run.json", "implicit")["warnings"])
    (row,) = [row for row in repository.gate("list", "--json").json["tasks"] if row["task_id"] == "T1"]
    assert (row["current"], row["note"]) == (True, f"left aside: {why}")
    # The commit isn't that task's either.
    message = repository.put("message", "Work\n")
    assert repository.gate("git-hook", "commit-msg", str(message)).code == 0
    assert message.read_text() == "Work\n"
    assert "the task T1 is left aside" in repository.gate("claim", "file:work.py").err


@pytest.mark.release
def test_a_current_task_that_git_has_is_left_aside(repository: GatedRepository) -> None:
    repository.put(".artifacts/current", "T1\n")
    assert planned(repository)[0] == "T1"
    commit(repository, "work here", ".artifacts/current", "T1\n")
    for arguments in (("--ref", "HEAD"), ("--staged",), ()):
        task, said = planned(repository, *arguments)
        assert (task, "is in git" in said) == ("implicit", True), arguments


def test_a_task_that_somebody_names_is_never_left_aside(repository: GatedRepository) -> None:
    make_stale(repository)
    assert refused(repository.gate("verify", "T1", "--staged"), "is stale")
    assert refused(repository.gate("verify", "--staged", GATE_TASK_ID="T1"), "is stale")


@pytest.mark.parametrize("name", ["commitment.json", "claim.json"])
def test_a_change_that_brings_the_files_of_a_task_is_that_task_s(repository: GatedRepository, name: str) -> None:
    make_stale(repository)
    repository.sample.git("add", "--force", f".artifacts/T1/{name}")
    refusal = repository.gate("verify", "--staged")
    assert refused(refusal, "is stale")
    assert "the change brings files of the task T1, but its base" in refusal.err
    assert "`git restore --staged .artifacts/T1`, or end the task with `gate end T1`" in refusal.err
    assert refused(repository.gate("verify"), "is stale")
    repository.sample.git("commit", "--quiet", "-m", "with its claim")
    assert refused(repository.gate("verify", "--ref", "HEAD"), "is stale")
    # What comes after it is other work.
    stage(repository, "other.py")
    assert planned(repository, "--staged")[0] == "implicit"


def test_an_index_of_git_s_own_brings_them_as_well(repository: GatedRepository) -> None:
    make_stale(repository)
    index = repository.home / "index"
    repository.sample.git("reset", "--quiet")
    index.write_bytes((repository.root / ".git/index").read_bytes())
    repository.sample.git("add", "--force", ".artifacts/T1/claim.json")
    brings = repository.home / "brings"
    brings.write_bytes((repository.root / ".git/index").read_bytes())
    repository.sample.git("reset", "--quiet")
    assert refused(repository.gate("verify", "--staged", GIT_INDEX_FILE=str(brings)), "is stale")
    assert planned(repository, "--staged", GIT_INDEX_FILE=str(index))[0] == "implicit"


def test_the_trailer_of_a_commit_is_never_left_aside(repository: GatedRepository) -> None:
    make_stale(repository)
    repository.sample.git("commit", "--quiet", "-m", "Work\n\nGate-Task: T1")
    for arguments in (("--ref", "HEAD"), (), ("--staged",)):
        (repository.root / ".artifacts/current").unlink(missing_ok=True)
        assert refused(repository.gate("verify", *arguments), "is stale"), arguments


def test_a_task_that_has_only_a_name_here_is_left_aside(repository: GatedRepository) -> None:
    (repository.root / ".artifacts/T1/commitment.json").unlink()
    stage(repository)
    assert planned(repository, "--staged") == (
        "implicit",
        "warning: the task T1 is left aside: it has no commitment here; end it with `gate end T1`\n",
    )


def test_removing_a_commitment_that_was_committed_sheds_nothing(repository: GatedRepository) -> None:
    repository.sample.git("add", "--force", ".artifacts/T1/commitment.json")
    repository.sample.git("commit", "--quiet", "-m", "what is promised")
    repository.sample.git("rm", "--quiet", "--force", ".artifacts/T1/commitment.json")
    stage(repository)
    assert refused(repository.gate("verify", "--staged"), "no commitment")
    repository.sample.git("commit", "--quiet", "-m", "gone")
    stage(repository, "other.py")
    assert planned(repository, "--staged")[0] == "implicit"


@pytest.mark.release
def test_a_task_whose_commits_are_on_another_branch_is_left_aside_there(repository: GatedRepository) -> None:
    # Started on main, continued on a branch: that is the same work.
    repository.sample.git("switch", "--quiet", "-c", "feature")
    stage(repository)
    assert planned(repository, "--staged") == ("T1", "")
    commit(repository, "Work\n\nGate-Task: T1")
    stage(repository, "work.py", "work = 2\n")
    assert planned(repository, "--staged") == ("T1", "")
    repository.sample.git("reset", "--quiet", "--hard")

    repository.sample.git("switch", "--quiet", "main")
    stage(repository, "other.py")
    task, said = planned(repository, "--staged")
    assert (task, "left aside: its commits are on the branch feature;" in said) == ("implicit", True)
    repository.sample.git("commit", "--quiet", "-m", "Other")

    # Rebased, amended or picked, they are on this branch.
    repository.sample.git("switch", "--quiet", "feature")
    repository.sample.git("branch", "before")
    repository.sample.git("rebase", "--quiet", "main")
    stage(repository, "work.py", "work = 3\n")
    assert planned(repository, "--staged") == ("T1", "")
    repository.sample.git("commit", "--quiet", "--amend", "--no-edit")
    assert planned(repository) == ("T1", "")
    repository.sample.git("switch", "--quiet", "main")
    repository.sample.git("cherry-pick", "before")
    stage(repository, "work.py", "work = 4\n")
    assert planned(repository, "--staged") == ("T1", "")
    repository.sample.git("reset", "--quiet", "--hard", "HEAD~1")
    # Squashed, they are what is about to be committed.
    repository.sample.git("merge", "--quiet", "--squash", "feature")
    assert planned(repository, "--staged") == ("T1", "")
    repository.sample.git("reset", "--quiet", "--hard")
    # Merged, they are here too.
    repository.sample.git("merge", "--quiet", "--no-ff", "--no-edit", "feature")
    stage(repository, "work.py", "work = 5\n")
    assert planned(repository, "--staged") == ("T1", "")


@pytest.mark.release
def test_a_trailer_speaks_for_its_own_commit(repository: GatedRepository) -> None:
    commit(repository, "Work\n\nGate-Task: T1")
    assert repository.gate("start", "T2", "--type", "facts").code == 0
    # Of a commit its trailer counts, not the task that was begun since.
    assert planned(repository, "--ref", "HEAD")[0] == "T1"
    task, said = planned(repository, "--ref", "HEAD~1")
    assert (task, "the task T2 is left aside: its base " in said) == ("implicit", True)
    assert planned(repository)[0] == "T2"
    (repository.root / ".artifacts/current").unlink()
    assert planned(repository) == planned(repository, "--staged") == ("T1", "")
    # A new change isn't that commit.
    repository.put("work.py", "work = 2\n")
    assert planned(repository) == ("implicit", "")
    assert planned(repository, "--staged") == ("T1", "")
    repository.sample.git("add", "work.py")
    assert planned(repository, "--staged") == ("implicit", "")
    repository.sample.git("commit", "--quiet", "-m", "More\n\nGate-Task: T1\nGate-Task: T2")
    assert refused(repository.gate("plan"), "names several tasks")
    stage(repository, "work.py", "work = 3\n")
    assert planned(repository, "--staged") == ("implicit", "")


def test_a_commit_without_a_trailer_isn_t_that_of_a_task_that_begins_with_it(repository: GatedRepository) -> None:
    task, said = planned(repository, "--ref", "HEAD")
    assert (task, "left aside: it began after this commit" in said) == ("implicit", True)
    commit(repository, "without a trailer")
    assert planned(repository, "--ref", "HEAD") == ("T1", "")


def test_an_agent_s_turn_keeps_a_task_that_git_would_leave_aside(repository: GatedRepository) -> None:
    make_stale(repository)
    gate = RepositoryGate(repository.root, repository.environ())
    assert gate.task_in_force() == "T1"


def test_end_closes_a_task_and_keeps_its_files(repository: GatedRepository) -> None:
    commit(repository, "Work\n\nGate-Task: T1")
    assert repository.verify("T1").code == 0
    done = repository.gate("end")
    assert (done.code, done.out.splitlines()[:2]) == (0, ["T1 ended: pass", "its folder .artifacts/T1 stays"])
    assert not (repository.root / ".artifacts/current").exists()
    (row,) = [row for row in repository.gate("list", "--json").json["tasks"] if row["task_id"] == "T1"]
    assert (row["current"], row["note"], row["status"]) == (False, "ended", "pass")
    # Neither a new change nor HEAD as it is, but its own commit, and whoever names it.
    assert planned(repository) == ("implicit", "")
    assert planned(repository, "--ref", "HEAD") == ("T1", "")
    assert repository.verify("T1").code == 0
    assert (repository.root / ".artifacts/T1/ENDED").exists()
    refusal = repository.gate("end")
    assert refused(refusal, "no task is current")
    assert refused(repository.gate("end", "T9"), "there is no task T9")
    repository.sample.git("switch", "--quiet", "-c", "feature/T1")
    stage(repository, "other.py")
    assert planned(repository, "--staged") == ("implicit", "")


def test_end_names_the_task_of_the_branch_without_taking_it(repository: GatedRepository) -> None:
    (repository.root / ".artifacts/current").unlink()
    repository.sample.git("switch", "--quiet", "-c", "feature/T1")
    stage(repository)
    assert planned(repository, "--staged") == ("T1", "")
    assert refused(repository.gate("end"), "gate end T1")
    assert repository.gate("end", "T1", "--json").json == {
        "schema": "verigate:end.v1",
        "task_id": "T1",
        "status": None,
        "removed": False,
    }
    assert planned(repository, "--staged") == ("implicit", "")


def test_end_removes_the_files_but_no_mark(repository: GatedRepository) -> None:
    mark = repository.put(".artifacts/T1/UNVERIFIED", "{}")
    assert refused(repository.gate("end", "--remove"), "carries a mark")
    assert (repository.root / ".artifacts/current").exists()
    mark.unlink()
    assert repository.gate("end", "--remove", "--json").json["removed"] is True
    assert not (repository.root / ".artifacts/T1").exists()
    assert planned(repository) == ("implicit", "")
    # A commit that names it fails closed.
    commit(repository, "Work\n\nGate-Task: T1")
    assert refused(repository.gate("verify", "--ref", "HEAD"), "no commitment")


def test_what_was_committed_as_agreed_is_not_agreed_anew(repository: GatedRepository) -> None:
    # Before: both commands ended well, and the work failed afterwards, as a commitment that was edited.
    repository.sample.git("add", "--force", ".artifacts/T1/commitment.json")
    repository.sample.git("commit", "--quiet", "-m", "What is agreed")
    assert repository.gate("end", "T1", "--remove").code == 0
    again = repository.gate("start", "T1", "--type", "facts")
    assert refused(again, "task T1 is committed in HEAD with another commitment")
    assert "choose another id" in again.err
    assert repository.gate("start", "T2", "--type", "facts").code == 0


def test_ending_another_task_keeps_the_current_one(repository: GatedRepository) -> None:
    assert repository.gate("start", "T2", "--type", "facts").code == 0
    assert repository.gate("end", "T1").code == 0
    assert (repository.root / ".artifacts/current").read_text() == "T2\n"
    assert json.loads((repository.root / ".artifacts/T1/commitment.json").read_text())["task_id"] == "T1"
    stage(repository)
    assert planned(repository, "--staged") == ("T2", "")


def test_new_work_after_a_task_that_is_committed_is_named(repository: GatedRepository) -> None:
    stage(repository)
    assert repository.gate("verify", "--staged").code == 0
    made = commit(repository, "Work\n\nGate-Task: T1")
    stage(repository, "more.py")
    repository.claim(statements=["All 99 tests pass."])
    done = repository.gate("verify", "--staged")
    hint = f"hint: T1 passed and is committed as {made[:12]}; new work is a task of its own: gate start ID\n"
    assert (done.code, done.err.count(hint)) == (1, 1), done.output
    # Nobody is sent away from a task that is committed and isn't done, or that is named.
    assert "hint:" not in repository.gate("verify", "T1", "--staged").err
    commit(repository, "More\n\nGate-Task: T1", "more.py")
    stage(repository, "third.py")
    assert "hint:" not in repository.gate("verify", "--staged").err
