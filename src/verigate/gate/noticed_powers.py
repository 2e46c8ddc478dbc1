"""What ``sensitivity.json`` says of each test: its mutants are still noticed, or it lost what it noticed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from verigate.domain.evidence_weakenings import LOST_POWER, SENSITIVITY, read_lost_power
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_PATH
from verigate.domain.weakening import Weakening
from verigate.formats import pointer


class Powers(Struct, frozen=True):
    """By path and name: tests whose mutants are still noticed, with the place that says so, and those that lost it."""

    held: Mapping[tuple[str, str], str]
    lost: Mapping[tuple[str, str], Weakening]


def read_powers(facts: Facts) -> Powers:
    """Read the tests that hold, and those that lost what they noticed."""
    artifacts = facts.evidence.by_spec(SENSITIVITY)
    # Another adapter may report more weakenings, but acquits nothing.
    held = {
        (entry["path"], entry["test"]): f"{artifact.path}#{pointer.join('held', index)}"
        for artifact in artifacts
        if artifact.path in BY_PATH
        for index, entry in enumerate(artifact.value["held"])
    }
    lost = {
        (each["path"], each["test"]): read_lost_power(each) for item in artifacts for each in item.value[LOST_POWER]
    }
    return Powers(held, lost)
