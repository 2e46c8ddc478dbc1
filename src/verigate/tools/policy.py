"""What a tool's calls in a gate run may have."""

from __future__ import annotations

from verigate.domain.manifest import DEFAULT_TIMEOUT_S, SandboxPolicy
from verigate.tools.model import Tool


def sandbox_policy(tool: Tool) -> SandboxPolicy:
    """The programs that the commands name, and what the adapter asks for besides."""
    asked = tool.sandbox
    programs = (capability.command.base for capability in tool.capabilities)
    return SandboxPolicy(
        # git tells the launcher which files the subject has.
        tools=tuple(dict.fromkeys([*programs, *asked.get("tools", ()), "git"])),
        timeout_s=float(asked.get("timeout", DEFAULT_TIMEOUT_S)),
        network=bool(asked.get("network", False)),
        memory_mb=asked.get("memory_mb"),
        read_only=asked.get("filesystem") == "readonly",
    )
