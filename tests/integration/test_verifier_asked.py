"""From an open statement to a verdict: the real command line, and the real google-genai against a local server."""

from __future__ import annotations

import base64
import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from gemini_server import KEY, GeminiServer, Slow, Status, Text, answers, gemini_server

pytestmark = pytest.mark.slow  # a call of the gate each, and most load google-genai

VERIFIER = {"engine": "gemini-api", "model": "gemini-x"}
RULES = {"tests_pass": True, "lint_errors_max": 0, "verifier": VERIFIER}
PATCH = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n+answer = 42\n+# a friendlier file\n"
ARTIFACTS = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json")}
ARTIFACTS = {**ARTIFACTS, "diffs.patch": PATCH}
FRIENDLY = "The error message is friendlier"
TRUE = {"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}
LINE = {"artifact": "diffs.patch", "file": "a.py", "first_line": 1, "last_line": 1, "quoted": "answer = 42"}
SUPPORTED = answers(("q1", "supported", [TRUE, LINE]))
REFUTED = answers(("q1", "refuted", [LINE]))


@pytest.fixture
def server() -> Iterator[GeminiServer]:
    with gemini_server(SUPPORTED) as running:
        yield running


def open_task(folder: Path, rules: Any = None, *, statements: Any = (FRIENDLY,), **more: Any) -> gr.GatedRepository:
    """A task whose facts hold and whose statements no fact decides."""
    found = gr.make(folder, more.pop("artifacts", ARTIFACTS), RULES if rules is None else rules, **more)
    found.begin()
    found.put("a.py", "answer = 42\n# a friendlier file\n")
    found.claim("file:a.py", statements=list(statements))
    return found


def record(repository: gr.GatedRepository) -> Any:
    return repository.published("verifier/record.json")


def test_a_supported_statement_passes_with_its_citations_as_evidence(tmp_path: Path, server: GeminiServer) -> None:
    repository = open_task(tmp_path)
    done = repository.verify(**server.environment())
    assert done.code == 0, done.output
    verdict = repository.verdict()
    assert (verdict["status"], verdict["decided_by"]) == ("pass", "verifier")
    check = next(check for check in verdict["checks"] if check["id"] == "unit:statement:1")
    assert (check["outcome"], check["source"], check["actual"]) == ("holds", "verifier", "supported")
    index = {entry["path"]: entry for entry in repository.published("artifacts.json")["files"]}
    assert check["evidence"] == [
        {"artifact": "tests.json", "pointer": "/passed", "value": 5, "sha256": index["tests.json"]["digest"]},
        {"artifact": "diffs.patch", "pointer": "#a.py:1-1", "value": "answer = 42",
         "sha256": index["diffs.patch"]["digest"]},
    ]  # fmt: skip
    told = verdict["verifier"]
    assert (told["engine"], told["model"], told["model_version"]) == ("gemini-api", "gemini-x", "gemini-2.5-flash-001")
    assert (told["calls"], told["usage"]) == (1, {"inputTokens": 100, "outputTokens": 25})
    assert (told["cost_usd"], told["temperature"], told["problem"]) == (None, 0.0, None)
    assert told["engine_version"].startswith("google-genai ")
    assert told["seed"] == server.asked[0].config["seed"]


def test_prompt_and_answer_are_evidence_with_digests(tmp_path: Path, server: GeminiServer) -> None:
    repository = open_task(tmp_path)
    assert repository.verify(**server.environment()).code == 0
    call = record(repository)["calls"][0]
    index = {entry["path"]: entry["sha256"] for entry in repository.published("artifacts.json")["files"]}
    folder = repository.root / ".artifacts" / "T1"
    for kind in ("prompt", "answer"):
        content = (folder / call[kind]["path"]).read_bytes()
        assert index[call[kind]["path"]] == call[kind]["sha256"] == hashlib.sha256(content).hexdigest()
    sent = server.asked[0]
    assert (folder / "verifier/1.prompt.txt").read_text() == f"{sent.instruction}\n{sent.prompt}"
    assert FRIENDLY in sent.prompt
    assert "answer = 42" in sent.prompt
    for file in folder.rglob("*"):
        assert file.is_dir() or KEY not in file.read_text(errors="replace"), file


def test_a_replay_takes_the_recorded_answer_and_calls_nobody(tmp_path: Path, server: GeminiServer) -> None:
    repository = open_task(tmp_path)
    assert repository.verify(**server.environment()).code == 0
    for arguments in (("replay", "T1"), ("show", "T1"), ("explain", "T1", "unit:statement:1")):
        done = repository.gate(*arguments, **server.environment())
        assert done.code == 0, done.output
        assert repository.gate(*arguments).code == 0
    assert len(server.asked) == 1


@pytest.mark.parametrize("file", ["verifier/1.answer.json", "verifier/1.prompt.txt", "verifier/record.json"])
def test_evidence_of_the_verifier_that_was_changed_is_not_verified(
    tmp_path: Path, server: GeminiServer, file: str
) -> None:
    repository = open_task(tmp_path)
    assert repository.verify(**server.environment()).code == 0
    path = repository.root / ".artifacts" / "T1" / file
    path.write_bytes(path.read_bytes() + b" ")
    assert repository.gate("replay", "T1").code == 3


def test_a_verdict_that_claims_another_answer_is_not_verified(tmp_path: Path, server: GeminiServer) -> None:
    server.replies = [answers(("q1", "abstain", []))]
    repository = open_task(tmp_path)
    assert repository.verify(**server.environment()).code == 4
    verdict = repository.verdict()
    verdict |= {"status": "pass", "decided_by": "verifier", "reasons": []}
    repository.put(".artifacts/T1/verdict.json", verdict)
    assert repository.gate("show", "T1").code == 3


def test_a_refuted_statement_fails(tmp_path: Path, server: GeminiServer) -> None:
    server.replies = [REFUTED]
    repository = open_task(tmp_path)
    done = repository.verify(**server.environment())
    assert done.code == 1, done.output
    verdict = repository.verdict()
    assert (verdict["decided_by"], [reason["code"] for reason in verdict["reasons"]]) == ("verifier", ["CLAIM_REFUTED"])


def test_unreadable_answers_are_asked_for_once_more(tmp_path: Path, server: GeminiServer) -> None:
    server.replies = [Text("I think it is supported!"), SUPPORTED]
    repository = open_task(tmp_path)
    done = repository.verify(**server.environment())
    assert done.code == 0, done.output
    assert [call["attempt"] for call in record(repository)["calls"]] == [1, 2]
    assert server.asked[1].prompt.startswith("The answer before this could not be read.")
    assert "I think" not in server.asked[1].prompt
    assert repository.verdict()["verifier"]["calls"] == 2


def test_two_unreadable_answers_are_the_end(tmp_path: Path, server: GeminiServer) -> None:
    server.replies = [Text("supported")]
    repository = open_task(tmp_path)
    done = repository.verify(**server.environment())
    assert done.code == 4, done.output
    assert len(server.asked) == 2
    assert repository.verdict()["verifier"]["problem"]["code"] == "unreadable_answer"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Status(400, "no such schema"), "rejected_request"),
        (Status(403), "not_permitted"),
        (Text("", finish="SAFETY"), "answer_blocked"),
        (Text('{"answers": [', finish="MAX_TOKENS"), "truncated"),
        (Text(""), "empty_answer"),
    ],
)
def test_what_goes_wrong_is_named_and_leaves_the_verdict_inconclusive(
    tmp_path: Path, server: GeminiServer, reply: Any, code: str
) -> None:
    server.replies = [reply]
    repository = open_task(tmp_path)
    done = repository.verify(**server.environment())
    assert done.code == 4, done.output
    verdict = repository.verdict()
    assert (verdict["status"], verdict["decided_by"]) == ("inconclusive", "facts")
    assert verdict["verifier"]["problem"]["code"] == code
    assert code in verdict["reasons"][0]["message"]
    assert code in done.out.replace("\n", " ") + done.err
    assert repository.gate("replay", "T1").code == 4


def test_a_slow_answer_is_a_timeout(tmp_path: Path, server: GeminiServer) -> None:
    server.replies = [Slow(60, SUPPORTED)]
    repository = open_task(tmp_path, {**RULES, "verifier": {**VERIFIER, "timeout_s": 1.5}})
    done = repository.verify(**server.environment())
    assert done.code == 4, done.output
    assert repository.verdict()["verifier"]["problem"]["code"] == "timeout"


def test_without_a_key_the_message_says_what_to_set(tmp_path: Path) -> None:
    repository = open_task(tmp_path)
    done = repository.verify()
    assert done.code == 4, done.output
    problem = repository.verdict()["verifier"]["problem"]
    assert problem["code"] == "missing_key"
    assert "GEMINI_API_KEY" in problem["hint"]
    assert "GEMINI_API_KEY" in done.out + done.err


def test_an_unknown_engine_is_named_with_the_nearest(tmp_path: Path) -> None:
    repository = open_task(tmp_path, {**RULES, "verifier": {"engine": "gemini-apj"}})
    done = repository.verify()
    assert done.code == 4, done.output
    problem = repository.verdict()["verifier"]["problem"]
    assert problem["code"] == "unknown_engine"
    assert "gemini-api" in problem["hint"]


# When nobody is asked

NOT_ASKED: dict[str, tuple[dict[str, Any], tuple[str, ...], int]] = {
    "no engine": ({"rules": {"tests_pass": True}}, (), 4),
    "an engine without a name": ({"rules": {**RULES, "verifier": {"model": "gemini-x"}}}, (), 4),
    "never": ({"rules": {**RULES, "verifier": {**VERIFIER, "when": "never"}}}, (), 4),
    "--no-llm": ({}, ("--no-llm",), 4),
    "--only": ({}, ("--only", "code:lint"), 4),
    "a pass": ({"statements": ()}, (), 0),
    "a fail": ({"artifacts": {**ARTIFACTS, "tests.json": lf.BAD["tests.json"]}}, (), 1),
    "an error": ({"acts": {"code:lint": "exit 2"}}, (), 3),
    "statements only reported": ({"rules": {**RULES, "statements": "report"}}, (), 0),
}


@pytest.mark.parametrize("case", NOT_ASKED)
def test_nobody_is_asked_where_there_is_nothing_to_ask(tmp_path: Path, server: GeminiServer, case: str) -> None:
    task, arguments, code = NOT_ASKED[case]
    repository = open_task(tmp_path, **task)
    done = repository.verify("T1", *arguments, **server.environment())
    assert done.code == code, done.output
    assert server.asked == []
    if case != "--only":
        assert repository.verdict()["verifier"] is None
        assert not (repository.root / ".artifacts" / "T1" / "verifier").exists()


def test_a_commitment_can_t_bring_an_engine(tmp_path: Path, server: GeminiServer) -> None:
    profiles = {"facts": {"tests_pass": True}, "asking": {"tests_pass": True, "verifier": VERIFIER}}
    repository = open_task(tmp_path, {"tests_pass": True})
    named = {**repository_profiles(repository), **profiles}
    repository.put("config/verification.profiles.json", named)
    repository.sample.git("add", "config")
    repository.sample.git("commit", "-q", "-m", "profiles")
    repository.begin(profile="asking")
    done = repository.verify(**server.environment())
    assert done.code == 2, done.output
    repository.begin(commitments={"quality": {"verifier": VERIFIER}})
    assert repository.verify(**server.environment()).code == 2
    assert server.asked == []


def repository_profiles(repository: gr.GatedRepository) -> Any:
    return json.loads((repository.root / "config/verification.profiles.json").read_bytes())


@pytest.mark.parametrize("allowed", [False, True])
def test_a_change_can_t_bring_an_engine_along(tmp_path: Path, server: GeminiServer, *, allowed: bool) -> None:
    rules = {"tests_pass": True, "allow_policy_change": allowed}
    repository = open_task(tmp_path, rules)
    profiles = repository_profiles(repository)
    for rules_of in profiles.values():
        rules_of["verifier"] = VERIFIER
    repository.put("config/verification.profiles.json", profiles)
    done = repository.verify(**server.environment())
    assert done.code == (4 if allowed else 1), done.output
    assert server.asked == []
    if allowed:
        assert repository.verdict()["verifier"]["problem"]["code"] == "not_in_base"


# What is loaded

_LLM = ("google", "httpx2", "httpx", "anthropic", "openai", "verigate.verifier")


@pytest.mark.parametrize(
    ("statements", "environ", "loaded"), [((), {}, False), ((FRIENDLY,), {}, False), ((FRIENDLY,), {"KEY": "1"}, True)]
)
def test_a_conclusive_task_loads_no_llm_library(
    tmp_path: Path, server: GeminiServer, statements: Any, environ: Any, *, loaded: bool
) -> None:
    repository = open_task(tmp_path, statements=statements)
    told = server.environment() if environ else {}
    program = (
        "import json, os, sys\nfrom verigate.cli import app\ncode = app.run(sys.argv[1:])\n"
        f"print('LOADED', sorted(name for name in sys.modules if name.partition('.')[0] in {_LLM[:-1]!r} "
        "or name.startswith('verigate.verifier.')))\n"
    )
    argv = [sys.executable, "-I", "-c", program, "verify", "T1", "--quiet"]
    done = subprocess.run(
        argv, cwd=repository.root, env=repository.environ(**told), capture_output=True, text=True, check=True
    )
    names = done.stdout.partition("LOADED ")[2].strip()
    assert ("google.genai" in names) is loaded, names
    if not statements:
        assert names == "[]"


def test_without_the_library_everything_but_the_call_works(tmp_path: Path, server: GeminiServer) -> None:
    """google-genai is hidden from the interpreter, as if the extra weren't installed."""
    repository = open_task(tmp_path)
    program = (
        "import sys, importlib.abc, importlib.machinery\n"
        "class Hidden(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('google', 'httpx2'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
        "from verigate.cli import app\nsys.exit(app.run(sys.argv[1:]))\n"
    )
    argv = [sys.executable, "-I", "-c", program, "verify", "T1", "--quiet"]
    env = repository.environ(**server.environment())
    done = subprocess.run(argv, cwd=repository.root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    problem = repository.verdict()["verifier"]["problem"]
    assert problem["code"] == "missing_library"
    assert problem["hint"].endswith("/bin/setup --extra gemini")
    assert "--extra gemini" in done.stdout + done.stderr
    assert server.asked == []


# What is told


@pytest.mark.release
@pytest.mark.parametrize(("reply", "told"), [(SUPPORTED, "answered"), (Status(403), "the key may not use this model")])
def test_people_are_told_that_somebody_is_asked(tmp_path: Path, server: GeminiServer, reply: Any, told: str) -> None:
    server.replies = [reply]
    done = open_task(tmp_path).gate("verify", "T1", **server.environment())
    (line,) = [line for line in done.err.splitlines() if "verifier gemini-api" in line]
    assert told in line
    assert "asked gemini-api gemini-x" in done.out


def test_a_signed_verdict_vouches_for_prompt_and_answer(tmp_path: Path, server: GeminiServer) -> None:
    key = tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True, capture_output=True)
    repository = open_task(tmp_path / "task")
    assert repository.verify(**server.environment(VERIGATE_SIGNING_KEY=str(key))).code == 0
    envelope = repository.published("attestation.json")
    signed = base64.b64decode(envelope["payload"]).decode()
    for kind in ("prompt", "answer"):
        assert record(repository)["calls"][0][kind]["sha256"] in signed


def test_an_adapter_can_t_write_where_the_answers_lie(tmp_path: Path, server: GeminiServer) -> None:
    forged = 'mkdir -p "$TASK_DIR/verifier"; echo "{}" > "$TASK_DIR/verifier/record.json"'
    repository = open_task(tmp_path, acts={"code:lint": forged})
    assert repository.verify(**server.environment()).code == 3
    assert repository.verdict()["reasons"][0]["code"] == "ARTIFACT_CONFLICT"
    assert server.asked == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_somebody_is_asked_leaves_nothing(
    tmp_path: Path, server: GeminiServer, number: signal.Signals
) -> None:
    server.replies = [Slow(120, SUPPORTED)]
    repository = open_task(tmp_path)
    env = repository.environ(**server.environment())
    process = subprocess.Popen((*gr.GATE, "verify", "T1", "-q"), cwd=repository.root, env=env, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while not server.asked:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(number)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    assert b"Traceback" not in told
    assert not repository.has_verdict()
    assert list(repository.tmp.glob("verigate-engine-*")) == []
