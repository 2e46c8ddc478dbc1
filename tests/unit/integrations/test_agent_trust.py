"""What the configuration of codex says of a project and its hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.integrations.agents import HOSTS

TRUSTED = '[projects."{root}"]\ntrust_level = "trusted"\n'
REVIEWED = '[hooks.state."{root}/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "doesn't trust this project"),
        ("", "doesn't trust this project"),
        ('[projects."{root}"]\ntrust_level = "untrusted"\n', "doesn't trust this project"),
        (TRUSTED, "nobody has reviewed its hooks"),
        (TRUSTED + '[hooks.state."/elsewhere/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n', "nobody"),
        (TRUSTED + REVIEWED + "enabled = false\n", "nobody"),
        (TRUSTED + REVIEWED, None),
        ('[projects."{parent}"]\ntrust_level = "trusted"\n' + REVIEWED, None),
        ("projects = 3\nhooks = []\n", "doesn't trust"),
        ("[", "can't be read"),
    ],
)
def test_codex_says_whether_it_runs_the_hooks(text: str | None, why: str | None, tmp_path: Path) -> None:
    root, home = tmp_path / "repository", tmp_path / "home"
    (home / ".codex").mkdir(parents=True)
    if text is not None:
        (home / ".codex/config.toml").write_text(text.format(root=root, parent=tmp_path))
    host = HOSTS["codex"]
    assert host.settings == ".codex/hooks.json"
    for environ in ({"HOME": str(home)}, {"CODEX_HOME": str(home / ".codex"), "HOME": "/nowhere"}):
        found = host.find_distrust(root, environ)
        assert found is None if why is None else why in (found or "")


def test_the_other_hosts_keep_no_such_state(tmp_path: Path) -> None:
    assert {host.find_distrust(tmp_path, {}) for name, host in HOSTS.items() if name != "codex"} == {None}
