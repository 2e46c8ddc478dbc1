"""A Markdown corpus of 200 MB: the content adapter against `wc -w` and against two markdown-it processes.

    .venv/bin/python tests/bench/content.py [--megabytes N] [--rounds N] [--folder DIR]

The corpus is made of the Markdown files of the npm packages that the tests install, each copy with a line of its own.
The adapter is measured as a whole process, its entry with `content:wordcount`; markdown-it renders the same files in
two node processes, half of them each, and counts nothing. Bound: at least the throughput of the two. Memory is the
largest resident set of any process of the adapter, for a tenth of the corpus and for all of it; it should be the
same, but for the path of each file.
Prints medians and ratios, asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "adapters" / "content" / "bin" / "adapter-content"
sys.path.insert(0, str(ROOT / "tests" / "support"))

import npm_tools  # noqa: E402 (it lies beside the tests, and this is no test)

MARKDOWN_IT = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const MarkdownIt = createRequire(`${process.argv[2]}/`)("markdown-it");
const markdown = new MarkdownIt({ html: true });
let size = 0;
for (const path of readFileSync(process.argv[3], "utf8").split("\\n").filter(Boolean))
  size += markdown.render(readFileSync(path, "utf8")).length;
console.log(size);
"""

MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def corpus(folder: Path, megabytes: float) -> list[Path]:
    """Files of so many megabytes in all, in folders of a hundred."""
    sources = [path.read_bytes() for path in sorted(npm_tools.node_modules().rglob("*.md")) if path.is_file()]
    left, made, number = int(megabytes * 1e6), [], 0
    while left > 0:
        content = sources[number % len(sources)] + f"\n\nCopy {number}.\n".encode()
        path = folder / f"{number // 100:04}" / f"{number % 100:02}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        made.append(path)
        left -= len(content)
        number += 1
    return made


def adapter(root: Path, task: Path) -> int:
    """Count the words below ``root``; returns the largest resident set of its processes, in KiB."""
    task.mkdir(exist_ok=True)
    environ = {"PATH": os.environ["PATH"], "GATE_PYTHON": sys.executable, "GATE_CONFIG": '{"exclude": []}'}
    argv = (sys.executable, "-c", MEASURED, str(ENTRY), "content:wordcount", "--task-dir", str(task))
    done = subprocess.run(argv, cwd=root, env=environ, check=True, capture_output=True, text=True)
    return int(done.stdout)


def two_parsers(script: Path, lists: list[Path]) -> None:
    modules = str(npm_tools.markdown_parser())
    running = [
        subprocess.Popen(("node", str(script), modules, str(listed)), stdout=subprocess.DEVNULL) for listed in lists
    ]
    ended = [process.wait() for process in running]
    if any(ended):
        raise SystemExit("markdown-it failed")


def word_count(listed: Path) -> None:
    with listed.open("rb") as stream:
        subprocess.run(
            ("xargs", "-d", "\n", "wc", "-w"), stdin=stream, stdout=subprocess.DEVNULL, check=True, env=os.environ
        )


def median_seconds(rounds: int, calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The calls take turns, so that a busy moment meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where the corpus lies; by default %(default)s")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        folder = Path(name)
        files = corpus(folder / "all", chosen.megabytes)
        corpus(folder / "tenth", chosen.megabytes / 10)
        size = sum(path.stat().st_size for path in files) / 1e6
        script, listed = folder / "markdown_it.mjs", folder / "list"
        script.write_text(MARKDOWN_IT)
        listed.write_text("".join(f"{path}\n" for path in files))
        halves = [folder / "even", folder / "odd"]
        for number, half in enumerate(halves):
            half.write_text("".join(f"{path}\n" for path in files[number::2]))
        found = median_seconds(
            chosen.rounds,
            {
                "adapter": lambda: adapter(folder / "all", folder / "task"),
                "two markdown-it": lambda: two_parsers(script, halves),
                "wc -w": lambda: word_count(listed),
            },
        )
        small, large = (adapter(folder / part, folder / "task") for part in ("tenth", "all"))
    print(f"content    corpus                 {size:8.1f} MB, {len(files)} files")
    for label, seconds in found.items():
        print(f"content    {label:<22} {seconds:8.1f} s   {size / seconds:8.1f} MB/s")
    ratio = found["two markdown-it"] / found["adapter"]
    print(f"content    adapter / markdown-it  {ratio:8.2f}   of the throughput (bound: at least 1.00)")
    print(f"content    adapter / wc -w        {found['wc -w'] / found['adapter']:8.2f}   of the throughput")
    peaks = f"{small / 1024:8.1f} MB for a tenth, {large / 1024:.1f} MB for all"
    print(f"content    peak of a process      {peaks} (bound: flat)")


if __name__ == "__main__":
    main()
