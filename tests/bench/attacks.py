"""Attack the gate: which attempts to land a weakened check still land.

    .venv/bin/python tests/bench/attacks.py [--gate PROGRAM] [--json FILE] [--record] [NAME...]

Each attack of tests/corpus/attacks is a script that makes a repository, brings the lie into it, and verifies it as CI
does: in a clean clone, against its base. NAME is ``with/06`` or the beginning of it; ``with`` and ``without`` say
whether the attacker has the user's rights. Where a script verifies several changes the last one counts.

Printed for each: the exit code, and ``mark`` where the report shows a weakening though it passes; then what the record
in ``expected.json`` says: ``stopped``, ``shown`` (it passes with a mark), ``lands`` (an accepted limit) or ``control``.
Ends with 1 if an attack did better than its record. ``--record`` writes what came out as the record.

Attacks with chance in them (code that is wrong at random) may come out differently.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/corpus/attacks"
RECORD = CORPUS / "expected.json"
LIMIT_S = 300
_ENDED = re.compile(r"^exit code[^:\n]*: (\d+)$", re.MULTILINE)
_STATUS = re.compile(r"^(?:CI \| )?(PASS|FAIL|ERROR|INCONCLUSIVE)  (.*)$", re.MULTILINE)
_BETTER = {"stopped": 0, "shown": 1, "lands": 2, "control": 2}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gate", default=str(ROOT / "bin/gate"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    chosen = parser.parse_args()
    expected = json.loads(RECORD.read_bytes()) if RECORD.exists() else {}
    found = {}
    better = []
    for name in list_attacks():
        if chosen.names and not name.startswith(tuple(chosen.names)):
            continue
        code, outcome = run_attack(name, chosen.gate)
        found[name] = outcome
        was = expected.get(name, "new")
        mark = "" if was in {outcome, "control"} else "  !"
        if was in _BETTER and _BETTER[outcome] > _BETTER[was]:
            better.append(name)
        print(f"{name:58} exit {code}  {outcome:8} recorded {was}{mark}", flush=True)
    counts = {outcome: sum(value == outcome for value in found.values()) for outcome in ("stopped", "shown", "lands")}
    print(f"\n{len(found)} attacks: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n")
    if chosen.record:
        controls = {name for name, value in expected.items() if value == "control"}
        record = {**expected, **{name: value for name, value in found.items() if name not in controls}}
        RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=2) + "\n")
    elif better:
        sys.exit(f"landed though the record says otherwise: {', '.join(better)}")


def list_attacks() -> list[str]:
    """List the attacks, ``with/06-environment-left-by-a-test``."""
    return sorted(f"{path.parent.name}/{path.stem}" for path in CORPUS.glob("*/[0-9]*.sh"))


def run_attack(name: str, gate: str) -> tuple[int | None, str]:
    """Run one; return the exit code of its last verification and what came of it."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        done = subprocess.run(
            ["bash", str(CORPUS / f"{name}.sh"), f"{folder}/place"],
            env=os.environ | {"GATE": gate},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT_S,
            check=False,
        )
    codes, statuses = _ENDED.findall(done.stdout), _STATUS.findall(done.stdout)
    if not codes:
        sys.exit(f"{name} ended without a verification: {(done.stdout + done.stderr)[-2000:]}")
    code = int(codes[-1])
    shown = bool(statuses) and "weakening" in statuses[-1][1]
    return code, "stopped" if code else "shown" if shown else "lands"


if __name__ == "__main__":
    main()
