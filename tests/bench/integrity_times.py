"""Time ``code:integrity`` on commits of others, each against its parent, and print the slowest ten.

    .venv/bin/python tests/bench/integrity_times.py [--commits N] [--only COMMIT ...] [--profile] CLONE...

CLONE is a git directory or a working tree. Of each the newest ``--commits`` commits that are no merges are looked at.
The capability runs in this process, one commit after the other, so that importing isn't part of a figure; checkwash's
process is. ``--profile`` prints for each commit where its time goes.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "adapters" / "code" / "src"))
from code_adapter.integrity.capability import run  # noqa: E402 - the line above makes it known
from verigate.sdk import AdapterError  # noqa: E402 - the same
from verigate.sdk.request import Request  # noqa: E402 - the same

SLOWEST = 10


def main() -> None:
    """Time all commits and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--only", nargs="*", default=[], help="only commits that begin with these")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    rows = [row for clone in asked.clones for row in time_clone(clone, asked)]
    seconds = sorted(row[0] for row in rows)
    print(f"{len(rows)} commits of {len(asked.clones)} repositories")
    print(f"median {statistics.median(seconds):.2f} s, 95 % {seconds[int(len(seconds) * 0.95)]:.2f} s, worst:")
    for took, name, commit, files, lines in sorted(rows, reverse=True)[:SLOWEST]:
        print(f"{took:8.2f} s  {name} {commit[:10]}  {files} files, {lines} lines")


def time_clone(clone: Path, asked: argparse.Namespace) -> list[tuple[float, str, str, int, int]]:
    """Time the commits of a clone; return seconds, name, commit, and how many files and lines it changes."""
    name = (clone.parent if clone.name == "repo" else clone).name
    words = ("rev-list", "--no-merges", "--min-parents=1", f"--max-count={asked.commits}", "HEAD")
    rows = []
    for commit in asked.only or run_git(clone, *words).split():
        try:
            listed = run_git(clone, "show", "--numstat", "--format=", commit).splitlines()
            with tempfile.TemporaryDirectory() as scratch:
                took = time_commit(clone, commit, Path(scratch), profile=asked.profile)
        except (AdapterError, subprocess.CalledProcessError) as problem:
            # A stored clone may lack its largest files.
            print(f"left out: {name} {commit[:10]}: {str(problem).splitlines()[0][:100]}", flush=True)
            continue
        counts = [line.split() for line in listed if line]
        lines = sum(int(count) for row in counts for count in row[:2] if count.isdigit())
        rows.append((took, name, commit, len(counts), lines))
    return rows


def time_commit(clone: Path, commit: str, scratch: Path, *, profile: bool) -> float:
    """Run the capability on a commit, in a repository that borrows the clone's objects; return seconds."""
    place, out = scratch / "repo", scratch / "out"
    out.mkdir()
    run_git(scratch, "init", "-q", str(place))
    objects = Path(run_git(clone, "rev-parse", "--path-format=absolute", "--git-path", "objects").strip())
    (place / ".git/objects/info/alternates").write_text(f"{objects}\n", encoding="utf-8")
    run_git(place, "update-ref", "--no-deref", "HEAD", commit)
    run_git(place, "read-tree", commit)
    base = run_git(place, "rev-parse", f"{commit}^").strip()
    request = Request("code:integrity", out, repo_root=place, base=base, gated=True, environ=os.environ)
    with cProfile.Profile() if profile else contextlib.nullcontext() as profiled:
        start = time.perf_counter()
        run(request)
        took = time.perf_counter() - start
    if profiled is not None:
        pstats.Stats(profiled).sort_stats("cumulative").print_stats(45)
    return took


def run_git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return what it prints."""
    return subprocess.run(("git", *arguments), cwd=folder, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
