"""Print the bytes that one capability moves with a cold and a warm remote cache, by a real BuildGrid on loopback.

.venv/bin/python tests/bench/remote_cache.py
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from build_grid import BuildGrid
from remote_repository import Machines

SIZES = (1_000, 100_000, 10_000_000)


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        grid = BuildGrid(Path(folder) / "grid")
        try:
            sys.stdout.write(
                "| artifact, bytes | cache | requests | sent | received |\n| --- | --- | --- | --- | --- |\n"
            )
            for size in SIZES:
                machines = Machines(Path(folder) / str(size), grid.address)
                for name, writes in (("cold", "ci"), ("warm", None)):
                    used = machines.verify(machines.machine(name, "x" * size), writes=writes)["remote"]
                    counts = (used["requests"], used["sent_bytes"], used["received_bytes"])
                    sys.stdout.write(f"| {size:,} | {name} | {' | '.join(f'{count:,}' for count in counts)} |\n")
        finally:
            grid.close()


if __name__ == "__main__":
    main()
