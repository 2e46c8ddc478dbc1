"""Weakenings that seem to be disclosed: by a line that nobody reads, for something else, or by who may not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from repositories import Content, Ended, Repository

from cases.pair import pair

LANGUAGE = "Python"

UNDISCLOSED = (1, "INTEGRITY_FAIL", "code.integrity")
ORDER = ("code:diff", "code:integrity")
RULES: Mapping[str, Any] = {"integrity": True, "weakening": "disclose"}
TEST = """\
import pytest


def test_total():
    assert sum([2, 3]) == 5


def test_rate():
    assert round(1.08, 1) == 1.1
"""
SKIPPED = TEST.replace("def test_rate", "@pytest.mark.skip\ndef test_rate")
BOTH = SKIPPED.replace("def test_total", "@pytest.mark.skip\ndef test_total")
SCISSORS = "# ------------------------ >8 ------------------------"
REASON = "the service is shut down"
INVISIBLE = "\u200b\u2060\u3164\u2800"
MARK = "Co-authored-by: Claude <noreply@anthropic.com>"


def project(repo: Repository, change: str = SKIPPED, message: str = "As it is") -> str:
    """A repository whose last commit weakens a test; returns the line that would disclose it, with a reason."""
    repo.policy(ORDER, RULES)
    plan = json.loads((repo.root / "config/adapter-plan.json").read_text())
    repo.write({"config/adapter-plan.json": json.dumps({**plan, "code": plan["change"]})})
    repo.commit({"test_shop.py": TEST}, message)
    repo.commit({"test_shop.py": change}, "Change tests")
    return lines(repo)[0]


def lines(repo: Repository) -> list[str]:
    """The lines that would disclose what HEAD weakens, each with a reason."""
    verdict = verify(repo).verdict or {}
    return [item["line"].replace("…", REASON) for item in verdict["weakenings"]["listed"]]


def verify(repo: Repository, *arguments: str) -> Ended:
    """Verify HEAD as CI does."""
    return repo.gate("verify", "--ref", "HEAD", "--json", "--quiet", *arguments)


def amend(repo: Repository, message: str) -> None:
    """Give HEAD another message, byte for byte."""
    repo.git("commit", "--quiet", "--amend", "--no-verify", "--cleanup=verbatim", "--file=-", stdin=message.encode())


def said(repo: Repository, lie: bool, lying: str) -> Ended:
    """The message has the line for ``lying`` in place of LINE; the honest one has the line itself."""
    line = project(repo)
    amend(repo, "Skip a test\n\n" + (lying.replace("LINE", line) if lie else f"{line}\n"))
    return verify(repo)


def requested(repo: Repository, lie: bool, lying: str) -> Ended:
    """As ``said``, of the text of the pull request."""
    line = project(repo)
    text = repo.root.parent / "request.md"
    text.write_text("Skip a test\n\n" + (lying.replace("LINE", line) if lie else f"{line}\n"))
    return verify(repo, "--pull-request", str(text))


@pair(*UNDISCLOSED)
def a_skip_whose_message_says_the_opposite(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "Re-enable test_rate, which was skipped by mistake.\n")


@pair(*UNDISCLOSED)
def a_skip_of_what_stands_next_to_a_test(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "Skip the comment above test_rate.\n")


@pair(*UNDISCLOSED)
def a_skip_that_the_same_text_denies(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, "Skip test_rate.\n\nNo tests were skipped.\n")


@pair(*UNDISCLOSED)
def a_title_that_names_a_test_with_its_body(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, "Ignore the rate\n\nAll tests pass\n")


@pair(*UNDISCLOSED)
def a_skip_that_a_message_mentions_without_its_name(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "This skips one test, on purpose.\n")


@pair(*UNDISCLOSED)
def a_skip_that_is_mentioned_by_words_of_its_finding(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "Ignore disabled markers of pytest.\n")


@pair(*UNDISCLOSED)
def a_disclosure_in_a_code_block(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "```\nLINE\n```\n")


@pair(*UNDISCLOSED)
def a_disclosure_that_is_indented(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "    LINE\n")


@pair(*UNDISCLOSED)
def a_disclosure_that_is_quoted(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "> Somebody once wrote\nLINE\n")


@pair(*UNDISCLOSED)
def a_disclosure_below_scissors(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, f"{SCISSORS}\nLINE\n")


@pair(*UNDISCLOSED)
def a_disclosure_in_a_comment(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, "# LINE\n")


@pair(*UNDISCLOSED)
def a_disclosure_after_a_thousand_blanks(repo: Repository, lie: bool) -> Ended:
    return said(repo, lie, " " * 1000 + "LINE\n")


@pair(*UNDISCLOSED)
def a_disclosure_without_a_reason(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line.replace(REASON, '…') if lie else line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_with_an_invisible_reason(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line.replace(REASON, INVISIBLE) if lie else line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_of_every_test(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line.replace('::test_rate', '::*') if lie else line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_of_the_whole_file(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line.replace('::test_rate', '') if lie else line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_of_something_milder(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line.replace('test_skipped', 'suppression_added') if lie else line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def one_disclosure_for_two_tests(repo: Repository, lie: bool) -> Ended:
    project(repo, BOTH)
    found = lines(repo)
    amend(repo, "Skip tests\n\n" + "\n".join(found[:1] if lie else found))
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_of_an_earlier_form(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line}\n")
    changed = SKIPPED.replace("1.08", "1.07") if lie else SKIPPED + "\n\nTOTAL = 5\n"
    repo.commit({"test_shop.py": changed}, "Another commit")
    return verify(repo, "--base", "HEAD~2")


@pair(*UNDISCLOSED)
def a_disclosure_in_a_commit_before_the_base(repo: Repository, lie: bool) -> Ended:
    """The same change was disclosed and landed once, was taken back, and comes again."""
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line}\n")
    repo.commit({"test_shop.py": TEST}, "Take it back")
    repo.commit({"test_shop.py": SKIPPED}, "Skip it again" if lie else f"Skip it again\n\n{line}")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_in_a_note_of_git(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    if lie:
        repo.git("notes", "add", "-m", line)
    else:
        amend(repo, f"Skip a test\n\n{line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_on_another_branch(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    repo.git("branch", "elsewhere")
    amend(repo, f"Skip a test\n\n{line}\n")
    repo.git("branch", "disclosed")
    repo.git("checkout", "--quiet", "elsewhere" if lie else "disclosed")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_in_a_file(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    (repo.root / "NOTES.md").write_text(f"{line}\n")
    repo.git("add", "--all")
    amend(repo, "Skip a test\n" if lie else f"Skip a test\n\n{line}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_disclosure_by_a_coding_agent(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{line}\n{MARK if lie else 'Co-authored-by: B <b@example.com>'}\n")
    return verify(repo)


@pair(*UNDISCLOSED)
def a_person_who_discloses_for_an_agent_s_commit(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    amend(repo, f"Skip a test\n\n{MARK}\n" if lie else "Skip a test\n")
    repo.commit({"notes.txt": "more\n"}, f"More\n\n{line}")
    return verify(repo, "--base", "HEAD~2")


@pair(*UNDISCLOSED)
def a_disclosure_in_a_comment_of_html(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, "<!--\n\nLINE\n\n-->\n")


@pair(*UNDISCLOSED)
def a_disclosure_in_an_attribute(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, '<img alt="\nLINE\n">\n')


@pair(*UNDISCLOSED)
def a_disclosure_in_the_title_of_a_link(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, '[a]: /b "\nLINE\n"\n')


@pair(*UNDISCLOSED)
def a_disclosure_in_a_style_sheet(repo: Repository, lie: bool) -> Ended:
    return requested(repo, lie, "<style>\n</b>\n\nLINE\n</style>\n")


def claimed(repo: Repository, change: Mapping[str, Content], **fields: Any) -> None:
    """Begin a task on the base of ``project``, make the change, and claim it."""
    repo.policy(ORDER, RULES)
    repo.commit({"test_shop.py": TEST})
    repo.task(type_="change")
    repo.write(change)
    repo.claim("file:test_shop.py", type_="change", **fields)


def first_line(repo: Repository) -> str:
    """The line for what the working tree weakens, as a claim has it."""
    listed = (repo.verify().verdict or {})["weakenings"]["listed"]
    return str(listed[0]["line"]).replace("…", REASON).removeprefix("Weakens: ")


@pair(*UNDISCLOSED)
def a_claim_that_alone_discloses_what_lands(repo: Repository, lie: bool) -> Ended:
    claimed(repo, {"test_shop.py": SKIPPED})
    line = first_line(repo)
    repo.claim("file:test_shop.py", type_="change", weakens=[line])
    repo.git("add", "--all")
    repo.git("add", "--force", ".artifacts/T1/commitment.json", ".artifacts/T1/claim.json")
    repo.git("commit", "--quiet", "--message", "Skip a test" if lie else f"Skip a test\n\nWeakens: {line}")
    return repo.verify("T1", "--ref", "HEAD")


@pair(4, "WEAKENING_DISCLOSED", "unit:statement:1")
def all_tests_pass_next_to_one_that_is_skipped(repo: Repository, lie: bool) -> Ended:
    repo.adapter(
        "results",
        "code:tests",
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --task-dir) out=$2 ;; esac; shift; done\n"
        'echo \'{"passed": 1, "failed": 0, "skipped": 1, "total": 2, "duration": 1}\' > "$out/tests.json"\n',
    )
    repo.policy((*ORDER, "code:tests"), RULES)
    repo.commit({"test_shop.py": TEST})
    repo.task(type_="change")
    repo.write({"test_shop.py": SKIPPED})
    repo.claim("file:test_shop.py", type_="change")
    line = first_line(repo)
    statements = ["All tests pass." if lie else "1 test is skipped."]
    repo.claim("file:test_shop.py", type_="change", weakens=[line], statements=statements)
    return repo.verify()


@pair(1, "CLAIM_REFUTED", "unit:statement:1")
def no_tests_were_weakened_next_to_a_disclosure(repo: Repository, lie: bool) -> Ended:
    claimed(repo, {"test_shop.py": SKIPPED})
    line = first_line(repo)
    statements = ["No tests were weakened." if lie else "Changed `test_shop.py`."]
    repo.claim("file:test_shop.py", type_="change", weakens=[line], statements=statements)
    return repo.verify()


@pair(*UNDISCLOSED)
def a_commitment_that_allows_weakenings(repo: Repository, lie: bool) -> Ended:
    repo.policy(ORDER, RULES)
    repo.commit({"test_shop.py": TEST})
    repo.task(type_="change", commitments={"quality": {"weakening": "allow", "expectations": "allow"}})
    repo.write({"test_shop.py": SKIPPED if lie else TEST + "\n\nTOTAL = 5\n"})
    repo.claim("file:test_shop.py", type_="change")
    return repo.verify()


@pair(1, "INTEGRITY_FAIL", "gate.judges")
def a_profile_that_allows_its_own_weakening(repo: Repository, lie: bool) -> Ended:
    claimed(repo, {"test_shop.py": TEST + "\n\nTOTAL = 5\n"})
    if lie:
        repo.policy(ORDER, {**RULES, "weakening": "allow"})
    return repo.verify()


@pair(*UNDISCLOSED)
def a_hook_into_the_runner_that_is_disclosed(repo: Repository, lie: bool) -> Ended:
    line = project(repo)
    hook = "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"
    repo.write({"conftest.py": hook if lie else "TOTAL = 5\n"})
    repo.git("add", "--all")
    amend(repo, f"Skip a test\n\n{line}\n")
    if not lie:
        return verify(repo)
    rule = verify(repo).check("code.integrity") or {}
    found = next(ref["value"] for ref in rule["evidence"] if ref["value"]["weight"] == "tampering")
    place = found["path"] if found["test"] is None else f"{found['path']}::{found['test']}"
    amend(repo, f"Skip a test\n\n{line}\nWeakens: {found['kind']} {place} {found['id']} (it is meant)\n")
    return verify(repo)
