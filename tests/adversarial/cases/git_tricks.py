"""What git can be told to hide or to run. The subject is what would land, and nothing of the repository is executed."""

from __future__ import annotations

import shutil
import zlib

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import ADDED, TEST_TRIPLE, TEST_TRIPLE_FAILS, TRIPLE, claim, python_project

SYMBOLS = ("code:diff", "code:functions")
STRICT = {"reject_unclaimed_changes": True}
UNCLAIMED = (1, "DIFF_MISMATCH", "code.reject_unclaimed_changes")
FOUR = "def four():\n    return 4\n"


def hidden(repo: Repository, lie: bool, attributes: str) -> None:
    """A second changed file that the lying twin doesn't claim, with attributes that are to hide it."""
    python_project(repo, order=SYMBOLS, rules=STRICT)
    repo.write({"calc.py": TRIPLE, "four.py": FOUR, ".gitattributes": attributes})
    claim(repo, "file:calc.py", "file:.gitattributes", *([] if lie else ["file:four.py"]))


@pair(*UNCLAIMED)
def a_file_without_a_diff(repo: Repository, lie: bool) -> Ended:
    hidden(repo, lie, "four.py -diff binary linguist-generated\n")
    return repo.verify()


@pair(*UNCLAIMED)
def a_file_that_is_not_exported(repo: Repository, lie: bool) -> Ended:
    hidden(repo, lie, "four.py export-ignore\n")
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_failing_test_that_is_not_exported(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    test = TEST_TRIPLE_FAILS if lie else TEST_TRIPLE
    repo.write({**ADDED, "tests/test_triple.py": test, ".gitattributes": "tests/test_triple.py export-ignore\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:calc.py")
def a_change_that_git_is_told_to_overlook(repo: Repository, lie: bool) -> Ended:
    """It is in the working tree only: no commit would carry it."""
    python_project(repo, order=SYMBOLS, rules={"required_artifacts": ["diff.json"]})
    if lie:
        repo.git("update-index", "--assume-unchanged", "calc.py")
    repo.write(ADDED)
    repo.git("add", "--all")
    claim(repo, "file:calc.py", "file:tests/test_triple.py")
    return repo.verify("T1", "--staged")


def spying(repo: Repository) -> str:
    """A program that leaves a mark when it is run, and says that nothing has changed."""
    mark = repo.root.parent / "ran"
    spy = repo.root.parent / "spy"
    spy.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{mark}'\ncat 2>/dev/null\nexit 0\n")
    spy.chmod(0o755)
    return str(spy)


def not_spied(repo: Repository) -> None:
    mark = repo.root.parent / "ran"
    assert not mark.exists(), mark.read_text()


@pair(*UNCLAIMED)
def a_file_system_monitor_that_sees_nothing(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=STRICT)
    repo.git("config", "core.fsmonitor", spying(repo))
    repo.write({"calc.py": TRIPLE, "four.py": FOUR})
    claim(repo, "file:calc.py", *([] if lie else ["file:four.py"]))
    ended = repo.verify()
    not_spied(repo)
    return ended


@pair(*UNCLAIMED)
def programs_in_the_configuration_of_the_repository(repo: Repository, lie: bool) -> Ended:
    """Hooks, an external diff, a textconv, a pager, an alias: none of them is run."""
    python_project(repo, {".gitattributes": "*.py diff=spy\n"}, order=SYMBOLS, rules=STRICT)
    spy = spying(repo)
    hooks = repo.root.parent / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction"):
        (hooks / name).symlink_to(spy)
    for key in ("diff.external", "diff.spy.command", "diff.spy.textconv", "core.pager", "core.editor", "gpg.program"):
        repo.git("config", key, spy)
    repo.git("config", "core.hooksPath", str(hooks))
    repo.git("config", "alias.diff-tree", f"!{spy}")
    repo.write({"calc.py": TRIPLE, "four.py": FOUR})
    claim(repo, "file:calc.py", *([] if lie else ["file:four.py"]))
    ended = repo.verify()
    not_spied(repo)
    return ended


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_filter_that_mends_what_is_checked_out(repo: Repository, lie: bool) -> Ended:
    """A smudge filter of the repository's configuration would give the tests another file than the one that lands."""
    python_project(repo, {".gitattributes": "calc.py filter=mend\n"})
    repo.git("config", "filter.mend.smudge", "sed s/n+0/2*n/")
    repo.git("config", "filter.mend.clean", "cat")
    body = "n+0" if lie else "n+n"
    repo.write({"calc.py": f"def double(n):\n    return {body}\n"})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(*UNCLAIMED)
def a_base_that_was_replaced(repo: Repository, lie: bool) -> Ended:
    """``git replace`` shows another commit under the base's name: one that has the unclaimed file already."""
    python_project(repo, order=SYMBOLS, rules=STRICT)
    base = repo.head
    repo.git("checkout", "--quiet", "--orphan", "other")
    other = repo.commit({"four.py": FOUR})
    repo.git("checkout", "--quiet", "main")
    repo.git("replace", base, other)
    repo.task(type_="change", base=base)
    repo.write({"calc.py": TRIPLE, "four.py": FOUR})
    claim(repo, "file:calc.py", *([] if lie else ["file:four.py"]))
    return repo.verify()


@pair(*UNCLAIMED)
def a_file_in_a_folder_with_a_gits_name(repo: Repository, lie: bool) -> Ended:
    """Only ``.artifacts`` at the top is left out of the subject; its namesakes are files like others."""
    python_project(repo, order=SYMBOLS, rules=STRICT)
    repo.write({"calc.py": TRIPLE, "sub/.artifacts/four.py": FOUR})
    claim(repo, "file:calc.py", *([] if lie else ["file:sub/.artifacts/four.py"]))
    return repo.verify()


@pair(*UNCLAIMED)
def a_link_in_the_place_of_a_file(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=STRICT)
    repo.write({"calc.py": TRIPLE})
    if lie:
        (repo.root / "tests" / "test_calc.py").unlink()
        (repo.root / "tests" / "test_calc.py").symlink_to("../../elsewhere.py")
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def the_environment_of_a_hook_points_elsewhere(repo: Repository, lie: bool) -> Ended:
    """GIT_DIR and GIT_WORK_TREE of the caller don't choose the subject."""
    python_project(repo)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    other = Repository.make(repo.root.parent / "other", {"calc.py": "x = 1\n"})
    return repo.verify(GIT_DIR=f"{other.root}/.git", GIT_WORK_TREE=str(other.root))


@pair(2, says="core.worktree")
def a_working_tree_that_is_said_to_be_elsewhere(repo: Repository, lie: bool) -> Ended:
    """``core.worktree`` names a copy in which everything passes."""
    python_project(repo)
    elsewhere = repo.root.parent / "elsewhere"
    repo.write(ADDED)
    shutil.copytree(repo.root, elsewhere, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    repo.write({"tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    repo.git("config", "core.worktree", str(elsewhere if lie else repo.root))
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def variables_of_the_caller_that_steer_the_tools(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    plugin = repo.root.parent / "plugins"
    plugin.mkdir()
    (plugin / "sitecustomize.py").write_text("import os\nos._exit(0)\n")
    return repo.verify(
        PYTEST_ADDOPTS="-k test_double", PYTHONPATH=str(plugin), PYTEST_PLUGINS="absent", PYTHONOPTIMIZE="2"
    )


@pair(*UNCLAIMED)
def a_repository_inside_the_repository(repo: Repository, lie: bool) -> Ended:
    """git keeps of it one line, whatever is in it; that line is a change."""
    python_project(repo, order=SYMBOLS, rules=STRICT)
    repo.write({"calc.py": TRIPLE})
    inner = Repository(repo.root / "inner", repo.home)
    inner.root.mkdir()
    inner.git("init", "--quiet")
    inner.commit({"four.py": FOUR})
    claim(repo, "file:calc.py", *([] if lie else ["file:inner"]))
    return repo.verify()


@pair(2, says="can't be trusted")
def another_content_under_the_name_of_what_lands(repo: Repository, lie: bool) -> Ended:
    """The object that the wrong file would be is there already, and holds the right one: git doesn't look twice."""
    python_project(repo)
    wrong, right = b"def double(n):\n    return n + 0\n", b"def double(n):\n    return n + n\n"
    repo.write({"calc.py": wrong if lie else right})
    claim(repo, "file:calc.py")
    name = repo.git("hash-object", "--stdin", stdin=wrong)
    place = repo.root / ".git" / "objects" / name[:2] / name[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(b"blob %d\0" % len(right) + right))
    return repo.verify()
