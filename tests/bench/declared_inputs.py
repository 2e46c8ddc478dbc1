"""Print what a capability takes in a repository of 10,000 files after one file changed, with and without kept evidence.

    .venv/bin/python tests/bench/declared_inputs.py [--files N] [--rounds N] [--folder DIR]

The repository is made in DIR (default: /dev/shm) and deleted after: half of the files are modules of Python, half are
pages of Markdown. In each round one file changes, which the capability reads or doesn't. Printed are medians: the
seconds that the capability took, those of the whole call of ``gate verify``, and the processor time of that call with
all of its processes, as a control group counts it (cgroup v1 ``cpuacct``; as root). Without kept evidence is with
``--no-cache``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GATE = (sys.executable, "-I", "-m", "verigate")
CASES = (
    ("code:functions", "a page", "docs/d000/page0.md"),
    ("code:functions", "a module", "src/d000/module0.py"),
    ("content:wordcount", "a module", "src/d000/module0.py"),
    ("content:wordcount", "a page", "docs/d000/page0.md"),
    ("content:headings", "a module", "src/d000/module0.py"),
    ("content:headings", "a page", "docs/d000/page0.md"),
)
PAGE = "# Page {n}\n\n" + "Some *words* of page {n}, and a [link](page{n}.md).\n\n## Part\n\n" * 8
MODULE = "".join(f"def work_{part}(one, two):\n    return one + two + {{n}}\n\n\n" for part in range(8))
PER_FOLDER = 100
GROUP = Path(f"/sys/fs/cgroup/cpuacct/verigate-bench-{os.getpid()}")


class Repository:
    """A repository of ``files`` files in ``folder``, with a HOME of its own and a plan of one capability."""

    def __init__(self, folder: Path, files: int, capability: str, changed: int) -> None:
        self.root, self.home = folder / "repository", folder / "home"
        self.home.mkdir()
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GATE_", "CI"))}
        self.environ = {**kept, "HOME": str(self.home), "TMPDIR": str(folder), "GIT_CONFIG_GLOBAL": "/dev/null"}
        entry = {"order": [capability], "required": [capability], "optional": []}
        self.write("config/adapter-plan.json", json.dumps({"code": entry}))
        self.write("config/verification.profiles.json", json.dumps({"code_default": {}}))
        self.write(".gitignore", ".artifacts/\n")
        for number in range(files // 2):
            place = f"d{number // PER_FOLDER:03}"
            self.write(f"docs/{place}/page{number}.md", PAGE.format(n=number))
            self.write(f"src/{place}/module{number}.py", MODULE.format(n=number))
        for command in (("init", "--quiet"), ("add", "--all")):
            self._git(*command)
        self._git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "base")
        for number in range(changed):  # the task so far
            self.write(f"src/d{number // PER_FOLDER:03}/module{number}.py", MODULE.format(n=number + 1))

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def verify(self, *options: str) -> tuple[float, float, float]:
        """Verify; return the seconds of the capability, those of the call, and those of the processor."""
        trace = self.home / "trace.json"
        before, started = read_processor(), time.perf_counter()
        done = subprocess.run(
            (*GATE, "verify", "--quiet", "--profile-run", str(trace), *options),
            cwd=self.root,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=join_group,
        )
        seconds = time.perf_counter() - started
        if done.returncode not in {0, 4}:
            raise SystemExit(done.stdout + done.stderr)
        events = json.loads(trace.read_text())["traceEvents"]
        inner = sum(event["dur"] / 1e6 for event in events if event["ph"] == "X" and ":" in event["name"])
        return inner, seconds, read_processor() - before

    def _git(self, *arguments: str) -> None:
        subprocess.run(("git", *arguments), cwd=self.root, env=self.environ, check=True, capture_output=True)


def join_group() -> None:
    """Count the processor time of this process and of all that it starts."""
    (GROUP / "cgroup.procs").write_text(str(os.getpid()))


def read_processor() -> float:
    """The seconds that were counted."""
    return int((GROUP / "cpuacct.usage").read_text()) / 1e9


def main() -> None:
    """Make each repository, and print its lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=500, help="modules that the task changed before")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"))  # noqa: S108 - the memory
    asked = parser.parse_args()
    print(f"{'capability':<18} {'changed':<9} {'evidence':<9} {'capability':>11} {'call':>7} {'processor':>10}")
    for capability in dict.fromkeys(name for name, _, _ in CASES):
        with tempfile.TemporaryDirectory(dir=asked.folder, prefix="verigate-inputs-") as folder:
            repository = Repository(Path(folder), asked.files, capability, asked.changed)
            repository.verify()
            for name, what, path in CASES:
                if name != capability:
                    continue
                for shown, options in (("none", ("--no-cache",)), ("kept", ())):
                    measured = [_measure(repository, path, options) for _ in range(asked.rounds)]
                    inner, call, processor = (statistics.median(column) for column in zip(*measured, strict=True))
                    print(
                        f"{capability:<18} {what:<9} {shown:<9} {inner:>11.2f} {call:>7.2f} {processor:>10.2f}",
                        flush=True,
                    )


def _measure(repository: Repository, path: str, options: tuple[str, ...]) -> tuple[float, float, float]:
    place = repository.root / path
    place.write_text(f"{place.read_text()}\n")
    return repository.verify(*options)


if __name__ == "__main__":
    GROUP.mkdir()
    try:
        main()
    finally:
        GROUP.rmdir()
