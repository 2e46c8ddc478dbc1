"""The step of the action that verifies: its exit code is the verdict's, even if a report fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp

from msgspec import Struct

from verigate.errors import GateError, UsageError
from verigate.integrations.ci.base import find_base, find_proposed
from verigate.integrations.ci.change import Change, read_change
from verigate.integrations.ci.github_event import Event, read_event
from verigate.integrations.ci.history import History
from verigate.integrations.ci.policy import find_policy
from verigate.integrations.ci.pull_request import read_pull_request

MARK = "<!-- verigate -->"
"""The first line of the Markdown report, which identifies its comment."""

GATE = (sys.executable, "-I", "-m", "verigate")

_STATUS_OF_CODE = {1: "fail", 3: "error", 4: "inconclusive"}

Run = Callable[[Sequence[str], Path, Mapping[str, str]], int]
"""Run a program in a folder, with further variables and our own stdout and stderr.

Returns its exit code, 3 for a signal.
"""


class Reports(Struct, frozen=True):
    """The reports of one run, in their own folder outside the working tree."""

    folder: Path

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the gate that write them."""
        formats = {"json": "json", "markdown": "md", "sarif": "sarif", "junit": "xml", "github": "txt", "html": "html"}
        return tuple(word for name, end in formats.items() for word in ("--format", f"{name}={self.file(end)}"))

    def file(self, end: str) -> Path:
        """Return ``gate.json``, ``.md``, ``.sarif``, ``.xml``, ``.txt`` (annotations) or ``.html``."""
        return self.folder / f"gate.{end}"


def verify(environ: Mapping[str, str], run: Run, say: Callable[[str], None]) -> int:
    """Verify HEAD with the inputs of the action; return the gate's exit code.

    Writes the reports below RUNNER_TEMP, the job summary and the outputs ``status``, ``exit-code``, ``reports``,
    ``comment`` and ``sarif``; prints the annotations. ``comment`` and ``sarif`` are true if their steps have something
    to do. Without a verdict the reports say so.
    """
    reports = Reports(Path(mkdtemp(prefix="verigate-", dir=environ["RUNNER_TEMP"])))
    event, problem = None, "see the log of this step"
    try:
        event = read_event(environ)
        code = _run_gate(environ, reports, run, say)
    except GateError as error:
        code, problem = error.exit_code, str(error.faults[0])
        say(f"gate: {problem}")
    if not reports.file("md").is_file():
        reports.file("md").write_text(_render_no_verdict(code, problem), "utf-8")
    if not reports.file("txt").is_file():
        reports.file("txt").write_text(f"::error title=gate%3A no verdict::{_escape_line(problem)}\n", "utf-8")
    say(reports.file("txt").read_text("utf-8").rstrip("\n"))
    with Path(environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
        summary.write(reports.file("md").read_text("utf-8"))
    comments, uploads = (environ.get(f"INPUT_{name}") == "true" for name in ("COMMENT", "SARIF"))
    if event is None or event.read_only is not None:
        if event is not None and (comments or uploads):
            say(f"::notice title=gate::{_explain_withheld(event)}")
        comments = uploads = False
    outputs = {
        "status": _read_status(reports, code),
        "exit-code": str(code),
        "reports": str(reports.folder),
        "comment": str(comments and event is not None and event.number is not None).lower(),
        "sarif": str(uploads and reports.file("sarif").is_file()).lower(),
    }
    with Path(environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.write("".join(f"{name}={value}\n" for name, value in outputs.items()))
    return code


def _run_gate(environ: Mapping[str, str], reports: Reports, run: Run, say: Callable[[str], None]) -> int:
    """Run the gate, which writes the reports; return its exit code. Raises GateError if it can't be started."""
    for name in ("COMMENT", "SARIF", "EACH_COMMIT"):
        if (text := environ.get(f"INPUT_{name}", "")) not in {"true", "false"}:
            raise UsageError(
                f"{text!a} is neither true nor false", where=name.lower().replace("_", "-"), hint="write true or false"
            )
    root = Path(environ["GITHUB_WORKSPACE"], environ.get("INPUT_WORKING_DIRECTORY") or ".")
    change, history = read_change(environ), History(root, environ)
    base = environ.get("INPUT_BASE") or find_base(change, history)
    task = environ.get("INPUT_TASK") or environ.get("GATE_TASK_ID") or _find_named_task(change, history)
    profile = environ.get("INPUT_PROFILE")
    policy = environ.get("INPUT_POLICY_REF") or find_policy(change, history, environ.get("INPUT_FETCHED"))
    say(f"gate: HEAD is compared with {base!a}, by the policy of {policy!a}")
    # The name in a commit can't become an option, and an input stays one argument.
    # Not among the reports, which jobs upload.
    request = Path(mkdtemp(prefix="verigate-request-", dir=environ["RUNNER_TEMP"]), "request.md")
    request.write_text(read_pull_request(environ), "utf-8")
    own: tuple[str, ...] = ("--stage=ci", f"--pull-request={request}")
    if reviews := environ.get("INPUT_REVIEWS_FILE"):
        own = (*own, f"--reviews={reviews}")
    options = (
        "--ref=HEAD",
        f"--base={base}",
        f"--policy-ref={policy}",
        *own,
        *((f"--profile={profile}",) if profile else ()),
    )
    given = {"GATE_TASK_ID": task} if task else {}
    code = run((*GATE, "verify", *options, *reports.options), root, given)
    if environ["INPUT_EACH_COMMIT"] == "false":
        return code
    say(f"gate: each commit of {base!a}..HEAD by itself")
    span = (
        f"--range={base}..HEAD",
        f"--policy-ref={policy}",
        "--stage=ci",
        *((f"--profile={profile}",) if profile else ()),
    )
    # Without the task: what it claims, its commits have together.
    return code or run((*GATE, "verify", *span), root, {})


def make_runner(environ: Mapping[str, str]) -> Run:
    """Return a function that runs real programs in this environment."""

    def run(argv: Sequence[str], folder: Path, more: Mapping[str, str]) -> int:
        try:
            done = subprocess.run(argv, cwd=folder, env={**environ, **more}, check=False)
        except OSError as problem:
            raise UsageError(f"can't start the gate: {problem!a}", where="working-directory") from None
        return done.returncode if done.returncode >= 0 else 3

    return run


def _find_named_task(change: Change, history: History) -> str | None:
    """Return the task that the last commit of a pull request names: HEAD is the merge, which names none."""
    tip = find_proposed(change, history)
    tasks = history.tasks(tip) if tip is not None else ()
    if len(tasks) > 1:
        named = ", ".join(f"{task!a}" for task in tasks)
        raise UsageError(f"the commit {tip} names several tasks: {named}", where="Gate-Task", hint="name one: task")
    return tasks[0] if tasks else None


def _read_status(reports: Reports, code: int) -> str:
    """Read the verdict's status; ``none`` without a verdict."""
    if not reports.file("json").is_file():
        return "none"
    found = json.loads(reports.file("json").read_bytes()).get("status")
    if found == "pass" and code in _STATUS_OF_CODE:
        # A commit by itself didn't pass.
        return _STATUS_OF_CODE[code]
    return found if found in {"pass", "fail", "error", "inconclusive"} and (found == "pass") == (code == 0) else "none"


def _explain_withheld(event: Event) -> str:
    return (
        f"{event.read_only}, so that the token of this job can only read: no comment and no SARIF upload. "
        "The verdict is the same, and the job summary has the report."
    )


def _render_no_verdict(code: int, why: str) -> str:
    shown = why.replace("`", "'").replace("\n", " ")
    return (
        f"{MARK}\n### Gate: no verdict, exit code {code}\n\nNothing was decided, and that is not a pass.\n\n`{shown}`\n"
    )


def _escape_line(text: str) -> str:
    """Escape ``text`` for a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
