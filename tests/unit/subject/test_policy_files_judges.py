from __future__ import annotations

import pytest

from verigate.domain.subject import Change, ChangeKind
from verigate.subject.policy_files import find_changed_policy_files

FILES = {"adapters/mine/manifest.json", "adapters/mine/src/x.py", "adapters/ports/postgres.py"}
LINKS = {"adapters/linked"}


def _judged(*paths: str) -> tuple[str, ...]:
    changes = [Change(path, ChangeKind.MODIFIED) for path in paths]
    return find_changed_policy_files(changes, FILES.__contains__, LINKS.__contains__)


@pytest.mark.parametrize(
    "path",
    [
        "config/adapter-plan.json",
        "config/verification.profiles.json",
        "config/adapters.json",
        "config/adapter-packages.json",
        "config/sandbox.json",
        "config/verigate-baseline.json",
        "adapters/mine/manifest.json",
        "adapters/mine/src/x.py",
        "adapters/tool.toml",
        "adapters/other/tool.toml",
        "adapters/linked",
        "adapters",
        "config",
        "hooks",
        "hooks/post-hook",
        "hooks/pre-commit",
        "hooks/pre-push",
        ".pre-commit-config.yaml",
        ".husky/pre-commit",
        ".husky/_/husky.sh",
        "lefthook.yml",
        ".lefthook.toml",
    ],
)
def test_a_file_that_judges(path: str) -> None:
    assert _judged("src/a.py", path) == (path,)


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "config/webpack.js",
        "config/adapter-plan.json.bak",
        "deeper/config/adapter-plan.json",
        "adapters/ports/postgres.py",
        "adapters/README.md",
        "adapters/ports/deep/x.toml",
        "hooks/useThing.ts",
        "Config/adapter-plan.json",
    ],
)
def test_a_file_that_does_not(path: str) -> None:
    assert _judged(path) == ()


def test_the_answer_is_sorted() -> None:
    assert _judged("hooks/pre-push", "config/adapters.json") == ("config/adapters.json", "hooks/pre-push")


def test_what_calls_the_tools_of_toml_files_judges_in_the_checkout_that_has_it() -> None:
    path = "adapters/tools/src/tool_adapter/invoke.py"
    change = [Change(path, ChangeKind.MODIFIED)]
    assert find_changed_policy_files(change, lambda name: name == "adapters/tools/index.json", set().__contains__) == (
        path,
    )
    assert find_changed_policy_files(change, lambda _: False, lambda _: False) == ()
