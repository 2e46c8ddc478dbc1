"""No slow drift: what starts and an unchanged verify cost is what is written down, within five per cent.

Times differ from machine to machine and from minute to minute; what is called, loaded and asked of the kernel doesn't.
A test that fails because something became cheaper wants ``COSTS`` to be renewed too: what was won is held from then on.
"""

from __future__ import annotations

import sys
from pathlib import Path

import counted_costs
import gated_repository as gr
import literal_facts as lf
import pytest

WITHIN = 0.05
COSTS = {
    "version": {"calls": 615, "modules": 95, "system_calls": 52},
    "help": {"calls": 44_650, "modules": 145, "system_calls": 1021},
    "unchanged": {"calls": 174_500, "modules": 424, "system_calls": 6800},
    "seven capabilities": {"calls": 297_000, "modules": 410, "system_calls": 13_830},
}
CALLS = {
    "version": ("--version",),
    "help": ("--help",),
    "unchanged": ("verify", "--staged", "--touched", "--quiet"),
    "seven capabilities": ("verify", "--no-cache", "--quiet"),
}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    facts = {name: lf.GOOD[name] for name in ("tests.json", "lint.json")}
    made = gr.make(tmp_path, facts, {"tests_pass": True, "lint_clean": True})
    made.put("work.py", "work = 1\n")
    made.sample.git("add", "--all")
    return made


@pytest.mark.parametrize("name", COSTS)
def test_a_call_costs_what_it_did(repository: gr.GatedRepository, name: str) -> None:
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environ = {key: repository.environ()[key] for key in ("HOME",)} | {"PATH": path, "LC_ALL": "C.UTF-8"}
    # What is compiled and kept at the first call isn't there at the second one.
    for _ in range(2):
        found = counted_costs.count(CALLS[name], repository.root, environ)
    off = {key: (value, COSTS[name][key]) for key, value in found.items() if abs(value / COSTS[name][key] - 1) > WITHIN}
    assert off == {}, f"counted, and written down: {off}; all: {found}"
