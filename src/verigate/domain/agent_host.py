"""Hosts of coding agents: the files of a repository that declare their hooks, or switch them off.

A change of such a file is refuted like any other policy change. Sources: the hosts' references of hooks and
settings, and for opencode the paths in version 1.18.33 of the program.
"""

from __future__ import annotations

from msgspec import Struct


class AgentHost(Struct, frozen=True):
    """One host, by the name that ``gate install --agent`` takes.

    ``settings`` is the file that declares a project's hooks, relative to the repository's root. ``also_guarded`` are
    shell patterns of the other files from which the host takes hooks or an order to ignore them; ``*`` matches ``/``
    too. ``ends_by`` are the host's events at the end of a turn, ``blocks_by`` is how the gate goes against it there,
    both empty for a host that can't be held back. ``refuses_by`` is the event before a tool call, ``tried`` the
    version of the program that the tests drive, empty where only its documentation was read, at ``source``. Raises
    ValueError for a path that isn't below the root.
    """

    name: str
    settings: str
    also_guarded: tuple[str, ...] = ()
    ends_by: str = ""
    blocks_by: str = ""
    refuses_by: str = ""
    tried: str = ""
    source: str = ""

    @property
    def holds_turns(self) -> bool:
        """Whether an agent can be held back at the end of its turn."""
        return bool(self.ends_by)

    def __post_init__(self) -> None:
        if "*" in self.settings:
            raise ValueError(f"the settings of {self.name} are no pattern: {self.settings!r}")
        for path in self.guarded:
            if path.startswith("*") or not {"", ".", ".."}.isdisjoint(path.split("/")):
                raise ValueError(f"a guarded path of {self.name} is not below the repository's root: {path!r}")

    @property
    def guarded(self) -> tuple[str, ...]:
        """Every guarded path or pattern, the settings first."""
        return (self.settings, *self.also_guarded)


_BLOCK = "`decision: block`"

CLAUDE = AgentHost(
    "claude",
    ".claude/settings.json",
    (".claude/settings.local.json", ".claude/hooks/*"),
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="2.1.197",
    source="https://code.claude.com/docs/en/hooks",
)
GEMINI = AgentHost(
    "gemini",
    ".gemini/settings.json",
    ends_by="AfterAgent",
    blocks_by="`decision: deny`",
    refuses_by="BeforeTool",
    tried="0.61.0",
    source="https://geminicli.com/docs/hooks/reference/",
)
CODEX = AgentHost(
    "codex",
    ".codex/hooks.json",
    (".codex/config.toml",),
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.169.0",
    source="https://developers.openai.com/codex/hooks",
)
CURSOR = AgentHost(
    "cursor",
    ".cursor/hooks.json",
    ends_by="stop",
    blocks_by="`followup_message`, a next message of the user",
    refuses_by="preToolUse",
    source="https://cursor.com/docs/agent/hooks",
)
COPILOT = AgentHost(
    "copilot",
    ".github/hooks/verigate.json",
    (".github/hooks/*.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json"),
    ends_by="agentStop",
    blocks_by=_BLOCK,
    refuses_by="preToolUse",
    tried="1.0.102",
    source="https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
)
OPENCODE = AgentHost(
    "opencode",
    ".opencode/plugins/verigate.js",
    (
        *(".opencode/plugins/*", ".opencode/plugin/*"),
        *("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
    ),
    ends_by="session.idle",
    blocks_by="a next prompt, sent by the plug-in",
    refuses_by="tool.execute.before",
    tried="1.18.33",
    source="https://opencode.ai/docs/plugins/",
)
QWEN = AgentHost(
    "qwen",
    ".qwen/settings.json",
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.24.4",
    source="https://qwenlm.github.io/qwen-code-docs/1.x/en/users/hooks/",
)
DROID = AgentHost(
    "droid",
    ".factory/hooks.json",
    (".factory/settings.json", ".factory/settings.local.json", ".factory/hooks/hooks.json"),
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.215.0",
    source="https://docs.factory.ai/harness/hooks",
)
GOOSE = AgentHost(
    "goose",
    ".agents/plugins/verigate/hooks/hooks.json",
    (".agents/plugins/*/hooks/*", ".config/goose/settings.json", ".config/goose/settings.local.json"),
    ends_by="Stop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    source="https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md",
)
CLINE = AgentHost(
    "cline",
    ".clinerules/hooks/PreToolUse",
    (".clinerules/hooks/*", ".cline/hooks/*"),
    refuses_by="PreToolUse, which ends the run",
    tried="3.0.65",
    source="https://docs.cline.bot/customization/hooks",
)
CRUSH = AgentHost(
    "crush",
    "crush.json",
    (".crush.json",),
    refuses_by="PreToolUse",
    source="https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md",
)
WINDSURF = AgentHost(
    "windsurf",
    ".windsurf/hooks.json",
    refuses_by="pre_run_command, pre_write_code",
    source="https://docs.windsurf.com/windsurf/cascade/hooks",
)
AIDER = AgentHost(
    "aider",
    ".aider.conf.yml",
    ends_by="each edit, by `test-cmd`",
    blocks_by="a test that fails",
    tried="0.86.2",
    source="https://aider.chat/docs/usage/lint-test.html",
)

SUPPORTED_HOSTS = (
    *(CLAUDE, GEMINI, CODEX, CURSOR, COPILOT, OPENCODE, QWEN, DROID, GOOSE),
    *(AIDER, CLINE, CRUSH, WINDSURF),
)
"""The hosts in which ``gate install --agent`` declares hooks. Each has a module in ``integrations/agents/``."""

OTHER_HOSTS = (
    AgentHost("devin", ".devin/hooks.v1.json", (".devin/config.json", ".devin/config.local.json")),
    AgentHost("augment", ".augment/settings.json", (".augment/settings.local.json",)),
)
"""Hosts that are guarded only: people declare the gate's hooks there by hand."""

GUARDED_HOSTS = (*SUPPORTED_HOSTS, *OTHER_HOSTS)
