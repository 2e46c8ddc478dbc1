"""The chain of a task's verdicts in its git ref: what deletion, reordering and replacement leave to be seen."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest

RULES = {"tests_pass": True}
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
CHAIN = "refs/verigate/verdicts/T1"


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A task with three verdicts: pass, fail, pass."""
    found = gr.make(tmp_path, CODE, RULES)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    for unit, code in (("a.py", 0), ("gone.py", 1), ("a.py", 0)):
        found.claim(f"file:{unit}")
        done = found.verify()
        assert done.code == code, done.output
    return found


def entries(repository: gr.GatedRepository, ref: str = CHAIN) -> list[dict[str, object]]:
    """The entries as git itself prints them, the oldest first."""
    printed = repository.sample.git("log", "--reverse", "--format=%b", ref)
    return [json.loads(line) for line in printed.splitlines() if line.strip()]


def note(repository: gr.GatedRepository, task_id: str = "T1") -> str:
    rows = repository.gate("list", "--json").json["tasks"]
    return str(next(row["note"] for row in rows if row["task_id"] == task_id))


def test_each_verdict_is_an_entry_that_git_can_read(repository: gr.GatedRepository) -> None:
    found = entries(repository)
    assert [(entry["number"], entry["status"]) for entry in found] == [(1, "pass"), (2, "fail"), (3, "pass")]
    sha = subprocess.run(
        ["sha256sum", repository.root / ".artifacts/T1/verdict.json"], check=True, capture_output=True, text=True
    ).stdout.split()[0]
    assert found[-1]["verdict_sha256"] == sha
    assert repository.sample.git("rev-list", "--count", CHAIN) == "3"
    assert "missing" not in repository.sample.git("fsck", "--full", "--strict")
    assert note(repository) == ""
    assert "chain" not in repository.gate("show", "T1").output


def test_the_last_verdict_taken_off_shows(repository: gr.GatedRepository) -> None:
    repository.sample.git("update-ref", CHAIN, f"{CHAIN}~1")
    shown = note(repository)
    assert "verdict 3 (" in shown
    assert "is gone from the chain of its verdicts" in shown
    assert "its verdict is not in the chain of its verdicts" in shown
    assert "is gone from the chain" in repository.gate("show", "T1").err
    assert "is gone from the chain" in repository.gate("show", "T1", "--format", "markdown").out


def test_a_chain_taken_away_shows_and_the_next_entry_says_so_for_good(repository: gr.GatedRepository) -> None:
    tip = repository.sample.git("rev-parse", CHAIN)
    repository.sample.git("update-ref", "-d", CHAIN)
    assert note(repository) == f"the chain of its verdicts is gone: {CHAIN} had 3 verdicts"
    assert repository.verify().code == 0
    last = entries(repository)[-1]
    assert (last["number"], last["lost"]) == (4, {"number": 3, "commit": tip})
    assert note(repository) == f"before verdict 4 the chain had lost verdict 3 ({tip[:12]})"


def test_an_older_verdict_put_back_shows(repository: gr.GatedRepository, tmp_path: Path) -> None:
    shutil.copytree(repository.root / ".artifacts/T1", tmp_path / "kept")
    repository.claim("file:gone.py")
    assert repository.verify().code == 1
    shutil.rmtree(repository.root / ".artifacts/T1")
    shutil.copytree(tmp_path / "kept", repository.root / ".artifacts/T1")
    assert note(repository).endswith(f"its verdict is number 3 of its chain, {CHAIN}: the last one, number 4, was fail")
    assert "its verdict is number 3 of its chain" in repository.gate("show", "T1").err


def test_programs_that_read_a_verdict_learn_of_it_too(repository: gr.GatedRepository, tmp_path: Path) -> None:
    clean = repository.gate("replay", "T1", "--json").json
    assert (clean["status"], clean["notes"]) == ("pass", [])
    assert "notes" not in repository.gate("show", "T1", "--json").json["metadata"]
    repository.claim("file:gone.py")
    put_back_after_a_fail(repository, tmp_path)
    said = f"its verdict is number 3 of its chain, {CHAIN}: the last one, number 4, was fail"
    assert said in repository.gate("show", "T1", "--json").json["metadata"]["notes"]
    found = repository.gate("show", "T1", "--format", "gitlab").json
    assert [(entry["check_name"], entry["severity"]) for entry in found if said in entry["description"]] == [
        ("RECORD", "major")
    ]
    replayed = repository.gate("replay", "T1")
    assert (replayed.code, said in " ".join(replayed.err.split())) == (0, True), replayed.output
    assert repository.gate("replay", "T1", "--json").json["notes"] == [said]


def put_back_after_a_fail(repository: gr.GatedRepository, folder: Path) -> None:
    """Verify, which must fail, and put the evidence of before back."""
    shutil.copytree(repository.root / ".artifacts/T1", folder / "kept")
    done = repository.verify()
    assert done.code == 1, done.output
    shutil.rmtree(repository.root / ".artifacts/T1")
    shutil.copytree(folder / "kept", repository.root / ".artifacts/T1")


@pytest.mark.parametrize("witness", [True, False])
def test_an_entry_that_is_added_by_hand_shows(repository: gr.GatedRepository, tmp_path: Path, witness: bool) -> None:
    """Nothing is cut: a fifth entry says that the pass of the third came last."""
    repository.claim("file:gone.py")
    put_back_after_a_fail(repository, tmp_path)
    git = repository.sample.git
    message = git("log", "-1", "--format=%B", f"{CHAIN}~1").replace('"number": 3', '"number": 5')
    git("update-ref", CHAIN, git("commit-tree", "-p", CHAIN, "-m", message, f"{CHAIN}^{{tree}}"))
    if not witness:
        shutil.rmtree(repository.home / ".local/state/verigate/chains")
    shown = note(repository)
    assert f"verdict 5 in {CHAIN} is verdict 3 once more" in shown
    assert ("is not of this machine's gate, whose last one was number 4, fail" in shown) is witness
    # With another digest it is still older than the one before.
    last = entries(repository)[-1]
    other = message.replace(str(last["verdict_sha256"]), "0" * 64)
    other = other.replace(str(last["finished"]), "2026-01-01T00:00:00.000Z")
    git("update-ref", CHAIN, git("commit-tree", "-p", f"{CHAIN}~1", "-m", other, f"{CHAIN}^{{tree}}"))
    assert f"verdict 5 in {CHAIN} was finished before number 4" in note(repository)


def test_a_verdict_that_git_did_not_take_is_remembered_and_added_later(
    repository: gr.GatedRepository, tmp_path: Path
) -> None:
    lock = repository.root / ".git" / f"{CHAIN}.lock"
    lock.touch()
    repository.claim("file:gone.py")
    put_back_after_a_fail(repository, tmp_path)
    lock.unlink()
    unwritten = "the last verdict, number 4, was fail, and is not in the chain of its verdicts: git couldn't write it"
    assert unwritten in note(repository)
    assert unwritten in " ".join(repository.gate("show", "T1").err.split())
    repository.claim("file:a.py")
    assert repository.verify().code == 0
    numbers = [(entry["number"], entry["status"]) for entry in entries(repository)]
    assert numbers == [(1, "pass"), (2, "fail"), (3, "pass"), (4, "fail"), (5, "pass")]
    assert note(repository) == ""


@pytest.mark.parametrize("what", ["a folder", "a link", "a file with something else", "no folder for it"])
def test_a_witness_that_can_not_be_used_is_missed(repository: gr.GatedRepository, what: str) -> None:
    folder = repository.home / ".local/state/verigate/chains"
    (file,) = folder.iterdir()
    file.unlink()
    if what == "a folder":
        (file / "in it").mkdir(parents=True)
    elif what == "a link":
        file.symlink_to("/dev/null")
    elif what == "a file with something else":
        file.write_text("{}")
    else:
        folder.rmdir()
        folder.touch()
    missed = f"what this machine remembers of {CHAIN} can't be read"
    assert missed in note(repository)
    done = repository.gate("verify", "T1")
    assert done.code == 0, done.output
    told = " ".join(done.output.split())
    assert f"what this machine remembered of {CHAIN} is lost" in told
    if what == "no folder for it":
        assert "this machine can't remember this verdict" in told
        assert missed in note(repository)
        return
    assert "can't remember" not in told
    assert note(repository) == ""
    repository.sample.git("update-ref", CHAIN, f"{CHAIN}~1")
    assert "verdict 4 (" in note(repository)


def test_a_verdict_left_out_and_two_in_another_order_show_without_the_witness(repository: gr.GatedRepository) -> None:
    """Whoever reaches the user's folder too can take the witness away. Numbers and parents remain."""
    shutil.rmtree(repository.home / ".local/state/verigate/chains")
    third, second, first = repository.sample.git("rev-list", CHAIN).split()

    def again(commit: str, parent: str) -> str:
        message = repository.sample.git("log", "-1", "--format=%B", commit)
        return repository.sample.git("commit-tree", "-p", parent, "-m", message, f"{commit}^{{tree}}")

    repository.sample.git("update-ref", CHAIN, again(third, first))
    assert f"verdict 3 in {CHAIN} follows number 1: verdicts are missing or in another order" in note(repository)
    repository.sample.git("update-ref", CHAIN, again(second, again(third, first)))
    shown = note(repository)
    assert f"verdict 2 in {CHAIN} follows number 3" in shown
    assert f"verdict 3 in {CHAIN} follows number 1" in shown


@pytest.mark.parametrize("what", ["an edited entry", "another commit", "a blob", "a merge", "another task's"])
def test_what_is_no_entry_is_named(repository: gr.GatedRepository, what: str) -> None:
    git = repository.sample.git
    tip = git("rev-parse", CHAIN)
    message = git("log", "-1", "--format=%B", CHAIN)
    tree = f"{CHAIN}^{{tree}}"
    if what == "an edited entry":
        path = repository.root / ".git/objects" / tip[:2] / tip[2:]
        other = git("commit-tree", "-p", f"{CHAIN}~1", "-m", message.replace("pass", "fail"), tree)
        path.chmod(0o644)
        shutil.copyfile(repository.root / ".git/objects" / other[:2] / other[2:], path)
        expected = "its content isn't what its id says"
    elif what == "another commit":
        git("update-ref", CHAIN, "HEAD")
        expected = "is no entry of the chain"
    elif what == "a blob":
        git("update-ref", CHAIN, git("hash-object", "-w", "--stdin"))
        expected = "it is a blob of 0 bytes"
    elif what == "a merge":
        git("update-ref", CHAIN, git("commit-tree", "-p", f"{CHAIN}~1", "-p", "HEAD", "-m", message, tree))
        expected = "it joins two chains"
    else:
        git("update-ref", CHAIN, git("commit-tree", "-p", tip, "-m", message.replace('"T1"', '"T2"'), tree))
        expected = "is of another task, 'T2'"
    assert expected in note(repository)


def test_files_of_a_task_taken_away_show_but_for_those_that_were_ended(repository: gr.GatedRepository) -> None:
    (repository.root / ".artifacts/T1/verdict.json").unlink()
    assert "its last verdict, number 3, was pass, and is gone" in note(repository)
    shutil.rmtree(repository.root / ".artifacts/T1")
    assert note(repository) == "its files are gone; its last verdict, number 3, was pass"
    tip = repository.sample.git("rev-parse", CHAIN)
    repository.sample.git("update-ref", "-d", CHAIN)
    gone = f"the chain of its verdicts is gone: {CHAIN} had 3 verdicts"
    assert note(repository) == f"its files are gone; its last verdict, number 3, was pass; {gone}"
    repository.sample.git("update-ref", CHAIN, tip)
    repository.begin()
    ended = repository.gate("end", "T1", "--remove")
    assert ended.code == 0, ended.output
    assert repository.gate("list", "--json").json["tasks"] == []
    assert entries(repository)[-1]["status"] == "removed"


@pytest.mark.release
def test_linked_working_trees_have_chains_of_their_own(repository: gr.GatedRepository, tmp_path: Path) -> None:
    repository.sample.git("worktree", "add", "-q", str(tmp_path / "linked"))
    shutil.copytree(repository.root / ".artifacts", tmp_path / "linked/.artifacts")
    shutil.copyfile(repository.root / "a.py", tmp_path / "linked/a.py")
    done = repository.gate("verify", "T1", "--quiet", cwd=tmp_path / "linked")
    assert done.code == 0, done.output
    assert note(repository) == ""
    refs = repository.sample.git("for-each-ref", "--format=%(refname)", "refs/verigate").splitlines()
    assert len(refs) == 2
    assert "/worktrees/" in "".join(refs)


def test_a_repository_that_can_not_be_written_gets_its_verdict_and_a_warning(repository: gr.GatedRepository) -> None:
    # A lock of git's, which nobody releases: chmod doesn't stop root.
    (repository.root / ".git" / f"{CHAIN}.lock").touch()
    done = repository.gate("verify", "T1")
    assert done.code == 0, done.output
    assert "this verdict is in no chain of verdicts: git update-ref" in done.output
    assert note(repository) == (
        "the last verdict, number 4, was pass, and is not in the chain of its verdicts: git couldn't write it"
    )


def test_a_clone_has_no_chain_and_says_nothing(repository: gr.GatedRepository, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", repository.root, tmp_path / "clone"], check=True)
    done = repository.gate("list", "--json", cwd=tmp_path / "clone")
    assert done.json["tasks"] == [], done.output


@pytest.mark.release
def test_the_list_says_what_the_caller_chose(repository: gr.GatedRepository) -> None:
    profile = json.loads((repository.root / "config/verification.profiles.json").read_bytes())
    name = next(iter(profile))
    done = repository.verify("T1", "--profile", name)
    assert done.code == 0, done.output
    assert note(repository) == f"judged by --profile {name}"
    head = repository.sample.git("rev-parse", "HEAD")
    done = repository.verify("T1", "--base", "HEAD", "--policy-ref", "HEAD")
    assert done.code == 0, done.output
    assert note(repository) == f"compared with {head[:12]}, which its caller named; judged by --policy-ref HEAD"
    done = repository.verify()
    assert note(repository) == "", done.output
