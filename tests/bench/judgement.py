"""How far engines agree with hand-made truth on 100 open statements about real small changes.

    .venv/bin/python tests/bench/judgement.py --set FOLDER [--engine NAME]... [--model MODEL] [--limit N] [--scripted]
        [--json FILE]

tests/corpus/judgement names 19 commits of cachetools, click, cookie, defu and chalk, which are read from clones below
``--set``, and has in ``statements.tsv`` 100 statements about them, none of which a fact decides, with their truth, made
by hand: ``supported``, ``refuted``, or ``open`` where the patch doesn't say. Each change is one inquiry, as `gate
verify` would make it, and what counts is the gate's check after the citations were looked up.

Without --engine every engine that its environment test finds usable and with credentials is asked; the others are
listed with the reason. --scripted asks gemini-api against a local server that knows the truth, errs at every tenth
statement and abstains at every ninth: it shows that the harness counts right, and says nothing about a model.

Printed for each engine: agreement (right answers of those given), abstention (statements without one), false passes
(supported, and not true), answers to what is open, voided answers (a citation that isn't there), tokens and cost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import literal_facts as lf  # noqa: E402 - of the tests
from gemini_server import Asked, GeminiServer, Text, gemini_server  # noqa: E402 - the path comes first
from msgspec.structs import replace  # noqa: E402 - the path comes first

from verigate.domain.engine import CheckLevel, EnvironmentTest  # noqa: E402 - the path comes first
from verigate.domain.facts import Facts  # noqa: E402 - the path comes first
from verigate.domain.verification import Verification  # noqa: E402 - the path comes first
from verigate.gate.decision import decide_verdict  # noqa: E402 - the path comes first
from verigate.gate.verifier_answers import select_open_questions  # noqa: E402 - the path comes first
from verigate.usecases.engines import (  # noqa: E402 - the path comes first
    drop_repository_paths,
    engine_services,
    list_engine_types,
    run_environment_test,
)
from verigate.verifier.engines import open_engine  # noqa: E402 - the path comes first
from verigate.verifier.inquiry import Inquiry, ask  # noqa: E402 - the path comes first
from verigate.verifier.policy import VerifierPolicy  # noqa: E402 - the path comes first
from verigate.verifier.record import read_record  # noqa: E402 - the path comes first

CORPUS = ROOT / "tests" / "corpus" / "judgement"
PATCH = "diffs.patch"
PATCHES: dict[str, str] = {}
"""Change -> its patch."""

WORDS = {"holds": "supported", "refuted": "refuted", "unknown": "abstain"}


@dataclass(frozen=True)
class Statement:
    """A statement about a change, and what a careful reader of its patch says."""

    change: str
    truth: str
    text: str


@dataclass(frozen=True)
class Judged:
    """A statement, what the gate made of the engine's answer, and whether an answer was void."""

    statement: Statement
    word: str
    voided: bool


@dataclass
class Tally:
    """What an engine did with all statements."""

    engine: str
    asked: int = 0
    answered: int = 0
    right: int = 0
    false_passes: int = 0
    answered_open: int = 0
    voided: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0
    problems: tuple[str, ...] = ()

    def add(self, judged: Iterable[Judged], verification: Verification) -> None:
        """Add what came of one change."""
        for item in judged:
            given = item.word != "abstain"
            self.asked += 1
            self.answered += given
            self.right += given and item.word == item.statement.truth
            self.false_passes += item.word == "supported" and item.statement.truth != "supported"
            self.answered_open += given and item.statement.truth == "open"
            self.voided += item.voided
        self.tokens += verification.usage.total
        cost = verification.cost_usd
        self.cost_usd = None if self.cost_usd is None or cost is None else self.cost_usd + cost
        if verification.problem is not None:
            self.problems = (*self.problems, verification.problem.code)

    def row(self) -> str:
        """Format one line of the table."""
        cost = "unknown" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        problems = f"; {', '.join(sorted(set(self.problems)))}" if self.problems else ""
        return (
            f"{self.engine:<16} agreement {self.right}/{self.answered}  abstention {self.asked - self.answered}/"
            f"{self.asked}  false passes {self.false_passes}  answered what is open {self.answered_open}  "
            f"voided {self.voided}  {self.tokens} tokens, {cost}{problems}"
        )


def read_statements() -> tuple[Statement, ...]:
    """Read the corpus."""
    lines = (CORPUS / "statements.tsv").read_text("utf-8").splitlines()
    return tuple(Statement(*line.split("\t")) for line in lines)


def read_changes() -> list[dict[str, Any]]:
    """Read the changes of the corpus: the name of the repository, the commit and its paths."""
    return [json.loads(line) for line in (CORPUS / "changes.jsonl").read_text("utf-8").splitlines()]


def find_missing_clones(clones: Path) -> list[str]:
    """Find the repositories of the corpus that have no clone below a folder."""
    names = {change["name"] for change in read_changes()}
    return sorted(name for name in names if not (clones / name).is_dir())


def read_patches(clones: Path) -> None:
    """Read the patch of each change from the clone of its repository below ``clones``."""
    for change in read_changes():
        argv = ("git", "-C", clones / change["name"], "show", "--format=", change["commit"], "--", *change["paths"])
        PATCHES[change["change"]] = subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def facts_of(change: str, statements: Sequence[Statement], engine: str) -> tuple[Facts, dict[str, bytes]]:
    """Return the facts about a change whose tests pass, with these statements claimed, and its text artifacts."""
    patch = PATCHES[change]
    rules = {"tests_pass": True, "verifier": {"engine": engine}}
    claim = lf.claim_document(statements=[item.text for item in statements])
    facts = lf.facts(rules, {"tests.json": lf.GOOD["tests.json"], PATCH: patch}, claim=claim)
    return facts, {PATCH: patch.encode()}


def judge_change(
    change: str, statements: Sequence[Statement], policy: VerifierPolicy, environ: Mapping[str, str]
) -> tuple[list[Judged], Verification]:
    """Ask about one change, and let the gate decide by the answers."""
    facts, contents = facts_of(change, statements, policy.engine)
    questions = select_open_questions(facts, decide_verdict(facts))
    texts = {path: content.decode() for path, content in contents.items()}
    inquiry = Inquiry(facts.task, questions, facts.evidence, texts, policy)
    with tempfile.TemporaryDirectory(prefix="verigate-judgement-") as folder:
        services = engine_services(drop_repository_paths(environ, ROOT), ROOT, folder, lambda: "")
        files = asyncio.run(ask(inquiry, open_engine(policy.engine, services), time.monotonic))
    verification = read_record(files.__getitem__, texts.get)
    checks = {check.id: check for check in decide_verdict(replace(facts, verification=verification)).checks}
    given = {verification.statements[item.question] for item in verification.answers if item.word != "abstain"}
    judged = []
    for number, statement in enumerate(statements, start=1):
        word = WORDS.get(str(checks[f"unit:statement:{number}"].outcome), "abstain")
        judged.append(Judged(statement, word, f"statement:{number}" in given and word == "abstain"))
    return judged, verification


def judge_all(engine: str, model: str | None, statements: Sequence[Statement], environ: Mapping[str, str]) -> Tally:
    """Ask an engine about every change."""
    tally = Tally(engine)
    policy = VerifierPolicy(engine, model, timeout_s=600, max_tokens=1_000_000)
    for change in dict.fromkeys(item.change for item in statements):
        of_it = [item for item in statements if item.change == change]
        tally.add(*judge_change(change, of_it, policy, environ))
    return tally


def find_reachable(wanted: Sequence[str], environ: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Yield the engines with None, or the reason why one isn't asked."""
    for name in wanted or [found.replace("_", "-") for found in list_engine_types(environ, ROOT)]:
        yield name, _explain(run_environment_test(name, ROOT, environ, lambda: ""))


def _explain(tested: EnvironmentTest) -> str | None:
    bad = [check for check in tested.checks if check.level is CheckLevel.ERROR]
    bad += [
        check for check in tested.checks if check.level is CheckLevel.WARN and check.code in {"credentials", "login"}
    ]
    return bad[0].message if bad else None


def scripted_word(number: int, truth: str) -> str:
    """Return what the scripted model says of the statement with this number."""
    if number % 10 == 0:
        return "refuted" if truth == "supported" else "supported"
    return "abstain" if number % 9 == 0 or truth == "open" else truth


def script(statements: Sequence[Statement]) -> Callable[[GeminiServer], None]:
    """Return what makes a local server answer by the truth, but for every tenth and every ninth statement."""
    numbers = {item.text: number for number, item in enumerate(statements, start=1)}

    def word_of(text: str) -> str:
        return scripted_word(numbers[text], statements[numbers[text] - 1].truth)

    def answer(asked: Asked) -> Text:
        lines = asked.prompt.splitlines()
        mark = lines[0].removeprefix("The mark of the fences is ").removesuffix(".")
        file = next(line.removeprefix("| file: ") for line in lines if line.startswith("| file: "))
        added = [line[2:] for line in lines if line[2:8].strip().isdigit() and line[8:11] == " + " and len(line) > 20]
        first = int(added[0][:6])
        cited = {"artifact": PATCH, "file": file, "first_line": first, "last_line": first, "quoted": added[0][9:]}
        said = []
        for at, line in enumerate(lines):
            if line.startswith("question "):
                word = word_of(lines[at + 2].removeprefix("| "))
                citations = [cited] if word != "abstain" else []
                said.append(
                    {"question": line.split()[1].rstrip(":"), "answer": word, "citations": citations, "why": "x"}
                )
        return Text(json.dumps({"mark": mark, "answers": said}))

    def install(server: GeminiServer) -> None:
        server.answer = answer

    return install


@contextmanager
def scripted(statements: Sequence[Statement]) -> Iterator[Mapping[str, str]]:
    """The environment with a local server that answers by the script."""
    with gemini_server() as server:
        script(statements)(server)
        yield {"PATH": os.environ["PATH"], **server.environment()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", type=Path, required=True, help="the folder with the clones")
    parser.add_argument("--engine", action="append", default=[])
    parser.add_argument("--model")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--scripted", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    if missing := find_missing_clones(options.set):
        parser.error(f"no clone in {options.set} of {', '.join(missing)}; each is named as in the corpus")
    read_patches(options.set)
    statements = read_statements()[: options.limit]
    tallies = []
    if options.scripted:
        with scripted(statements) as environ:
            tallies.append(judge_all("gemini-api", None, statements, environ))
    else:
        for name, why in find_reachable(options.engine, os.environ):
            if why is None:
                tallies.append(judge_all(name, options.model, statements, os.environ))
            else:
                print(f"{name:<16} not asked: {why}")
    for tally in tallies:
        print(tally.row())
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(tally) for tally in tallies], indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
