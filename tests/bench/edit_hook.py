"""What the hook after an agent's edit costs, next to a bare start of Python, and what its advice finds.

    .venv/bin/python tests/bench/edit_hook.py [--runs N] [--texts]

Medians of N starts of each, in turn, with the time that passed and that of the processor: python -I -S -c pass; python
-c pass, which looks for packages as a script does; gate --version; gate hook claude edit, for an edit of a file
that checks nothing, of a test that is as strong as before, and of a test that is skipped now. ``--texts`` runs the
detectors on each single-file change of tests/support (integrity_*.py), and counts what is told of.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "adapters" / "code" / "src"))

TEST = "from shop import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
TEST += "def test_zero():\n    assert add(0, 0) == 0\n"
SKIPPED = TEST.replace("def test_zero", "import pytest\n\n\n@pytest.mark.skip\ndef test_zero")
SOURCE = "def add(a, b):\n    return a + b\n"


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--texts", action="store_true")
    options = parser.parse_args()
    if options.texts:
        print_texts()
        return
    with tempfile.TemporaryDirectory() as folder:
        print_starts(Path(folder), options.runs)


def print_starts(folder: Path, runs: int) -> None:
    """Time each command in turn, so that what else the machine does is shared."""
    root, home = folder / "repository", folder / "home"
    root.mkdir()
    home.mkdir()
    environ = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    (root / "shop.py").write_text(SOURCE)
    (root / "test_shop.py").write_text(TEST)
    (root / "test_more.py").write_text(TEST)
    git = ("git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run((*git, *words), check=True)
    (root / "shop.py").write_text(SOURCE + "\n\ndef sub(a, b):\n    return a - b\n")
    (root / "test_more.py").write_text(TEST + "\n\ndef test_more():\n    assert add(2, 2) == 4\n")
    (root / "test_shop.py").write_text(SKIPPED)
    python, gate = str(ROOT / ".venv" / "bin" / "python"), str(ROOT / "bin" / "gate")
    hook = (gate, "hook", "claude", "edit")
    commands: Mapping[str, tuple[Sequence[str], str | None]] = {
        "python -I -S -c pass": ((python, "-I", "-S", "-c", "pass"), None),
        "python -c pass": ((python, "-c", "pass"), None),
        "gate --version": ((gate, "--version"), None),
        "edit of a source": (hook, "shop.py"),
        "edit of a test, as strong": (hook, "test_more.py"),
        "edit of a test, now skipped": (hook, "test_shop.py"),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    busy: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, (command, edited) in commands.items():
            sent = {
                "session_id": "s",
                "cwd": str(root),
                "tool_input": {"file_path": str(root / edited)} if edited else {},
            }
            began, before = time.perf_counter(), children_s()
            done = subprocess.run(
                command, input=json.dumps(sent).encode(), env=environ, cwd=root, capture_output=True, check=False
            )
            times[name].append(time.perf_counter() - began)
            busy[name].append(children_s() - before)
            told = b"checks less" in done.stdout
            if done.returncode != 0 or told != (edited == "test_shop.py"):
                raise SystemExit(f"{name}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    for shown, measured in (("time that passed", times), ("of the processor", busy)):
        bare, with_packages = (statistics.median(measured[name]) for name in ("python -I -S -c pass", "python -c pass"))
        print(f"{shown:<28}    median   of -I -S   of python -c pass")
        for name, taken in measured.items():
            median = statistics.median(taken)
            print(f"{name:<28} {median * 1000:7.1f} ms  {median / bare:5.1f} x  {median / with_packages:9.1f} x")


def children_s() -> float:
    """Seconds of the processor that ended processes took, those that they started included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_texts() -> None:
    """Count the changes of one file that the advice tells of: weakening ones, and honest ones."""
    import integrity_cases
    import integrity_evasions
    import integrity_imports
    import integrity_pipelines
    import integrity_rewrites

    from code_adapter.integrity.edited_file import find_weaker

    modules = (integrity_cases, integrity_evasions, integrity_imports, integrity_rewrites, integrity_pipelines)
    for kind in ("WEAKENING", "HONEST"):
        names = [name for module in modules for name in vars(module) if name.startswith(kind)]
        changes = [change for module in modules for name in names for change in vars(module).get(name, ())]
        single = {change.name: change for change in changes if len(change.after) == 1}
        told = 0
        for change in single.values():
            ((path, text),) = change.after.items()
            before, after = (
                None if each is None else each if isinstance(each, bytes) else each.encode()
                for each in (change.before.get(path), text)
            )
            told += before is not None and bool(find_weaker(path, before, after))
        print(f"{kind.lower():<10} changes of one file: {len(single)}, told of: {told}")


if __name__ == "__main__":
    main()
