"""Run all adversarial twins, and print by class and by language how many lies are caught and honest changes pass.

    .venv/bin/python tests/bench/twins.py [--class NAME]... [--language NAME]... [--corpora] [--jobs N] [--json FILE]
        [--list] [NAME...]

A twin is a lying change and its honest sibling: two real git repositories, each verified by ``gate``. The table has the
pairs of ``tests/adversarial/cases``; with ``--corpora`` also those of ``tests/corpus/lies`` and
``tests/corpus/preemptive``, which run the tests of six languages and take hours. ``--list`` names what there is.

A lie that passes, or a honest twin that is stopped, is printed and makes the exit code 1, unless it is an accepted
limit of ``cases/limits.py`` or a lie of the corpora that looks like a change of behaviour in every cell. ``--json``
writes one object for each form that was run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ADVERSARIAL = ROOT / "tests" / "adversarial"
for _folder in (ADVERSARIAL, ROOT / "tests" / "support", ROOT / "tests" / "bench"):
    sys.path.insert(0, str(_folder))

FORMS = ("lie", "honest")
NAMES = {
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "python": "Python",
    "rust": "Rust",
    "typescript": "TypeScript",
}
"""Languages of the corpora, as the table names them."""


@dataclass(frozen=True)
class Twin:
    """A pair. ``run`` verifies one form and returns what is wrong with how it ended, None if nothing is.

    ``limit`` says why the lie may pass.
    """

    name: str
    kind: str
    language: str
    run: Callable[[bool], str | None]
    limit: str | None = None


@dataclass(frozen=True)
class Result:
    """How one form of a twin ended: ``missed`` is None where it is as it must be."""

    twin: Twin
    form: str
    missed: str | None
    seconds: float

    @property
    def limit(self) -> str | None:
        """Why this form may be missed."""
        return self.twin.limit if self.form == "lie" else None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the chosen twins; return the exit code."""
    options = parse_arguments(argv)
    twins = [twin for twin in list_twins(corpora=options.corpora) if is_chosen(twin, options)]
    if options.list:
        for twin in twins:
            print(f"{twin.language:16} {twin.kind:45} {twin.name}")
        return 0
    if not twins:
        print("no twin is chosen; --list names them", file=sys.stderr)
        return 2
    found: list[Result] = []
    work = [(twin, form) for twin in twins for form in FORMS]
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(run_form, work):
            found.append(result)
            print_miss(result)
    print_table("class", found, lambda twin: twin.kind)
    print_table("language", found, lambda twin: twin.language)
    print(summarize(found))
    if options.json is not None:
        options.json.write_text(json.dumps([record(result) for result in found], indent=1) + "\n", "utf-8")
    return int(any(result.missed is not None and result.limit is None for result in found))


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--class", dest="kinds", action="append", default=[], metavar="NAME")
    parser.add_argument("--language", action="append", default=[], metavar="NAME")
    parser.add_argument("--corpora", action="store_true", help="also the corpora whose tests are run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args(argv)


def is_chosen(twin: Twin, options: argparse.Namespace) -> bool:
    """Whether the command line asks for a twin; without a choice, for each."""
    return (
        (not options.names or twin.name in options.names)
        and (not options.kinds or twin.kind in options.kinds)
        and (not options.language or twin.language in options.language)
    )


def list_twins(*, corpora: bool) -> Iterator[Twin]:
    """List the pairs of the cases, and those of the corpora."""
    from cases.pair import PAIRS

    for module in sorted((ADVERSARIAL / "cases").glob("[a-z]*.py")):
        import_module(f"cases.{module.stem}")
    for pair in PAIRS:
        yield Twin(pair.name, pair.kind, pair.language, _runner(pair), pair.limit)
    if corpora:
        yield from _list_lies()
        yield from _list_preemptive()


def _runner(pair: Any) -> Callable[[bool], str | None]:
    from repositories import Repository

    def run(lie: bool) -> str | None:
        with tempfile.TemporaryDirectory(prefix="twins-") as folder:
            missed: str | None = pair.find_miss(pair.build(Repository.make(Path(folder)), lie), lie)
            return missed

    return run


def _list_lies() -> Iterator[Twin]:
    from cases.limits import CORPUS, FOLLOWED
    from lie_runs import lie_corpus

    for case in lie_corpus.read_cases():
        cells = lie_corpus.read_proved().get(case.name, {}).get("lie", {})
        follows = [cells.get(cell) for cell in ("BB", "HB", "BH")] == ["P", "F", "F"]
        limit = FOLLOWED if follows else CORPUS.get(case.name)
        kind = f"the code is wrong: {case.kind.replace('-', ' ')}"
        yield Twin(case.name, kind, NAMES[case.language], _runner_of_case(case, case.message), limit)


def _list_preemptive() -> Iterator[Twin]:
    from cases.limits import CORPUS
    from lie_runs import preemptive_corpus

    for case in preemptive_corpus.read_cases():
        kind = f"blinded before the code breaks: {case.kind.replace('-', ' ')}"
        yield Twin(case.name, kind, NAMES[case.language], _runner_of_case(case, "Tidy tests"), CORPUS.get(case.name))


def _runner_of_case(case: Any, message: str) -> Callable[[bool], str | None]:
    from lie_runs import verify

    def run(lie: bool) -> str | None:
        ended = verify(case, "lie" if lie else "honest", message, gate=str(ROOT / "bin" / "gate"))
        return None if (ended.exit_code != 0) == lie else f"exit code {ended.exit_code}: {ended.last_words}"

    return run


def run_form(work: tuple[Twin, str]) -> Result:
    """Verify one form of a twin. What raises is a miss: nothing was shown."""
    twin, form = work
    started = time.monotonic()
    try:
        missed = twin.run(form == "lie")
    except Exception as problem:  # noqa: BLE001 - a program that didn't start, a timeout: this form shows nothing
        missed = f"{type(problem).__name__}: {problem}"
    return Result(twin, form, missed, time.monotonic() - started)


def print_miss(result: Result) -> None:
    """Print a form that isn't as it must be."""
    if result.missed is None:
        return
    what = "the lie passes" if result.form == "lie" else "the honest twin is stopped"
    if result.limit is not None:
        print(f"limit  {result.twin.name}: {what}; {result.limit}", flush=True)
        return
    print(f"MISSED {result.twin.name} ({result.twin.language}, {result.twin.kind}): {what}", flush=True)
    print("       " + result.missed.strip().replace("\n", "\n       "), flush=True)


def print_table(title: str, found: Iterable[Result], key: Callable[[Twin], str]) -> None:
    """Print for each group: lies caught of all, limits among those that pass, honest twins that pass of all."""
    groups: dict[str, list[Result]] = {}
    for result in found:
        groups.setdefault(key(result.twin), []).append(result)
    print(f"\n| {title} | lies caught | accepted limits | honest passed |")
    print("| --- | ---: | ---: | ---: |")
    for name in sorted(groups, key=lambda name: (name == "any", name)):
        print(f"| {name} | {' | '.join(_count(groups[name]))} |")
    print(f"| all | {' | '.join(_count(found))} |")


def _count(results: Iterable[Result]) -> tuple[str, str, str]:
    every = list(results)
    lies, honest = ([each for each in every if each.form == form] for form in FORMS)
    caught, passed = (sum(each.missed is None for each in part) for part in (lies, honest))
    limits = sum(each.missed is not None and each.limit is not None for each in every)
    return f"{caught} / {len(lies)}", str(limits), f"{passed} / {len(honest)}"


def summarize(found: Sequence[Result]) -> str:
    """Return the last line."""
    caught, limits, passed = _count(found)
    languages = {result.twin.language for result in found} - {"any"}
    classes = len({result.twin.kind for result in found})
    minutes = sum(result.seconds for result in found) / 60
    return (
        f"\nlies caught: {caught}, honest passed: {passed}, accepted limits: {limits}; "
        f"{classes} classes, {len(languages)} languages, {minutes:.0f} minutes of runs"
    )


def record(result: Result) -> dict[str, Any]:
    """Return a result for --json."""
    twin = result.twin
    return {
        "name": twin.name,
        "class": twin.kind,
        "language": twin.language,
        "form": result.form,
        "good": result.missed is None,
        "missed": result.missed,
        "limit": result.limit,
        "seconds": round(result.seconds, 2),
    }


if __name__ == "__main__":
    sys.exit(main())
