"""``gate do --dry-run`` with 20 and with 500 tool adapters, against ``gate --version``; prints medians and ratios.

    .venv/bin/python tests/bench/words.py [--rounds N]

The adapters besides those that ship are made up, lie on a folder of GATE_ADAPTER_PATH, and have triggers of their own;
``first`` is the call that reads them all and fills the index in the user's cache. Times are user and system time of the
process, which other work on the machine changes less than the clock. Asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, "-I", "-c", "from verigate.cli import main; main()"]
SHIPPED = len(list((ROOT / "adapters" / "tools").glob("*.toml")))
WORDS = ("do", "copy notes.txt to stash", "--dry-run")


def cpu_seconds(folder: Path, environ: dict[str, str], *arguments: str) -> float:
    """User and system time of one call, which must end with 0."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.execve(PYTHON[0], [*PYTHON, *arguments], environ)  # noqa: S606 - wait4 tells what one child used
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise SystemExit(f"gate {' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def shelf(folder: Path, count: int) -> Path:
    """``count`` adapters: the shipped ones under other names, with triggers that no other has."""
    folder.mkdir()
    shipped = sorted((ROOT / "adapters" / "tools").glob("*.toml"))
    for number in range(count):
        text = shipped[number % len(shipped)].read_text()
        lines = []
        for line in text.splitlines():
            if line.startswith("aliases = "):
                lines.append(f'aliases = ["tool{number}"]')
            elif line.startswith("triggers = "):
                lines.append(f'triggers = ["verb{number}x{len(lines)}", "other{number}x{len(lines)}"]')
            else:
                lines.append(line)
        (folder / f"tool{number}.toml").write_text("\n".join(lines))
    return folder


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="verigate-words-") as place:
        base = Path(place)
        work = base / "work"
        (work / "stash").mkdir(parents=True)
        (work / "notes.txt").touch()
        kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(base)}
        environs = {
            count: {
                **kept,
                "GATE_ADAPTER_PATH": str(shelf(base / f"tools{count}", count - SHIPPED)),
                "XDG_CACHE_HOME": str(base / f"cache{count}"),
            }
            for count in (20, 500)
        }
        first = {count: cpu_seconds(work, environ, *WORDS) for count, environ in environs.items()}
        times: dict[str, list[float]] = {"version": [], "click": [], "20": [], "500": []}
        for _ in range(rounds):
            times["version"].append(cpu_seconds(work, kept, "--version"))
            times["click"].append(cpu_seconds(work, kept, "--help"))
            for count, environ in environs.items():
                times[str(count)].append(cpu_seconds(work, environ, *WORDS))
    found = {name: statistics.median(each) * 1000 for name, each in times.items()}
    print(f"gate --version             {found['version']:7.1f} ms")
    print(f"gate --help                {found['click']:7.1f} ms  {found['click'] / found['version']:5.2f} x version")
    for count in (20, 500):
        again = found[str(count)]
        print(f"{count:3} tools, first call      {first[count] * 1000:7.1f} ms")
        print(f"{count:3} tools, later calls     {again:7.1f} ms  {again / found['version']:5.2f} x version")
    print(f"500 tools / 20 tools       {found['500'] / found['20']:7.2f} x, for 25 x the tools")


if __name__ == "__main__":
    main()
