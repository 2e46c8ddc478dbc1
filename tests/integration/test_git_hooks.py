"""Real git, real hooks: installed, chained, blocked, taken away again. The gate is a script that records its calls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from npm_tools import hook_manager

from verigate.errors import UsageError
from verigate.integrations.git.hook_states import HookState, read_status
from verigate.integrations.git.hooks import HookAction, install, uninstall
from verigate.integrations.launchers import DEFAULT_HOOKS, HOOKS

RECORDER = """#!/bin/sh
{{ printf '%s\\037' "$@"; echo; }} >>'{log}'
[ -f '{codes}' ] || exit 0
code=$(head -n 1 '{codes}')
sed -i 1d '{codes}'
exit "${{code:-0}}"
"""


class Place:
    """A folder with a home, a recording gate and repositories."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.bin = folder / "the gate's bin"
        for made in (self.home, self.bin):
            made.mkdir()
        self.gate = self.bin / "gate"
        self.log = folder / "calls"
        self.codes = folder / "codes"
        self.gate.write_text(RECORDER.format(log=self.log, codes=self.codes))
        self.gate.chmod(0o755)
        self.environ = {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }

    def git(self, root: Path, *arguments: str, ok: bool = True, **environ: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=root, env={**self.environ, **environ}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode == 0) is ok, done.stderr
        return done

    def repository(self, name: str = "repo", *, commits: int = 1) -> Path:
        root = self.folder / name
        root.mkdir()
        self.git(root, "init", "-q", "-b", "main")
        for number in range(commits):
            self.commit(root, f"c{number}")
        return root

    def commit(self, root: Path, name: str, *options: str, ok: bool = True, **environ: str) -> str:
        (root / name).write_text(name)
        self.git(root, "add", "--", name)
        done = self.git(root, "commit", "-q", "-m", name, *options, ok=ok, **environ)
        return done.stderr if not ok else self.git(root, "rev-parse", "HEAD").stdout.strip()

    def remote(self, root: Path) -> Path:
        bare = self.folder / f"{root.name}.git"
        self.git(self.folder, "init", "-q", "--bare", str(bare))
        self.git(root, "remote", "add", "origin", str(bare))
        return bare

    def install(self, root: Path, *hooks: str, shared: bool = False) -> dict[str, HookAction]:
        wanted = hooks or HOOKS
        changes = install(root, wanted, launcher=[str(self.gate)], environ=self.environ, shared=shared)
        return {change.hook: change.action for change in changes}

    def uninstall(self, root: Path) -> dict[str, HookAction]:
        return {change.hook: change.action for change in uninstall(root, environ=self.environ)}

    def states(self, root: Path) -> dict[str, HookState]:
        return {item.hook: item.state for item in read_status(root, environ=self.environ)}

    def exits(self, *codes: int) -> None:
        self.codes.write_text("".join(f"{code}\n" for code in codes))

    @property
    def calls(self) -> list[list[str]]:
        """The argument vectors of the gate since the last look."""
        if not self.log.exists():
            return []
        lines = self.log.read_text().splitlines()
        self.log.unlink()
        return [line.split("\x1f")[:-1] for line in lines]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def write_hook(path: Path, text: str, mode: int = 0o755) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return text.encode()


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.iterdir()):
        content: bytes | str = str(path.readlink()) if path.is_symlink() else path.read_bytes()
        found[path.name] = (path.lstat().st_mode, content)
    return found


# --- installing and taking away -------------------------------------------------------------------------------------


def test_a_second_install_changes_no_byte(place: Place) -> None:
    root = place.repository()
    assert set(place.install(root).values()) == {HookAction.INSTALLED}
    before = snapshot(root / ".git/hooks")
    stamps = [path.stat().st_mtime_ns for path in sorted((root / ".git/hooks").iterdir())]
    assert set(place.install(root).values()) == {HookAction.UNCHANGED}
    assert snapshot(root / ".git/hooks") == before
    assert [path.stat().st_mtime_ns for path in sorted((root / ".git/hooks").iterdir())] == stamps


def test_uninstall_brings_back_bytes_modes_and_links(place: Place) -> None:
    root = place.repository()
    hooks = root / ".git/hooks"
    write_hook(hooks / "pre-commit", "#!/bin/sh\nexit 0\n\n\n", 0o711)
    write_hook(hooks / "post-commit", "not executable", 0o644)
    write_hook(hooks / "commit-msg", "#!/bin/sh\nexit 0", 0o755)
    write_hook(hooks / "pre-merge-commit", "#!/bin/sh\n: merge\n", 0o755)
    write_hook(hooks / "pre-applypatch", "#!/bin/sh\n: patch\n", 0o700)
    write_hook(root / "scripts/push.sh", "#!/bin/sh\nexit 0\n")
    (hooks / "pre-push").symlink_to("../../scripts/push.sh")
    before = snapshot(hooks)
    place.install(root)
    assert set(place.states(root).values()) == {HookState.OURS}
    assert place.install(root) == dict.fromkeys(HOOKS, HookAction.UNCHANGED)
    assert set(place.uninstall(root).values()) == {HookAction.RESTORED}
    assert snapshot(hooks) == before


def test_a_dry_run_tells_the_bytes_and_writes_none(place: Place) -> None:
    root = place.repository()
    hooks = root / ".git/hooks"
    original = write_hook(hooks / "pre-commit", "#!/bin/sh\nexit 0\n")
    before = snapshot(hooks)
    wanted = ("pre-commit", "pre-push")
    told = install(root, wanted, launcher=[str(place.gate)], environ=place.environ, dry_run=True)
    assert snapshot(hooks) == before
    assert [(change.before, change.action) for change in told] == [
        (original, HookAction.INSTALLED),
        (None, HookAction.INSTALLED),
    ]
    place.install(root, *wanted)
    assert [change.after for change in told] == [(hooks / hook).read_bytes() for hook in wanted]
    there = snapshot(hooks)
    back = uninstall(root, wanted, environ=place.environ, dry_run=True)
    assert snapshot(hooks) == there
    assert [(change.after, change.action) for change in back] == [
        (original, HookAction.RESTORED),
        (None, HookAction.REMOVED),
    ]


def test_uninstall_without_earlier_hooks_leaves_none(place: Place) -> None:
    root = place.repository()
    before = snapshot(root / ".git/hooks")
    place.install(root)
    assert set(place.uninstall(root).values()) == {HookAction.REMOVED}
    (root / ".git/hooks/pre-push").write_text("#!/bin/sh\n")
    there = uninstall(root, HOOKS, environ=place.environ)
    assert {change.action for change in there} == {HookAction.LEFT}
    assert {change.hook: change.note for change in there} == {
        hook: "not the gate's" if hook == "pre-push" else "there is none" for hook in HOOKS
    }
    (root / ".git/hooks/pre-push").unlink()
    assert snapshot(root / ".git/hooks") == before


def test_a_new_launcher_replaces_the_old_one_and_keeps_the_chain(place: Place) -> None:
    root = place.repository()
    original = write_hook(root / ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    place.install(root, "pre-commit")
    place.gate = place.gate.rename(place.bin / "gate2")
    assert place.install(root, "pre-commit") == {"pre-commit": HookAction.UPDATED}
    assert (root / ".git/hooks/pre-commit.before-verigate").read_bytes() == original
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_a_hook_edited_by_hand_is_left_alone(place: Place) -> None:
    root = place.repository()
    place.install(root, "pre-commit")
    hook = root / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text() + "echo mine\n")
    before = snapshot(root / ".git/hooks")
    with pytest.raises(UsageError, match="edited"):
        place.install(root)
    with pytest.raises(UsageError, match="edited"):
        place.uninstall(root)
    assert snapshot(root / ".git/hooks") == before
    assert place.states(root)["pre-commit"] is HookState.EDITED


def test_a_hook_replaced_since_is_not_swallowed(place: Place) -> None:
    root = place.repository()
    hooks = root / ".git/hooks"
    original = write_hook(hooks / "pre-commit", "#!/bin/sh\nexit 0\n")
    place.install(root, "pre-commit")
    (hooks / "pre-commit").unlink()
    theirs = write_hook(hooks / "pre-commit", "#!/bin/sh\nexit 1\n")
    with pytest.raises(UsageError, match="replaced since"):
        place.install(root)
    assert place.uninstall(root)["pre-commit"] is HookAction.LEFT
    assert (hooks / "pre-commit").read_bytes() == theirs
    assert (hooks / "pre-commit.before-verigate").read_bytes() == original


@pytest.mark.parametrize("bad", [[], ["gate"], ["./gate"], ["/a\0b"]])
def test_only_an_absolute_launcher_is_taken(place: Place, bad: Sequence[str]) -> None:
    root = place.repository()
    with pytest.raises(UsageError, match="absolute"):
        install(root, launcher=bad, environ=place.environ)
    assert HookState.OURS not in place.states(root).values()


def test_unknown_hooks_and_no_repository_are_usage_errors(place: Place) -> None:
    with pytest.raises(UsageError, match="no such hook: post-merge"):
        install(place.repository(), ["post-merge"], launcher=["/gate"], environ=place.environ)
    with pytest.raises(UsageError, match=r"^this is not a git repository$"):
        place.install(place.home)
    bare = place.folder / "bare.git"
    place.git(place.folder, "init", "-q", "--bare", str(bare))
    with pytest.raises(UsageError, match="work tree"):
        place.install(bare)


# --- which folder ---------------------------------------------------------------------------------------------------


def test_core_hooks_path_in_the_work_tree_is_used(place: Place) -> None:
    root = place.repository()
    place.git(root, "config", "core.hooksPath", "tools/git hooks")
    sub = root / "deep/er"
    sub.mkdir(parents=True)
    place.install(sub, "pre-commit")
    assert (root / "tools/git hooks/pre-commit").is_file()
    assert not (root / ".git/hooks/pre-commit").exists()
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]


@pytest.mark.parametrize("through_link", [False, True])
def test_a_shared_hooks_folder_needs_a_word(place: Place, through_link: bool) -> None:
    root = place.repository()
    shared = place.home / "githooks"
    shared.mkdir()
    if through_link:
        (root / "link").symlink_to(shared)
        place.git(root, "config", "core.hooksPath", "link")
    else:
        place.git(root, "config", "--global", "core.hooksPath", "~/githooks")
    with pytest.raises(UsageError, match="outside this repository") as caught:
        place.install(root)
    assert "gate install --shared" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="outside this repository"):
        place.uninstall(root)
    assert list(shared.iterdir()) == []
    place.install(root, "pre-commit", shared=True)
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_hooks_that_are_switched_off_are_an_error(place: Place) -> None:
    root = place.repository()
    place.git(root, "config", "core.hooksPath", "/dev/null")
    with pytest.raises(UsageError, match="runs no hooks"):
        place.install(root)


def test_a_linked_worktree_shares_the_hooks_of_its_repository(place: Place) -> None:
    root = place.repository()
    tree = place.folder / "tree"
    place.git(root, "worktree", "add", "-q", str(tree))
    place.install(tree, "pre-commit")
    assert (root / ".git/hooks/pre-commit").is_file()
    place.commit(tree, "x")
    place.commit(root, "y")
    assert place.calls == [["git-hook", "pre-commit"]] * 2


def test_a_submodule_has_hooks_of_its_own(place: Place) -> None:
    inner, outer = place.repository("inner"), place.repository("outer")
    place.git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    place.install(outer / "sub", "pre-commit")
    assert (outer / ".git/modules/sub/hooks/pre-commit").is_file()
    place.commit(outer, "x")
    assert place.calls == []
    place.commit(outer / "sub", "y")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_the_environment_of_another_hook_does_not_mislead(place: Place) -> None:
    root, other = place.repository(), place.repository("other")
    environ = {**place.environ, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    install(root, ["pre-commit"], launcher=[str(place.gate)], environ=environ)
    assert (root / ".git/hooks/pre-commit").is_file()
    assert not (other / ".git/hooks/pre-commit").exists()


def test_paths_that_are_no_utf8_are_fine(place: Place) -> None:
    folder = place.folder / os.fsdecode(b"b\xff$(x)\n'")
    folder.mkdir()
    gate = folder / "gate"
    gate.write_bytes(place.gate.read_bytes())
    gate.chmod(0o755)
    place.gate = gate
    root = folder / "repo"
    root.mkdir()
    place.git(root, "init", "-q", "-b", "main")
    changes = install(root, ["pre-commit"], launcher=[str(gate)], environ=place.environ)
    assert "b\\xff" in changes[0].path
    json.dumps(changes[0].path).encode()
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]


# --- running --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [1, 2, 3, 4, 130])
def test_every_code_but_zero_blocks_a_commit(place: Place, code: int) -> None:
    root = place.repository()
    head = place.git(root, "rev-parse", "HEAD").stdout
    place.install(root, "pre-commit")
    place.exits(code)
    place.commit(root, "x", ok=False)
    assert place.git(root, "rev-parse", "HEAD").stdout == head
    assert place.calls == [["git-hook", "pre-commit"]]
    place.commit(root, "x")


def test_the_earlier_hook_runs_first_and_its_failure_is_final(place: Place) -> None:
    root = place.repository()
    seen = place.folder / "seen"
    write_hook(root / ".git/hooks/pre-commit", f"#!/bin/sh\necho \"$0:$#\" >>'{seen}'\nexit 7\n")
    place.install(root, "pre-commit")
    place.commit(root, "x", ok=False)
    assert seen.read_text() == ".git/hooks/pre-commit.before-verigate:0\n"
    assert place.calls == []


def test_an_earlier_hook_that_git_ignored_stays_ignored(place: Place) -> None:
    root = place.repository()
    write_hook(root / ".git/hooks/pre-commit", "#!/bin/sh\nexit 7\n", 0o644)
    place.install(root, "pre-commit")
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_without_its_launcher_a_hook_takes_gate_from_path(place: Place) -> None:
    root = place.repository()
    place.install(root, "pre-commit")
    other = place.folder / "other"
    other.mkdir()
    place.gate.rename(other / "gate")
    place.commit(root, "x", PATH=f"{other}:{place.environ['PATH']}")
    assert place.calls == [["git-hook", "pre-commit"]]


@pytest.mark.parametrize("path", ["", ".:"])
def test_without_any_gate_a_hook_blocks_and_says_so(place: Place, path: str) -> None:
    root = place.repository()
    place.install(root)
    (root / "gate").write_bytes(place.gate.read_bytes())
    (root / "gate").chmod(0o755)
    place.gate.unlink()
    said = place.commit(root, "x", ok=False, PATH=path + place.environ["PATH"])
    assert "there is no gate at" in said
    assert str(place.gate) in said
    place.commit(root, "x", "--no-verify")
    place.remote(root)
    assert "there is no gate at" in place.git(root, "push", "origin", "main", ok=False).stderr


def test_a_commit_of_chosen_files_shows_the_gate_its_own_index(place: Place) -> None:
    root = place.repository()
    place.gate.write_text(f"#!/bin/sh\ngit diff --cached --name-only >>'{place.log}'\n")
    place.install(root, "pre-commit")
    for name in ("one", "two"):
        (root / name).write_text(name)
        place.git(root, "add", name)
    place.git(root, "commit", "-q", "-m", "x", "one")
    assert place.log.read_text() == "one\n"


# --- the message ----------------------------------------------------------------------------------------------------


def test_the_gate_is_asked_about_every_message(place: Place) -> None:
    root = place.repository()
    place.install(root, "commit-msg")
    asked = ["git-hook", "commit-msg", ".git/COMMIT_EDITMSG"]
    place.commit(root, "a")
    place.git(root, "commit", "-q", "--amend", "-m", "b")
    assert place.calls == [asked, asked]
    place.exits(2)
    place.commit(root, "c", ok=False)


def test_an_earlier_commit_msg_runs_first_and_gets_the_file(place: Place) -> None:
    root = place.repository()
    write_hook(root / ".git/hooks/commit-msg", '#!/bin/sh\ngrep -q good "$1"\n')
    place.install(root, "commit-msg")
    place.commit(root, "good", GATE_TASK_ID="T")
    place.commit(root, "bad", ok=False, GATE_TASK_ID="T")
    assert len(place.calls) == 1


# --- pushing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def pushed(place: Place) -> tuple[Path, Callable[..., str]]:
    """A repository with a remote and an installed pre-push hook; and what pushes to it."""
    root = place.repository(commits=2)
    place.remote(root)
    place.install(root, "pre-push")

    def push(*arguments: str, ok: bool = True) -> str:
        return place.git(root, "push", *arguments, ok=ok).stderr

    return root, push


def sha(place: Place, root: Path, name: str) -> str:
    return place.git(root, "rev-parse", name).stdout.strip()


EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_the_first_push_is_verified_from_nothing(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    push("-q", "origin", "main")
    assert place.calls == [
        ["verify", "--ref", sha(place, root, "main"), "--base", EMPTY, "--touched", "--stage", "push"]
    ]


def test_a_push_is_verified_from_what_the_remote_has(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    push("-q", "origin", "main")
    base = sha(place, root, "main")
    place.commit(root, "a")
    tip = place.commit(root, "b")
    assert place.calls
    push("-q", "origin", "main")
    assert place.calls == [["verify", "--ref", tip, "--base", base, "--touched", "--stage", "push"]]


def test_a_new_branch_is_verified_from_where_it_left_what_is_known(
    place: Place, pushed: tuple[Path, Callable[..., str]]
) -> None:
    root, push = pushed
    push("-q", "origin", "main", "main~1:refs/heads/old")
    base = sha(place, root, "main")
    place.git(root, "switch", "-q", "-c", "feature")
    tip = place.commit(root, "f")
    assert len(place.calls) == 2
    push("-q", "origin", "feature")
    assert place.calls == [["verify", "--ref", tip, "--base", base, "--touched", "--stage", "push"]]


def test_a_forced_push_is_verified_from_the_common_commit(
    place: Place, pushed: tuple[Path, Callable[..., str]]
) -> None:
    root, push = pushed
    push("-q", "origin", "main")
    base = sha(place, root, "main~1")
    place.git(root, "commit", "-q", "--amend", "-m", "again")
    assert place.calls
    push("-q", "--force", "origin", "main")
    assert place.calls == [
        ["verify", "--ref", sha(place, root, "main"), "--base", base, "--touched", "--stage", "push"]
    ]


def test_a_remote_commit_that_is_not_here_is_no_base(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    push("-q", "origin", "main")
    base = sha(place, root, "main")
    clone = place.folder / "clone"
    place.git(place.folder, "clone", "-q", str(place.folder / "repo.git"), str(clone), "-b", "main")
    place.commit(clone, "theirs")
    place.git(clone, "push", "-q", "origin", "main")
    tip = place.commit(root, "mine")
    assert place.calls
    push("-q", "--force", "origin", "main")
    assert place.calls == [["verify", "--ref", tip, "--base", base, "--touched", "--stage", "push"]]


def test_deletions_and_known_commits_bring_nothing_to_verify(
    place: Place, pushed: tuple[Path, Callable[..., str]]
) -> None:
    _, push = pushed
    push("-q", "origin", "main", "main~1:refs/heads/old")
    assert len(place.calls) == 2
    assert "has every commit" in push("origin", "main:refs/heads/copy")
    push("-q", "origin", "--delete", "old")
    assert place.calls == []


def test_every_ref_is_verified_and_one_refusal_blocks_all(
    place: Place, pushed: tuple[Path, Callable[..., str]]
) -> None:
    root, push = pushed
    push("-q", "origin", "main")
    base = sha(place, root, "main")
    tips = []
    for name in ("one", "two", "three"):
        place.git(root, "switch", "-q", "-c", name, "main")
        tips.append(place.commit(root, name))
    assert place.calls
    place.exits(0, 4, 1)
    push("-q", "origin", "one", "two", "three", "one:refs/heads/same-as-one", ok=False)
    assert sorted(place.calls) == sorted(
        ["verify", "--ref", tip, "--base", base, "--touched", "--stage", "push"] for tip in tips
    )
    assert "one" not in place.git(root, "ls-remote", "--heads", "origin").stdout


def test_an_annotated_tag_is_verified_as_its_commit(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    place.git(root, "tag", "-a", "-m", "v1", "v1")
    push("-q", "origin", "v1")
    assert place.calls == [
        ["verify", "--ref", sha(place, root, "main"), "--base", EMPTY, "--touched", "--stage", "push"]
    ]


def test_what_is_no_commit_is_blocked(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    place.git(root, "tag", "blob", sha(place, root, "main:c0"))
    assert "not a commit" in push("-q", "origin", "blob", ok=False)
    assert place.calls == []


def test_a_local_name_with_blanks_is_read_right(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, push = pushed
    tip = place.commit(root, "a b c")
    push("-q", "origin", "HEAD^{/a b}:refs/heads/main")
    assert place.calls == [["verify", "--ref", tip, "--base", EMPTY, "--touched", "--stage", "push"]]


def test_lines_that_cannot_be_read_block(place: Place, pushed: tuple[Path, Callable[..., str]]) -> None:
    root, _ = pushed
    for line in ("nonsense", "refs/heads/x $(id) refs/heads/x " + "0" * 40, "a -rf c d"):
        done = subprocess.run(
            [".git/hooks/pre-push", "origin", "url"], cwd=root, env=place.environ, input=line + "\n", text=True,
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert "can't parse the pushed ref" in done.stderr
    assert place.calls == []


def test_the_earlier_pre_push_gets_the_same_arguments_and_bytes(place: Place) -> None:
    root = place.repository()
    bare = place.remote(root)
    seen = place.folder / "seen"
    write_hook(root / ".git/hooks/pre-push", f"#!/bin/sh\n{{ echo \"$@\"; cat; }} >'{seen}'\n")
    place.install(root, "pre-push")
    place.git(root, "push", "-q", "origin", "main")
    tip = sha(place, root, "main")
    assert seen.read_text() == f"origin {bare}\nrefs/heads/main {tip} refs/heads/main {'0' * 40}\n"
    assert len(place.calls) == 1
    place.commit(root, "x")
    write = (root / ".git/hooks/pre-push.before-verigate").write_text
    write("#!/bin/sh\nexit 9\n")
    place.git(root, "push", "-q", "origin", "main", ok=False)
    assert place.calls == []


def test_an_earlier_pre_push_that_reads_nothing_is_fine(place: Place) -> None:
    root = place.repository(commits=1)
    place.remote(root)
    write_hook(root / ".git/hooks/pre-push", "#!/bin/sh\nexec <&-\nexit 0\n")
    place.install(root, "pre-push")
    head = sha(place, root, "HEAD")
    lines = "".join(f"refs/heads/{n:090} {head} refs/heads/{n:090} {'0' * 40}\n" for n in range(2000))
    done = subprocess.run(
        [".git/hooks/pre-push", "origin", "url"], cwd=root, env=place.environ, input=lines, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    assert len(place.calls) == 1


# --- beside other hook runners --------------------------------------------------------------------------------------

TOOLS = Path(sys.executable).parent
LOCAL_HOOK = """
repos:
  - repo: local
    hooks:
      - {id: theirs, name: theirs, entry: touch theirs-ran, language: system, pass_filenames: false, always_run: true}
"""


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_a_hook_runner_installed_after_the_gate_keeps_it(place: Place, runner: str) -> None:
    root = place.repository()
    original = write_hook(root / ".git/hooks/pre-commit", "#!/bin/sh\ntouch original-ran\n")
    place.install(root, "pre-commit")
    (root / ".pre-commit-config.yaml").write_text(LOCAL_HOOK)
    subprocess.run([TOOLS / runner, "install"], cwd=root, env=place.environ, check=True, capture_output=True)
    assert place.states(root)["pre-commit"] is HookState.CARRIED
    assert place.install(root, "pre-commit") == {"pre-commit": HookAction.UNCHANGED}
    place.commit(root, "x")
    assert (root / "theirs-ran").exists()
    assert (root / "original-ran").exists()
    assert place.calls == [["git-hook", "pre-commit"]]
    place.exits(4)
    place.commit(root, "y", ok=False)
    assert place.uninstall(root)["pre-commit"] is HookAction.RESTORED
    assert (root / ".git/hooks/pre-commit.legacy").read_bytes() == original
    place.commit(root, "z")
    assert place.calls == [["git-hook", "pre-commit"]]


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_a_hook_runner_that_was_there_first_runs_first(place: Place, runner: str) -> None:
    root = place.repository()
    (root / ".pre-commit-config.yaml").write_text(LOCAL_HOOK)
    subprocess.run([TOOLS / runner, "install"], cwd=root, env=place.environ, check=True, capture_output=True)
    theirs = snapshot(root / ".git/hooks")
    place.install(root, "pre-commit")
    place.commit(root, "x")
    assert (root / "theirs-ran").exists()
    assert place.calls == [["git-hook", "pre-commit"]]
    (root / ".pre-commit-config.yaml").write_text(LOCAL_HOOK.replace("touch theirs-ran", "false"))
    place.git(root, "add", ".pre-commit-config.yaml")
    place.commit(root, "y", ok=False)
    assert place.calls == []
    place.uninstall(root)
    assert snapshot(root / ".git/hooks") == theirs


@pytest.mark.release
@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_a_hook_runner_that_is_installed_once_more_is_not_called_twice(place: Place, runner: str) -> None:
    root = place.repository()
    (root / ".pre-commit-config.yaml").write_text(LOCAL_HOOK.replace("touch theirs-ran", "sh -c 'echo >>theirs-ran'"))
    runs_install = [TOOLS / runner, "install"]
    subprocess.run(runs_install, cwd=root, env=place.environ, check=True, capture_output=True)
    theirs = snapshot(root / ".git/hooks")
    place.install(root, "pre-commit")
    subprocess.run(runs_install, cwd=root, env=place.environ, check=True, capture_output=True)
    assert place.states(root)["pre-commit"] is HookState.CARRIED
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"]]
    assert (root / "theirs-ran").read_text() == "\n"
    place.exits(1)
    place.commit(root, "y", ok=False)
    assert place.uninstall(root)["pre-commit"] is HookAction.REMOVED
    assert snapshot(root / ".git/hooks") == theirs


def husky(root: Path, environ: dict[str, str]) -> None:
    """husky 9 as its documentation starts it: `husky`, by npm's script `prepare`."""
    node = str(Path(shutil.which("node") or "node").resolve().parent)
    environ = {**environ, "PATH": f"{node}:{environ['PATH']}"}
    subprocess.run([hook_manager("husky")], cwd=root, env=environ, check=True, capture_output=True)


def test_husky_keeps_running_its_own_hook_first(place: Place) -> None:
    root = place.repository()
    husky(root, place.environ)
    original = write_hook(root / ".husky/pre-commit", "touch husky-ran\n", 0o644)
    changes = install(root, ["pre-commit", "pre-push"], launcher=[str(place.gate)], environ=place.environ)
    assert all("work tree" in change.note for change in changes)
    # What is committed holds no path of this machine.
    assert not any(str(place.folder) in path.read_text() for path in (root / ".husky").iterdir() if path.is_file())
    place.commit(root, "x")
    assert (root / "husky-ran").exists()
    assert place.calls == [["git-hook", "pre-commit"]]
    place.exits(1)
    place.commit(root, "y", ok=False)
    husky(root, place.environ)
    assert place.states(root)["pre-commit"] is HookState.OURS
    (root / ".husky/pre-commit.before-verigate").write_text("exit 5\n")
    assert place.calls
    place.commit(root, "z", ok=False)
    assert place.calls == []
    (root / ".husky/pre-commit.before-verigate").write_bytes(original)
    place.uninstall(root)
    assert (root / ".husky/pre-commit").read_bytes() == original
    assert not (root / ".husky/pre-push").exists()


# --- while git replays, joins or searches commits ------------------------------------------------------------------


def conflicting(place: Place, root: Path) -> None:
    """Two branches that change one file differently; the second is checked out."""
    (root / "f").write_text("one\n")
    place.git(root, "add", "f")
    place.git(root, "commit", "-q", "-m", "base")
    place.git(root, "switch", "-q", "-c", "other")
    (root / "f").write_text("other\n")
    place.git(root, "commit", "-q", "-a", "-m", "other")
    place.git(root, "switch", "-q", "main")
    (root / "f").write_text("main\n")
    place.git(root, "commit", "-q", "-a", "-m", "main")


@pytest.mark.parametrize("begin", [("rebase", "other"), ("rebase", "--apply", "other")], ids=" ".join)
def test_pre_commit_verifies_nothing_while_git_replays_commits(place: Place, begin: tuple[str, ...]) -> None:
    root = place.repository()
    conflicting(place, root)
    place.install(root, "pre-commit", "pre-applypatch")
    place.git(root, *begin, ok=False)
    (root / "f").write_text("both\n")
    place.git(root, "add", "f")
    done = place.git(root, "commit", "-q", "-m", "main")
    assert "not verified: a rebase is in progress; the hook pre-push and CI verify its result" in done.stderr
    assert place.calls == []


@pytest.mark.parametrize("begin", ["merge", "cherry-pick"])
def test_what_joins_or_picks_commits_is_verified(place: Place, begin: str) -> None:
    root = place.repository()
    conflicting(place, root)
    place.install(root, *DEFAULT_HOOKS)
    place.git(root, begin, "other", ok=False)
    (root / "f").write_text("both\n")
    place.git(root, "add", "f")
    place.git(root, "commit", "-q", "--no-edit")
    assert place.calls[0] == ["git-hook", "pre-commit"]
    # One that needs nobody has a hook of its own, if it is a merge; a pick without a conflict has none.
    place.git(root, "switch", "-q", "-c", "apart", "HEAD~1")
    place.commit(root, "g", "--no-verify")
    place.git(root, "switch", "-q", "main")
    place.calls.clear()
    place.git(root, *((begin, "--no-edit") if begin == "merge" else (begin,)), "apart")
    expected = [["git-hook", "pre-merge-commit"]] if begin == "merge" else []
    assert [call for call in place.calls if call[:2] != ["git-hook", "commit-msg"]] == expected


def test_a_patch_asks_the_gate_before_it_is_committed(place: Place) -> None:
    root = place.repository(commits=2)
    place.git(root, "format-patch", "-q", "-1", "-o", "../patches")
    place.git(root, "reset", "-q", "--hard", "HEAD~1")
    place.install(root, *DEFAULT_HOOKS)
    place.exits(1)
    patch = next((place.folder / "patches").iterdir())
    place.git(root, "am", "-q", str(patch), ok=False)
    place.git(root, "am", "--continue")
    assert place.calls == [["git-hook", "pre-applypatch"]] * 2


def test_pre_commit_verifies_nothing_during_a_bisect(place: Place) -> None:
    root = place.repository(commits=4)
    place.install(root, "pre-commit")
    place.git(root, "bisect", "start", "HEAD", "HEAD~3")
    (root / "x").write_text("x")
    place.git(root, "add", "x")
    assert "a bisect is in progress" in place.git(root, "commit", "-q", "-m", "x").stderr
    assert place.calls == []
    place.git(root, "bisect", "reset")
    place.commit(root, "y")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_a_revert_is_new_work(place: Place) -> None:
    root = place.repository()
    conflicting(place, root)
    place.git(root, "commit", "-q", "--allow-empty", "-m", "later")
    place.install(root, "pre-commit")
    place.git(root, "revert", "--no-edit", "HEAD~2", ok=False)
    (root / "f").write_text("reverted\n")
    place.git(root, "add", "f")
    place.git(root, "commit", "-q", "-m", "revert")
    assert place.calls == [["git-hook", "pre-commit"]]


def test_a_push_verifies_what_a_rebase_made(place: Place) -> None:
    root = place.repository()
    conflicting(place, root)
    place.remote(root)
    place.git(root, "push", "-q", "origin", "other")
    place.install(root, *DEFAULT_HOOKS)
    place.git(root, "rebase", "other", ok=False)
    (root / "f").write_text("both\n")
    place.git(root, "add", "f")
    place.git(root, "rebase", "--continue", GIT_EDITOR="true")
    assert place.calls == []
    tip = place.git(root, "rev-parse", "HEAD").stdout.strip()
    base = place.git(root, "rev-parse", "other").stdout.strip()
    place.git(root, "push", "-q", "origin", "main")
    assert place.calls == [["verify", "--ref", tip, "--base", base, "--touched", "--stage", "push"]]


def test_install_leaves_out_post_commit_unless_it_is_named(place: Place) -> None:
    root = place.repository()
    changes = install(root, launcher=[str(place.gate)], environ=place.environ)
    expected = ["pre-commit", "pre-merge-commit", "commit-msg", "pre-applypatch", "pre-push"]
    assert [change.hook for change in changes] == expected
    place.commit(root, "x")
    assert place.calls == [["git-hook", "pre-commit"], ["git-hook", "commit-msg", ".git/COMMIT_EDITMSG"]]


def test_husky_s_committed_hook_serves_a_colleague(place: Place) -> None:
    root = place.repository()
    husky(root, place.environ)
    install(root, ["pre-commit"], launcher=[str(place.gate)], environ=place.environ)
    place.git(root, "add", "-A")
    place.git(root, "commit", "-q", "-m", "hooks")
    assert place.calls == [["git-hook", "pre-commit"]]
    clone = place.folder / "clone"
    place.git(place.folder, "clone", "-q", str(root), str(clone))
    husky(clone, place.environ)
    colleague = place.folder / "colleague"
    colleague.mkdir()
    said = place.commit(clone, "x", ok=False, HOME=str(colleague))
    assert "this machine has no gate: nothing can be verified" in said
    assert "Put gate on PATH, or run once" in said
    place.commit(clone, "x", HOME=str(colleague), PATH=f"{place.bin}:{place.environ['PATH']}")
    assert place.calls == [["git-hook", "pre-commit"]]
    # A link that comes with the repository is none.
    (clone / "verigate").mkdir()
    (clone / "verigate/gate").symlink_to(place.gate)
    place.commit(clone, "y", ok=False, XDG_STATE_HOME=str(clone))
    assert place.calls == []


# --- after the commit -----------------------------------------------------------------------------------------------


def test_post_commit_reports_and_cannot_block(place: Place) -> None:
    root = place.repository()
    place.install(root, "post-commit")
    place.exits(1)
    (root / "x").write_text("x")
    place.git(root, "add", "x")
    done = place.git(root, "commit", "-q", "-m", "x\n\nGate-Task: T_login")
    assert "it is not verified (exit code 1)" in done.stderr
    assert place.calls == [["verify", "--ref", "HEAD", "--stage", "commit"]]


def post_hook(place: Place, root: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    hook = Path(__file__).parents[2] / "hooks/post-hook"
    there = root / "hooks"
    there.mkdir(exist_ok=True)
    (there / "post-hook").write_bytes(hook.read_bytes())
    (there / "post-hook").chmod(0o755)
    (root / "bin").mkdir(exist_ok=True)
    (root / "bin/gate").write_bytes(place.gate.read_bytes())
    (root / "bin/gate").chmod(0o755)
    return subprocess.run(
        [there / "post-hook", *arguments], cwd=root, env={**place.environ, **environ}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("code", [0, 1, 2, 3, 4])
def test_post_hook_takes_a_task_and_keeps_the_exit_code(place: Place, code: int) -> None:
    root = place.repository()
    place.exits(code)
    assert post_hook(place, root, "T_x", "--format", "json").returncode == code
    assert place.calls == [["verify", "T_x", "--format", "json"]]


def test_post_hook_leaves_the_choice_of_a_task_to_the_gate(place: Place) -> None:
    root = place.repository()
    place.git(root, "commit", "-q", "--allow-empty", "-m", "x\n\nGate-Task: T_one\nGate-Task: $(id)")
    place.git(root, "switch", "-q", "-c", "feature/T_branch")
    (root / ".artifacts/T_branch").mkdir(parents=True)
    (root / ".artifacts/T_branch/commitment.json").write_text("{}")
    post_hook(place, root, "--quiet")
    assert place.calls == [["verify", "--quiet"]]


def test_an_empty_task_id_reaches_the_gate_as_it_is(place: Place) -> None:
    root = place.repository()
    post_hook(place, root, "")
    assert place.calls == [["verify", ""]]


def test_the_checkouts_hooks_serve_as_a_hooks_folder(place: Place) -> None:
    root = place.repository()
    post_hook(place, root, "T_x")
    assert place.calls
    for name in ("pre-commit", "commit-msg", "pre-push"):
        source = Path(__file__).parents[2] / "hooks" / name
        (root / "hooks" / name).write_bytes(source.read_bytes())
        (root / "hooks" / name).chmod(0o755)
    (root / ".git/hooks/pre-push").symlink_to("../../hooks/pre-push")
    (root / ".git/hooks/pre-commit").symlink_to("../../hooks/pre-commit")
    (root / ".git/hooks/commit-msg").symlink_to("../../hooks/commit-msg")
    tip = place.commit(root, "x", GATE_TASK_ID="T")
    place.remote(root)
    place.git(root, "push", "-q", "origin", "main")
    named = ["git-hook", "commit-msg", ".git/COMMIT_EDITMSG"]
    assert place.calls == [
        ["git-hook", "pre-commit"],
        named,
        ["verify", "--ref", tip, "--base", EMPTY, "--touched", "--stage", "push"],
    ]
