"""`gate doctor --tests`: a suite inside the sandbox and outside, by real unittest, bubblewrap and strace."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

SUITE = """\
import os, pathlib, subprocess, unittest

HERE = pathlib.Path(__file__).parent


class Shop(unittest.TestCase):
    def test_fine(self):
        self.assertEqual(1, 1)

    def test_old(self):
        self.assertEqual(1, 2)

    def test_words(self):
        self.assertEqual(pathlib.Path("~/.shop/words").expanduser().read_text(), "words")

    def test_made(self):
        self.assertTrue((HERE / "made/by-hand").exists())

    def test_key(self):
        self.assertEqual(os.environ["SHOP_URL"], "https://shop.test")

    def test_namespace(self):
        subprocess.run(["unshare", "--mount", "true"], check=True)
"""
OUTSIDE = ["doctor", "--tests", "--outside"]


def make(folder: Path, suite: str) -> gr.GatedRepository:
    repo = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    repo.tmp.mkdir(parents=True)
    (repo.home / ".shop").mkdir()
    (repo.home / ".shop/words").write_text("words")
    repo.put(".gitignore", "made/\n__pycache__/\n")
    repo.put("test_shop.py", suite)
    repo.sample.commit("a suite")
    repo.put("made/by-hand", "x")
    return repo


def commit(repo: gr.GatedRepository) -> None:
    """Commit what git doesn't ignore."""
    repo.sample.git("add", "--all")
    repo.sample.git("commit", "--quiet", "-m", "more")


def only(*names: str) -> str:
    """The suite with these tests alone, and the one that passes."""
    head, *tests = SUITE.split("    def test_")
    return "    def test_".join([head, *(test for test in tests if test.partition("(")[0] in {"fine", *names})])


def test_each_failure_is_explained_proven_and_settled(tmp_path: Path) -> None:
    repo = make(tmp_path, SUITE)
    first = repo.gate(*OUTSIDE, "--json", SHOP_URL="https://shop.test")
    assert first.code == 1, first.output
    found = first.json
    assert (found["inside"]["failed"], found["outside"]["failed"]) == (5, 1)
    assert [test["id"] for test in found["both"]] == ["test_shop.Shop.test_old"]
    proven = {item["grant"]["what"]: [test["id"] for test in item["tests"]] for item in found["remedies"]}
    assert proven == {
        "SHOP_URL": ["test_shop.Shop.test_key"],
        "~/.shop/words": ["test_shop.Shop.test_words"],
        "made": ["test_shop.Shop.test_made"],
    }
    (unhelped,) = found["unhelped"]
    assert unhelped["id"] == "test_shop.Shop.test_namespace"
    assert unhelped["cause"].startswith("a system call is refused: unshare (EPERM)")
    assert not (repo.root / "config").exists()
    assert all(not fix["written"] for fix in found["fixes"])

    fixed = repo.gate("doctor", "--tests", "--fix", "--yes", SHOP_URL="https://shop.test")
    assert fixed.code == 0, fixed.output
    assert "opens env SHOP_URL: an environment variable isn't set: SHOP_URL" in fixed.out
    written = sorted(path.name for path in (repo.root / "config").iterdir())
    assert written == ["adapters.json", "sandbox.json", "verigate-baseline.json"]
    assert "https://shop.test" not in (repo.root / "config/sandbox.json").read_text()
    commit(repo)
    repo.put("a.py", "A = 1\n")
    verified = repo.gate("verify", "--only", "code:tests", "--json", SHOP_URL="https://shop.test")
    (check,) = [check for check in verified.json["checks"] if check["id"] == "code.tests_pass"]
    assert check["outcome"] == "holds", verified.output
    assert check["message"].startswith("1 known failing test is left out (baseline of 20"), check
    assert check["message"].endswith("; 1 failing test is deselected by config/adapters.json"), check
    assert len(verified.json["policy"]["sandbox"]["granted"]) == 3
    (repo.root / "a.py").unlink()
    again = repo.gate("doctor", "--tests", SHOP_URL="https://shop.test")
    assert again.code == 0, again.output
    assert "1 known failing test in the baseline" in again.out


@pytest.mark.release
def test_nothing_runs_outside_and_nothing_is_written_unasked(tmp_path: Path) -> None:
    leaves = only("old") + '\n    def tearDown(self):\n        pathlib.Path("~/ran").expanduser().touch()\n'
    repo = make(tmp_path, leaves)
    done = repo.gate("doctor", "--tests", "--fix")
    assert done.code == 1, done.output
    assert "outside: not run, so nobody knows whose failures these are" in done.out
    assert not (repo.home / "ran").exists()
    assert not (repo.root / "config").exists()
    agreed = repo.gate(*OUTSIDE, "--fix")
    assert agreed.code == 1, agreed.output
    assert (repo.home / "ran").exists()
    assert "would write config/verigate-baseline.json" in agreed.out
    assert "nobody is there to ask" in agreed.err
    assert not (repo.root / "config").exists()


def test_a_suite_that_forges_its_trace_gets_no_secret(tmp_path: Path) -> None:
    """It asks for a secret and for other paths by a trace of its own, and passes where it finds them."""
    forge = """\

    def test_forged(self):
        home = pathlib.Path.home()
        lines = [f'7 stat("{home}/{name}", 0x7) = -1 ENOENT (No)' for name in (".ssh/id", ".shop/words")]
        (home / ".verigate-failed-calls").write_text("\\n".join(lines) + "\\n")
        self.assertTrue(pathlib.Path("HOME/.ssh/id").exists())
""".replace("HOME", str(tmp_path / "home"))
    repo = make(tmp_path, only() + forge)
    (repo.home / ".ssh").mkdir()
    (repo.home / ".ssh/id").write_text("a secret")
    done = repo.gate("doctor", "--tests", "--fix", "--yes", "--json")
    assert done.code == 0, done.output
    assert done.json["remedies"] == []
    assert not (repo.root / "config/sandbox.json").exists()
    assert [test["id"] for test in done.json["unhelped"]] == ["test_shop.Shop.test_forged"]


def test_a_suite_that_passes_inside_is_compared_with_nothing(tmp_path: Path) -> None:
    repo = make(tmp_path, only())
    done = repo.gate(*OUTSIDE)
    assert done.code == 0, done.output
    assert done.out.startswith("inside   1 passed, 0 failed, 0 skipped in ")
    assert "outside" not in done.out


def test_the_run_outside_leaves_the_tree_as_it_is(tmp_path: Path) -> None:
    """A module that fails at import has tests that no report lists: in the gate's checkout base would be tried."""
    repo = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repo.tmp.mkdir(parents=True)
    repo.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    repo.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    repo.put("tests/test_a.py", "import nothere\n\ndef test_a():\n    assert 1\n")
    repo.put("tests/test_b.py", "def test_b():\n    assert 1\n")
    repo.sample.commit("a module that can't be imported")
    repo.gate("init")

    def look() -> dict[str, int]:
        parts = [path for folder in ("config", "tests") for path in sorted((repo.root / folder).iterdir())]
        return {path.name: path.stat().st_mtime_ns for path in parts if path.is_file()}

    before, staged = look(), repo.sample.git("ls-files", "--stage")
    assert {"adapter-plan.json", "verification.profiles.json", "test_a.py"} <= before.keys()
    found = repo.gate(*OUTSIDE, "--json")
    assert found.json["outside"]["failed"] == 1, found.output
    assert (look(), repo.sample.git("ls-files", "--stage")) == (before, staged)


def test_a_working_tree_with_changes_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path, only("old"))
    repo.put("test_shop.py", only())
    done = repo.gate(*OUTSIDE)
    assert done.code == 2, done.output
    assert "the working tree differs from the current commit: test_shop.py" in done.err


def test_a_file_that_git_does_not_track_is_named_and_refuses_nothing(tmp_path: Path) -> None:
    repo = make(tmp_path, only("old"))
    repo.put("left-by-a-test", "x")
    done = repo.gate(*OUTSIDE)
    assert done.code == 1, done.output
    assert "outside alone, as git doesn't track it: left-by-a-test" in done.err
    assert "1 test fails inside and outside: the project's own" in done.out


@pytest.mark.parametrize("arguments", [["--outside"], ["--yes"], ["--tests", "code"]])
def test_options_that_belong_to_the_comparison(tmp_path: Path, arguments: list[str]) -> None:
    repo = make(tmp_path, only())
    assert repo.gate("doctor", *arguments).code == 2


@pytest.mark.release
def test_fixes_join_what_is_configured_by_hand(tmp_path: Path) -> None:
    repo = make(tmp_path, only("made", "old"))
    repo.put("config/sandbox.json", {"code": {"env": [{"name": "SHOP_URL", "reason": "by hand"}]}})
    commit(repo)
    done = repo.gate("doctor", "--tests", "--fix", "--yes")
    assert done.code == 0, done.output
    document = json.loads((repo.root / "config/sandbox.json").read_text())
    assert document["code"]["env"] == [{"name": "SHOP_URL", "reason": "by hand"}]
    assert [item["path"] for item in document["code"]["bind"]] == ["made"]


@pytest.mark.release
def test_init_says_how_to_go_on_and_with_fix_settles_what_fails(tmp_path: Path) -> None:
    repo = make(tmp_path, only("old", "words"))
    first = repo.gate("init")
    assert first.code == 0, first.output
    assert "whose failures these are: gate doctor --tests --outside" in first.out
    assert not (repo.root / "config/verigate-baseline.json").exists()
    fixed = repo.gate("init", "--fix", "--yes", "--json")
    assert fixed.code == 0, fixed.output
    assert fixed.json["verdict"]["status"] == "pass", fixed.output
    assert sorted(fixed.json["settled"]) == ["config/sandbox.json", "config/verigate-baseline.json"]
    assert [test["id"] for test in fixed.json["suite"]["both"]] == ["test_shop.Shop.test_old"]
    assert [item["grant"]["what"] for item in fixed.json["suite"]["remedies"]] == ["~/.shop/words"]
    again = repo.gate("init", "--json")
    assert again.json["verdict"]["status"] == "pass", again.output


@pytest.mark.release
def test_init_previews_what_fix_would_write(tmp_path: Path) -> None:
    repo = make(tmp_path, only("old"))
    done = repo.gate("init", "--outside")
    assert done.code == 0, done.output
    assert "would write config/verigate-baseline.json" in done.out
    assert "to write this: gate init --fix --yes, which agrees to all of it" in done.out
    assert not (repo.root / "config/verigate-baseline.json").exists()
