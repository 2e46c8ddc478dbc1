"""The files of a repository that declare the hooks of coding agents' hosts, or switch them off.

Apart from ``agent_host``, since the hook after an agent's edit reads them before anything else is loaded. Sources: the
hosts' references of hooks and settings, and for opencode the paths in version 1.18.33 of the program.
"""

from __future__ import annotations

HOST_FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude": (".claude/settings.json", (".claude/settings.local.json", ".claude/hooks/*")),
    "gemini": (".gemini/settings.json", ()),
    "codex": (".codex/hooks.json", (".codex/config.toml",)),
    "cursor": (".cursor/hooks.json", ()),
    "copilot": (
        ".github/hooks/verigate.json",
        (".github/hooks/*.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json"),
    ),
    "opencode": (
        ".opencode/plugins/verigate.js",
        (
            ".opencode/plugins/*",
            ".opencode/plugin/*",
            "opencode.json",
            "opencode.jsonc",
            ".opencode/opencode.json",
            ".opencode/opencode.jsonc",
        ),
    ),
    "qwen": (".qwen/settings.json", ()),
    "droid": (
        ".factory/hooks.json",
        (".factory/settings.json", ".factory/settings.local.json", ".factory/hooks/hooks.json"),
    ),
    "goose": (
        ".agents/plugins/verigate/hooks/hooks.json",
        (".agents/plugins/*/hooks/*", ".config/goose/settings.json", ".config/goose/settings.local.json"),
    ),
    "aider": (".aider.conf.yml", ()),
    "cline": (".clinerules/hooks/PreToolUse", (".clinerules/hooks/*", ".cline/hooks/*")),
    "crush": ("crush.json", (".crush.json",)),
    "windsurf": (".windsurf/hooks.json", ()),
    "amp": (".amp/plugins/verigate.ts", (".amp/plugins/*",)),
    "kiro": (".kiro/hooks/verigate.json", (".kiro/hooks/*",)),
    "devin": (".devin/hooks.v1.json", (".devin/config.json", ".devin/config.local.json")),
    "augment": (".augment/settings.json", (".augment/settings.local.json",)),
}
"""The host's name -> the file that declares a project's hooks, and patterns of the others; ``*`` matches ``/``."""
