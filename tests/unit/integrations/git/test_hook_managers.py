"""What the configuration of lefthook says about the gate, in each of its forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.errors import UsageError
from verigate.integrations.git.hook_managers import find_lefthook, is_lefthook_script, render_configuration
from verigate.integrations.launchers import HOOKS, render_installed_hook

CALLS = {
    "jobs": ("lefthook.yml", "pre-commit:\n  jobs:\n    - run: gate git-hook pre-commit\n", {"pre-commit"}),
    "commands": (".lefthook.yaml", "pre-push: {commands: {a: {run: gate git-hook pre-push}}}", {"pre-push"}),
    "a group": (
        "lefthook.yml",
        "commit-msg: {jobs: [{group: {jobs: [{run: 'gate git-hook commit-msg \"{1}\"'}]}}]}",
        {"commit-msg"},
    ),
    "by path": (
        ".config/lefthook.yml",
        "pre-commit: {jobs: [{run: \"'/o p/gate' git-hook pre-commit\"}]}",
        {"pre-commit"},
    ),
    "advisory": ("lefthook.yml", "pre-commit: {jobs: [{run: gate git-hook --advisory pre-commit}]}", {"pre-commit"}),
    "toml": ("lefthook.toml", '[[pre-commit.jobs]]\nrun = "gate git-hook pre-commit"\n', {"pre-commit"}),
    "json": ("lefthook.json", '{"pre-commit": {"jobs": [{"run": "gate git-hook pre-commit"}]}}', {"pre-commit"}),
    "a comment": ("lefthook.yml", "pre-commit: {jobs: [{run: lint}]} # gate git-hook pre-commit\n", set()),
    "another hook": ("lefthook.yml", "pre-push: {jobs: [{run: gate git-hook pre-commit}]}", set()),
    "another program": ("lefthook.yml", "pre-commit: {jobs: [{run: notgate git-hook pre-commit-x}]}", set()),
    "a name": ("lefthook.yml", "pre-commit: {jobs: [{name: gate git-hook pre-commit, run: lint}]}", set()),
    "nothing": ("lefthook.yml", "", set()),
    "no mapping": ("lefthook.yml", "[1, 2]", set()),
}


@pytest.mark.parametrize("case", CALLS)
def test_what_lefthook_calls(case: str, tmp_path: Path) -> None:
    name, text, called = CALLS[case]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    found = find_lefthook(tmp_path)
    assert found is not None
    assert (found.path, found.called, found.asserts) == (name, called, False)


@pytest.mark.parametrize(
    "text", [b"a: [", b"\xff", pytest.param(b"a: " + b"[" * 5000, marks=pytest.mark.slow), b"#" * (1 << 21)]
)
def test_a_configuration_that_can_t_be_read_is_named(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "lefthook.yml").write_bytes(text)
    with pytest.raises(UsageError, match="lefthook") as caught:
        find_lefthook(tmp_path)
    assert caught.value.where == str(tmp_path / "lefthook.yml")


def test_what_is_written_is_what_is_looked_for(tmp_path: Path) -> None:
    assert find_lefthook(tmp_path) is None
    for advisory in (False, True):
        (tmp_path / "lefthook.yml").write_text(render_configuration(HOOKS, advisory=advisory))
        found = find_lefthook(tmp_path)
        assert found is not None
        assert (found.called, found.asserts) == (set(HOOKS), True)


def test_one_part_that_is_named_many_times_is_looked_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    (tmp_path / "lefthook.yml").write_text("\n".join([*lines, "pre-commit: *a29"]))
    found = find_lefthook(tmp_path)
    assert found is not None
    assert not found.called


def test_ours_is_no_script_of_lefthook() -> None:
    assert is_lefthook_script(b'#!/bin/sh\n\ncall_lefthook run "pre-commit" "$@"\n')
    assert not is_lefthook_script(render_installed_hook("pre-commit", ["/opt/gate"]).encode())
