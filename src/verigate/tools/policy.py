"""Sandbox policy of a tool's calls in a gate run."""

from __future__ import annotations

from verigate.domain.manifest import DEFAULT_TIMEOUT_S, SandboxPolicy
from verigate.tools.model import Tool


def build_sandbox_policy(tool: Tool) -> SandboxPolicy:
    """Build the policy: the programs of the tool's commands, and what the adapter declares."""
    asked = tool.sandbox
    programs = (capability.command.base for capability in tool.capabilities)
    return SandboxPolicy(
        # The launcher lists the subject's files by git.
        tools=tuple(dict.fromkeys([*programs, *asked.get("tools", ()), "git"])),
        timeout_s=float(asked.get("timeout", DEFAULT_TIMEOUT_S)),
        network=bool(asked.get("network", False)),
        memory_mb=asked.get("memory_mb"),
        read_only=asked.get("filesystem") == "readonly",
    )
