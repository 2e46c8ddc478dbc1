"""What an agent's tool call is refused for, and what it isn't."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Event, call_of
from verigate.integrations.agents.tool_rules import HONEST, HONEST_EDIT, find_refusal
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
        f".claude/settings.json is part of what judges the work. {HONEST_EDIT}"
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


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"command": "git status", "description": "x"}, ("git status", ())),
        ({"command": ["bash", "-lc", "git status"]}, ("bash -lc git status", ())),
        ({"file_path": "/a", "content": "x"}, (None, ("/a",))),
        ({"path": "/a", "file_text": "x"}, (None, ("/a",))),
        ({"filePath": "a"}, (None, ("a",))),
        (
            {"input": "*** Begin Patch\n*** Update File: a/b.py\n*** Move to: c.py\n@@\n*** End Patch"},
            (None, ("a/b.py", "c.py")),
        ),
        ({"command": 1, "path": []}, (None, ())),
        (None, (None, ())),
        ("x", (None, ())),
    ],
)
def test_the_arguments_of_the_hosts_tools(arguments: Any, expected: Any) -> None:
    assert call_of(arguments) == expected


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_every_host_declares_the_hook_and_refuses_in_its_own_way(name: str) -> None:
    host = HOSTS[name]
    declared = host.contribution({event: f"gate hook {name} {event.value}" for event in Event})
    assert f"gate hook {name} tool" in (declared.text if hasattr(declared, "text") else json.dumps(declared.value))
    given = {
        "tool_input": {"command": "git commit -n"}, "toolArgs": json.dumps({"command": "git commit -n"}),
        "arguments": {"command": "git commit -n"},
    }  # fmt: skip
    assert host.turn(given, {}).command == "git commit -n"
    answer = host.refuse("because")
    assert "because" in json.dumps(json.loads(answer.stdout))
    assert answer.exit_code == 0
