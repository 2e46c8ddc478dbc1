"""The text of the launchers: equal to the checkout's copies, clean sh, and proof against odd paths."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from verigate.integrations.launchers import (
    DEFAULT_HOOKS,
    HOOKS,
    is_advisory,
    is_edited,
    quote,
    read_hook_name,
    render_checkout_hook,
    render_installed_hook,
    verifies_each,
)

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("hook", ["post-hook", *DEFAULT_HOOKS])
def test_the_checkouts_hooks_are_generated(hook: str) -> None:
    path = ROOT / "hooks" / hook
    assert path.read_text("utf-8") == render_checkout_hook(hook)
    assert path.stat().st_mode & 0o111


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("interpreter", [(), ("sh", "-e")])
def test_an_installed_hook_names_itself_and_knows_an_edit(hook: str, interpreter: tuple[str, ...]) -> None:
    content = render_installed_hook(hook, ["/opt/gate"], interpreter).encode()
    assert read_hook_name(content) == hook
    assert not is_edited(content)
    assert is_edited(content + b"echo mine\n")
    assert read_hook_name(b"#!/bin/sh\necho # verigate-hook v1 pre-commit\n") is None


@pytest.mark.parametrize("shell", ["dash", "bash", "sh"])
@pytest.mark.parametrize("hook", HOOKS)
def test_every_shell_can_read_the_hook(shell: str, hook: str) -> None:
    launcher = ["/it's $(here)\n`now`/gate", "-m"]
    for advisory, own, each in itertools.product((False, True), (launcher, None), (False, True)):
        text = render_installed_hook(hook, own, ("sh", "-e"), advisory=advisory, each_commit=each)
        subprocess.run([shell, "-n"], input=text.encode(), check=True, capture_output=True)
        assert is_advisory(text.encode()) is advisory
        assert verifies_each(text.encode()) is (each and hook == "pre-push")


@pytest.mark.parametrize("hook", [*HOOKS, "post-hook"])
def test_shellcheck_has_nothing_to_say(hook: str, tmp_path: Path) -> None:
    launcher = ["/opt/a gate/gate", "-m", "verigate"]
    text = render_checkout_hook(hook) if hook == "post-hook" else render_installed_hook(hook, launcher)
    (tmp_path / "hook").write_text(text)
    (tmp_path / "advisory").write_text(
        text if hook == "post-hook" else render_installed_hook(hook, launcher, advisory=True)
    )
    (tmp_path / "committed").write_text(
        text if hook == "post-hook" else render_installed_hook(hook, None, each_commit=True)
    )
    done = subprocess.run(
        ["shellcheck", "hook", "advisory", "committed"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("word", ["plain", "it's", "a b", "$(touch x)", "-n", "new\nline", "'''", ""])
def test_quoting_keeps_the_word(word: str) -> None:
    done = subprocess.run(["sh", "-c", f"printf '<%s>' {quote(word)}"], capture_output=True, text=True, check=True)
    assert done.stdout == f"<{word}>"
