"""Hosts of coding agents: the files of a repository that declare their hooks, or switch them off.

A change of such a file is refuted like any other policy change.
"""

from __future__ import annotations

from msgspec import Struct

from verigate.domain.agent_files import HOST_FILES


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
    *HOST_FILES["claude"],
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="2.1.332",
    source="https://code.claude.com/docs/en/hooks",
)
GEMINI = AgentHost(
    "gemini",
    *HOST_FILES["gemini"],
    ends_by="AfterAgent",
    blocks_by="`decision: deny`",
    refuses_by="BeforeTool",
    tried="0.61.0",
    source="https://geminicli.com/docs/hooks/reference/",
)
CODEX = AgentHost(
    "codex",
    *HOST_FILES["codex"],
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.169.0",
    source="https://developers.openai.com/codex/hooks",
)
CURSOR = AgentHost(
    "cursor",
    *HOST_FILES["cursor"],
    ends_by="stop",
    blocks_by="`followup_message`, a next message of the user",
    refuses_by="preToolUse",
    source="https://cursor.com/docs/agent/hooks",
)
COPILOT = AgentHost(
    "copilot",
    *HOST_FILES["copilot"],
    ends_by="agentStop",
    blocks_by=_BLOCK,
    refuses_by="preToolUse",
    tried="1.0.102",
    source="https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
)
OPENCODE = AgentHost(
    "opencode",
    *HOST_FILES["opencode"],
    ends_by="session.idle",
    blocks_by="a next prompt, sent by the plug-in",
    refuses_by="tool.execute.before",
    tried="1.18.33",
    source="https://opencode.ai/docs/plugins/",
)
QWEN = AgentHost(
    "qwen",
    *HOST_FILES["qwen"],
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.24.4",
    source="https://qwenlm.github.io/qwen-code-docs/1.x/en/users/hooks/",
)
DROID = AgentHost(
    "droid",
    *HOST_FILES["droid"],
    ends_by="Stop, SubagentStop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    tried="0.215.0",
    source="https://docs.factory.ai/harness/hooks",
)
GOOSE = AgentHost(
    "goose",
    *HOST_FILES["goose"],
    ends_by="Stop",
    blocks_by=_BLOCK,
    refuses_by="PreToolUse",
    source="https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md",
)
CLINE = AgentHost(
    "cline",
    *HOST_FILES["cline"],
    refuses_by="PreToolUse, which ends the run",
    tried="3.0.65",
    source="https://docs.cline.bot/customization/hooks",
)
CRUSH = AgentHost(
    "crush",
    *HOST_FILES["crush"],
    refuses_by="PreToolUse",
    source="https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md",
)
WINDSURF = AgentHost(
    "windsurf",
    *HOST_FILES["windsurf"],
    refuses_by="pre_run_command, pre_write_code",
    source="https://docs.windsurf.com/windsurf/cascade/hooks",
)
AMP = AgentHost(
    "amp",
    *HOST_FILES["amp"],
    ends_by="agent.end",
    blocks_by="`continue` with a next message",
    refuses_by="tool.call",
    source="https://ampcode.com/docs/plugin-api",
)
KIRO = AgentHost(
    "kiro",
    *HOST_FILES["kiro"],
    refuses_by="PreToolUse",
    source="https://kiro.dev/docs/cli/v3/hooks/",
)
AIDER = AgentHost(
    "aider",
    *HOST_FILES["aider"],
    ends_by="each edit, by `test-cmd`",
    blocks_by="a test that fails",
    tried="0.86.2",
    source="https://aider.chat/docs/usage/lint-test.html",
)

SUPPORTED_HOSTS = (
    *(CLAUDE, GEMINI, CODEX, CURSOR, COPILOT, OPENCODE, QWEN, DROID, GOOSE),
    *(AIDER, AMP, CLINE, CRUSH, WINDSURF, KIRO),
)
"""The hosts in which ``gate install --agent`` declares hooks. Each has a module in ``integrations/agents/``."""

OTHER_HOSTS = (
    AgentHost("devin", *HOST_FILES["devin"]),
    AgentHost("augment", *HOST_FILES["augment"]),
)
"""Hosts that are guarded only: people declare the gate's hooks there by hand."""

GUARDED_HOSTS = (*SUPPORTED_HOSTS, *OTHER_HOSTS)
