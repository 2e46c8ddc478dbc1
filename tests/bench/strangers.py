"""The first hour on repositories of others: their own commands outside against the first verdict of the gate.

    .venv/bin/python tests/bench/strangers.py [--records FILE]... [--set FOLDER] [--json FILE] [REPO...]

REPO is a folder: a clone with its dependencies installed as its developers install them. A record is a line of JSON
with ``name`` (the folder's), ``test`` and ``lint`` (shell commands for its root, both optional), ``env`` and
``language``. Without REPO every recorded folder below ``--set`` is measured, or the folders beside the records.

Each runs in a mount namespace of its own, over an overlay of the folder: nothing in it changes, and all paths stay as
installed environments name them. Needs rights for that (root, or user namespaces).

Printed for each: the exit codes and seconds of its own lint and test commands, how many tests the gate saw, its first
verdict without any configuration (``gate init --install``), the verdict after ``gate init --fix`` where the first is no
pass, the seconds of both, their ratio, and what the gate says the cause is. A repository whose own commands pass
outside and that gets no pass is a difference; one without a cause is marked.

``anew`` is the ratio to the same commands where nothing of an earlier run helps: Go's tests run though their results
are known, Rust's are compiled; where the gate's plan has a build, the project's own build counts too.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 1800
MOUNT = """\
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$1" && cd "$1" && shift 2 && exec "$@"
"""
GOAL = 1.3
"""Seconds of the first verdict over those of the project's own commands, one after the other."""


def main() -> None:
    """Measure the named repositories and print a table."""
    options = parse_arguments()
    if options.inside is not None:
        print(json.dumps(measure_inside(json.loads(options.inside))))
        return
    records = read_records(options.records)
    folders = [Path(name).resolve() for name in options.repositories]
    if not folders:
        folders = [find_folder(name, options) for name in records]
    rows = []
    print_heading()
    for folder in folders:
        row = measure(folder, records.get(folder.name, {}), options)
        rows.append(row)
        print_row(row)
        if options.json:
            Path(options.json).write_text(json.dumps(rows, indent=1), "utf-8")
    print_sum(rows)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="REPO")
    parser.add_argument("--records", action="append", default=[], type=Path)
    parser.add_argument("--set", type=Path)
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--json", help="write everything that was measured to this file")
    parser.add_argument("--no-fix", action="store_true", help="don't try `gate init --fix`")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def read_records(files: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Read the records by the name of their folder."""
    lines = [line for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    return {record["name"]: record for record in map(json.loads, lines)}


def find_folder(name: str, options: argparse.Namespace) -> Path:
    """Find the folder of a record: below --set, else beside the first file of records, in a folder of its stem."""
    beside = options.records[0].with_suffix("") if options.records else Path()
    return Path((options.set or beside) / name).resolve()


def measure(folder: Path, record: Mapping[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """Measure one repository in a view of it whose changes vanish."""
    plan = {"gate": options.gate, "fix": not options.no_fix, **{key: record.get(key) for key in ("test", "lint")}}
    with tempfile.TemporaryDirectory(prefix="strangers-", dir="/var/tmp") as scratch:
        for name in ("upper", "work"):
            Path(scratch, name).mkdir()
        namespace = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")
        argv = (*namespace, "sh", "-c", MOUNT, "view", folder, scratch, sys.executable, __file__)
        done = subprocess.run(
            (*argv, "--inside", json.dumps(plan)),
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {name: os.path.expandvars(value) for name, value in (record.get("env") or {}).items()},
        )
    found: dict[str, Any] = {"name": folder.name, "language": record.get("language", ""), "repo": record.get("repo")}
    found["commit"] = record.get("commit")
    if done.returncode != 0:
        return found | {"broken": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    measured: dict[str, Any] = json.loads(done.stdout)
    return found | measured


def measure_inside(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Run the project's own commands, then the gate; the present folder is the repository."""
    own = {name: run_own(plan[name]) for name in ("lint", "test") if plan[name]}
    subprocess.run(("git", "checkout", "-q", "--", "."), check=False)
    found: dict[str, Any] = {"own": own, "first": run_gate(plan["gate"], "init", "--install", "--json")}
    found["anew"] = {name: run_own(command) for name, command in list_anew(plan, found["first"])}
    if plan["fix"] and found["first"]["status"] != "pass":
        found["fixed"] = run_gate(plan["gate"], "init", "--fix", "--yes", "--json")
    return found


def list_anew(plan: Mapping[str, Any], first: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """List what the gate ran as the project's own commands, each so that no result of an earlier run is taken."""
    kept = {"go.mod": "GOFLAGS=-count=1", "Cargo.toml": f"CARGO_TARGET_DIR={tempfile.mkdtemp(dir='/var/tmp')}"}
    prefix = " ".join(f"export {value};" for name, value in kept.items() if Path(name).exists())
    yield from ((name, f"{prefix} {plan[name]}") for name in ("lint", "test") if plan[name])
    if "code:build" in first["runs"] and "build" in read_scripts():
        yield "build", "npm run build"


def read_scripts() -> Mapping[str, str]:
    """Read the scripts of package.json; none without one."""
    found: Mapping[str, str] = json.loads(read_text("package.json") or "{}").get("scripts", {})
    return found


def run_own(command: str) -> dict[str, Any]:
    """Run a command of the project as its developer does."""
    start, spent = time.perf_counter(), cpu_seconds()
    try:
        done = subprocess.run(
            ("sh", "-c", command), capture_output=True, text=True, errors="replace", check=False, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return {
            "exit": None,
            "seconds": time.perf_counter() - start,
            "cpu": 0.0,
            "last": f"no end within {TIMEOUT_S} s",
        }
    lines = [line for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    return {
        "exit": done.returncode,
        "seconds": time.perf_counter() - start,
        "cpu": cpu_seconds() - spent,
        "last": "\n".join(lines[-5:]),
    }


def cpu_seconds() -> float:
    """Processor seconds of everything that was started and has ended: what other load on the machine leaves alone."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_gate(gate: str, *arguments: str) -> dict[str, Any]:
    """Run the gate and read what it says, and which tests it saw."""
    shutil.rmtree(".artifacts", ignore_errors=True)
    start, spent = time.perf_counter(), cpu_seconds()
    done = subprocess.run(
        (gate, *arguments), capture_output=True, text=True, errors="replace", check=False, timeout=TIMEOUT_S
    )
    seconds = time.perf_counter() - start
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = {}
    verdict = document.get("verdict") or {}
    tests = next(iter(sorted(Path(".artifacts").glob("*/tests.json"))), None)
    return {
        "status": verdict.get("status") or f"none (exit {done.returncode})",
        "seconds": seconds,
        "cpu": cpu_seconds() - spent,
        "reasons": [{key: reason.get(key) for key in ("code", "message")} for reason in verdict.get("reasons", [])],
        "notes": document.get("notes", []),
        "causes": document.get("causes", []),
        "settled": document.get("settled", []),
        "unsettled": document.get("unsettled", []),
        "unchecked": (verdict.get("policy") or {}).get("unchecked", {}),
        "adapters": read_text("config/adapters.json"),
        "files": [item["content"] for item in document.get("files", []) if item.get("written")],
        "tests": read_counts(tests) if tests else {},
        "runs": read_runs(),
        "stderr": done.stderr[-2000:],
    }


def read_text(path: str) -> str:
    """Read a file of the gate's configuration; empty without one."""
    return Path(path).read_text("utf-8") if Path(path).exists() else ""


def read_counts(path: Path) -> dict[str, Any]:
    """Read how many tests of each outcome the gate saw, and which failed."""
    value = json.loads(path.read_bytes())
    counts = {key: value.get(key) for key in ("total", "passed", "failed", "skipped", "errors")}
    return counts | {"failing": [item.get("id") for item in value.get("failures", [])][:50]}


def read_runs() -> dict[str, float]:
    """Read the seconds of each capability."""
    path = next(iter(sorted(Path(".artifacts").glob("*/run.json"))), None)
    runs = json.loads(path.read_bytes()).get("invocations", []) if path else []
    return {run.get("capability", "?"): (run.get("outcome") or {}).get("duration_s", 0.0) for run in runs}


def print_heading() -> None:
    """Print the names of the columns."""
    print(f"{'repository':<22}{'lint':>5}{'test':>5}{'seen':>7}{'failed':>7}  {'first':<13}{'fixed':<13}", end="")
    print(f"{'own s':>7}{'gate s':>8}{'ratio':>7}{'anew':>6}{'own cpu':>8}{'gate cpu':>9}  cause")


def print_row(row: Mapping[str, Any]) -> None:
    """Print one repository."""
    if "broken" in row:
        print(f"{row['name']:<22}could not be measured: {row['broken']}", flush=True)
        return
    own, first = row["own"], row["first"]
    codes = {name: str(own[name]["exit"]) if name in own else "-" for name in ("lint", "test")}
    tests = first["tests"]
    print(
        f"{row['name']:<22}{codes['lint']:>5}{codes['test']:>5}{tests.get('total', '-')!s:>7}"
        f"{tests.get('failed', '-')!s:>7}  {first['status']:<13}{row.get('fixed', {}).get('status', ''):<13}"
        f"{own_seconds(row):>7.1f}{first['seconds']:>8.1f}{ratio(row):>7.2f}{ratio(row, 'anew'):>6.2f}"
        f"{sum(each['cpu'] for each in own.values()):>8.1f}{first['cpu']:>9.1f}  {cause(row)[:160]}",
        flush=True,
    )


def own_seconds(row: Mapping[str, Any], of: str = "own") -> float:
    """Seconds of the project's own commands, one after the other."""
    return float(sum(each["seconds"] for each in row[of].values()))


def ratio(row: Mapping[str, Any], of: str = "own") -> float:
    """The gate's seconds over the project's own; not a number without a command."""
    own = own_seconds(row, of)
    return row["first"]["seconds"] / own if own else float("nan")


def cause(row: Mapping[str, Any]) -> str:
    """Describe why the first verdict is no pass, in the gate's own words."""
    first = row["first"]
    if first["status"] == "pass":
        return ""
    said = [f"{reason['code']}: {reason['message']}" for reason in first["reasons"]]
    said = [*map(str, first["causes"]), *said, *first["stderr"].strip().splitlines()[:3]]
    return " | ".join(said).replace("\n", " ") or "NO CAUSE NAMED"


def passes(row: Mapping[str, Any]) -> bool:
    """Whether the gate passes it, at once or with what --fix writes."""
    return "pass" in {row["first"]["status"], row.get("fixed", {}).get("status")}


def print_sum(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print how many of those whose own tests pass outside get a pass, and the median ratio of the seconds."""
    measured = [row for row in rows if "broken" not in row]
    healthy = [row for row in measured if row["own"].get("test", {}).get("exit", 0) == 0]
    good = [row for row in healthy if passes(row)]
    first = [row for row in healthy if row["first"]["status"] == "pass"]
    print(f"\nown tests pass outside: {len(healthy)} of {len(measured)}; of these PASS at once: {len(first)}", end="")
    print(f", with --fix: {len(good)} ({len(good) / max(1, len(healthy)):.0%})")
    for of, what in (("own", "own"), ("anew", "own, without results of earlier runs")):
        ratios = [ratio(row, of) for row in measured if own_seconds(row, of) > 0]
        if ratios:
            within = sum(value <= GOAL for value in ratios)
            median = statistics.median(ratios)
            print(f"seconds, gate over {what}: median {median:.2f}, {within} of {len(ratios)} within {GOAL}")


if __name__ == "__main__":
    main()
