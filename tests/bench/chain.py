"""The critical path of real runs: how much longer is a verify than its longest chain of capabilities?

    .venv/bin/python tests/bench/chain.py REPO...

REPO is a clone with its dependencies installed as its developers install them. It is set up by ``gate init`` in a view
of it whose changes vanish, see ``strangers.py``, and verified a second time, with the build caches of the first and
none of its evidence. Printed are the seconds of that call, those of the longest chain of capabilities that depend on
each other, what they are, and the ratio; no call can be shorter than the chain.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from strangers import MOUNT, ROOT

FOUND = "chain: "


def main() -> None:
    """Print a line for each repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path, metavar="REPO")
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        print(FOUND + json.dumps(verify_inside(asked.gate)))
        return
    print(f"{'repository':<24}{'call s':>8}{'chain s':>9}{'ratio':>7}  longest chain")
    for folder in asked.repositories:
        found = verify(folder.resolve(), asked.gate)
        ratio = found["call_s"] / found["longest_chain_s"]
        chain = ", ".join(found["longest_chain"])
        print(
            f"{folder.name:<24}{found['call_s']:>8.2f}{found['longest_chain_s']:>9.2f}{ratio:>7.2f}  {chain}",
            flush=True,
        )


def verify(folder: Path, gate: str) -> dict[str, Any]:
    """Verify a repository in a view of it."""
    with tempfile.TemporaryDirectory(prefix="chain-", dir="/var/tmp") as scratch:
        for name in ("upper", "work"):
            Path(scratch, name).mkdir()
        namespace = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")
        argv = (*namespace, "sh", "-c", MOUNT, "view", folder, scratch, sys.executable, __file__)
        done = subprocess.run((*argv, "--inside", "--gate", gate), capture_output=True, text=True, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith(FOUND))
    found: dict[str, Any] = json.loads(line.removeprefix(FOUND))
    return found


def verify_inside(gate: str) -> dict[str, Any]:
    """Set the present folder up and verify it; return the seconds of the call and what its trace says."""
    subprocess.run((gate, "init", "--install", "--json"), stdout=subprocess.DEVNULL, check=False)
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch, "trace.json")
        start = time.perf_counter()
        subprocess.run(
            (gate, "verify", "--no-cache", "--quiet", "--profile-run", trace), stdout=subprocess.DEVNULL, check=False
        )
        seconds = time.perf_counter() - start
        traced: dict[str, Any] = json.loads(trace.read_text("utf-8"))["otherData"]
    return traced | {"call_s": seconds}


if __name__ == "__main__":
    main()
