"""What a listing of engines says of their options and their output, for programs that make a form or a parser of it."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import msgspec

from verigate.domain.engine import EngineDescription, EngineServices, describe_engine
from verigate.errors import UsageError
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.streams import Redactor
from verigate.verifier.engines import describe_engines, find_engine
from verigate.verifier.lifecycle.options import parse_options
from verigate.verifier.program import LogRule
from verigate.verifier.programs.engine import ProgramEngine


def services(folder: Path) -> EngineServices:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home")}
    processes = EngineProcesses(sys.executable, Redactor(), str)
    return EngineServices(environ, processes, str(folder), str, time.monotonic)


def test_the_listing_has_what_a_form_and_a_parser_are_made_of(tmp_path: Path) -> None:
    """The schema of an engine's options takes what the engine takes, and refuses what it refuses."""
    import jsonschema  # takes seconds to import

    entries = {entry["type"]: entry for entry in json.loads(json.dumps(describe_engines(services(tmp_path))[0]))}
    for name in ("claude_cli", "codex_cli", "gemini_cli"):
        entry = entries[name]
        schema = jsonschema.Draft202012Validator(entry["optionsSchema"])
        schema.check_schema(entry["optionsSchema"])
        engine = find_engine(name, services(tmp_path))
        assert isinstance(engine, ProgramEngine)
        key = entry["capabilities"]["instructionsPathKey"]
        for options in (
            {},
            {"command": ["x"], "timeout_s": 3, "settings": {"a": 1}, "model": "m", "session": False},
            {"command": "x"},
            {"nope": 1},
            {"timeout_s": "3"},
            {"source": "x"},
            {"instructions": "x"},
            {key: "AGENTS.md"},
        ):
            try:
                parse_options(engine.program, options)
            except UsageError:
                takes = False
            else:
                takes = True
            assert schema.is_valid(options) == takes, (name, options)
        rules = msgspec.convert(entry["logRules"], tuple[LogRule, ...])
        assert rules == engine.log_rules
    assert entries["gemini_api"]["optionsSchema"]["properties"].keys() == {"model", "stream"}


def test_an_engine_that_declares_nonsense_is_listed_without_it() -> None:
    class Odd:
        description = EngineDescription("odd", "Odd")
        options_schema = "x"
        log_rules = 7

    entry = describe_engine(Odd())  # type: ignore[arg-type]
    assert (entry["optionsSchema"], entry["logRules"]) == (None, [])
