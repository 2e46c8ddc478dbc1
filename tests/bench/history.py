"""Replay commits of others through the gate: how many honest commits does it stop?

    .venv/bin/python tests/bench/history.py --set FOLDER [--half HALF] [--results FILE] [--jobs N] [REPO...]

REPO is the name of a clone below ``--set``. Without REPO all recorded repositories of the half are replayed. Records
are lines of JSON in ``history/repositories.jsonl``: ``name``, ``repo``, ``language``, ``commit`` (where the history is
read from) and ``half``. ``history/labels.jsonl`` has what a person found in the commits that were stopped.

Of each repository the newest ``--commits`` commits that are no merges are verified, each against its parent:
``gate verify --ref COMMIT``. ``--skip`` leaves out the newest of these. Judged are pairs: the trees of parent and
commit, both with the configuration of a repository that has had the gate all along, and the commit's own message. Its
plan is diff, functions and integrity, and what ``--capability`` adds: for capabilities that run the suite REPO has to
have its dependencies installed, and ``--tests-only`` leaves out commits that touch no test. With code:counterfactual a
second table counts the compared tests by their class; with code:sensitivity a third one the tests that mutants were
tried on. Both say how much time the capability takes.

Each repository is replayed in a mount namespace of its own, over an overlay of its folder: nothing in it changes. Needs
rights for that (root, or user namespaces). ``--results`` is appended to, and what it has is not verified again: a run
that is interrupted goes on. ``--again FILE`` verifies only what was stopped in the results of an earlier gate.
``--tables`` verifies nothing and prints the tables of the results. ``--screen`` asks the code adapter's integrity in
this process first, and verifies only what it or the gate's own files may stop: a commit takes half the time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from history_tables import print_markdown, print_tables, read_lines

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).with_suffix("")
sys.path.insert(0, str(ROOT / "adapters" / "code" / "src"))
from code_adapter.integrity.capability import run as run_integrity  # noqa: E402  the line above makes it known
from code_adapter.integrity.roles import is_test_code  # noqa: E402  the same
from verigate.domain.policy_names import is_policy_file  # noqa: E402  the same
from verigate.sdk.request import Request  # noqa: E402  the same

MOUNT = """\
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$1" && cd "$1" && shift 2 && exec "$@"
"""
PLAN = ("code:diff", "code:functions", "code:integrity")
PROFILE = {"code_default": {"units_match": True, "integrity": True, "weakening": "disclose"}}
"""What the shipped profile of code says of a weakening: people read what is disclosed."""

COMPARED = "counterfactual.json"
TRIED = "sensitivity.json"
RUN = "run.json"
PLAIN = frozenset({"kept", "proven", "added", "unproven", "fixed", "not_run"})
"""Classes of tests that nobody has to read: they say that nothing is checked less."""

MOST_TESTS = 60
TIMEOUT_S = 1800
SOMEBODY = {"GIT_AUTHOR_NAME": "history", "GIT_AUTHOR_EMAIL": "history@example.org"}
SOMEBODY |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in SOMEBODY.items()}
_FINE = frozenset({"holds", "not_applicable"})


def main() -> None:
    """Verify what has no result, and print the tables."""
    options = parse_arguments()
    if options.inside is not None:
        replay_inside(json.loads(options.inside))
        return
    repositories = choose_repositories(options)
    rows = read_lines(options.results) if options.results else []
    if not options.tables:
        rows += replay_missing(repositories, rows, options)
    names = {each["name"] for each in repositories}
    labels = read_lines(options.labels)
    show = print_markdown if options.markdown else print_tables
    show(repositories, [row for row in rows if row["name"] in names], labels)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="REPO")
    parser.add_argument("--set", type=Path, default=Path())
    parser.add_argument("--half", choices=("looked-at", "held-out", "all"), default="looked-at")
    parser.add_argument("--records", type=Path, default=DATA / "repositories.jsonl")
    parser.add_argument("--labels", type=Path, default=DATA / "labels.jsonl")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--again", type=Path, help="verify only what was stopped in these results")
    parser.add_argument("--screen", action="store_true", help="verify only what code:integrity says something about")
    parser.add_argument("--tables", action="store_true", help="verify nothing")
    parser.add_argument(
        "--markdown", action="store_true", help="print one table by repository, as the documentation has it"
    )
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of the newest commits")
    parser.add_argument("--tests-only", action="store_true", help="only commits that touch tests")
    parser.add_argument("--capability", action="append", default=[], help="plan this one as well")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def choose_repositories(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Choose the records of the named repositories, or of the half; a clone without a record counts from its HEAD."""
    records = {record["name"]: record for record in read_lines(options.records)}
    if options.repositories:
        bare = {"language": "", "commit": "HEAD", "half": ""}
        return [records.get(name, bare | {"name": name}) for name in options.repositories]
    return [each for each in records.values() if options.half in ("all", each["half"])]


def replay_missing(
    repositories: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Replay all commits that have no row, ``--jobs`` repositories at once; append each row to the results."""
    done = {(row["name"], row["commit"]) for row in rows}
    wanted = None
    if options.again:
        wanted = {(row["name"], row["commit"]) for row in read_lines(options.again) if row["status"] != "pass"}
    found: list[dict[str, Any]] = []
    lock = threading.Lock()

    def replay(record: Mapping[str, Any]) -> None:
        for row in replay_repository(record, done, wanted, options):
            with lock:
                found.append(row)
                if options.results:
                    with options.results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(replay, repositories))
    return found


def replay_repository(
    record: Mapping[str, Any],
    done: set[tuple[str, str]],
    wanted: set[tuple[str, str]] | None,
    options: argparse.Namespace,
) -> Iterator[dict[str, Any]]:
    """Replay one repository in a view of it whose changes vanish; yield a row for each commit."""
    name = record["name"]
    folder = (options.set / name).resolve()
    commits = [
        commit
        for commit in list_commits(folder, record["commit"], options.commits)[options.skip :]
        if (name, commit) not in done and (wanted is None or (name, commit) in wanted)
    ]
    if not commits:
        return
    plan = {
        "gate": options.gate,
        "commits": commits,
        "capabilities": [*PLAN, *options.capability],
        "tests_only": options.tests_only,
        "screen": options.screen,
    }
    with tempfile.TemporaryDirectory(prefix="history-", dir="/var/tmp") as scratch:
        for each in ("upper", "work"):
            Path(scratch, each).mkdir()
        Path(scratch, "plan.json").write_text(json.dumps(plan), "utf-8")
        namespace = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")
        argv = (*namespace, "sh", "-c", MOUNT, "view", folder, scratch, sys.executable, __file__)
        inside = ("--inside", json.dumps(str(Path(scratch, "plan.json"))))
        with subprocess.Popen((*argv, *inside), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield {"name": name, **json.loads(line)}
        if process.returncode != 0:
            print(f"{name}: the replay ended with {process.returncode}", file=sys.stderr)


def list_commits(folder: Path, head: str, count: int) -> list[str]:
    """List the newest commits that are no merges and have a parent."""
    arguments = ("rev-list", "--no-merges", "--min-parents=1", f"--max-count={count}", head)
    return run_git(*arguments, cwd=folder).decode().split()


def replay_inside(file: str) -> None:
    """Replay the commits of a plan; the present folder is the repository."""
    plan = json.loads(Path(file).read_bytes())
    policy = write_policy(plan["capabilities"])
    for commit in plan["commits"]:
        tests = touches_tests(commit)
        if tests or not plan["tests_only"]:
            pair = make_pair(commit, policy)
            found = screen(pair) if plan["screen"] else None
            row = {"commit": commit, "tests": tests, **(found or verify(plan["gate"], pair))}
            print(json.dumps(row), flush=True)


def screen(commit: str) -> dict[str, Any] | None:
    """Ask the integrity of a commit; None if the gate has to decide: a finding that counts, or a file of its own."""
    start = time.perf_counter()
    if any(is_policy_file(path, lambda _: True, lambda _: True) for path in changed_paths(commit)):
        return None
    run_git("read-tree", commit)
    base = run_git("rev-parse", f"{commit}^").decode().strip()
    with tempfile.TemporaryDirectory() as folder:
        run_integrity(
            Request("code:integrity", Path(folder), repo_root=Path.cwd(), base=base, gated=True, environ=os.environ)
        )
        findings = json.loads(Path(folder, "integrity.json").read_bytes())["findings"]
    if any(finding["weight"] != "note" for finding in findings):
        return None
    return {"status": "pass", "screened": True, "seconds": round(time.perf_counter() - start, 2), "checks": []}


def write_policy(capabilities: Sequence[str]) -> dict[str, str]:
    """Write the files of the configuration to git's store; return path -> object."""
    entry = {"order": capabilities, "required": capabilities, "optional": []}
    files = {"config/adapter-plan.json": {"code": entry}, "config/verification.profiles.json": PROFILE}
    return {
        path: run_git("hash-object", "-w", "--stdin", stdin=json.dumps(content, indent=2).encode()).decode().strip()
        for path, content in files.items()
    }


def touches_tests(commit: str) -> bool:
    """Whether a commit changes a test file, by its path."""
    return any(map(is_test_code, changed_paths(commit)))


def changed_paths(commit: str) -> list[str]:
    """List the paths that a commit adds, changes or removes."""
    names = run_git("diff-tree", "-r", "-z", "--name-only", "--no-renames", f"{commit}^", commit)
    return names.decode("utf-8", "surrogateescape").split("\0")[:-1]


def make_pair(commit: str, policy: Mapping[str, str]) -> str:
    """Make commits of the parent's tree and of the commit's, with the configuration in both; return the second."""
    message = run_git("show", "--no-patch", "--format=%B", commit)
    base = make_commit(f"{commit}^", policy, parent=f"{commit}^", message=b"The parent\n")
    return make_commit(commit, policy, parent=base, message=message)


def make_commit(tree: str, policy: Mapping[str, str], *, parent: str, message: bytes) -> str:
    """Make a commit of a tree with the configuration in it."""
    with tempfile.TemporaryDirectory() as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
        run_git("read-tree", tree, env=index)
        entries = "".join(f"100644 {content}\t{path}\n" for path, content in policy.items())
        run_git("update-index", "--add", "--index-info", stdin=entries.encode(), env=index)
        written = run_git("write-tree", env=index).decode().strip()
    made = run_git("commit-tree", written, "-p", parent, "-F", "-", stdin=message, env=SOMEBODY)
    return made.decode().strip()


def run_git(
    *arguments: str, cwd: Path | None = None, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> bytes:
    """Run git; return what it prints."""
    environ = os.environ | dict(env or {})
    return subprocess.run(
        ("git", *arguments), cwd=cwd, input=stdin, env=environ, stdout=subprocess.PIPE, check=True
    ).stdout


def verify(gate: str, commit: str) -> dict[str, Any]:
    """Verify a commit as a user does; return status, seconds, and every check that neither holds nor is idle."""
    for name in (COMPARED, TRIED):
        for stale in Path(".artifacts").glob(f"*/{name}"):
            stale.unlink()
    start = time.perf_counter()
    argv = (gate, "verify", "--ref", commit, "--no-cache", "--quiet", "--json")
    try:
        done = subprocess.run(argv, capture_output=True, check=False, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return {"status": "timeout", "seconds": TIMEOUT_S, "checks": []}
    row: dict[str, Any] = {"exit": done.returncode, "seconds": round(time.perf_counter() - start, 2)}
    try:
        verdict = json.loads(done.stdout)
    except ValueError:
        nothing = done.returncode == 0
        said = done.stderr.decode(errors="replace")[-500:]
        return row | {"status": "pass" if nothing else "none", "checks": [], "stderr": said}
    checks = verdict.get("checks", [])
    row["status"] = verdict.get("status") or "none"
    row["checks"] = [describe_check(check) for check in checks if check["outcome"] not in _FINE]
    row["accounted"] = [describe_check(check) for check in checks if check.get("accounted")]
    folder = Path(".artifacts", str(verdict.get("task_id")))
    if (folder / COMPARED).exists():
        row["cells"] = describe_cells(json.loads((folder / COMPARED).read_bytes()))
    if (folder / TRIED).exists():
        row["power"] = describe_power(json.loads((folder / TRIED).read_bytes()))
    calls = json.loads((folder / RUN).read_bytes())["invocations"]
    row["spent"] = {call["capability"]: round(call["outcome"]["duration_s"], 2) for call in calls if call["outcome"]}
    return row


def describe_power(artifact: Mapping[str, Any]) -> dict[str, Any]:
    """Keep how many tests were asked and what was found, and why something wasn't tried."""
    found = {key: len(artifact[key]) for key in ("held", "mutants")}
    found |= {key: artifact[key] for key in ("asked", "unnoticed", "unusable", "lost_power", "unfailing")}
    return found | {"unexamined": dict(Counter(each["why"] for each in artifact["unexamined"]))}


def describe_cells(artifact: Mapping[str, Any]) -> dict[str, Any]:
    """Keep of compared tests how many are of each class, and those that somebody has to read."""
    kept = ("path", "test", "class", "cells", "why")
    read = [{key: test[key] for key in kept} for test in artifact["tests"] if test["class"] not in PLAIN]
    unexamined = dict(Counter(each["why"] for each in artifact["unexamined"]))
    return {"counts": artifact["counts"], "tests": read[:MOST_TESTS], "unexamined": unexamined}


def describe_check(check: Mapping[str, Any]) -> dict[str, Any]:
    """Keep of a check what says why it decided so: the findings that it cites are whole."""
    cited = [ref["value"] for ref in check.get("evidence", ()) if isinstance(ref.get("value"), dict)]
    kept = {key: check.get(key) for key in ("id", "outcome", "reason", "message", "accounted")}
    return {**{key: value for key, value in kept.items() if value is not None}, "findings": list(only_findings(cited))}


def only_findings(values: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Choose what is a finding of integrity, or a test that was compared."""
    return (value for value in values if "kind" in value or "class" in value)


if __name__ == "__main__":
    main()
