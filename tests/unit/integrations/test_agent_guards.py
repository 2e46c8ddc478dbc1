"""Every host of coding agents: what declares its hooks, or switches them off, is part of what judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verigate.domain.agent_host import GUARDED_HOSTS, OTHER_HOSTS, SUPPORTED_HOSTS, AgentHost
from verigate.domain.policy_names import is_policy_file
from verigate.integrations.agents import HOSTS, by_name
from verigate.integrations.agents.claude import Claude
from verigate.integrations.agents.settings import install

BEFORE = (
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks/stop.sh",
    ".claude/hooks/deep/er/stop.sh",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".qwen/settings.json",
    ".factory/hooks.json",
    ".devin/hooks.v1.json",
    ".augment/settings.json",
    ".opencode/plugins/verigate.js",
    ".opencode/plugins/other/index.ts",
    ".github/hooks/verigate.json",
    ".github/hooks/other.json",
    ".github/hooks/deep/er.json",
    ".agents/plugins/any/hooks/hooks.json",
    ".agents/plugins/any/deep/hooks/er/hook.sh",
    *(".claude", ".codex", ".gemini", ".cursor", ".github", ".opencode"),
    *(".agents", ".qwen", ".factory", ".devin", ".augment"),
)
"""What was guarded while the list of hosts stood beside the judges: one path for every entry and rule of it."""

PASSED_BEFORE = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".opencode/plugin/quiet.js",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    "opencode.json",
    "opencode.jsonc",
    ".factory/settings.json",
    ".factory/settings.local.json",
    ".factory/hooks/hooks.json",
    ".devin/config.json",
    ".devin/config.local.json",
    ".augment/settings.local.json",
    ".clinerules/hooks/PreToolUse",
    ".clinerules/hooks/deep/er",
    ".cline/hooks/TaskComplete.py",
    "crush.json",
    ".crush.json",
    ".windsurf/hooks.json",
    ".amp/plugins/verigate.ts",
    ".amp/plugins/any.ts",
    ".kiro/hooks/verigate.json",
    ".kiro/hooks/any.json",
    ".kiro/hooks/any.kiro.hook",
    ".aider.conf.yml",
    ".config/goose/settings.json",
    ".config/goose/settings.local.json",
)
"""What hosts read as well, and was no matter of the judges: no check was refuted by a change of it."""

LINKS_PASSED_BEFORE = (
    ".github/hooks",
    ".github/hooks/more",
    ".github/copilot",
    ".claude/hooks",
    ".opencode/plugin",
    ".opencode/plugins",
    ".agents/plugins",
    ".agents/plugins/any",
    ".agents/plugins/any/hooks",
    ".factory/hooks",
    ".amp",
    ".amp/plugins",
    ".kiro",
    ".kiro/hooks",
)

NOT_GUARDED = (
    ".claude/agents/reviewer.md",
    ".github/workflows/test.yml",
    ".github/hooks/README.md",
    ".github/copilot-instructions.md",
    ".agents/skills/any/hooks/SKILL.md",
    ".agents/plugins/any/README.md",
    ".opencode/agent/docs.md",
    ".cursor/rules/style.mdc",
    "src/opencode.json",
    "opencode.json.bak",
    ".clinerules/style.md",
    "src/crush.json",
    ".windsurf/rules/style.md",
    ".kiro/steering/style.md",
    ".aider.chat.history.md",
    ".config/goose/hints.md",
)


def judges(path: str, *, link: bool = False) -> bool:
    return is_policy_file(path, lambda _: False, lambda _: link)


@pytest.mark.parametrize("path", [*BEFORE, *PASSED_BEFORE])
def test_a_file_of_a_host_judges(path: str) -> None:
    assert judges(path)


@pytest.mark.parametrize("path", LINKS_PASSED_BEFORE)
def test_a_link_in_the_place_of_a_hosts_folder_judges(path: str) -> None:
    assert judges(path, link=True)


@pytest.mark.parametrize("path", NOT_GUARDED)
def test_other_files_of_a_host_do_not_judge(path: str) -> None:
    assert not judges(path)


@pytest.mark.parametrize("host", GUARDED_HOSTS, ids=lambda host: host.name)
def test_all_that_a_host_declares_judges_with_its_folders(host: AgentHost) -> None:
    for pattern in host.guarded:
        path = pattern.replace("*", "any")
        assert judges(path)
        folders = path.split("/")[:-1]
        assert all(judges("/".join(folders[: depth + 1]), link=True) for depth in range(len(folders)))


@pytest.mark.parametrize("name", HOSTS)
def test_all_that_an_installation_writes_judges(name: str, tmp_path: Path) -> None:
    root, home = tmp_path / "repository", tmp_path / "home"
    root.mkdir()
    install(root, HOSTS[name], launcher=("/opt/gate",), attempts=5, environ={"HOME": str(home)})
    written = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    assert HOSTS[name].settings in written
    assert [path for path in written if not judges(path)] == []


def test_a_host_whose_files_nothing_guards_is_not_registered() -> None:
    book = Claude(AgentHost("book", ".book/hooks.json"))
    assert not judges(book.settings)
    with pytest.raises(ValueError, match="book"):
        by_name((*HOSTS.values(), book))
    # Under a name that is declared, with settings of its own.
    with pytest.raises(ValueError, match="differ"):
        by_name((*HOSTS.values(), Claude(AgentHost("claude", ".book/hooks.json"))))
    assert by_name((*HOSTS.values(), book), (*SUPPORTED_HOSTS, book.declared))["book"] is book


def test_a_declaration_without_a_host_is_refused() -> None:
    with pytest.raises(ValueError, match="without a module"):
        by_name(host for host in HOSTS.values() if host.name != "cursor")


@pytest.mark.parametrize(
    "paths",
    [
        ("",),
        ("/etc/hooks",),
        ("../hooks.json",),
        ("a//b",),
        ("a/",),
        ("*",),
        (".a/*.json",),
        (".a/b", ""),
        (".a/b", "*"),
    ],
)
def test_a_declaration_guards_a_file_below_the_root(paths: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="book"):
        AgentHost("book", paths[0], paths[1:])


def test_each_host_is_declared_once() -> None:
    names = [host.name for host in GUARDED_HOSTS]
    assert len(names) == len(set(names)) == len(HOSTS) + len(OTHER_HOSTS)
    assert list(HOSTS) == [host.name for host in SUPPORTED_HOSTS]
