"""Fuzz one target in this process until time is up: atheris gives the inputs, and this says what is a finding.

A finding is an exception that the target doesn't refuse with, or more than ``SLOW_S`` seconds of processor time for
an input of at most ``LONGEST`` bytes. It is noted by what raised it and where, once, with its shortest input; fuzzing
goes on. What ends the process (a signal, more memory than ``MEMORY_MB``) is noted by the process that started this
one, from the input that ``Running`` keeps in shared memory.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mutations import mutate_json, mutate_text
from targets.target import Target

SLOW_S = 2.0
LONGEST = 4096
MEMORY_MB = 2048
OURS = ("/src/verigate/", "/adapters/")
_HEADER = 8


class TooSlowError(BaseException):
    """The reader took longer than ``SLOW_S``. No ``except Exception`` of a reader swallows it."""


class Running:
    """The input that is being read, where another process finds it."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, _HEADER + LONGEST)

    def put(self, content: bytes) -> None:
        """Keep ``content``; at most ``LONGEST`` bytes."""
        self._shared.seek(0)
        self._shared.write(len(content).to_bytes(_HEADER) + content)

    def get(self) -> bytes:
        """Return the last input."""
        self._shared.seek(0)
        size = int.from_bytes(self._shared.read(_HEADER))
        return self._shared.read(size)


class Session:
    """The findings of one target, by what raised them and where."""

    def __init__(self, target: Target, until: float, running: Running) -> None:
        self.target = target
        self.runs = 0
        self.findings: dict[str, bytes] = {}
        self._until = until
        self._running = running
        self._folder = Path(tempfile.mkdtemp(prefix="fuzz-"))

    def try_input(self, content: bytes) -> None:
        """Read one input; end the process, with its findings on stdout, when time is up."""
        if time.monotonic() > self._until:
            self.end()
        content = content[:LONGEST]
        self._running.put(content)
        self.runs += 1
        if (named := name_finding(self.target, self._folder, content)) is not None:
            known = self.findings.get(named)
            if known is None or len(content) < len(known):
                self.findings[named] = content
        if self.runs % 500 == 0:
            self._clear()

    def end(self) -> None:
        """Print what was found, as JSON, and end the process."""
        shutil.rmtree(self._folder, ignore_errors=True)
        found = {name: content.hex() for name, content in self.findings.items()}
        report = {"runs": self.runs, "findings": found, "memory_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
        sys.stdout.write(json.dumps(report))
        sys.stdout.flush()
        os._exit(0)

    def _clear(self) -> None:
        """Readers of files leave some in the folder."""
        for path in self._folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def name_finding(target: Target, folder: Path, content: bytes) -> str | None:
    """Read ``content``; return what was raised and where, None for an answer or a refusal."""
    signal.signal(signal.SIGVTALRM, _raise_too_slow)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, SLOW_S)
        try:
            target.read(folder, content)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except target.refusals:
        return None
    except TooSlowError as problem:
        return f"slow: {_place(problem)}"
    except RecursionError as problem:
        return f"RecursionError: {_place(problem, first=True)}"
    except Exception as problem:  # noqa: BLE001 - what a reader must not raise
        return f"{type(problem).__name__}: {_place(problem)}"
    return None


def _raise_too_slow(_number: int, _frame: object) -> None:
    raise TooSlowError


def _place(problem: BaseException, *, first: bool = False) -> str:
    """The last of our own lines in a traceback; the first one of a recursion, whose last one is anywhere."""
    frames = [
        frame for frame in traceback.extract_tb(problem.__traceback__) if any(part in frame.filename for part in OURS)
    ]
    if not frames:
        return "outside of the readers"
    frame = frames[0 if first else -1]
    name = next(frame.filename.split(part, 1)[-1] for part in OURS if part in frame.filename)
    return f"{name}:{frame.lineno} {frame.name}"


def fuzz(target: Target, seconds: float, corpus: Path | None, running: Running, seed: int) -> None:
    """Fuzz ``target``; never returns. ``corpus`` keeps inputs that reach new code from one call to the next."""
    import atheris

    session = Session(target, time.monotonic() + seconds, running)
    for content in target.seeds:
        session.try_input(content)
    with tempfile.TemporaryDirectory(prefix="fuzz-seeds-") as seeds:
        for number, content in enumerate(target.seeds):
            Path(seeds, f"{number:04}").write_bytes(content[:LONGEST])
        # The corpus first: new inputs are written into the first folder.
        grown = Path(tempfile.mkdtemp(prefix="fuzz-corpus-")) if corpus is None else corpus
        grown.mkdir(parents=True, exist_ok=True)
        arguments = [
            "fuzz",
            f"-seed={seed}",
            f"-max_len={LONGEST}",
            f"-rss_limit_mb={MEMORY_MB}",
            "-timeout=60",
            "-handle_alrm=1",
            f"-artifact_prefix={grown}/ended-",
            str(grown),
            seeds,
        ]

        def mutate(content: bytes, max_size: int) -> bytes:
            made: bytes = atheris.Mutate(content, max_size)  # Setup replaces it
            return made

        atheris.Setup(arguments, session.try_input, custom_mutator=_make_mutator(target, mutate))
        atheris.Fuzz()


def _make_mutator(target: Target, mutate: Callable[[bytes, int], bytes]) -> Callable[[bytes, int, int], bytes]:
    """Half of the inputs are changed as what they are, a tree or a text, and half as bytes."""

    def change(content: bytes, max_size: int, seed: int) -> bytes:
        chance: Any = random.Random(seed)  # noqa: S311 - inputs, no secrets
        if chance.random() < 0.5:
            with suppress(ValueError, RecursionError):
                made = mutate_json(content, chance) if target.is_json else mutate_text(content, target, chance)
                return made[:max_size]
        return mutate(content, max_size)

    return change
