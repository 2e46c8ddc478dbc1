"""What commit messages of others say, held against what the commits do.

    .venv/bin/python tests/bench/messages.py --set FOLDER --records FILE [--count N] [--results FILE] [REPO...]

REPO is the name of a clone below ``--set``; without REPO all of ``--records`` are read. Of each the newest ``--count``
commits that are no merges count; with ``--agents`` of those with the mark of a coding agent. The subject of each is
read as a statement, with ``--bodies`` each statement of its body too, and judged by the facts of the diff alone:
code:diff, code:functions and code:changes.

Of each supported subject false siblings are made by rule: other versions, swapped versions, another name, the opposite
action, another kind. None of them may be supported, and they should be refuted.

Each repository is read in a view of its own, whose changes vanish. Needs rights for that (root, or user namespaces).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from history import MOUNT, list_commits, run_git
from history_tables import read_lines

from code_adapter.changes.capability import run as run_changes  # history puts the adapter on the path
from code_adapter.diff import run as run_diff
from code_adapter.functions.capability import run as run_functions
from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.commit_text import CommitText
from verigate.domain.facts import Facts
from verigate.domain.plan import Plan, PlanEntry
from verigate.domain.profile import Profile
from verigate.domain.standard_artifacts import STANDARD
from verigate.domain.task import IMPLICIT_TASK_ID, Commitment, Statement, StatementSource, Task
from verigate.gate.statements import judge_statements
from verigate.sdk.request import Request
from verigate.statements.agent_marks import find_agent_mark
from verigate.statements.claims import read_statements
from verigate.statements.commits.message import split_message

_CAPABILITIES = (("code:diff", run_diff), ("code:functions", run_functions), ("code:changes", run_changes))
_LOOKED_AT = 3000
_SUBJECT, _BODY = StatementSource.COMMIT, StatementSource.COMMIT_BODY
_NAMES = ("`frobnicate_all`", "`WidgetFactory`", "zorkmid", "quux-lib")
_OPPOSITES = (
    (r"^(\W*)add(?:s|ed)?\b", r"\1remove"),
    (r"^(\W*)introduce\b", r"\1remove"),
    (r"^(\W*)(?:remove|delete|drop)(?:s|d|ped)?\b(?! (?:support|python|node))", r"\1add"),
    (r"^(\W*)drop (?:support for )?(python|node)", r"\1add support for \2"),
)
COLUMNS = ("subjects", "decided", "supported", "refuted", "open", "error")
_KINDS = {"docs": "test", "test": "docs", "tests": "docs", "ci": "docs", "style": "docs"}


def main() -> None:
    """Judge what has no result, and print the tables."""
    options = parse_arguments()
    if options.inside is not None:
        judge_inside(json.loads(options.inside))
        return
    records = [
        each for each in read_lines(options.records) if not options.repositories or each["name"] in options.repositories
    ]
    rows = read_lines(options.results) if options.results and options.results.exists() else []
    done = {row["name"] for row in rows}
    left = [record for record in records if record["name"] not in done]
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(partial(judge_repository, options=options), left):
            rows += found
            if options.results:
                with options.results.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(row) + "\n" for row in found)
    print_tables(records, rows)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="REPO")
    parser.add_argument("--set", type=Path, default=Path())
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--bodies", action="store_true", help="judge the statements of bodies too")
    parser.add_argument("--agents", action="store_true", help="take commits with the mark of a coding agent alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def judge_repository(record: Mapping[str, Any], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Judge the newest commits of one repository, in a view of it."""
    folder = (options.set / record["name"]).resolve()
    chosen = list_agents_commits if options.agents else list_commits
    commits = chosen(folder, record["commit"], options.count)
    with tempfile.TemporaryDirectory(prefix="messages-", dir="/var/tmp") as scratch:
        for each in ("upper", "work"):
            Path(scratch, each).mkdir()
        plan = Path(scratch, "plan.json")
        plan.write_text(json.dumps({"commits": commits, "bodies": options.bodies}), "utf-8")
        namespace = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")
        argv = (*namespace, "sh", "-c", MOUNT, "view", folder, scratch, sys.executable, __file__)
        argv = (*argv, "--records", os.devnull, "--inside", json.dumps(str(plan)))
        done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(f"{record['name']}: ended with {done.returncode}", file=sys.stderr)
    return [{"name": record["name"], **json.loads(line)} for line in done.stdout.splitlines()]


def list_agents_commits(folder: Path, head: str, count: int) -> list[str]:
    """List the newest commits that have the mark of a coding agent, with a parent and no merges."""
    form = "--format=%H%x01%an <%ae>%x01%cn <%ce>%x01%B%x02"
    read = run_git("log", "--no-merges", "--min-parents=1", f"--max-count={_LOOKED_AT}", form, head, cwd=folder)
    found = (each.strip("\n").split("\1", 3) for each in read.decode("utf-8", "replace").split("\2") if "\1" in each)
    marked = (
        commit
        for commit, author, committer, message in found
        if find_agent_mark(CommitText(commit, author, committer, message)) is not None
    )
    return list(islice(marked, count))


def judge_inside(file: str) -> None:
    """Judge the commits of a plan; the present folder is the repository."""
    plan = json.loads(Path(file).read_bytes())
    for commit in plan["commits"]:
        message = run_git("show", "--no-patch", "--format=%B", commit).decode("utf-8", "replace").strip()
        texts = split_message(message) if plan["bodies"] else (message.partition("\n")[0],)
        start = time.perf_counter()
        try:
            answers = judge_texts(commit, texts)
        except Exception as error:  # noqa: BLE001 - one commit in the way must not end the others
            print(json.dumps({"commit": commit, "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
            continue
        seconds = round(time.perf_counter() - start, 3)
        print(json.dumps({"commit": commit, "seconds": seconds, "statements": answers}), flush=True)


def judge_texts(commit: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Judge texts and their false siblings by the facts of one commit."""
    siblings = {text: list(make_siblings(text)) for text in texts}
    every = [*texts, *(each for text in texts for each in siblings[text])]
    facts = collect(commit, every)
    subjects = {text for text in texts[:1] for text in (text, *siblings[text])}
    statements = read_statements(
        [
            Statement(str(index), text, source=_SUBJECT if text in subjects else _BODY)
            for index, text in enumerate(every)
        ]
    )
    outcomes = [describe(each) for each in judge_statements(facts, statements)]
    found = dict(zip(every, outcomes, strict=True))
    return [
        {"text": text, **found[text], "false": [{"text": each, **found[each]} for each in siblings[text]]}
        for text in texts
    ]


def describe(outcome: Any) -> dict[str, str]:
    """Describe an outcome in a word, with its reason."""
    word = {"holds": "supported", "refuted": "refuted"}.get(outcome.answer.outcome.value, "open")
    return {"outcome": word, "expected": outcome.expected, "why": outcome.answer.message}


def collect(commit: str, texts: Iterable[str]) -> Facts:
    """Collect the facts of a commit's diff."""
    run_git("read-tree", commit)
    base = run_git("rev-parse", f"{commit}^").decode().strip()
    claim = {"claim": {"type": "code", "statements": [{"text": text, "source": "commit"} for text in texts if text]}}
    specs = {each.path: each.media_spec for each in STANDARD}
    with tempfile.TemporaryDirectory() as folder:
        for name, run in _CAPABILITIES:
            request = Request(
                name, Path(folder), claim=claim, repo_root=Path.cwd(), base=base, gated=True, environ=os.environ
            )
            run(request)
        artifacts = {
            path: Artifact(path, "", 0, "", "", spec, is_json=True, value=json.loads(Path(folder, path).read_bytes()))
            for path, spec in specs.items()
            if path.endswith(".json") and Path(folder, path).exists()
        }
    return make_facts(Evidence(artifacts))


def make_facts(evidence: Evidence) -> Facts:
    """Make facts of evidence alone."""
    from verigate.domain.subject import Subject, SubjectKind

    commitment = Commitment(IMPLICIT_TASK_ID, "code")
    subject = Subject(SubjectKind.COMMIT, str(Path.cwd()), None, "")
    return Facts(
        task=Task(IMPLICIT_TASK_ID, commitment, implicit=True),
        subject=subject,
        profile=Profile("code", {}),
        plan=Plan("code", PlanEntry((), frozenset(), frozenset()), ()),
        runs=(),
        evidence=evidence,
    )


def make_siblings(text: str) -> Iterator[str]:
    """Make false siblings of a statement by rule; what has none of what a rule changes has none."""
    made: dict[str, None] = {}
    if found := re.search(r"from (\S+) to (\S+)", text):
        made[f"{text[: found.start()]}from {found[2]} to {found[1]}{text[found.end() :]}"] = None
    if found := re.search(r"\b(\d+)\.(\d+)(?:\.(\d+))?(?!.*\d\.\d)", text):
        made[f"{text[: found.start()]}{found[1]}.{int(found[2]) + 7}.9{text[found.end() :]}"] = None
    if found := re.search(r"`[\w.:()-]+`", text):
        made[f"{text[: found.start()]}{_NAMES[len(text) % 2]}{text[found.end() :]}"] = None
    elif found := re.search(r"(?<=[Bb]ump )[@\w./:-]+(?= from| to)", text):
        made[f"{text[: found.start()]}{_NAMES[3]}{text[found.end() :]}"] = None
    for pattern, opposite in _OPPOSITES:
        changed = re.sub(pattern, opposite, text, count=1, flags=re.IGNORECASE)
        if changed != text:
            made[changed] = None
            break
    if (found := re.match(r"(\w+)(\([\w-]+\))?:", text)) and found[1].lower() in _KINDS:
        made[f"{_KINDS[found[1].lower()]}:{text[found.end() :]}"] = None
    yield from (each for each in made if each != text)


def print_tables(records: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print shares by language, of subjects and of false siblings of the supported ones."""
    languages = {record["name"]: record["language"] for record in records}
    counts: dict[str, Counter[str]] = {}
    false: Counter[str] = Counter()
    for row in rows:
        count = counts.setdefault(languages.get(row["name"], ""), Counter())
        if "error" in row:
            count["error"] += 1
            continue
        count[row["statements"][0]["outcome"]] += 1
        for each in row["statements"]:
            if each["outcome"] == "supported":
                false.update(sibling["outcome"] for sibling in each["false"])
    print(f"| {' | '.join(('language', *COLUMNS))} |\n| --- |{' ---: |' * len(COLUMNS)}")
    for language, count in [*sorted(counts.items()), ("**all**", sum(counts.values(), Counter()))]:
        total = sum(count.values())
        decided = (count["supported"] + count["refuted"]) / total if total else 0
        shown = " | ".join(str(count[key]) for key in ("supported", "refuted", "open", "error"))
        print(f"| {language} | {total} | {decided:.1%} | {shown} |")
    said = Counter(each["outcome"] for row in rows for each in row.get("statements", ())[1:])
    if said:
        decided = (said["supported"] + said["refuted"]) / said.total()
        shown = ", ".join(f"{said[key]} {key}" for key in ("supported", "refuted", "open"))
        print(f"\n{said.total()} statements of bodies: {decided:.1%} decided, {shown}")
    every = sum(false.values())
    print(
        f"\n{every} false siblings of supported ones: "
        + ", ".join(f"{value} {key}" for key, value in sorted(false.items()))
    )


if __name__ == "__main__":
    main()
