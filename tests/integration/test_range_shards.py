"""gate verify --range --shard and gate merge: jobs that know nothing of each other, and one verdict of all."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from repositories import Repository

from verigate.domain.task_folder import GITIGNORE
from verigate.reporting.range_shard import seal_document

_TEST = "def test_total():\n    assert 1 + 1 == 2\n\n\ndef test_rate():\n    assert 2 * 3 == 6\n"
_PLAN = {"code": {"order": ["code:diff", "code:integrity"], "required": ["code:diff"], "optional": ["code:integrity"]}}
_OF = 3
_SPAN = ("--range", "begin..HEAD")

Document = dict[str, Any]


class Sharded(NamedTuple):
    """A repository, the shards of its range as files, and how the same range is verified at once."""

    repository: Repository
    folder: Path
    codes: list[int]
    documents: list[Document]
    whole_code: int
    report: Document


@pytest.fixture(scope="module", name="sharded")
def _sharded(tmp_path_factory: pytest.TempPathFactory) -> Sharded:
    """Four commits, of which the second takes a test away and the last changes nothing."""
    top = tmp_path_factory.mktemp("sharded")
    repository = Repository.make(top)
    profile = json.dumps({"code_default": {"integrity": True}})
    plan = json.dumps(_PLAN)
    begin = {
        ".artifacts/.gitignore": GITIGNORE,
        "test_cart.py": _TEST,
        "config/adapter-plan.json": plan,
        "config/verification.profiles.json": profile,
    }
    repository.commit(begin, "Begin")
    repository.git("branch", "begin")
    repository.commit({"README.md": "# Cart\n"}, "Add README.md")
    repository.commit({"test_cart.py": _TEST.partition("\n\n\ndef test_rate")[0] + "\n"}, "Make it shorter")
    repository.commit({"test_cart.py": _TEST}, "Bring it back")
    repository.git("commit", "--quiet", "--allow-empty", "--message", "Say nothing")
    at_once = repository.gate("verify", *_SPAN, "--json")
    folder = top / "shards"
    codes = []
    for number in range(1, _OF + 1):
        place = folder / f"job-{number}" / "shard.json"
        codes.append(repository.gate("verify", *_SPAN, "--shard", f"{number}/{_OF}", "--output", str(place)).exit_code)
    documents = [json.loads((folder / f"job-{number}" / "shard.json").read_bytes()) for number in range(1, _OF + 1)]
    return Sharded(repository, folder, codes, documents, at_once.exit_code, json.loads(at_once.stdout))


def _without_moments(report: Document) -> Document:
    whole = {key: value for key, value in report["whole"].items() if key != "metadata"}
    commits = [{**each, "never_verified": None} for each in report["commits"]]
    return {**report, "whole": whole, "commits": commits}


def test_the_shards_say_together_what_one_run_says(sharded: Sharded) -> None:
    merged = sharded.repository.gate("merge", str(sharded.folder), *_SPAN, "--json")
    assert merged.exit_code == sharded.whole_code == 1, merged
    assert sharded.codes == [0, 1, 0]
    report = json.loads(merged.stdout)
    assert _without_moments(report) == _without_moments(sharded.report)
    assert [each["status"] for each in report["commits"]] == ["pass", "fail", "pass", "pass"]
    assert all(each["verdict_sha256"] for each in report["commits"][:3])
    text = sharded.repository.gate("merge", str(sharded.folder)).stdout.decode()
    assert [line.split()[0] for line in text.splitlines() if line[:1] in {"P", "F"}] == [
        *("PASS", "FAIL", "PASS", "PASS"),
        *("PASS", "FAIL"),
    ]


def _merge(sharded: Sharded, folder: Path, documents: Mapping[str, Any], *more: str) -> tuple[int, str]:
    folder.mkdir()
    for name, document in documents.items():
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        (folder / f"{name}.json").write_bytes(content)
    ended = sharded.repository.gate("merge", str(folder), *more)
    return ended.exit_code, " ".join(ended.stderr.decode().split())


def _copy(sharded: Sharded) -> dict[str, Document]:
    return {str(number): copy.deepcopy(document) for number, document in enumerate(sharded.documents, 1)}


def test_a_missing_and_a_doubled_shard_are_named(sharded: Sharded, tmp_path: Path) -> None:
    first, second, _ = sharded.documents
    code, said = _merge(sharded, tmp_path / "missing", {"1": first, "2": second})
    assert code == 3
    assert "shard 3/3 is missing" in said
    code, said = _merge(sharded, tmp_path / "doubled", {**_copy(sharded), "again": first})
    assert code == 3
    assert "shard 1/3 is there 2 times" in said


def _foreign_range(document: Document) -> None:
    document["base"] = document["tip"][::-1]


def _foreign_policy(document: Document) -> None:
    document["policy"]["profile"] = "lenient"


def _foreign_count(document: Document) -> None:
    document["shard"] = {"number": 2, "of": 4}


def _foreign_gate(document: Document) -> None:
    document["gate"] = "9.9.9"


def _without_verdict(document: Document) -> None:
    document["verdicts"].clear()


def _of_another_commit(document: Document) -> None:
    document["verdicts"][0]["commit"] = document["commits"][0]["id"]


def _about_another_tree(document: Document) -> None:
    document["verdicts"][0]["verdict"]["subject"]["tree"] = "0" * 40


def _with_the_whole(document: Document) -> None:
    document["whole"]["problem"] = "it is mine"


def _whole_elsewhere(document: Document) -> None:
    document["whole"]["shard"] = 2


def _both(document: Document) -> None:
    document["verdicts"][0]["problem"] = "there is none"


CHANGES: Mapping[Callable[[Document], None], str] = {
    _foreign_range: "of another range",
    _foreign_policy: "judged by another policy",
    _foreign_count: "is shard 2/4",
    _foreign_gate: "is of the gate '9.9.9'",
    _without_verdict: "has no verdict in",
    _of_another_commit: "is not of shard 2/3",
    _about_another_tree: "is about something else",
    _with_the_whole: "has a verdict of the whole, which isn't its own",
    _whole_elsewhere: "leaves the range as a whole to another shard",
    _both: "is about something else",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_shard_that_was_edited_is_refused_even_if_it_is_sealed_again(
    sharded: Sharded, tmp_path: Path, change: Callable[[Document], None]
) -> None:
    documents = _copy(sharded)
    change(documents["2"])
    code, said = _merge(sharded, tmp_path / "edited", documents)
    assert code == 3
    expected = CHANGES[change] if change is _foreign_gate else "was changed since it was written"
    assert expected in said, said
    documents["2"]["sha256"] = seal_document(documents["2"])
    code, said = _merge(sharded, tmp_path / "sealed", documents)
    assert code == 3
    assert CHANGES[change] in said, said


def test_a_policy_that_moved_while_the_shards_ran_is_refused(sharded: Sharded, tmp_path: Path) -> None:
    documents = _copy(sharded)
    for number, commit in (("1", "a" * 40), ("2", "b" * 40)):
        documents[number]["verdicts"][0]["verdict"]["policy"]["ref"] = {"name": "origin/main", "commit": commit}
        documents[number]["sha256"] = seal_document(documents[number])
    code, said = _merge(sharded, tmp_path / "moved", documents)
    assert code == 3
    assert "judged by 2 commits of origin/main" in said


def test_what_a_shard_says_moves_no_cursor(sharded: Sharded, tmp_path: Path) -> None:
    documents = _copy(sharded)
    documents["3"]["whole"] |= {"verdict": None, "problem": "\x1b[2Jall is well\r"}
    documents["1"]["verdicts"][0] |= {"verdict": None, "problem": "\x1b[31mit is not"}
    documents["1"]["commits"][0]["subject"] = "\x1b[8mhidden"
    for number in ("1", "2", "3"):
        documents[number]["commits"] = documents["1"]["commits"]
        documents[number]["sha256"] = seal_document(documents[number])
        (tmp_path / f"{number}.json").write_text(json.dumps(documents[number]))
    ended = sharded.repository.gate("merge", str(tmp_path))
    assert ended.exit_code == 3, ended
    assert b"all is well" in ended.stdout
    assert b"it is not" in ended.stdout
    assert b"\x1b" not in ended.stdout + ended.stderr
    assert b"\r" not in ended.stdout


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"schema": "verigate:range-shard.v1"}', b"[" * 100_000, b'{"a": 1, "a": 2}', b"\xff"],
    ids=lambda content: content[:12].decode("ascii", "replace") or "empty",
)
def test_a_file_that_is_no_shard_is_an_error(sharded: Sharded, tmp_path: Path, content: bytes) -> None:
    code, said = _merge(sharded, tmp_path / "hostile", {**_copy(sharded), "z": content})
    assert code in {2, 3}
    assert "z.json" in said


def test_links_pipes_and_folders_without_shards_are_refused(sharded: Sharded, tmp_path: Path) -> None:
    import os

    link = tmp_path / "links"
    link.mkdir()
    (link / "1.json").symlink_to(sharded.folder / "job-1" / "shard.json")
    ended = sharded.repository.gate("merge", str(link))
    assert (ended.exit_code, b"symbolic link" in ended.stderr) == (2, True), ended
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    assert sharded.repository.gate("merge", str(pipe)).exit_code == 2
    (tmp_path / "empty").mkdir()
    assert sharded.repository.gate("merge", str(tmp_path / "empty")).exit_code == 2
    assert sharded.repository.gate("merge", str(tmp_path / "nowhere")).exit_code == 2


def test_shards_of_another_range_than_the_repository_has_are_refused(sharded: Sharded) -> None:
    ended = sharded.repository.gate("merge", str(sharded.folder), "--range", "begin..HEAD~2")
    assert ended.exit_code == 3
    assert b"and --range is" in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--shard", "0/3"),
        ("--shard", "4/3"),
        ("--shard", "one"),
        ("--shard", "1/1001"),
        ("--shard", "1/3", "--json"),
        ("--shard", "1/3", "--unverified"),
    ],
)
def test_what_is_no_shard_is_refused(sharded: Sharded, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    output = tmp_path / "out.json"
    ended = sharded.repository.gate("verify", *_SPAN, *arguments, "--output", str(output))
    assert ended.exit_code == 2, ended
    assert not output.exists()


def test_a_shard_needs_a_range_and_a_file(sharded: Sharded, tmp_path: Path) -> None:
    assert sharded.repository.gate("verify", *_SPAN, "--shard", "1/3").exit_code == 2
    assert sharded.repository.gate("verify", *_SPAN, "--output", str(tmp_path / "x")).exit_code == 2
    assert sharded.repository.gate("verify", "--shard", "1/3").exit_code == 2
