"""Factories of the built-in programs."""

from __future__ import annotations

from verigate.domain.engine import EngineServices
from verigate.verifier.programs.engine import ProgramEngine


def claude_cli(services: EngineServices) -> ProgramEngine:
    """Claude Code."""
    from verigate.verifier.programs.claude import PROGRAM

    return ProgramEngine(PROGRAM, services)


def codex_cli(services: EngineServices) -> ProgramEngine:
    """Codex."""
    from verigate.verifier.programs.codex import PROGRAM

    return ProgramEngine(PROGRAM, services)


def gemini_cli(services: EngineServices) -> ProgramEngine:
    """Gemini CLI."""
    from verigate.verifier.programs.gemini import PROGRAM

    return ProgramEngine(PROGRAM, services)


def iflow_cli(services: EngineServices) -> ProgramEngine:
    """IFlow CLI."""
    from verigate.verifier.programs.iflow import PROGRAM

    return ProgramEngine(PROGRAM, services)


def process(services: EngineServices) -> ProgramEngine:
    """Any command."""
    from verigate.verifier.programs.process import PROGRAM

    return ProgramEngine(PROGRAM, services)
