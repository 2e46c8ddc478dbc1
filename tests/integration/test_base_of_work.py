"""What a change is compared with: not what whoever is judged can choose. Real git, real hooks, the real gate."""

from __future__ import annotations

from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done
from hooked_repository import HookedRepository as Place
from sample_repository import SampleRepository

from verigate.domain.policy_source import POLICY_VARIABLE
from verigate.integrations.ci.change import Change
from verigate.integrations.ci.history import History
from verigate.integrations.ci.policy import find_policy

REF = {POLICY_VARIABLE: "origin/main"}
LEFT = "where the work left the policy ref"
MOVED = "origin/main was moved by hand, says its log, and not by the remote: run git fetch origin main"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.git("switch", "-q", "-c", "topic")
    return made


def verify(place: Place, *arguments: str, **environ: str) -> Done:
    return place.gated.gate("verify", *arguments, "--json", "--quiet", **environ)


def list_changes(place: Place, task: str = "implicit") -> list[str]:
    return [item["path"] for item in place.gated.published("run.json", task)["subject"]["changes"]]


@pytest.mark.parametrize("subject", [(), ("--staged",), ("--ref", "HEAD")], ids=" ".join)
def test_a_second_commit_hides_nothing(place: Place, subject: tuple[str, ...]) -> None:
    """Its first parent is the bad one: compared with that, it is clean."""
    left = place.git("rev-parse", "HEAD")
    place.slip("first.py")
    place.slip("second.py")
    place.add("third.py")
    alone = verify(place, *subject)
    known = "the first parent" if subject == ("--ref", "HEAD") else "HEAD"
    assert alone.json["subject"]["base_by"] == known, alone.output
    assert "first.py" not in list_changes(place)
    done = verify(place, *subject, **REF)
    assert (done.json["subject"]["base"], done.json["subject"]["base_by"]) == (left, LEFT), done.output
    assert {"first.py", "second.py"} <= set(list_changes(place))
    # It is part of what is decided, and of the record.
    assert place.gated.gate("replay", "implicit", "--json").json["agrees"] is True
    said = place.gated.gate("show", "implicit").out
    assert f"compared with {left[:12]}: {LEFT}" in " ".join(said.split())
    assert "  " not in said.splitlines()


def test_a_merge_of_main_into_a_bad_topic_hides_nothing(place: Place) -> None:
    """Its first parent is the topic: the difference is what main has, which is good."""
    place.slip("mine.py")
    place.git("switch", "-q", "main")
    place.slip("theirs.py")
    place.git("push", "-q", "--no-verify", "origin", "main")
    place.git("switch", "-q", "topic")
    place.git("merge", "-q", "--no-verify", "--no-edit", "main")
    verify(place, "--ref", "HEAD")
    assert list_changes(place) == ["theirs.py"]
    done = verify(place, "--ref", "HEAD", **REF)
    assert done.json["subject"]["base"] == place.git("rev-parse", "main"), done.output
    assert list_changes(place) == ["mine.py"]


def test_the_hook_of_a_merge_compares_with_where_both_sides_left_main(place: Place) -> None:
    place.slip("mine.py")
    place.git("switch", "-q", "main")
    place.slip("theirs.py")
    place.git("push", "-q", "--no-verify", "origin", "main")
    main = place.git("rev-parse", "main")
    place.git("switch", "-q", "topic")
    place.git("merge", "-q", "--no-edit", "main", **REF)
    assert list_changes(place) == ["mine.py"]
    assert place.gated.verdict("implicit")["subject"]["base"] == main


def test_on_the_ref_itself_a_commit_is_compared_with_its_parent(place: Place) -> None:
    place.git("switch", "-q", "main")
    place.slip("one.py")
    place.slip("two.py")
    place.git("push", "-q", "--no-verify", "origin", "main")
    done = verify(place, "--ref", "HEAD", **REF)
    assert (done.json["subject"]["base_by"], list_changes(place)) == ("the first parent", ["two.py"])


def test_a_policy_without_a_common_commit_gives_no_base(place: Place) -> None:
    """A branch of its own may hold the policy: then the work is compared as it was, with a warning."""
    tree = place.git("rev-parse", "HEAD^{tree}")
    apart = place.git("commit-tree", tree, "-m", "The policy alone")
    place.git("update-ref", "refs/remotes/origin/policy", apart, "-m", "fetch origin policy: storing head")
    place.add("work.py")
    done = verify(place, **{POLICY_VARIABLE: "origin/policy"})
    assert done.json["subject"]["base_by"] == "HEAD"
    warnings = place.gated.published("run.json", "implicit")["warnings"]
    assert "the work has no commit in common with origin/policy: it is compared with HEAD" in warnings


def test_a_base_that_was_named_is_kept_and_what_it_leaves_out_is_said(place: Place) -> None:
    """A task that begins after the work has a base that hides it; the whole is judged at the push."""
    hidden = place.slip("first.py")
    begun = place.gated.gate("start", "later", "--file", "second.py", **REF)
    assert begun.code == 0, begun.output
    place.add("second.py")
    assert place.gated.gate("claim", "later", "file:second.py").code == 0
    done = verify(place, "later", **REF)
    assert (done.json["subject"]["base"], done.json["subject"]["base_by"]) == (hidden, "named by the commitment")
    said = f"the base {hidden[:12]} leaves out 1 commit since origin/main: a push and CI look at them"
    assert said in place.gated.published("run.json", "later")["warnings"]
    named = verify(place, "later", "--base", "origin/main", **REF)
    assert named.json["subject"]["base_by"] == "named by --base", named.output


@pytest.mark.release
def test_a_ref_that_was_moved_by_hand_is_said(place: Place) -> None:
    """Who moves it chooses base and policy at once. A push and a fetch say in its log that it was they."""
    place.slip("first.py")
    place.add("second.py")

    def judge() -> tuple[str, list[str]]:
        done = verify(place, **REF)
        return done.json["policy"]["ref"]["known"], place.gated.published("run.json", "implicit")["warnings"]

    assert judge() == ("as the last push left it", [])
    place.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert judge() == ("moved by hand", [MOVED])
    assert "moved by hand" in " ".join(place.gated.gate("show", "implicit").out.split())
    place.git("fetch", "-q", "origin", "+main:refs/remotes/origin/main")
    assert judge() == ("as the last fetch brought it", [])
    # Past git, with an editor: the log still ends with the fetch, and with another commit.
    ref = place.root / ".git/refs/remotes/origin/main"
    ref.write_text(place.git("rev-parse", "HEAD") + "\n")
    assert judge() == ("moved by hand", [MOVED])
    # A log that is gone says nothing, which is said too. A local branch has no remote that could say it.
    (place.root / ".git/logs/refs/remotes/origin/main").unlink()
    assert judge() == ("as the clone has it", [])
    done = verify(place, **{POLICY_VARIABLE: "refs/heads/main"})
    assert "known" not in done.json["policy"]["ref"]


def test_in_ci_the_ref_is_that_of_the_remote(place: Place) -> None:
    """`gate-ci policy` fetches it: what was moved here doesn't count."""
    main = place.git("rev-parse", "main")
    place.slip("first.py")
    place.git("update-ref", "refs/remotes/origin/main", "HEAD")
    history = History(place.root, place.gated.environ())
    for change in (Change(target="main"), Change(branch="topic", default="main")):
        assert find_policy(change, history) == "refs/remotes/origin/main"
        assert place.git("rev-parse", "origin/main") == main
        place.git("update-ref", "refs/remotes/origin/main", "HEAD")


@pytest.mark.release
def test_a_submodule_that_moves_is_named_with_its_commit(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    place.git("init", "-q", cwd=other)
    place.git("commit", "-q", "--allow-empty", "-m", "One", cwd=other)
    before = place.git("rev-parse", "HEAD", cwd=other)
    place.git("submodule", "--quiet", "add", str(other), "lib")
    place.git("commit", "-q", "--no-verify", "-m", "Add lib")
    place.git("commit", "-q", "--allow-empty", "-m", "Two, which nobody verified", cwd=other)
    after = place.git("rev-parse", "HEAD", cwd=other)
    place.git("fetch", "-q", "origin", cwd=place.root / "lib")
    place.git("checkout", "-q", after, cwd=place.root / "lib")
    done = verify(place)
    assert done.json["subject"]["submodules"] == [{"path": "lib", "base": before, "subject": after}]
    sentence = f"submodule lib moved from {before[:12]} to {after[:12]}: what that commit holds was not verified here"
    assert sentence in " ".join(place.gated.gate("show", "implicit").out.split())
    for name in ("markdown", "html", "tap"):
        report = place.gated.gate("show", "implicit", "--format", name)
        assert after[:12] in report.out, report.output
    assert place.gated.gate("replay", "implicit", "--json").json["agrees"] is True
    # The hook says it as well, of a commit that changes nothing else.
    place.git("add", "lib")
    said = place.run("commit", "-q", "-m", "Move lib")
    assert sentence in " ".join((said.stdout + said.stderr).split())
    gone = verify(place, "--ref", "HEAD", "--base", "HEAD~2")
    assert gone.json["subject"]["submodules"] == [{"path": "lib", "base": None, "subject": after}]


def test_what_ran_without_a_new_submodule_decides_nothing(tmp_path: Path) -> None:
    """Its files may change what the tests do. Once they are here, nothing that was found without them counts."""
    library = SampleRepository.create(tmp_path / "library")
    library.write("broken", "1\n")
    library.commit()
    act = '[ ! -e lib/broken ] || sed -i "s/\\"failed\\": 0/\\"failed\\": 1/" "$TASK_DIR/tests.json"\n'
    good = {**lf.GOOD["tests.json"]}
    made = gr.make(tmp_path, {"tests.json": good}, {"tests_pass": True}, acts={"code:tests": act})
    made.sample.git("submodule", "--quiet", "add", str(library.path), "lib")
    made.sample.git("submodule", "--quiet", "deinit", "--force", "lib")
    done = made.gate("verify", "--staged", "--json")
    assert (done.code, done.json["reasons"][0]["code"]) == (4, "SUBMODULE_MISSING"), done.output
    assert done.json["subject"]["submodules"][0]["lacking"] is True
    assert made.gate("replay", "implicit", "--json").json["agrees"] is True
    made.sample.git("submodule", "--quiet", "update", "--init")
    again = made.gate("verify", "--staged", "--json")
    assert [each["code"] for each in again.json["reasons"]] != ["SUBMODULE_MISSING"], again.output
    assert again.code in {1, 3}, again.output
