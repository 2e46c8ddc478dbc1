"""Read the scripts of a package.json as the commands that they start; nothing is run."""

from __future__ import annotations

from verigate.sdk.npm_scripts.reading import read_script
from verigate.sdk.npm_scripts.steps import OpaqueCommand, OtherCommand, RunnerCall, ScriptStep, WorkspaceCall

__all__ = ["OpaqueCommand", "OtherCommand", "RunnerCall", "ScriptStep", "WorkspaceCall", "read_script"]
