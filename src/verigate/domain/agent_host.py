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
    too. Raises ValueError for a path that isn't below the root.
    """

    name: str
    settings: str
    also_guarded: tuple[str, ...] = ()

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


CLAUDE = AgentHost("claude", ".claude/settings.json", (".claude/settings.local.json", ".claude/hooks/*"))
GEMINI = AgentHost("gemini", ".gemini/settings.json")
CODEX = AgentHost("codex", ".codex/hooks.json", (".codex/config.toml",))
CURSOR = AgentHost("cursor", ".cursor/hooks.json")
COPILOT = AgentHost(
    "copilot",
    ".github/hooks/verigate.json",
    (".github/hooks/*.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json"),
)
OPENCODE = AgentHost(
    "opencode",
    ".opencode/plugins/verigate.js",
    (
        *(".opencode/plugins/*", ".opencode/plugin/*"),
        *("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
    ),
)

SUPPORTED_HOSTS = (CLAUDE, GEMINI, CODEX, CURSOR, COPILOT, OPENCODE)
"""The hosts in which ``gate install --agent`` declares hooks. Each has a module in ``integrations/agents/``."""

OTHER_HOSTS = (
    AgentHost("qwen", ".qwen/settings.json"),
    AgentHost("goose", ".agents/plugins/verigate/hooks/hooks.json", (".agents/plugins/*/hooks/*",)),
    AgentHost(
        "droid",
        ".factory/hooks.json",
        (".factory/settings.json", ".factory/settings.local.json", ".factory/hooks/hooks.json"),
    ),
    AgentHost("devin", ".devin/hooks.v1.json", (".devin/config.json", ".devin/config.local.json")),
    AgentHost("augment", ".augment/settings.json", (".augment/settings.local.json",)),
)
"""Hosts that are guarded only: people declare the gate's hooks there by hand."""

GUARDED_HOSTS = (*SUPPORTED_HOSTS, *OTHER_HOSTS)
