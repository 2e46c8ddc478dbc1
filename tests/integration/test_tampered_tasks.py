"""Each region of each file of a sealed task is changed: what shows it, and which regions mean nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import gated_repository as gr
import pytest
from sealed_task import CHAIN, STATEMENTS, Region, list_regions, make_sealed, must

from verigate.composition.attestations import TrustWanted, list_expected_subjects, verify_file
from verigate.errors import EvidenceError, GateError
from verigate.evidence.store import encode_json
from verigate.usecases.chain_notes import find_chain_notes
from verigate.usecases.judged_files import find_changed_files
from verigate.usecases.replay import read_genuine
from verigate.usecases.verify_attestations import Expected

ROOT = Path(__file__).resolve().parents[2]
SEALED = (
    "artifacts.json",
    "attestation.json",
    "checksums.sha256",
    "claim.json",
    "commitment.json",
    "diff.json",
    "diff_names.json",
    "diffs.patch",
    "logs/code.diff.err",
    "logs/code.diff.out",
    "logs/code.tests.err",
    "logs/code.tests.out",
    "run.json",
    "tests.json",
    "verdict.json",
)
"""Every file of the task but the statements of `gate attest`, which are verified on their own."""

NOTHING: Mapping[tuple[str, str], str] = {
    ("claim.json", "space"): "layout: what it states is compared",
    ("commitment.json", "space"): "layout: what it states is compared",
    (STATEMENTS, "space"): "layout of the envelope: what is signed is in its payload",
    (STATEMENTS, "keyid"): "a hint which key to try, which DSSE doesn't sign: every trusted key is tried",
    (".approvals/*.json", "space"): "layout: what is signed is what it states",
}
"""Regions whose change means nothing: file and kind, with the reason. docs/durability.md has the same table."""

Looks = Callable[[], str | None]
"""Says how a change was found, None if it wasn't."""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    return make_sealed(tmp_path_factory.mktemp("sealed"))


@pytest.fixture
def sealed(origin: gr.GatedRepository) -> Iterator[gr.GatedRepository]:
    """The same repository again and again, put back after each test: its witness is bound to its place."""
    kept = origin.home.parent / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(origin.root / ".artifacts", kept / "artifacts", symlinks=True)
    chain = origin.sample.git("rev-parse", CHAIN)
    yield origin
    shutil.rmtree(origin.root / ".artifacts")
    shutil.copytree(kept / "artifacts", origin.root / ".artifacts", symlinks=True)
    origin.sample.git("update-ref", CHAIN, chain)


def look(repository: gr.GatedRepository) -> str | None:
    """What `gate show` and `gate list` would say of T1, in the order in which they ask, without starting them."""
    folder = repository.root / ".artifacts/T1"
    try:
        published = read_genuine(repository.root, folder)
    except EvidenceError as problem:
        return str(problem) if "not verified" in str(problem) else None
    notes = find_chain_notes(repository.root, repository.environ(), folder)
    return "; ".join(notes) or find_changed_files(folder, published.run) or None


def look_at_statements(repository: gr.GatedRepository) -> str | None:
    """What `gate attest verify` would say."""
    root, environ = repository.root, repository.environ()
    trust = TrustWanted((repository.home / "signing.pub",))
    try:
        expected = Expected(list_expected_subjects(root, environ, None))
        report = verify_file(root, root / ".artifacts/T1" / STATEMENTS, expected, trust=trust, environ=environ)
    except GateError as problem:
        return str(problem)
    return None if report.passed else "not passed"


def change_all(path: Path, looks: Looks, *, is_json: bool) -> tuple[int, list[Region]]:
    """Change each region of a file on its own; returns how many there are, and those that nothing found."""
    content = path.read_bytes()
    regions = list(list_regions(content, is_json=is_json))
    missed = []
    try:
        for region in regions:
            path.write_bytes(region.changed)
            if looks() is None:
                missed.append(region)
    finally:
        path.write_bytes(content)
    assert looks() is None, "put back, it is as it was"
    return len(regions), missed


def test_the_files_are_all_there_are(sealed: gr.GatedRepository) -> None:
    folder = sealed.root / ".artifacts/T1"
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert there == {*SEALED, STATEMENTS}
    assert look(sealed) is None
    assert look_at_statements(sealed) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", SEALED)
def test_each_region_of_a_file_counts_or_is_in_the_table(sealed: gr.GatedRepository, name: str) -> None:
    path = sealed.root / ".artifacts/T1" / name
    count, missed = change_all(path, lambda: look(sealed), is_json=name.endswith(".json"))
    assert count > 0 or path.stat().st_size == 0
    found = Counter(region.kind for region in missed)
    assert set(found) == {kind for file, kind in NOTHING if file == name}, (missed[:5], found)
    print(f"{name}: {count} regions, {sum(found.values())} mean nothing")


def test_an_empty_log_that_is_written_to_shows(sealed: gr.GatedRepository) -> None:
    path = sealed.root / ".artifacts/T1/logs/code.diff.out"
    assert path.read_bytes() == b""
    path.write_bytes(b"x")
    shown = sealed.gate("show", "T1")
    assert (shown.code, "logs/code.diff.out" in "".join(shown.err.split())) == (3, True), shown.output


@pytest.mark.release
@pytest.mark.slow
def test_each_region_of_a_statement_counts_or_is_in_the_table(sealed: gr.GatedRepository) -> None:
    path = sealed.root / ".artifacts/T1" / STATEMENTS
    content = path.read_bytes()
    count, missed = change_all(path, lambda: look_at_statements(sealed), is_json=True)
    assert count > 30
    for region in missed:
        before = content[: region.start].rstrip(b": ")
        is_keyid = before.endswith(b'"keyid"') or region.part == b'"keyid"'
        assert (STATEMENTS, "keyid" if is_keyid else region.kind) in NOTHING, region


def test_each_byte_of_what_is_signed_counts(sealed: gr.GatedRepository) -> None:
    """The payload is one text in JSON, so here by blocks."""
    path = sealed.root / ".artifacts/T1" / STATEMENTS
    line, *more = path.read_bytes().splitlines(keepends=True)
    envelope = json.loads(line)
    try:
        for name, holder in (("payload", envelope), ("sig", envelope["signatures"][0])):
            text = holder[name]
            for start in range(0, len(text) - 4, 64):
                holder[name] = text[:start] + ("B" if text[start] == "A" else "A") + text[start + 1 :]
                path.write_bytes(b"".join((json.dumps(envelope).encode() + b"\n", *more)))
                assert look_at_statements(sealed) is not None, (name, start)
            holder[name] = text
    finally:
        path.write_bytes(b"".join((line, *more)))


@pytest.mark.parametrize("name", [*SEALED, STATEMENTS])
def test_cut_gone_linked_swapped_or_of_another_run(sealed: gr.GatedRepository, name: str, tmp_path: Path) -> None:
    folder = sealed.root / ".artifacts/T1"
    path = folder / name
    content = path.read_bytes()
    looks = (lambda: look_at_statements(sealed)) if name == STATEMENTS else (lambda: look(sealed))
    forms = ["gone", "link"]
    # Not by its last byte, which is layout where a file ends with a newline.
    for size in {0, len(content) // 2, len(content) - 2} if content else set():
        path.write_bytes(content[:size])
        assert looks() is not None, f"cut to {size}"
        path.write_bytes(content)
    for form in forms:
        path.unlink()
        if form == "link":
            (tmp_path / "elsewhere").write_bytes(content)
            path.symlink_to(tmp_path / "elsewhere")
        if not (form == "link" and name == STATEMENTS):  # named by a person, it may be a link: it is signed
            assert looks() is not None, form
        path.unlink(missing_ok=True)
        path.write_bytes(content)
    other = folder / ("run.json" if name != "run.json" else "verdict.json")
    kept = other.read_bytes()
    path.write_bytes(kept)
    other.write_bytes(content)
    assert looks() is not None, "swapped"
    other.write_bytes(kept)
    path.write_bytes(content)
    earlier = sealed.home.parent / "refuted" / name
    if earlier.exists() and earlier.read_bytes() != content:
        path.write_bytes(earlier.read_bytes())
        assert looks() is not None, "of another run"
        path.write_bytes(content)
    assert looks() is None


def test_the_commands_say_it(sealed: gr.GatedRepository) -> None:
    """What is asked above without starting anything is what the programs print."""
    folder = sealed.root / ".artifacts/T1"
    for name, shows, says in (
        ("tests.json", 3, "its content has changed since the verdict"),
        ("checksums.sha256", 3, "its content has changed since the verdict"),
        ("verdict.json", 0, "its verdict is not in the chain of its verdicts"),
        ("claim.json", 0, "claim.json has changed since"),
        ("commitment.json", 0, "commitment.json has changed since"),
    ):
        path = folder / name
        content = path.read_bytes()
        document = content.replace(b'"T1"', b'"T1" ', 1) if name == "verdict.json" else content.replace(b"a", b"b", 1)
        if name in {"claim.json", "commitment.json"}:
            document = encode_json({**json.loads(content), "more": 1})
        path.write_bytes(document)
        shown, listed = sealed.gate("show", "T1"), sealed.gate("list", "--json").json["tasks"]
        assert (shown.code, says in shown.err) == (shows, True), (name, shown.output)
        (row,) = [row for row in listed if row["task_id"] == "T1"]
        assert says in row["note"], name
        assert sealed.gate("replay", "T1").code == shows
        path.write_bytes(content)


@pytest.mark.release
@pytest.mark.slow
def test_each_region_of_an_approval_counts_or_is_in_the_table(sealed: gr.GatedRepository) -> None:
    (path,) = (sealed.root / ".artifacts/.approvals").glob("*.json")

    def looks() -> str | None:
        listed = must(sealed, "approve", "--list", "--json").json
        return None if [row["counts"] for row in listed["approvals"]] == [True] else str(listed)

    count, missed = change_all(path, looks, is_json=True)
    assert count > 30
    assert {(".approvals/*.json", region.kind) for region in missed} == {
        row for row in NOTHING if row[0] == ".approvals/*.json"
    }


def test_each_byte_of_the_chain_counts(sealed: gr.GatedRepository) -> None:
    git = sealed.sample.git
    for commit in git("rev-list", CHAIN).split():
        path = sealed.root / ".git/objects" / commit[:2] / commit[2:]
        path.chmod(0o644)
        count, missed = change_all(path, lambda: look(sealed), is_json=False)
        assert count > 3
        # zlib doesn't check the three bits that say how it was compressed; git reads the same object then.
        assert [region.start for region in missed] == [], missed
    tip = git("rev-parse", CHAIN)
    path = sealed.root / ".git" / CHAIN
    for content in (git("rev-parse", f"{CHAIN}~1"), git("rev-parse", "HEAD"), "0" * 40, "", "x"):
        path.write_text(f"{content}\n")
        assert look(sealed) is not None, content
    path.unlink()
    assert look(sealed) is not None
    path.write_text(f"{tip}\n")


def test_a_seal_that_is_changed_refutes_the_next_verdict(sealed: gr.GatedRepository) -> None:
    git = sealed.sample.git
    (ref,) = git("for-each-ref", "--format=%(refname)", "refs/verigate/commitments").split()
    blob = git("rev-parse", ref)
    other = git("hash-object", "-w", "--stdin", stdin=b'{"task_id": "T1", "type": "code"}')
    git("update-ref", ref, other)
    assert sealed.verify().code == 1
    git("update-ref", ref, blob)


def test_whoever_seals_again_is_found_by_the_chain_and_whoever_rewrites_that_too_by_a_signature(
    sealed: gr.GatedRepository,
) -> None:
    """The limit: with the user's rights all of it can be made anew, but for what a key has signed."""
    folder, git = sealed.root / ".artifacts/T1", sealed.sample.git
    index, verdict = (json.loads((folder / name).read_bytes()) for name in ("artifacts.json", "verdict.json"))
    log = folder / "logs/code.tests.out"
    log.write_bytes(b"47 tests passed\n")
    for entry in index["files"]:
        if entry["path"] == "logs/code.tests.out":
            entry |= {"sha256": hashlib.sha256(log.read_bytes()).hexdigest(), "size": log.stat().st_size}
    (folder / "artifacts.json").write_bytes(encode_json(index))
    sums = "".join(f"{entry['sha256']}  {entry['path']}\n" for entry in index["files"])
    (folder / "checksums.sha256").write_text(sums)
    verdict["metadata"]["index_sha256"] = hashlib.sha256(encode_json(index)).hexdigest()
    (folder / "verdict.json").write_bytes(encode_json(verdict))
    assert read_genuine(sealed.root, folder).verdict["status"] == "pass"
    assert "its verdict is not in the chain of its verdicts" in str(look(sealed))

    tip = git("rev-parse", CHAIN)
    message = git("log", "-1", "--format=%B", CHAIN)
    old = json.loads(message.splitlines()[-1])["verdict_sha256"]
    new = hashlib.sha256((folder / "verdict.json").read_bytes()).hexdigest()
    forged = git("commit-tree", "-p", f"{CHAIN}~1", "-m", message.replace(old, new), f"{CHAIN}^{{tree}}")
    git("update-ref", CHAIN, forged)
    assert "is gone from the chain" in str(look(sealed)), "the witness outside of the repository remembers"
    witnesses = list((sealed.home / ".local/state/verigate/chains").iterdir())
    kept = {path: path.read_bytes() for path in witnesses}
    for path in witnesses:
        path.unlink()
    assert look(sealed) is None, "a limit: docs/durability.md says so"
    assert "is not in the chain" in str(look_at_statements(sealed))
    for path, content in kept.items():
        path.write_bytes(content)
    git("update-ref", CHAIN, tip)


def test_the_table_in_the_documentation_is_this_one() -> None:
    page = (ROOT / "docs/durability.md").read_text()
    for (file, kind), why in NOTHING.items():
        assert f"| `{file}` | {kind} | {why} |" in page
    rows = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 4]
    assert len([row for row in rows if row.split("|")[2].strip() in {"space", "keyid"}]) == len(NOTHING)
