"""What the hook after an edit passes over: never what judges, and no file by which a known weakening is made."""

from __future__ import annotations

import json

import pytest
from integrity_cases import WEAKENING
from integrity_evasions import WEAKENING_MORE
from integrity_imports import WEAKENING_IMPORTS
from integrity_pipelines import WEAKENING_PIPELINES
from integrity_rewrites import WEAKENING_REWRITES

from verigate.cli.edit_hook_fast_path import _QUIET
from verigate.domain.agent_host import GUARDED_HOSTS
from verigate.domain.checking_files import may_check, may_judge
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Event
from verigate.subject.policy_files import CONFIG_FILES, GIT_HOOKS, TOP_FOLDERS, is_policy_file

GUARDED = (
    *CONFIG_FILES,
    *(f"hooks/{name}" for name in sorted(GIT_HOOKS)),
    *(path.replace("*", "any") for host in GUARDED_HOSTS for path in host.guarded),
    *(".pre-commit-config.yaml", "prek.toml", "lefthook.yml", "lefthook-local.yml", ".husky/pre-commit"),
    *("adapters/x.toml", "adapters/x/bin/run", "hooks/agent-stop", ".config/lefthook.toml"),
    *sorted(TOP_FOLDERS),
)


@pytest.mark.parametrize("path", dict.fromkeys(GUARDED))
def test_what_judges_is_never_passed_over(path: str) -> None:
    assert is_policy_file(path, lambda _: True, lambda _: False)
    assert may_judge(path)


@pytest.mark.parametrize("path", ["src/shop.py", "README.md", "docs/config.md", "shop/adapters.py", "web/app.ts"])
def test_what_doesnt_judge_or_check_is_passed_over(path: str) -> None:
    assert not may_judge(path)
    assert not may_check(path, "def add(a, b):\n    return a + b\n")
    assert may_check(path, None)


def test_a_known_weakening_is_made_in_a_file_that_is_looked_at() -> None:
    changes = (*WEAKENING, *WEAKENING_MORE, *WEAKENING_IMPORTS, *WEAKENING_REWRITES, *WEAKENING_PIPELINES)
    assert len(changes) > 350
    passed_over = []
    for change in changes:
        # What is new can't be weaker than it was, and isn't looked at.
        old = {path: text for path, text in change.after.items() if path in change.before}
        told = {path: change.before[path] if text is None else text for path, text in old.items()}
        shown = {
            path: text.decode("utf-8", "replace") if isinstance(text, bytes) else text for path, text in told.items()
        }
        if shown and not any(may_check(path, text) or may_judge(path) for path, text in shown.items()):
            passed_over.append((change.name, sorted(shown)))
    assert passed_over == [], "\n".join(map(str, passed_over))


def test_a_quiet_answer_is_what_the_host_says_itself() -> None:
    for name, said in _QUIET.items():
        answer = HOSTS[name].allow(Event.EDIT)
        assert (answer.stdout, answer.stderr, answer.exit_code) == (said, "", 0)
    # cursor's is an object, whatever it holds.
    assert json.loads(_QUIET["cursor"]) == {}
