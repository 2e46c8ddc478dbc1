"""A signal that comes while modules or types are loaded is heeded as soon as they are."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

START = """
import sys, time
sys.path.insert(0, sys.argv[1])
from verigate.cli.signals import install_signal_handlers
install_signal_handlers()
"""

MODULE = """
import os
os.kill(os.getpid(), {number})
total = sum(number for number in range(1000))
"""

IMPORT = """
try:
    import loaded
    time.sleep(20)
except KeyboardInterrupt:
    print(sys.modules["loaded"].total)
"""
"""The name may not be bound yet when the delayed signal comes; a module broken off isn't among ``sys.modules``."""

TYPE = """
import os, msgspec
evaluated = []
def annotation():
    evaluated.append(1)
    os.kill(os.getpid(), {number})
    return int if sum(number for number in range(1000)) else str
class Read(msgspec.Struct):
    field: "annotation()"
def read():
    return msgspec.json.decode(b'{{"field": 5}}', type=Read).field
try:
    read()
    time.sleep(20)
except KeyboardInterrupt:
    print(read(), len(evaluated))
"""
"""A type that was broken off would be evaluated once more."""


def ended(program: str, folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        (sys.executable, "-I", "-c", START + program, str(folder)),
        capture_output=True,
        text=True,
        check=False,
        timeout=15,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_module_is_loaded_to_its_end(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "loaded.py").write_text(MODULE.format(number=int(number)))
    assert ended(IMPORT, tmp_path) == (0, "499500\n", "")


def test_a_type_is_read_to_its_end(tmp_path: Path) -> None:
    """msgspec would crash the process."""
    assert ended(TYPE.format(number=int(signal.SIGINT)), tmp_path) == (0, "5 1\n", "")


@pytest.mark.slow
def test_a_module_that_loads_for_ever_is_broken_into(tmp_path: Path) -> None:
    (tmp_path / "loaded.py").write_text(MODULE.format(number=int(signal.SIGINT)) + "while True: pass\n")
    code, _, told = ended("import loaded\n", tmp_path)
    assert (code, told.endswith("KeyboardInterrupt\n")) == (-signal.SIGINT, True)


def test_what_is_ignored_stays_so(tmp_path: Path) -> None:
    program = (
        "import signal; signal.signal(1, signal.SIG_IGN); install_signal_handlers(); print(signal.getsignal(1).name)"
    )
    assert ended(program, tmp_path) == (0, "SIG_IGN\n", "")
