"""The section of AGENTS.md and the skill that tell coding agents how work is verified here."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from verigate.errors import ConfigError, Fault
from verigate.integrations.setup.init_files import PlannedFile

AGENTS_FILE = "AGENTS.md"
SKILL_FILE = ".agents/skills/verigate/SKILL.md"
_BEGIN, _END = "<!-- verigate: begin -->", "<!-- verigate: end -->"
_MOST = 1 << 20


def plan_agent_files(root: Path) -> tuple[PlannedFile, ...]:
    """Plan the section of AGENTS.md, below what is there, and the skill.

    A section that is there is replaced by this version's, between its marks; a skill that is there stays. Raises
    ConfigError for an AGENTS.md that can't be edited.
    """
    skill = PlannedFile(SKILL_FILE, _read("SKILL.md"), os.path.lexists(root / SKILL_FILE))
    return (_plan_section(root), skill)


def has_agent_files(root: Path) -> bool:
    """Whether the skill is there: the question was answered once."""
    return os.path.lexists(root / SKILL_FILE)


def _plan_section(root: Path) -> PlannedFile:
    section, place = _read(AGENTS_FILE), root / AGENTS_FILE
    if not os.path.lexists(place):
        return PlannedFile(AGENTS_FILE, section, exists=False)
    if place.is_symlink() or not place.is_file() or place.stat().st_size > _MOST:
        raise ConfigError([Fault("this is no file that can be edited", AGENTS_FILE, hint="make it a plain file")])
    try:
        text = place.read_text("utf-8")
    except UnicodeDecodeError as problem:
        raise ConfigError([Fault(f"this is no UTF-8: {problem}", AGENTS_FILE, hint="save it as UTF-8")]) from None
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(f"{_END}\n")
    if begin and not end:
        raise ConfigError([Fault(f"it has {_BEGIN} without {_END}", AGENTS_FILE, hint="remove the section by hand")])
    changed = f"{before}{section}{after}" if begin else f"{text.rstrip()}\n\n{section}".lstrip()
    if changed == text:
        return PlannedFile(AGENTS_FILE, text, exists=True)
    what = "has the section on how work is verified in its present form" if begin else "says how work is verified here"
    return PlannedFile(AGENTS_FILE, changed, exists=True, changes=(what,))


def _read(name: str) -> str:
    return (files("verigate.integrations.setup.for_agents") / name).read_text("utf-8")
