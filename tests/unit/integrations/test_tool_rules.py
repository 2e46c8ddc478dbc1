"""What an agent's tool call is refused for, and what it isn't."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.formats.tool_call import call_of
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Event
from verigate.integrations.agents.tool_rules import HONEST, HONEST_EDIT, find_refusal
from verigate.integrations.git.hook_callers import OFFERED
from verigate.subject.guarded_paths import GuardedPaths

GUARDED = {"config/adapter-plan.json", ".claude/settings.json", ".git/hooks/pre-commit"}


def refusal(command: str | None = None, *paths: str) -> str | None:
    return find_refusal(command, paths, GUARDED.__contains__)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -n -m x",
        "git commit --no-verify -m x",
        "git commit -anm x",
        "git commit -am x -n",
        "git commit -m x --no-verif",
        "git commit --no-ve -m x",
        "cd sub && git add -A && git commit -nm x",
        "git add -A; git commit -n -F message.txt",
        "git -C sub commit -n",
        "/usr/bin/git --no-pager commit --no-verify",
        "git push --no-verify origin topic",
        "git merge --no-verify topic",
        "git am --no-verify x.patch",
        "git rebase --no-verify main",
        "git -c core.hooksPath=/dev/null commit -m x",
        "git -c CORE.HOOKSPATH= commit -m x",
        "git --config-env=core.hooksPath=NOWHERE commit",
        "git config core.hooksPath /dev/null",
        "git config --global core.hooksPath /tmp/x",
        "git config --unset core.hooksPath",
        "git config set core.hooksPath x",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x",
        "GIT_CONFIG_PARAMETERS=\"'core.hooksPath=/dev/null'\" git commit -m x",
        "HUSKY=0 git commit -m x",
        "export HUSKY=0; HUSKY=0 git push",
        "LEFTHOOK=false git commit -m x",
        "SKIP=verigate git commit -m x",
        "env -i git commit -n",
        "timeout 60 git commit -n -m x",
        "sudo -u me git commit -n",
        "sh -c 'git commit -n -m x'",
        "bash -lc \"cd x && git commit --no-verify\"",
        "eval 'git commit -n'",
        "echo \"$(git commit -n -m x)\"",
        "echo `git push --no-verify`",
        "if true; then git commit -n; fi",
        "git status\ngit commit -n -m x",
        "git commit -m 'it''s' -n",
        "git commit -n -m \"unfinished",
        "gate uninstall",
        "bin/gate uninstall --agent claude",
    ],
)  # fmt: skip
def test_going_past_the_hooks(command: str) -> None:
    told = refusal(command)
    assert told is not None
    assert told.endswith(HONEST)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'Never use --no-verify'",
        "git commit -m '-n'",
        "git commit -mn",
        "git commit -F -n.txt",
        "git commit --message '--no-verify' --author=n",
        "git commit -m x -- -n --no-verify",
        "git commit -F - <<'EOF'\nDon't run git commit -n, it's wrong\nEOF",
        "git commit -m \"$(cat <<'EOF'\nSay why git commit --no-verify is wrong\nEOF\n)\"",
        "git commit --amend --no-edit",
        "git commit --no-verbose",
        "git push -n origin topic",
        "git merge -n topic",
        "git log -n 5",
        "git log --grep=--no-verify",
        "git clean -n",
        "git config --get core.hooksPath",
        "git config core.hooksPath",
        "git config --list",
        "git -c user.name=n commit -m x",
        "grep -rn -- --no-verify docs",
        "echo git commit -n",
        "cat config/adapter-plan.json",
        "sed -n 1,5p config/adapter-plan.json",
        "diff config/adapter-plan.json x >difference.txt",
        "gate install",
        "SKIP=slow-lint git commit -m x",
        "HUSKY=1 git commit -m x",
        "",
        "\n",
        "'",
    ],
)
def test_what_is_honest(command: str) -> None:
    assert refusal(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "echo '{}' > config/adapter-plan.json",
        "echo '{}' >>config/adapter-plan.json",
        "jq . x | tee config/adapter-plan.json",
        "sed -i s/a/b/ config/adapter-plan.json",
        "rm -f .git/hooks/pre-commit",
        "mv x .claude/settings.json",
        "cp x .claude/settings.json && git add -A",
        "git rm -q .claude/settings.json",
        "chmod -x .git/hooks/pre-commit",
        "cat <<EOF >config/adapter-plan.json\n{}\nEOF",
    ],
)
def test_writing_what_judges_by_a_command(command: str) -> None:
    told = refusal(command)
    assert told is not None
    assert told.endswith(HONEST_EDIT)


def test_writing_what_judges_by_a_tool() -> None:
    assert refusal(None, "src/a.py", ".claude/settings.json") == (
        f".claude/settings.json is a policy file. {HONEST_EDIT}"
    )
    assert refusal(None, "src/a.py") is None
    assert refusal() is None


@given(st.text(max_size=200))
def test_any_text_is_read(command: str) -> None:
    refusal(command)


@pytest.mark.parametrize(
    "command", ["$(" * 5000, "`" * 9999, "(" * 100_000, "<<A\n" * 20_000, "a;" * 90_000, "'" * 50_001]
)
def test_floods_are_read_in_time(command: str) -> None:
    assert refusal(command) is None


def test_the_paths_of_a_real_repository(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "-q", str(tmp_path / "shop")), check=True)
    root = tmp_path / "shop"
    for name in ("src", "config", "adapters/mine"):
        (root / name).mkdir(parents=True)
    (root / "adapters/mine/manifest.json").touch()
    (root / "link.json").symlink_to("config/adapter-plan.json")
    paths = GuardedPaths(str(root), str(root / "src"))
    guarded = [
        "../config/adapter-plan.json", f"{root}/config/policy.json", "../.git/hooks/pre-commit", "../.git/config",
        "../adapters/mine/run.py", "../.claude/settings.json", "../link.json", "x/../../config/sandbox.json",
    ]  # fmt: skip
    free = ["config/adapter-plan.json", "../config", "../config/webpack.js", "/etc/passwd", "", "\0", "../../config/x"]
    assert [path for path in guarded if not paths.is_guarded(path)] == []
    assert [path for path in free if paths.is_guarded(path)] == []


REFUSED = r"""
SKIP=gate-verify git commit -m x
SKIP=a,gate-trailer git commit -m x
export HUSKY=0
export SKIP=gate-verify-push && git push
gate -C . uninstall
gate install --advisory
pre-commit uninstall
lefthook uninstall
npx lefthook uninstall
unlink .git/hooks/pre-commit
cd .git/hooks && rm pre-commit
(cd .git && rm hooks/pre-commit)
find .git -name 'pre-*' -delete
find . -name 'pre-commit' -exec rm {} +
find . -type f -exec git commit -n \;
rm .git/hook*/pre-commit
rm .git/hooks/pre-{commit,push}
git commit $'--no\x2dverify'
git submodule foreach 'git commit -n -m x'
git rebase -x 'git commit -n --amend' main
git rebase --exec='git commit -n --amend' main
git bisect run git commit -n
git config include.path FILE
git config includeIf.onbranch:x.path FILE
git -c include.path=/tmp/x commit
git config alias.ci 'commit -n'
git -c alias.ci='commit -n' ci
git -c alias.ci='!git commit -n' ci
git filter-branch --tree-filter 'git commit -n'
echo x >| .claude/settings.json
(echo x)>| .claude/settings.json
cat > $PWD/config/verification.profiles.json
cat > "$(pwd)/config/verification.profiles.json"
cat > ${PWD}/config/verification.profiles.json
cd config && sed -i s/a/b/ verification.profiles.json
cd src; cd ..; rm config/adapter-plan.json
pushd config; rm adapter-plan.json
sed -i s/a/b/ config/*.json
ln -sfn /tmp/x config
mv config old
rm -rf config
rm -rf .git/hooks
rm -rf .git
mv .claude /tmp
git checkout other -- config
git checkout other -- config/adapter-plan.json
git checkout other config/adapter-plan.json
git restore --source=other config
git restore -s other -- config
git -C config rm adapter-plan.json
git mv config old
git update-index --cacheinfo 100644,abc,config/adapter-plan.json
git update-index --cacheinfo 100644 abc config/adapter-plan.json
rm -r .artifacts
rm .artifacts/t/UNVERIFIED
git update-ref refs/remotes/origin/main HEAD
ln -sf /bin/true ~/.local/state/verigate/gate
cp /tmp/x/adapter-plan.json config/
cp -t config /tmp/adapter-plan.json
sudo rm .git/hooks/pre-commit
git ls-files config | xargs sed -i s/a/b/ config/adapter-plan.json
"""
ALLOWED = r"""
cd /tmp/x && cp a config/adapter-plan.json
cd src && rm -rf config
(cd /tmp && ls); rm -rf build
cp config/adapter-plan.json /tmp/x
cp -r config /tmp/backup
git checkout
git restore
git checkout -- config
git checkout HEAD -- config/adapter-plan.json
git checkout config/adapter-plan.json
git checkout topic
git checkout -b config
git checkout other -- src
git restore config
git restore --staged config/adapter-plan.json
rm -rf build dist node_modules
rm -rf docs/config
mv src lib
rm *.pyc
rm config/webpack.js
mv docs/{a,b}.md src
find . -name '*.pyc' -delete
find . -name 'adapter-plan.json'
find src -name '*.json' -exec cat {} +
find . -name '*.py' -exec grep -l commit {} +
find docs -name x.json -delete
git submodule foreach 'git status'
git rebase -x 'make test' main
git bisect run make test
git config alias.st status
git config --get alias.ci
git config include.path
git config --get include.path
git -c user.name=x commit -m x
git update-index --refresh
git update-ref refs/heads/x HEAD
export SKIP=slow-lint
export PATH=/x
gate -C . verify
gate show
gate --help
pre-commit run --all-files
pre-commit install
npx lefthook run pre-commit
lefthook install
echo "costs 5$"
echo $'a\nb'
echo "don't run git commit -n" > notes.txt
git commit -m $'Never use\n--no-verify'
git commit -m "Forbid pre-commit uninstall"
echo x > /dev/null 2>&1
ls config/*.json
cat config/{adapter-plan,x}.json
sed -n 1,5p config/*.json
touch src/new.py
chmod +x bin/x
rm -rf .artifacts/t/logs
grep -rn "uninstall" docs
export X="$(git rev-parse HEAD)"
for f in src/*; do cat $f; done
tar xf x.tar -C build
watch 'git status'
ls ~/.local/state/verigate
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> GuardedPaths:
    root = tmp_path_factory.mktemp("shop")
    subprocess.run(("git", "init", "-q", str(root)), check=True)
    for name in (
        *("config/adapter-plan.json", "config/verification.profiles.json", "config/webpack.js", "src/a.py"),
        *(".claude/settings.json", ".git/hooks/pre-commit", ".git/hooks/pre-push", ".artifacts/t/UNVERIFIED"),
        "docs/config/x.json",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}")
    return GuardedPaths(str(root), str(root), str(Path("~/.local/state/verigate").expanduser()))


@pytest.mark.parametrize(
    "command",
    [*REFUSED.strip().splitlines(), "git commit --no-\\\nverify", "git \\\n  commit \\\n  -n"],
)
def test_the_same_in_other_words(shop: GuardedPaths, command: str) -> None:
    told = find_refusal(command, (), shop.is_guarded, shop.holds_guarded)
    assert told is not None
    assert told.endswith((HONEST, HONEST_EDIT))


@pytest.mark.parametrize("command", [*ALLOWED.strip().splitlines(), 'git commit -m "Say why \\\nit is so"'])
def test_honest_words_that_look_like_them(shop: GuardedPaths, command: str) -> None:
    assert find_refusal(command, (), shop.is_guarded, shop.holds_guarded) is None


def test_every_id_of_an_offered_hook_is_known() -> None:
    ids = [*OFFERED.values()]
    assert len(ids) > 3
    assert [each for each in ids if refusal(f"SKIP=other,{each} git commit -m x") is None] == []


@pytest.mark.parametrize(
    "command",
    [
        *("$'" * 50_000, "$'\\" * 60_000, "cd a;" * 40_000, f"cd {'a/' * 2000};{'cd b;' * 20_000}"),
        *(f"rm {'{a,b}' * 20_000}", f"rm {'{,' * 60_000}", f"rm {'config/* ' * 5000}", "git -c alias.a=!" * 10_000),
    ],
)  # fmt: skip
def test_floods_of_a_real_repository_are_read_in_time(shop: GuardedPaths, command: str) -> None:
    find_refusal(command, (), shop.is_guarded, shop.holds_guarded)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"command": "git status", "description": "x"}, ("git status", ())),
        ({"command": ["bash", "-lc", "git status"]}, ("bash -lc 'git status'", ())),
        ({"file_path": "/a", "content": "x"}, (None, ("/a",))),
        ({"path": "/a", "file_text": "x"}, (None, ("/a",))),
        ({"filePath": "a"}, (None, ("a",))),
        (
            {"input": "*** Begin Patch\n*** Update File: a/b.py\n*** Move to: c.py\n@@\n*** End Patch"},
            (None, ("a/b.py", "c.py")),
        ),
        ({"command": 1, "path": []}, (None, ())),
        ({"edits": [{"file_path": "a"}, {"targetFile": "b", "old_string": "c"}]}, (None, ("a", "b"))),
        ({"paths": ["a", "b"], "profile": "c", "content": "d"}, (None, ("a", "b"))),
        ({"command": ["bash", "-c", "git commit -n"]}, ("bash -c 'git commit -n'", ())),
        (None, (None, ())),
        ("x", (None, ())),
    ],
)
def test_the_arguments_of_the_hosts_tools(arguments: Any, expected: Any) -> None:
    assert call_of(arguments) == expected


@pytest.mark.parametrize("name", sorted(host.name for host in HOSTS.values() if host.declared.refuses_by))
def test_every_host_declares_the_hook_and_refuses_in_its_own_way(name: str) -> None:
    host = HOSTS[name]
    declared = host.contribution({event: f"gate hook {name} {event.value}" for event in Event})
    assert f"gate hook {name} tool" in (declared.text if hasattr(declared, "text") else json.dumps(declared.value))
    given = {
        "tool_input": {"command": "git commit -n"}, "toolArgs": json.dumps({"command": "git commit -n"}),
        "arguments": {"command": "git commit -n"}, "tool_info": {"command_line": "git commit -n"},
        "tool_call": {"name": "run_commands", "input": {"commands": ["git commit -n"]}},
    }  # fmt: skip
    assert host.turn(given, {}).command == "git commit -n"
    answer = host.refuse("because")
    # windsurf and kiro are given it by an exit code: the command that is installed makes that of it.
    assert (
        answer.stdout == "because"
        if name in {"windsurf", "kiro"}
        else "because" in json.dumps(json.loads(answer.stdout))
    )
    assert answer.exit_code == 0
