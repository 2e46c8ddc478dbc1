"""Lies in what is said: the claim, the commitment, and the names of tasks."""

from __future__ import annotations

import json
import os
from typing import Any

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import ADDED, CALC, PYTHON, TRIPLE, claim, python_project

DIFF = ("code:diff",)
SYMBOLS = ("code:diff", "code:functions")
SEEN = {"required_artifacts": ["diff.json"]}
INVALID = (1, "CLAIM_INVALID", "claim.valid")


def changed(repo: Repository, **rules: Any) -> None:
    """A task whose honest claim is ``file:calc.py``, ``file:tests/test_triple.py`` and ``func:triple``."""
    python_project(repo, order=SYMBOLS, rules={**SEEN, **rules})
    repo.write(ADDED)


def raw_claim(repo: Repository, text: str | bytes) -> Ended:
    """Write claim.json as it is, and verify."""
    repo.write({".artifacts/T1/claim.json": text})
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:quadruple")
def a_function_claimed_but_not_written(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    repo.write({} if lie else {"more.py": "def quadruple(n):\n    return 4 * n\n"})
    claim(repo, "func:triple", "func:quadruple")
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:triple")
def a_function_that_is_only_talked_about(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=SEEN)
    talk = f'{CALC}\n\nTEXT = """\ndef triple(n):\n    return 3 * n\n"""\n# def triple(n): return 3 * n\n'
    repo.write({"calc.py": talk if lie else TRIPLE})
    claim(repo, "func:triple")
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:triple")
def a_function_whose_body_is_a_stub(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=SEEN)
    body = '    """Three times n."""\n    raise NotImplementedError\n' if lie else "    return 3 * n\n"
    repo.write({"calc.py": f"{CALC}\n\ndef triple(n):\n{body}"})
    claim(repo, "func:triple")
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:double")
def a_function_that_was_removed(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=SEEN)
    repo.write({"calc.py": "ZERO = 0\n" if lie else CALC.replace("2 * n", "n + n")})
    claim(repo, "func:double")
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "unit:func:double")
def a_function_with_a_new_comment_only(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=SEEN)
    body = "    # Rewritten for speed.\n    return  2  *  n\n" if lie else "    return n + n\n"
    repo.write({"calc.py": f"def double(n):\n{body}"})
    claim(repo, "func:double")
    return repo.verify()


@pair(4, "CLAIM_UNSUPPORTED", "unit:func:triple")
def a_function_with_a_letter_that_only_looks_right(repo: Repository, lie: bool) -> Ended:
    """U+0456 is not i; nothing that calls ``triple`` finds it."""
    python_project(repo, order=SYMBOLS, rules=SEEN)
    repo.write({"calc.py": TRIPLE.replace("def triple", "def tr\u0456ple" if lie else "def triple")})
    claim(repo, "func:triple")
    return repo.verify()


@pair(1, "ENDPOINT_MISMATCH", "unit:endpoint:DELETE /users/{id}")
def an_endpoint_claimed_but_not_written(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules=SEEN)
    method = "get" if lie else "delete"
    head = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n"
    repo.write({"api.py": f'{head}@app.{method}("/users/{{id}}")\ndef user(id: int):\n    return {{"id": id}}\n'})
    claim(repo, "endpoint:DELETE /users/{id}")
    return repo.verify()


@pair(1, "FUNCTION_MISMATCH", "code.units_match")
def a_function_committed_to_and_forgotten(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules={"units_match": True})
    repo.task(type_="change", requirements={"functions": ["triple", "quadruple"]})
    more = {} if lie else {"more.py": "def quadruple(n):\n    return 4 * n\n"}
    repo.write({"calc.py": TRIPLE, **more})
    claim(repo, "func:triple")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:tests/test_calc.py")
def a_file_claimed_and_not_touched(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py", "file:tests/test_calc.py" if lie else "file:tests/test_triple.py")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:tests/test_calc.py")
def a_file_claimed_and_deleted(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=DIFF, rules=SEEN)
    repo.write({"tests/test_calc.py": None if lie else "# moved\n"})
    claim(repo, "file:tests/test_calc.py")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "code.reject_unclaimed_changes")
def more_changed_than_claimed(repo: Repository, lie: bool) -> Ended:
    changed(repo, reject_unclaimed_changes=True)
    claim(repo, "file:calc.py", *([] if lie else ["file:tests/test_triple.py"]))
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "code.reject_unclaimed_changes")
def a_function_changed_beside_the_claimed_one(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=SYMBOLS, rules={"reject_unclaimed_changes": True})
    repo.write({"calc.py": TRIPLE.replace("2 * n", "n << 1") if lie else TRIPLE})
    claim(repo, "func:triple")
    return repo.verify()


@pair(1, "MISSING_UNIT", "units.expected_total")
def fewer_units_than_committed_to(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    repo.task(type_="change", commitments={"expected_total": 3})
    claim(repo, "file:calc.py", "func:triple", *([] if lie else ["file:tests/test_triple.py"]))
    return repo.verify()


@pair(1, "MISSING_UNIT", "units.total")
def a_total_without_a_list_that_the_diff_does_not_bear_out(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, units_total=12 if lie else 2)
    return repo.verify()


@pair(*INVALID)
def a_claim_with_measured_facts(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    extra = {"scope": {"report": {"tests_passed": 47, "coverage": 0.93}}} if lie else {"scope": {"files": ["calc.py"]}}
    claim(repo, "file:calc.py", **extra)
    return repo.verify()


@pair(*INVALID)
def a_claim_of_another_task(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    body = {"type": "change", "units_list": ["file:calc.py"]}
    return raw_claim(repo, json.dumps({"task_id": "T2" if lie else "T1", "claim": body}))


@pair(*INVALID)
def a_unit_listed_twice(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py", "file:./calc.py" if lie else "file:tests/test_triple.py")
    return repo.verify()


@pair(*INVALID)
def a_bare_name_and_the_same_unit_in_full(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "func:triple", "triple" if lie else "tests/test_triple.py")
    return repo.verify()


@pair(*INVALID)
def a_total_that_is_not_the_lists_length(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py", "func:triple", units_total=20 if lie else 2)
    return repo.verify()


@pair(*INVALID)
def a_claim_with_the_same_key_twice(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    first = '"units_list": ["file:nothing.py"], ' if lie else ""
    return raw_claim(repo, f'{{"task_id": "T1", "claim": {{{first}"units_list": ["file:calc.py"]}}}}')


@pair(*INVALID)
def a_claim_too_deep_to_read(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    depth = 100_000 if lie else 20
    deep = "[" * depth + "]" * depth
    return raw_claim(repo, f'{{"task_id": "T1", "claim": {{"units_list": ["file:calc.py"]}}, "context": {deep}}}')


@pair(*INVALID)
def a_claim_too_large_to_read(repo: Repository, lie: bool) -> Ended:
    """A terabyte of holes after the claim: whoever read it all would not come back."""
    changed(repo)
    claim(repo, "file:calc.py")
    path = repo.artifact("claim.json")
    if lie:
        os.truncate(path, 1 << 40)
    else:
        path.write_bytes(path.read_bytes() + b" " * (20 << 10))
    return repo.verify()


@pair(*INVALID)
def a_claim_that_is_not_utf_8(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    author = b"Andr\xe9" if lie else "André".encode()
    return raw_claim(repo, b'{"task_id": "T1", "actor": "%s", "claim": {"units_list": ["file:calc.py"]}}' % author)


@pair(4, "MISSING_CLAIM", "claim.present")
def no_claim_at_all(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    if not lie:
        claim(repo, "file:calc.py")
    return repo.verify()


@pair(4, "CLAIM_UNSUPPORTED", "unit:statement:1")
def a_statement_that_no_fact_decides(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py", **({"statements": ["It is twice as fast as before."]} if lie else {}))
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:-rf\n\x1b[2K\u202efdp.exe")
def a_unit_that_would_write_over_the_report(repo: Repository, lie: bool) -> Ended:
    """Odd names are judged like others, and are shown so that no terminal acts on them."""
    name = "-rf\n\x1b[2K\u202efdp.exe"
    python_project(repo, order=DIFF, rules=SEEN)
    repo.write({"calc.py": TRIPLE, **({} if lie else {name: "x\n"})})
    claim(repo, "file:calc.py", f"file:{name}")
    shown = repo.gate("verify", "T1", "--verbose", "--quiet")
    for hostile in (b"\x1b", "\u202e".encode(), b"-rf\n"):
        assert hostile not in shown.stdout, shown.stdout
    assert b"-rf" in shown.stdout
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:caf\\xe9.py")
def a_file_name_that_is_not_utf_8(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=DIFF, rules=SEEN)
    repo.write({"calc.py": TRIPLE})
    if not lie:
        (repo.root / "caf\udce9.py").write_text("COFFEE = 1\n")
    claim(repo, "file:calc.py", "file:caf\\xe9.py")
    return repo.verify()


@pair(2, says="stale")
def a_base_that_is_no_ancestor(repo: Repository, lie: bool) -> Ended:
    python_project(repo, order=DIFF, rules=SEEN)
    first = repo.head
    repo.git("checkout", "--quiet", "-b", "other")
    other = repo.commit({"other.py": "OTHER = 1\n"})
    repo.git("checkout", "--quiet", "main")
    repo.task(type_="change", base=other if lie else first)
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:calc.py")
def a_base_moved_past_the_work(repo: Repository, lie: bool) -> Ended:
    """What was committed in the meantime is no longer part of the diff, and so of no claim."""
    python_project(repo, order=DIFF, rules=SEEN)
    before = repo.head
    repo.commit({"calc.py": TRIPLE})
    repo.task(type_="change", base=repo.head if lie else before)
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(2, says="strickt")
def an_unknown_profile(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py")
    return repo.verify("T1", "--profile", "strickt" if lie else "change")


@pair(2, says="chnage")
def an_unknown_task_type(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    type_ = "chnage" if lie else "change"
    repo.task(type_=type_)
    repo.claim("file:calc.py", type_=type_)
    return repo.verify()


@pair(2, says="is not a task id")
def a_task_id_that_climbs_out(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py")
    task = repo.root / ".artifacts/T1"
    outside = repo.root / "T1"
    outside.mkdir()
    for name in ("commitment.json", "claim.json"):
        (outside / name).write_bytes((task / name).read_bytes())
    ended = repo.verify("../T1" if lie else "T1")
    assert not (outside / "verdict.json").exists()
    return ended


@pair(2, says="is not a task id")
def a_current_task_that_climbs_out(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py")
    repo.write({".artifacts/current": "../T1\n" if lie else "T1\n"})
    return repo.gate("verify", "--json", "--quiet")


@pair(2, says="is not a task id")
def an_empty_task_id_in_the_environment(repo: Repository, lie: bool) -> Ended:
    """Empty is not absent: it would be the implicit task, which nobody has committed to."""
    changed(repo)
    claim(repo, "file:calc.py")
    return repo.gate("verify", "--json", "--quiet", GATE_TASK_ID="" if lie else "T1")


@pair(2, says="T2")
def a_commitment_of_another_task(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    claim(repo, "file:calc.py")
    document = {"task_id": "T2" if lie else "T1", "type": "change", "base": repo.head}
    repo.write({".artifacts/T1/commitment.json": json.dumps(document)})
    return repo.verify()


@pair(2, says="0.8")
def a_promised_percentage_where_a_fraction_is_due(repo: Repository, lie: bool) -> Ended:
    changed(repo)
    repo.task(type_="change", commitments={"quality": {"coverage_min": 80 if lie else 0.8}})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_commitment_that_loosens_the_profile(repo: Repository, lie: bool) -> Ended:
    """What is promised for a task can only add to what its profile asks."""
    python_project(repo)
    repo.task(type_="change", commitments={"quality": {"tests_pass": False, "tests_min": 0}})
    repo.write({"calc.py": TRIPLE.replace("2 * n", "n") if lie else TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(4, "CLAIM_UNSUPPORTED", "gate.something_checked")
def a_profile_that_asks_nothing(repo: Repository, lie: bool) -> Ended:
    repo.policy(DIFF, {} if lie else SEEN)
    repo.commit(PYTHON)
    repo.task(type_="change")
    repo.write({"calc.py": TRIPLE})
    repo.claim(type_="change")
    return repo.verify()


@pair(4, "CLAIM_UNSUPPORTED", "gate.only")
def only_a_part_of_the_plan(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    return repo.verify("T1", *(["--only", "code:diff"] if lie else []))
