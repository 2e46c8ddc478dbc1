"""The public API for engines written in Python: the only module of the gate that an engine's package imports.

A package offers a factory under the entry-point group ``verigate.engines``, whose name is the engine's type. The
factory takes ``EngineServices`` and returns an ``Engine``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.domain.engine import (
    Agent,
    CheckLevel,
    Engine,
    EngineCapabilities,
    EngineDescription,
    EngineFactory,
    EngineModel,
    EngineServices,
    EngineSkill,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Runtime,
    SessionCodec,
    Spawned,
    Stream,
    Usage,
)
from verigate.domain.engine_request import EngineRequest, read_request
from verigate.domain.sent_request import NOT_REPORTED, NOT_SETTABLE, SentRequest, SentSkill
from verigate.sdk.engine.config import EngineConfigError, as_boolean, as_number, as_string, as_words
from verigate.sdk.engine.environment import build_engine_environment, find_command

if TYPE_CHECKING:
    from verigate.sdk.engine.answer import find_answer
    from verigate.sdk.engine.program_call import ProgramOutput, run_program
    from verigate.sdk.engine.template import render_template

__all__ = [
    "NOT_REPORTED",
    "NOT_SETTABLE",
    "Agent",
    "CheckLevel",
    "Engine",
    "EngineCapabilities",
    "EngineConfigError",
    "EngineDescription",
    "EngineFactory",
    "EngineModel",
    "EngineRequest",
    "EngineServices",
    "EngineSkill",
    "EnvironmentCheck",
    "ExecutionContext",
    "ExecutionResult",
    "InvocationMeta",
    "ProgramOutput",
    "Runtime",
    "SentRequest",
    "SentSkill",
    "SessionCodec",
    "Spawned",
    "Stream",
    "Usage",
    "as_boolean",
    "as_number",
    "as_string",
    "as_words",
    "build_engine_environment",
    "find_answer",
    "find_command",
    "read_request",
    "render_template",
    "run_program",
]

_LAZY = {
    "find_answer": "answer",
    "render_template": "template",
    "ProgramOutput": "program_call",
    "run_program": "program_call",
}
"""Name -> its module below this one, imported when it is asked for."""


def __getattr__(name: str) -> object:
    """Import the names of ``_LAZY`` when they are asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found: object = getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    return found
