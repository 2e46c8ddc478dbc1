"""Tasks that are pushed to a server: what is signed is shown, and nothing else is taken.

Starts git, sh and the gate, which verifies, attests, pushes and serves.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as literal
import pytest
import served
from sample_repository import clean_environ
from served_client import BASE, GATE, TOKEN
from starlette.testclient import TestClient

from verigate.composition import now
from verigate.composition.attestations import load_key_files
from verigate.composition.serve import PushWanted, make_site
from verigate.errors import EvidenceError, UsageError
from verigate.evidence.index import format_checksums
from verigate.evidence.store import read_published
from verigate.evidence.task_archive import pack_task
from verigate.serve import pushed as pushed_tasks
from verigate.serve.pushed import OlderError, PushedTasks, QuotaError, name_resource
from verigate.serve.web.access import Access
from verigate.serve.web.app import make_app

PATH = "/api/v1/pushed/T1"
BEARER = {"authorization": f"Bearer {TOKEN}", "content-type": "application/x-tar"}
STATEMENTS = "verdict.intoto.jsonl"


def make(folder: Path, tests: str) -> gr.GatedRepository:
    """A committed change that was verified and attested, in a clone of git@example.com:team/shop.git."""
    artifacts = {"diff.json": literal.GOOD["diff.json"], "tests.json": getattr(literal, tests)["tests.json"]}
    artifacts |= {name: literal.GOOD[name] for name in ("diff_names.json", "diffs.patch")}
    found = gr.make(folder, artifacts, {"tests_pass": True})
    found.sample.git("remote", "add", "origin", "git@example.com:team/shop.git")
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py", statements=["All tests pass."])
    done = found.verify()
    assert done.code == (0 if tests == "GOOD" else 1), done.output
    found.sample.git("add", "--all")
    found.sample.git("commit", "--quiet", "-m", "the work")
    for name in ("key", "other"):
        assert found.gate("attest", "keygen", str(found.home / name)).code == 0
    attest(found)
    return found


def attest(repository: gr.GatedRepository, key: str = "key", *more: str) -> None:
    done = repository.gate("attest", "T1", "--key", str(repository.home / key), *more)
    assert done.code == 0, done.output


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    return make(tmp_path_factory.mktemp("push"), "GOOD")


def folder_of(repository: gr.GatedRepository) -> Path:
    return repository.root / ".artifacts/T1"


def archive_of(repository: gr.GatedRepository) -> dict[str, bytes]:
    """The files of what is pushed, by name."""
    with tarfile.open(fileobj=io.BytesIO(pack_task(read_published(folder_of(repository))))) as archive:
        return {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr] # all are files


def pack(files: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


@pytest.fixture
def kept(repository: gr.GatedRepository, tmp_path: Path) -> Iterator[PushedTasks]:
    keys = load_key_files([repository.home / "key.pub"], {"PATH": "/usr/bin:/bin"}, tmp_path)
    found = PushedTasks(tmp_path / "pushed", keys, now)
    yield found
    found.close()


def keep(kept: PushedTasks, files: Mapping[str, bytes], task_id: str = "T1") -> Any:
    with kept.receive() as folder:
        (folder / "archive.tar").write_bytes(pack(files))
        return kept.keep(task_id, folder / "archive.tar")


def list_kept(kept: PushedTasks) -> list[str]:
    return sorted(str(path.relative_to(kept.folder)) for path in kept.folder.glob("*/.artifacts/*"))


def edit(content: bytes, **changed: Any) -> bytes:
    document = json.loads(content)
    for pointer, value in changed.items():
        *outer, last = pointer.split("__")
        place = document
        for name in outer:
            place = place[name]
        place[last] = value
    return json.dumps(document).encode()


def test_ci_pushes_with_one_command_and_the_server_shows_it(repository: gr.GatedRepository, tmp_path: Path) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "home").mkdir()
    arguments = ("--root", str(tmp_path / "served"), "--keys", str(repository.home / "key.pub"))
    environ = {"GATE_SERVE_TOKEN": TOKEN}
    with served.start(tmp_path / "served", home=tmp_path / "home", arguments=arguments, environ=environ) as server:
        assert "pushTask" in server.ask("/api/v1/openapi.json").text
        done = repository.gate("push", server.base, "T1", "--json", **environ)
        assert done.code == 0, done.output
        page = done.json["page"].removeprefix(server.base)
        assert page == f"/t/{name_resource('git+ssh://example.com/team/shop.git')}/T1"
        shown = server.json(f"{page}.json")
        assert (shown["state"], shown["can_verify"], shown["today"]) == ("pass", False, [])
        assert [each["outcome"] for each in shown["statements"]] == ["holds"]
        (row,) = server.json("/tasks.json")["queue"]["rows"]
        assert row["task_id"] == "T1"
        # Again it is the same; nothing else of the repository is there, and nothing can run in it.
        assert repository.gate("push", server.base, "T1", **environ).code == 0
        bearer = {"authorization": f"Bearer {TOKEN}"}
        name = page.split("/")[2]
        for path in ("tasks/T1/verify", "doctor", "adapters/reload", "engines/claude-cli/test"):
            refused = server.ask(f"/api/v1/repositories/{name}/{path}", "POST", headers=bearer)
            assert (refused.status, "were pushed" in refused.text) == (404, True), path
        assert server.ask(f"/doctor/{name}").status == server.ask(f"/adapters/{name}").status == 404
        for token, said in (("", "there is no token"), ("w" * 24, "needs the token")):
            done = repository.gate("push", server.base, "T1", GATE_SERVE_TOKEN=token)
            assert (done.code, said in done.output) == (3 if token else 2, True), done.output
    # What was pushed is there when the server starts again, and stays in the user's state.
    with served.start(tmp_path / "served", home=tmp_path / "home", arguments=arguments, environ=environ) as server:
        assert server.json(f"{page}.json")["state"] == "pass"
    assert (tmp_path / "home/.local/state/verigate/pushed" / name / ".artifacts/T1/verdict.json").is_file()


def test_a_failure_is_pushed_as_what_it_is(tmp_path: Path, kept: PushedTasks, repository: gr.GatedRepository) -> None:
    failing = make(tmp_path, "BAD")
    shutil.copy(repository.home / "key", failing.home / "key")
    shutil.copy(repository.home / "key.pub", failing.home / "key.pub")
    attest(failing)
    assert keep(kept, archive_of(failing)).status == "fail"


def test_what_was_signed_is_kept_once(kept: PushedTasks, repository: gr.GatedRepository) -> None:
    first, again = keep(kept, archive_of(repository)), keep(kept, archive_of(repository))
    assert (first.is_new, again.is_new) == (True, False)
    assert first.repository == name_resource("git+ssh://example.com/team/shop.git")
    assert first.signers
    assert list_kept(kept) == [f"{first.repository}/.artifacts/T1"]
    assert list((kept.folder / ".incoming").iterdir()) == []


def resign(files: Mapping[str, bytes], **changed: Any) -> dict[str, bytes]:
    """The same with another payload under the signatures."""
    lines = []
    for line in files[STATEMENTS].splitlines():
        envelope = json.loads(line)
        payload = edit(base64.b64decode(envelope["payload"]), **changed)
        lines.append(json.dumps({**envelope, "payload": base64.b64encode(payload).decode()}).encode())
    return {**files, STATEMENTS: b"\n".join(lines)}


def test_what_does_not_hold_is_refused_with_the_reason(
    kept: PushedTasks, repository: gr.GatedRepository, tmp_path: Path
) -> None:
    files = archive_of(repository)
    without = {name: content for name, content in files.items() if name != STATEMENTS}
    attest(repository, "other")
    stranger = archive_of(repository)
    attest(repository)
    vsa = [line for line in files[STATEMENTS].splitlines() if line != b""]
    only_svr = b"\n".join(line for line in vsa if b"svr" in base64.b64decode(json.loads(line)["payload"]))
    bad = [
        ("nobody signed it", without),
        ("not a trusted key", stranger),
        ("is not by|doesn't hold", resign(files, predicate__timeVerified="2026-01-01T00:00:00Z", predicate__x=1)),
        ("about another verdict", {**files, STATEMENTS: only_svr}),
        ("not an attestation", {**files, STATEMENTS: b"x"}),
        ("has changed since the verdict", {**files, "tests.json": edit(files["tests.json"], passed=99)}),
        ("does not follow|another verdict", {**files, "verdict.json": edit(files["verdict.json"], status="fail")}),
        # Metadata follow from no evidence: their signature is all that holds them.
        ("about another verdict", {**files, "verdict.json": edit(files["verdict.json"], metadata__host="evil")}),
        ("no longer as it was judged", {**files, "claim.json": edit(files["claim.json"], claim={"type": "code"})}),
        ("no longer as it was judged", {name: files[name] for name in files if name != "claim.json"}),
        ("has no file 'more.html'", {**files, "more.html": b"<script>"}),
        ("has no file 'UNVERIFIED'", {**files, "UNVERIFIED": b"x"}),
        ("not verified", {name: files[name] for name in files if name != "tests.json"}),
        ("not verified", {"verdict.json": b"{}", STATEMENTS: files[STATEMENTS]}),
        ("leads elsewhere", {**files, "../T2/verdict.json": b"{}"}),
    ]
    for said, content in bad:
        with pytest.raises(EvidenceError, match=said):
            keep(kept, content)
    with pytest.raises(EvidenceError, match="of another task"):
        keep(kept, files, "T2")
    for task_id in ("../T1", "a b", "", "T" * 65):
        with pytest.raises(EvidenceError, match="no task id"):
            keep(kept, files, task_id)
    assert list_kept(kept) == []
    assert list((kept.folder / ".incoming").iterdir()) == []


def reseal(files: Mapping[str, bytes], content: bytes) -> dict[str, bytes]:
    """The same with other tests.json, and a seal that fits it: anybody can make one."""
    index = json.loads(files["artifacts.json"])
    for entry in index["files"]:
        if entry["path"] == "tests.json":
            entry |= {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    made = {**files, "tests.json": content, "artifacts.json": json.dumps(index).encode()}
    digest = hashlib.sha256(made["artifacts.json"]).hexdigest()
    made["verdict.json"] = edit(files["verdict.json"], metadata__index_sha256=digest)
    return {**made, "checksums.sha256": format_checksums(index)}


def test_nothing_is_parsed_that_no_trusted_key_signed(kept: PushedTasks, repository: gr.GatedRepository) -> None:
    files = archive_of(repository)
    nested = b'{"a":[' + b",".join([b"[" * 90 + b"]" * 90] * 40_000) + b"]}"
    line = files[STATEMENTS].splitlines()[0]
    sealed = reseal(files, nested)
    bad = [
        ("nobody signed it", {name: content for name, content in sealed.items() if name != STATEMENTS}),
        ("about another verdict", sealed),
        ("no longer as it was judged", {**files, "claim.json": nested}),
        ("no longer as it was judged", {**files, "commitment.json": nested}),
        ("too many parts", {**files, STATEMENTS: nested[: 2**21]}),
        ("more than", {**files, STATEMENTS: b" " * 2**23 + files[STATEMENTS]}),
        ("more than 16 statements", {**files, STATEMENTS: b"\n".join([line] * 17)}),
    ]
    for said, content in bad:
        began = time.process_time()
        with pytest.raises(EvidenceError, match=said):
            keep(kept, content)
        # Parsing it takes more than 5 s of a fast machine, and several hundred MB.
        assert time.process_time() - began < 2, said


@pytest.mark.release
@pytest.mark.parametrize("task_id", ["implicit", "T1"])
def test_a_claim_that_no_run_recorded_is_neither_sent_nor_taken(
    kept: PushedTasks, tmp_path: Path, repository: gr.GatedRepository, task_id: str
) -> None:
    found = gr.make(tmp_path / "r", literal.GOOD, {"tests_pass": True})
    if task_id == "T1":
        found.begin()
        found.put(".artifacts/T1/claim.json", "{not a claim")
    found.put("a.py", "x = 1\n")
    found.gate("verify", *(() if task_id == "implicit" else (task_id,)), "--quiet")
    key = str(repository.home / "key")
    done = found.gate("attest", task_id, "--key", key, "--resource", "https://example.com/shop")
    assert done.code == 0, done.output
    folder = found.root / ".artifacts" / task_id
    with tarfile.open(fileobj=io.BytesIO(pack_task(read_published(folder)))) as archive:
        files = {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr] # all are files
    assert "claim.json" not in files
    with pytest.raises(EvidenceError, match=r"has no file 'claim\.json'"):
        keep(kept, {**files, "claim.json": b"{}"}, task_id)
    assert keep(kept, files, task_id).is_new


def test_an_expired_statement_does_not_count(repository: gr.GatedRepository, tmp_path: Path) -> None:
    keys = load_key_files([repository.home / "key.pub"], {"PATH": "/usr/bin:/bin"}, tmp_path)
    late = PushedTasks(tmp_path / "late", keys, lambda: "2036-01-01T00:00:00Z")
    with pytest.raises(EvidenceError, match="expired on"):
        keep(late, archive_of(repository))
    late.close()


def test_an_older_verdict_does_not_come_back(kept: PushedTasks, repository: gr.GatedRepository, tmp_path: Path) -> None:
    copy = repository.copy(tmp_path)
    for name in ("key", "key.pub"):
        shutil.copy(repository.home / name, copy.home / name)
    older = archive_of(copy)
    assert copy.gate("verify", "T1", "--ref", "HEAD").code == 0
    attest(copy)
    newer = archive_of(copy)
    assert keep(kept, older).is_new
    assert keep(kept, newer).is_new
    with pytest.raises(OlderError):
        keep(kept, older)
    (name,) = list_kept(kept)
    assert (kept.folder / name / "verdict.json").read_bytes() == newer["verdict.json"]


def test_quotas_hold(repository: gr.GatedRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = load_key_files([repository.home / "key.pub"], {"PATH": "/usr/bin:/bin"}, tmp_path)
    small = PushedTasks(tmp_path / "small", keys, now, quota=1000)
    with pytest.raises(QuotaError):
        keep(small, archive_of(repository))
    assert list_kept(small) == []
    with pytest.raises(OSError, match="another server"):
        PushedTasks(tmp_path / "small", keys, now)
    small.close()
    monkeypatch.setattr(pushed_tasks, "MOST_TASKS", 0)
    full = PushedTasks(tmp_path / "small", keys, now)
    with pytest.raises(QuotaError):
        keep(full, archive_of(repository))
    full.close()


def test_what_is_removed_by_hand_makes_room(repository: gr.GatedRepository, tmp_path: Path) -> None:
    keys = load_key_files([repository.home / "key.pub"], {"PATH": "/usr/bin:/bin"}, tmp_path)
    kept = PushedTasks(tmp_path / "kept", keys, now)
    keep(kept, archive_of(repository))
    (name,) = list_kept(kept)
    kept._quota = kept._bytes
    shutil.move(kept.folder / name, tmp_path / "removed")
    # Its bytes are counted until there is no room, and then what is there counts.
    keep(kept, archive_of(repository))
    assert list_kept(kept) == [name]
    assert kept._tasks == 1
    kept.close()


def test_keys_are_those_of_a_ref_as_it_is_when_a_task_comes(repository: gr.GatedRepository, tmp_path: Path) -> None:
    key = tmp_path / "mine"
    subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key), check=True)
    statements = folder_of(repository) / STATEMENTS
    before = statements.read_bytes()
    repository.gate("attest", "T1", "--key", str(key))
    content = pack(archive_of(repository))
    statements.write_bytes(before)
    policy = tmp_path / "policy"
    (policy / "config").mkdir(parents=True)
    environ = {**clean_environ(), "HOME": str(tmp_path)}

    def git(*words: str) -> None:
        subprocess.run(
            ("git", "-c", "user.name=a", "-c", "user.email=a@b", *words), cwd=policy, env=environ, check=True
        )

    def allow(line: str) -> None:
        (policy / "config/allowed-signers").write_text(line)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "-m", "who signs")

    git("init", "--quiet", "-b", "main")
    (policy / ".artifacts").mkdir()
    mine = f'ci namespaces="attest@verigate" {key.with_suffix(".pub").read_text()}'
    subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", tmp_path / "other"), check=True)
    other = f'old namespaces="attest@verigate" {(tmp_path / "other.pub").read_text()}'
    allow(other)
    git("branch", "reviewed")
    allow(mine)  # on main, which nobody reviewed
    access = Access("127.0.0.1", 8642, TOKEN)

    def make_app_of(ref: str, **named: Any) -> Any:
        wanted = PushWanted((), tmp_path / "pushed", 10**9, ref)
        places: dict[str, Any] = {"repository": policy, "folders": (), **named}
        return make_app(make_site(access, environ, GATE, rebuild=False, push=wanted, **places))

    with TestClient(make_app_of("reviewed"), base_url=BASE) as client:
        refused = client.put(PATH, content=content, headers=BEARER)
        assert (refused.status_code, "not a trusted key" in refused.text) == (422, True), refused.text
        git("branch", "--force", "reviewed", "main")
        assert client.put(PATH, content=content, headers=BEARER).status_code == 201
        allow(other)
        git("branch", "--force", "reviewed", "main")
        assert client.put(PATH, content=content, headers=BEARER).status_code == 422
        git("branch", "-D", "reviewed")
        gone = client.put(PATH, content=content, headers=BEARER)
        assert (gone.status_code, "can't be read" in gone.text) == (422, True), gone.text
        assert str(tmp_path) not in gone.text
    # What can't be known is said when the server starts.
    with pytest.raises(UsageError, match="which is not here"):
        make_app_of("reviewed")
    with pytest.raises(UsageError, match="several repositories"):
        make_app_of("main", repository=None, folders=[policy])


def client_of(repository: gr.GatedRepository, folder: Path, *, keys: bool = True, **rules: bool) -> TestClient:
    access = Access("127.0.0.1", 8642, TOKEN, **rules)
    wanted = PushWanted((repository.home / "key.pub",), folder / "pushed", 10**9) if keys else None
    environ = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    site = make_site(access, environ, GATE, repository=None, folders=[folder / "no"], rebuild=False, push=wanted)
    return TestClient(make_app(site), base_url=BASE, follow_redirects=False)


def test_http_refuses_before_anything_is_kept(
    repository: gr.GatedRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = pack(archive_of(repository))
    with client_of(repository, tmp_path) as client:
        assert client.put(PATH, content=content, headers={"content-type": "application/x-tar"}).status_code == 401
        assert client.put(PATH, content=content, headers={**BEARER, "content-type": "text/plain"}).status_code == 415
        assert client.put(PATH, content=content, headers={**BEARER, "origin": "http://evil.example"}).status_code == 403
        refused = client.put(PATH, content=content[:3000], headers=BEARER)
        assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
        assert refused.json()["hint"]
        assert client.put("/api/v1/pushed/..%2fT1", content=content, headers=BEARER).status_code == 404
        assert client.get("/tasks.json").json()["queue"]["total"] == 0
        made = client.put(PATH, content=content, headers=BEARER)
        assert (made.status_code, made.json()["status"]) == (201, "pass"), made.text
        assert client.put(PATH, content=content, headers=BEARER).status_code == 200
        assert client.get(made.headers["location"]).status_code == 200
        assert client.get("/tasks.json").json()["queue"]["total"] == 1
        from verigate.serve.web.api import uploads

        monkeypatch.setattr(uploads, "LARGEST", 1000)
        assert client.put(PATH, content=content, headers=BEARER).status_code == 413
        assert client.put(PATH, content=iter([content]), headers=BEARER).status_code == 413
    for rules, keys in (({"read_only": True}, True), ({}, False)):
        with client_of(repository, tmp_path / "more", keys=keys, **rules) as client:
            assert "pushTask" not in client.get("/api/v1/openapi.json").text
            refused = client.put(PATH, content=content, headers=BEARER)
            assert (refused.status_code, "--" in refused.json()["detail"]) == (403, True)


def test_keys_and_folder_lie_where_no_change_writes(repository: gr.GatedRepository, tmp_path: Path) -> None:
    (repository.root / "key.pub").write_bytes((repository.home / "key.pub").read_bytes())
    for arguments, said in (
        (("--keys", "key.pub"), "could write there"),
        (("--keys", str(repository.home / "key.pub"), "--pushed", "pushed"), "could write there"),
        (("--pushed", str(tmp_path / "x")), "--pushed needs --keys"),
    ):
        done = repository.gate("serve", "--port", "0", *arguments)
        assert (done.code, said in done.output) == (2, True), done.output
    (repository.root / "key.pub").unlink()


def test_the_token_goes_to_no_server_that_others_can_read_on_the_way(repository: gr.GatedRepository) -> None:
    for url in ("http://gate.example", "ftp://gate.example", "gate.example", "https://a:b@gate.example", "http://[::1"):
        done = repository.gate("push", url, "T1", GATE_SERVE_TOKEN=TOKEN)
        assert (done.code, TOKEN in done.output) == (2, False), done.output
    done = repository.gate("push", "http://127.0.0.1:9", "T1", GATE_SERVE_TOKEN=TOKEN)
    assert (done.code, "gives no answer" in done.output) == (3, True), done.output
