"""Read the scripts of a package.json as the commands that they start; nothing is run."""

from __future__ import annotations

from verigate.sdk.npm_scripts.reading import read_script, uses_typescript
from verigate.sdk.npm_scripts.steps import (
    LinterCall,
    OpaqueCommand,
    OtherCommand,
    RunnerCall,
    ScriptStep,
    WorkspaceCall,
)

__all__ = [
    "LinterCall",
    "OpaqueCommand",
    "OtherCommand",
    "RunnerCall",
    "ScriptStep",
    "WorkspaceCall",
    "read_script",
    "uses_typescript",
]
