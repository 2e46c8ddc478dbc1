"""Benchmarks with peers in the same call; prints medians and ratios, asserts nothing.

    .venv/bin/python tests/bench/run.py [five|twenty|stages|unchanged|hook|discovery|large]... [--rounds N]
        [--folder DIR]

Everything, temporary folders of the programs included, lies below DIR, by default where temporary files go. What a disk
has to do with a result is seen by comparing with ``--folder /dev/shm``. ext4 without a journal passes over every inode
that was freed in the last minutes (recently_deleted in fs/ext4/ialloc.c): there, and only there, each round is slower
than the one before for whoever makes files.

The gate, pre-commit and prek are installed anew, each in an environment of its own: that of development holds a hundred
packages, which make every start slower.

five       a verify of five do-nothing shell adapters against pre-commit and prek with five do-nothing hooks
twenty     the same with twenty
stages     the verify of five by itself: the median of each of its stages, by --profile-run
unchanged  that verify once more, with nothing changed; also against a start of the standard library and what must be
           asked of git
hook       `git commit` with the gate's hook and a plan that does nothing, against pre-commit's and prek's with a hook
           that does nothing, and against no hook at all
discovery  1,000 manifests found and indexed, against reading and parsing the same files
large      a lint artifact of 100,000 findings validated and judged, against parsing and validating it: seconds, memory
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
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")

ADAPTER = """#!/bin/sh
capability=$1
while [ "$#" -gt 0 ]; do [ "$1" = --task-dir ] && folder=$2; shift; done
echo '{"ok": true}' > "$folder/${capability#*:}.json"
"""


def measured(call: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def command(folder: Path, *argv: str | Path) -> Callable[[], object]:
    """A process that must end with 0; its output is thrown away."""

    def call() -> object:
        return subprocess.run(argv, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return call


def alternating(
    rounds: int, calls: dict[str, Callable[[], object]], *, before: Callable[[], object] = lambda: None
) -> dict[str, float]:
    """Median seconds per call; the calls take turns, so that a busy moment meets all of them.

    ``before`` is called before each round, and not measured.
    """
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        before()
        for name, call in calls.items():
            times[name].append(measured(call))
    return {name: statistics.median(found) for name, found in times.items()}


def installed(folder: Path, *packages: str) -> Path:
    """The ``bin`` of a fresh environment with these packages and nothing else, as their users have it."""
    offer = ("--quiet", "--python", sys.executable)
    subprocess.run((UV, "venv", *offer, folder), check=True)
    install = (UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", folder / "bin" / "python")
    subprocess.run((*install, *packages), check=True)
    return folder / "bin"


def programs(folder: Path) -> tuple[Path, Path, Path]:
    """gate, pre-commit and prek, each in an environment of its own."""
    gate = installed(folder / "gate", str(ROOT)) / "gate"
    pre_commit, prek = (installed(folder / name, f"{name}=={version(name)}") / name for name in ("pre-commit", "prek"))
    return gate, pre_commit, prek


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=B", "-c", "user.email=b@example.invalid")
    subprocess.run(("git", *identity, *arguments), cwd=folder, check=True, capture_output=True)


def adapter(folder: Path, name: str) -> None:
    """Write an adapter that does nothing but say so."""
    home = folder / "adapters" / name
    (home / "bin").mkdir(parents=True)
    manifest = {
        "name": name,
        "version": "1.0.0",
        "description": "Does nothing",
        "entry": "bin/adapter",
        "capabilities": [f"noop:{name}"],
        "sandbox": {"tools": [], "timeout": 10, "network": False},
    }
    (home / "manifest.json").write_text(json.dumps(manifest))
    (home / "bin" / "adapter").write_text(ADAPTER)
    (home / "bin" / "adapter").chmod(0o755)


def make_repository(folder: Path, adapters: int = 5) -> None:
    """Write a repository with so many adapters, and hooks of pre-commit, that do nothing; one file is staged."""
    folder.mkdir()
    git(folder, "init", "--quiet")
    names = [f"a{number}" for number in range(1, adapters + 1)]
    capabilities = [f"noop:{adapter_name}" for adapter_name in names]
    for adapter_name in names:
        adapter(folder, adapter_name)
    (folder / "config").mkdir()
    plan = {"bench": {"order": capabilities, "required": capabilities, "optional": []}}
    (folder / "config" / "adapter-plan.json").write_text(json.dumps(plan))
    profiles = {"bench": {"required_artifacts": [f"{adapter_name}.json" for adapter_name in names]}}
    (folder / "config" / "verification.profiles.json").write_text(json.dumps(profiles))
    hooks = "".join(
        f'  - {{id: {n}, name: {n}, entry: "true", language: system, always_run: true, pass_filenames: false}}\n'
        for n in names
    )
    (folder / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: local\n  hooks:\n{hooks}")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "base")
    stage_change(folder)
    task = folder / ".artifacts" / "B"
    task.mkdir(parents=True)
    (task / "commitment.json").write_text('{"task_id":"B","type":"bench"}')
    (task / "claim.json").write_text('{"task_id":"B","claim":{"type":"bench"}}')


def stage_change(folder: Path) -> None:
    """Stage one file with content that was never there."""
    (folder / "change.txt").write_text(f"{time.perf_counter_ns()}\n")
    git(folder, "add", "change.txt")


def five(rounds: int) -> None:
    """Five adapters that do nothing."""
    against_managers("five", 5, rounds)


def twenty(rounds: int) -> None:
    """Twenty of them."""
    against_managers("twenty", 20, rounds)


def against_managers(name: str, adapters: int, rounds: int) -> None:
    """The whole of `gate verify`, evidence and verdict included, against the hook managers."""
    with tempfile.TemporaryDirectory() as place:
        gate, pre_commit, prek = programs(Path(place, "programs"))
        folder = Path(place, "repository")
        make_repository(folder, adapters)
        found = alternating(
            rounds,
            {
                "gate": command(folder, gate, "verify", "B", "--staged", "--quiet"),
                "pre-commit": command(folder, pre_commit, "run"),
                "prek": command(folder, prek, "run"),
            },
            before=lambda: stage_change(folder),
        )
    for program, seconds in found.items():
        print(f"{name:<10} {program:<22} {seconds * 1000:8.1f} ms")
    for peer in ("pre-commit", "prek"):
        print(f"{name:<10} gate / {peer:<15} {found['gate'] / found[peer]:8.2f}")


def stages(rounds: int) -> None:
    """Print where the time of ``five`` goes, by ``gate verify --profile-run``."""
    with tempfile.TemporaryDirectory() as name:
        gate, *_ = programs(Path(name, "programs"))
        folder, trace = Path(name, "repository"), Path(name, "trace.json")
        make_repository(folder)
        verify = command(folder, gate, "verify", "B", "--staged", "--quiet", "--profile-run", trace)
        spent: dict[str, list[float]] = {}
        for number in range(rounds + 1):
            stage_change(folder)
            verify()
            if number == 0:
                continue  # it fills the caches
            for event in json.loads(trace.read_text("utf-8"))["traceEvents"]:
                if event.get("cat") == "stage":
                    spent.setdefault(event["name"], []).append(event["dur"] / 1000)
    for stage, found in spent.items():
        print(f"stages     {stage:<22} {statistics.median(found):8.1f} ms")


NEEDED = ("rev-parse --show-toplevel HEAD", "diff-index --cached HEAD", "write-tree")
"""What git must be asked to know that nothing changed: where and what HEAD is, what differs, which tree is staged."""


def unchanged(rounds: int) -> None:
    """`gate verify` of what was verified before, against a start of the standard library and git, and the managers."""
    with tempfile.TemporaryDirectory() as name:
        gate, pre_commit, prek = programs(Path(name, "programs"))
        folder = Path(name, "repository")
        make_repository(folder)
        start = command(folder, gate.with_name("python"), "-I", "-S", "-c", "import hashlib, hmac, json, os")
        asked = [command(folder, "git", *words.split()) for words in NEEDED]
        found = alternating(
            rounds,
            {
                "gate": command(folder, gate, "verify", "B", "--staged", "--quiet"),
                "start and git": lambda: [call() for call in (start, *asked)],
                "pre-commit": command(folder, pre_commit, "run"),
                "prek": command(folder, prek, "run"),
            },
        )
    for name, seconds in found.items():
        print(f"unchanged  {name:<22} {seconds * 1000:8.1f} ms")
    for peer in ("start and git", "pre-commit", "prek"):
        print(f"unchanged  gate / {peer:<15} {found['gate'] / found[peer]:8.2f}")


def hook(rounds: int) -> None:
    """What a commit costs beyond the checks: one repository for each, alike but for its hook."""
    nothing = "- repo: local\n  hooks:\n"
    nothing += '  - {id: n, name: n, entry: "true", language: system, always_run: true, pass_filenames: false}\n'
    with tempfile.TemporaryDirectory() as name:
        gate, pre_commit, prek = programs(Path(name, "programs"))
        installs: dict[str, tuple[str | Path, ...]] = {
            "no hook": ("true",),
            "gate": (gate, "install", "--hook", "pre-commit"),
            "gate, all hooks": (gate, "install"),
            "pre-commit": (pre_commit, "install"),
            "prek": (prek, "install"),
        }
        calls = {}
        for label, install in installs.items():
            folder = Path(name) / label
            folder.mkdir()
            git(folder, "init", "--quiet")
            adapter(folder, "a1")
            plan = {"code": {"order": ["noop:a1"], "required": ["noop:a1"], "optional": []}}
            (folder / "config").mkdir()
            (folder / "config" / "adapter-plan.json").write_text(json.dumps(plan))
            profiles = {"code_default": {"required_artifacts": ["a1.json"]}}
            (folder / "config" / "verification.profiles.json").write_text(json.dumps(profiles))
            (folder / ".pre-commit-config.yaml").write_text(f"repos:\n{nothing}")
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "-m", "base")
            command(folder, *install)()
            calls[label] = changing(folder)
        found = alternating(rounds, calls)
    bare = found["no hook"]
    for label, seconds in found.items():
        print(f"hook       {label:<22} {seconds * 1000:8.1f} ms   {(seconds - bare) * 1000:8.1f} ms more")
    cost = found["gate"] - bare
    for peer in ("pre-commit", "prek"):
        print(f"hook       gate / {peer:<15} {cost / (found[peer] - bare):8.2f}   of what the hook costs")


def changing(folder: Path) -> Callable[[], object]:
    """A commit of one changed line."""
    identity = ("-c", "user.name=B", "-c", "user.email=b@example.invalid")
    commit = command(folder, "git", *identity, "commit", "--quiet", "--all", "-m", "change")
    changed = folder / "change.txt"
    changed.write_text("")
    git(folder, "add", "change.txt")

    def call() -> object:
        with changed.open("a") as stream:
            stream.write("changed\n")
        return commit()

    return call


def discovery(rounds: int) -> None:
    """Discovery in a process that is warm, against the plainest reading and parsing."""
    from verigate.config.documents import read_manifest_document
    from verigate.discovery.registry import discover
    from verigate.discovery.search_path import SearchLocation
    from verigate.domain.manifest import Origin

    with tempfile.TemporaryDirectory() as name:
        shelf = Path(name) / "adapters"
        for number in range(1000):
            home = shelf / f"adapter-{number:04}"
            home.mkdir(parents=True)
            manifest = {
                "name": f"adapter-{number:04}",
                "version": "1.0.0",
                "description": "One of a thousand",
                "entry": "bin/adapter",
                "capabilities": [f"d{number:04}:{action}" for action in ("one", "two", "three", "four", "five")],
                "sandbox": {"tools": ["git", "node", "eslint"], "timeout": 60, "network": False},
            }
            (home / "manifest.json").write_text(json.dumps(manifest, indent=2))

        def plain() -> object:
            return [
                json.loads((Path(entry) / "manifest.json").read_bytes())
                for entry in sorted(os.scandir(shelf), key=lambda e: e.name)
            ]

        def ours() -> object:
            registry = discover([SearchLocation(str(shelf), Origin.REPOSITORY)], read_manifest_document)
            assert len(registry.providers) == 5000
            return registry

        found = alternating(rounds, {"discovery": ours, "read and parse": plain})
    for label, seconds in found.items():
        print(f"discovery  {label:<22} {seconds * 1000:8.1f} ms")
    print(f"discovery  ratio                  {found['discovery'] / found['read and parse']:8.2f}   (bound: 4.00)")


LARGE = """
import json, resource, sys, time
from pathlib import Path
from verigate.config.validation import check_media
from verigate.domain.artifact import Evidence
from verigate.domain.plan import PlannedCapability
from verigate.evidence.artifact_validation import accept_artifact
from verigate.gate.rules import JUDGES
from verigate.domain import facts as _facts
import types
start = time.perf_counter()
content = Path(sys.argv[1]).read_bytes()
artifact = accept_artifact(PlannedCapability("code:lint", True, ()), "lint.json", content, check_media)
plan = types.SimpleNamespace(entry=types.SimpleNamespace(order=("code:lint",)))
facts = types.SimpleNamespace(evidence=Evidence({artifact.path: artifact}), baseline=None, matched={}, plan=plan)
answer = JUDGES["lint_errors_max"](facts, 0)
assert answer.outcome.value == "refuted", answer
print(len(content), time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

BARE = """
import json, resource, sys, time
from pathlib import Path
import jsonschema_rs
from verigate.config.validation import load_artifact_schema
schema = load_artifact_schema("verigate:lint.v1")
start = time.perf_counter()
content = Path(sys.argv[1]).read_bytes()
validator = jsonschema_rs.validator_for(schema)
assert validator.is_valid(json.loads(content))
print(len(content), time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
"""Only read, parsed by the standard library, and validated by the same schema."""


def large(rounds: int) -> None:
    """In a process of its own, so that the peak is its own."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "lint.json"
        issues = [
            {
                "path": f"src/module_{number % 1000:04}.py",
                "line": number,
                "column": 3,
                "rule": "E501",
                "severity": "error" if number % 2 else "warning",
                "message": f"Line too long ({number} > 120)",
                "tool": "ruff",
            }
            for number in range(100_000)
        ]
        document = {"errors": 50_000, "warnings": 50_000, "files_checked": 1000, "tool": "ruff", "issues": issues}
        # As the SDK writes it.
        path.write_text(json.dumps(document, sort_keys=True, separators=(",", ":")))
        seconds: dict[str, list[float]] = {LARGE: [], BARE: []}
        peaks, size = [], 0.0
        for _ in range(max(rounds // 3, 1)):
            for program, spent in seconds.items():
                done = subprocess.run((sys.executable, "-c", program, path), check=True, capture_output=True, text=True)
                size, took, peak = (float(word) for word in done.stdout.split())
                spent.append(took)
                peaks += [peak] if program is LARGE else []
    ours, bare = (statistics.median(seconds[program]) for program in (LARGE, BARE))
    print(f"large      artifact               {size / 1e6:8.1f} MB, 100,000 findings")
    print(f"large      validated and judged   {ours * 1000:8.1f} ms")
    print(f"large      bare jsonschema-rs     {bare * 1000:8.1f} ms")
    print(f"large      ratio                  {ours / bare:8.2f}")
    print(f"large      peak memory            {max(peaks) / 1024:8.1f} MB   (bound: 150)")


BENCHES = {
    "five": five,
    "twenty": twenty,
    "stages": stages,
    "unchanged": unchanged,
    "hook": hook,
    "discovery": discovery,
    "large": large,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], help="which; by default all")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where everything lies; by default %(default)s")
    chosen = parser.parse_args()
    os.environ["TMPDIR"] = tempfile.tempdir = chosen.folder
    print(f"below {chosen.folder}")
    for name in chosen.names or BENCHES:
        BENCHES[name](chosen.rounds)


if __name__ == "__main__":
    main()
