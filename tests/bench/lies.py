"""Which lies about tests pass the gate, and which of their honest twins are stopped.

    .venv/bin/python tests/bench/lies.py [--gate PROGRAM] [--language NAME]... [--runner NAME]... [NAME...]

Each case of tests/corpus/lies becomes two git repositories: a commit of the base and one of the lie, or of its honest
twin. `gate verify --ref HEAD --base HEAD^` judges the second commit under the profile ``code`` without its lint rule,
with the facts of ``CAPABILITIES`` as far as the gate has them.

Printed for each: P where it passes, or the codes of the reasons; then how many lies pass and how many honest twins are
stopped, by language and by kind. Nothing is timed. A change whose suite has the cells of a change of behaviour (BB, HB,
BH = P, F, F) is marked with ``~``: a profile that allows ``followed`` lets it through, and only what was claimed can
tell the two apart.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import lie_corpus  # noqa: E402 - its folder is on the path only now
from repositories import Repository  # noqa: E402 - as above

CAPABILITIES = ("code:diff", "code:functions", "code:tests", "code:integrity", "code:counterfactual")
PROFILES = {"code_default": {"extends": "code", "lint_errors_max": None}}


@dataclass(frozen=True)
class Judged:
    """How the gate judged one form of a case: ``because`` names reasons, or how it ended without a verdict."""

    case: lie_corpus.Lie
    form: str
    passed: bool
    because: tuple[str, ...]

    @property
    def is_followed(self) -> bool:
        """Whether the cells of the suite are those of a change of behaviour."""
        cells = lie_corpus.read_proved().get(self.case.name, {}).get(self.form, {})
        return [cells.get(cell) for cell in ("BB", "HB", "BH")] == ["P", "F", "F"]


def main() -> None:
    """Judge the chosen cases and print the tables."""
    options = parse_arguments()
    cases = [case for case in lie_corpus.read_cases() if is_chosen(case, options)]
    capabilities = find_capabilities(options.gate)
    print(f"{len(cases)} cases, judged with {', '.join(capabilities)}\n")
    work = [(case, form) for case in cases for form in lie_corpus.FORMS]
    judge_one = partial(judge, gate=options.gate, capabilities=capabilities)
    found: list[Judged] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for judged in pool.map(judge_one, *zip(*work, strict=True)):
            found.append(judged)
            print_one(judged)
            if options.json:
                options.json.write_text(json.dumps([record(each) for each in found], indent=1), "utf-8")
    print_table("language", found, lambda case: case.language)
    print_table("kind", found, lambda case: case.kind)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gate", default=str(ROOT / "bin" / "gate"))
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--runner", action="append", default=[])
    parser.add_argument("--json", type=Path, help="write every result to this file")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def is_chosen(case: lie_corpus.Lie, options: argparse.Namespace) -> bool:
    """Whether the command line asks for a case; without names and options, for each."""
    return (
        (not options.names or case.name in options.names)
        and (not options.language or case.language in options.language)
        and (not options.runner or case.runner in options.runner)
    )


def find_capabilities(gate: str) -> list[str]:
    """Return those of CAPABILITIES that this gate's adapters have."""
    listed = subprocess.run((gate, "adapters", "--json"), capture_output=True, check=True, cwd=ROOT).stdout.decode()
    return [capability for capability in CAPABILITIES if f'"{capability}"' in listed]


def judge(case: lie_corpus.Lie, form: str, *, gate: str, capabilities: list[str]) -> Judged:
    """Make the repository of a form and verify its change."""
    plan = {"code": {"order": capabilities, "required": capabilities, "optional": []}}
    policy = {"config/adapter-plan.json": json.dumps(plan), "config/verification.profiles.json": json.dumps(PROFILES)}
    with tempfile.TemporaryDirectory(prefix="lies-") as folder:
        base, head = case.files("base"), case.files(form)
        repository = Repository.make(Path(folder))
        lie_corpus.write(base | {path: text.encode() for path, text in policy.items()}, repository.root, case.runner)
        repository.commit(message="Begin")
        repository.commit(
            {path: head.get(path) for path in base.keys() | head if base.get(path) != head.get(path)}, case.message
        )
        argv = (gate, "-C", repository.root, "verify", "--ref", "HEAD", "--base", "HEAD^", "--json", "--quiet")
        env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(argv, capture_output=True, check=False, env=env, timeout=900)
    return Judged(case, form, done.returncode == 0, find_reasons(done))


def find_reasons(done: subprocess.CompletedProcess[bytes]) -> tuple[str, ...]:
    """Return the reasons of a verdict, each with its check; without a verdict the exit code and the last line."""
    try:
        verdict: dict[str, Any] = json.loads(done.stdout)
        return tuple(f"{reason['code']}({reason['check']})" for reason in verdict["reasons"])
    except (ValueError, KeyError):
        last = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        return (f"exit code {done.returncode}: {last[-1]}",)


def record(judged: Judged) -> Mapping[str, Any]:
    """Return a result for --json."""
    case = judged.case
    return {"name": case.name, "form": judged.form, "language": case.language, "runner": case.runner} | {
        "kind": case.kind,
        "passed": judged.passed,
        "because": judged.because,
        "followed": judged.is_followed,
    }


def print_one(judged: Judged) -> None:
    """Print a line for a form of a case; ! marks what should be otherwise."""
    mark = "!" if judged.passed == (judged.form == "lie") else " "
    followed = "~" if judged.is_followed else " "
    print(
        f"{mark}{followed} {judged.form:6} {judged.case.name:52} {'P' if judged.passed else ' '.join(judged.because)}",
        flush=True,
    )


def print_table(title: str, found: Iterable[Judged], key: Any) -> None:
    """Print how many lies pass and how many honest twins are stopped in each group."""
    found = list(found)
    groups = sorted({key(judged.case) for judged in found})
    print(f"\n| {title} | cases | lies that pass | of these ~ | honest twins that are stopped | of these ~ |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for group in [*groups, "all"]:
        here = [judged for judged in found if group in {"all", key(judged.case)}]
        lies = [judged for judged in here if judged.form == "lie" and judged.passed]
        honest = [judged for judged in here if judged.form == "honest" and not judged.passed]
        marked = [sum(judged.is_followed for judged in part) for part in (lies, honest)]
        count = len({judged.case.name for judged in here})
        print(f"| {group} | {count} | {len(lies)} | {marked[0]} | {len(honest)} | {marked[1]} |")


if __name__ == "__main__":
    main()
