"""Fuzz the readers of hostile input.

    .venv/bin/python tests/fuzz/run.py [--minutes N] [--target NAME]... [--jobs N] [--corpus DIR] [--found DIR]

``--minutes`` (1 unless given) are shared by the targets. A row is a target: inputs read, branches of our code reached
(as libFuzzer counts them), inputs that reach new code, findings. A finding is printed with its input, which ``--found``
keeps in a folder too. Ends with 1 if there is one. ``--corpus`` keeps the inputs that reach new code for the next call.
``--list`` names the targets; ``--replay FILE --target NAME`` reads one input and prints the traceback.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import select
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for _folder in (
    "tests/fuzz",
    "tests/support",
    *(f"adapters/{name}/src" for name in ("api", "code", "content", "links", "tools")),
):
    sys.path.insert(0, str(ROOT / _folder))

PACKAGES = ["verigate", "api_adapter", "code_adapter", "content_adapter", "links_adapter", "tool_adapter"]
_COVERAGE = re.compile(rb"cov: (\d+) ft: \d+ corp: (\d+)/")
_GRACE_S = 90
"""An input that takes longer ends its target."""


@dataclass
class Row:
    """What came of one target. ``findings`` are inputs by what was raised and where."""

    name: str
    runs: int = 0
    reached: int = 0
    kept: int = 0
    memory_mb: int = 0
    findings: dict[str, bytes] = field(default_factory=dict)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--found", type=Path)
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--replay", type=Path)
    chosen = parser.parse_args(argv)
    if chosen.replay is not None:
        return _replay(chosen.target, chosen.replay)
    import atheris

    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=PACKAGES):  # it names each module
        from targets import ALL
    if chosen.list:
        print("\n".join(ALL))
        return 0
    if unknown := [name for name in chosen.target if name not in ALL]:
        parser.error(f"there is no target {unknown[0]!r}; --list names them")
    names = chosen.target or list(ALL)
    seconds = chosen.minutes * 60 * chosen.jobs / len(names)
    rows = fuzz_all(names, seconds, chosen.jobs, chosen.corpus, chosen.seed or time.time_ns() % (1 << 31))
    print(format_rows(rows))
    _print_findings(rows, chosen.found)
    return int(any(row.findings for row in rows))


def fuzz_all(names: Sequence[str], seconds: float, jobs: int, corpus: Path | None, seed: int) -> list[Row]:
    """Fuzz each target in a fork of its own, which has the instrumented modules loaded. Returns rows in their order."""
    waiting, running, rows = list(names), dict[int, _Fork](), dict[str, Row]()
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop(0)
            fork = _Fork(name, seconds, corpus and corpus / re.sub(r"\W+", "_", name), seed)
            running[fork.pidfd] = fork
        ready, _, _ = select.select(list(running), [], [], 1.0)
        overdue = [each for each, fork in running.items() if time.monotonic() > fork.due]
        for pidfd in {*ready, *overdue}:
            fork = running.pop(pidfd)
            rows[fork.name] = fork.end()
    return [rows[name] for name in names]


class _Fork:
    """A process that fuzzes one target."""

    def __init__(self, name: str, seconds: float, corpus: Path | None, seed: int) -> None:
        from one_target import Running, fuzz
        from targets import ALL

        self.name = name
        self.due = time.monotonic() + seconds + _GRACE_S
        self._running = Running()
        self._out, self._log = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115 - closed by ``end``
        self._process = os.fork()
        if self._process == 0:
            os.dup2(self._out.fileno(), 1)
            os.dup2(self._log.fileno(), 2)
            try:
                fuzz(ALL[name], seconds, corpus, self._running, seed)
            except BaseException:  # noqa: BLE001 - the end of a process
                traceback.print_exc()
            os._exit(9)
        self.pidfd = os.pidfd_open(self._process)

    def end(self) -> Row:
        """Read what the process left, and kill it if it hangs."""
        hangs = not select.select([self.pidfd], [], [], 0)[0]
        if hangs:
            os.kill(self._process, 9)
        code = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        os.close(self.pidfd)
        self._out.seek(0)
        self._log.seek(0)
        said, log = self._out.read(), self._log.read()
        self._out.close()
        self._log.close()
        row = Row(self.name)
        if places := _COVERAGE.findall(log):
            row.reached, row.kept = (int(number) for number in places[-1])
        if code == 0 and said:
            report = json.loads(said)
            row.runs, row.memory_mb = report["runs"], report["memory_kb"] >> 10
            row.findings = {name: bytes.fromhex(content) for name, content in report["findings"].items()}
        else:
            why = "hangs" if hangs else "uses too much memory" if b"out-of-memory" in log else f"ended with {code}"
            row.findings = {f"{why}: {log[-300:].decode('utf-8', 'replace')!r}": self._running.get()}
        return row


def format_rows(rows: Sequence[Row]) -> str:
    """Format the table, with a row for all of them."""
    lines = ["| target | inputs | branches | kept | findings |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [f"| {row.name} | {row.runs:,} | {row.reached:,} | {row.kept:,} | {len(row.findings)} |" for row in rows]
    found = sum(len(row.findings) for row in rows)
    lines.append(f"| {len(rows)} targets | {sum(row.runs for row in rows):,} | | | {found} |")
    return "\n".join(lines)


def _print_findings(rows: Sequence[Row], folder: Path | None) -> None:
    for row in rows:
        for name, content in row.findings.items():
            print(f"{row.name}: {name}\n    {content[:200]!r}")
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / f"{re.sub(r'[^0-9a-zA-Z]+', '_', row.name)}-{hashlib.sha256(content).hexdigest()[:12]}"
                path.write_bytes(content)
                path.with_suffix(".txt").write_text(f"{row.name}\n{name}\n")


def _replay(names: Sequence[str], path: Path) -> int:
    from targets import ALL

    for name in names:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                ALL[name].read(Path(folder), path.read_bytes())
            except ALL[name].refusals as problem:
                print(f"{name}: refused: {str(problem)[:300]}")
            else:
                print(f"{name}: read")
        print(f"{time.monotonic() - started:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
