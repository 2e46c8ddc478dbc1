"""``gate attest``: what it refuses, and that programs of others accept what it makes."""

from __future__ import annotations

import base64
import copy
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import npm_tools
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.predicates.vsa.v1.vsa_pb2 import VerificationSummary
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

RULES = {"tests_pass": True}
RAN = {"passed": 2, "failed": 0, "skipped": 0, "total": 2, "duration": 1}
FILES = [{"path": "tests/t.py", "passed": 2, "failed": 0, "skipped": 0}]
CODE = {
    **{path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch")},
    "tests.json": {**RAN, "files": FILES},
}
FILE = ".artifacts/T1/verdict.intoto.jsonl"
SVR = "https://in-toto.io/attestation/svr/v0.2"
VSA = "https://slsa.dev/verification_summary/v1"
TESTS = "https://in-toto.io/attestation/test-result/v0.1"
CHAIN = "refs/verigate/verdicts/T1"
Run = Callable[[str], gr.GatedRepository]


def verify(folder: Path, status: str) -> gr.GatedRepository:
    """A committed change whose verdict has this status, and three keys in its home."""
    artifacts: dict[str, Any] = {**CODE}
    if status == "failing tests":
        artifacts["tests.json"] = {**lf.BAD["tests.json"], "failures": [{"id": "t.py::test_a", "message": "no"}]}
    if status == "skipped tests":
        files = [*FILES, {"path": "tests/u.py", "passed": 0, "failed": 0, "skipped": 1}]
        artifacts["tests.json"] = {**RAN, "skipped": 1, "total": 3, "files": files}
    acts = {"code:lint": "exit 1"} if status == "error" else {}
    found = gr.make(folder, artifacts, RULES, acts=acts)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:gone.py" if status == "fail" else "file:a.py", statements=["it is fast"] * (status == "open"))
    code = {"pass": 0, "skipped tests": 0, "open": 4, "error": 3}.get(status, 1)
    done = found.verify()
    assert done.code == code, done.output
    found.sample.git("add", "--all")  # all but the evidence, which .artifacts/.gitignore keeps on the machine
    found.sample.git("commit", "--quiet", "-m", "the work")
    for kind in ("ed25519", "ecdsa"):
        made = found.gate("attest", "keygen", str(found.home / kind), "--type", kind)
        assert made.code == 0, made.output
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "alice", "-f", str(found.home / "ssh"))
    return found


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Of each status one repository, made when it is first asked for."""
    return cache(lambda status: verify(tmp_path_factory.mktemp("attest"), status))


@pytest.fixture
def run(verified: Run, tmp_path: Path) -> Run:
    """A copy of the repository whose verdict has the given status, with its keys."""

    def made(status: str) -> gr.GatedRepository:
        origin = verified(status)
        found = origin.copy(tmp_path)
        for file in origin.home.iterdir():
            if file.is_file():
                shutil.copy2(file, found.home)
        return found

    return made


def ssh_keygen(*arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["ssh-keygen", *arguments], check=True, capture_output=True, input=stdin).stdout


def attest(repository: gr.GatedRepository, key: str = "ed25519", *more: str, **environ: str) -> gr.Done:
    return repository.gate("attest", "T1", "--key", str(repository.home / key), *more, **environ)


def check(repository: gr.GatedRepository, key: str = "ed25519", *more: str) -> gr.Done:
    return repository.gate("attest", "verify", FILE, "--key", str(repository.home / f"{key}.pub"), *more)


def envelopes(repository: gr.GatedRepository) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (repository.root / FILE).read_text().splitlines()]


def statements(repository: gr.GatedRepository) -> dict[str, Any]:
    opened = [json.loads(base64.b64decode(envelope["payload"])) for envelope in envelopes(repository)]
    return {statement["predicateType"]: statement for statement in opened}


def pae(envelope: dict[str, Any]) -> bytes:
    """The bytes that are signed, by DSSE's own words: no code of the gate."""
    payload, kind = base64.b64decode(envelope["payload"]), envelope["payloadType"].encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


# What others accept


def test_in_toto_reads_what_it_says_of_a_pass(run: Run) -> None:
    repository = run("pass")
    done = attest(repository)
    assert done.code == 0, done.output
    found = statements(repository)
    assert set(found) == {SVR, VSA, TESTS}
    for statement in found.values():
        message = json_format.ParseDict(statement, statement_pb2.Statement())
        Statement.copy_from_pb(message).validate()
        assert statement["subject"] == [
            {"name": "commit", "digest": {"gitCommit": repository.sample.git("rev-parse", "HEAD")}},
            {"name": "tree", "digest": {"gitTree": repository.verdict()["subject"]["tree"]}},
        ]
    vsa = found[VSA]["predicate"]
    assert (vsa["verificationResult"], vsa["verifiedLevels"]) == ("PASSED", ["VERIGATE_PASS"])
    # in-toto-attestation 0.9.3 takes verifiedLevels for a text; SLSA's specification says that it is a list.
    known = {name: value for name, value in vsa.items() if name != "verifiedLevels"}
    summary = json_format.ParseDict(known, VerificationSummary(), ignore_unknown_fields=True)
    assert summary.policy.digest["sha256"] == repository.verdict()["policy"]["digest"]
    assert summary.time_verified.ToJsonString() == repository.verdict()["metadata"]["finished"]
    tests = json_format.ParseDict(found[TESTS]["predicate"], test_result_pb2.TestResult())
    assert (tests.result, list(tests.passed_tests), list(tests.failed_tests)) == ("PASSED", ["tests/t.py"], [])
    svr = found[SVR]["predicate"]
    assert svr["verifier"]["policies"][0]["digest"] == {"sha256": repository.verdict()["policy"]["digest"]}
    assert svr["properties"][:1] == ["VERIGATE_PASS"]
    assert "VERIGATE_CHECK:code.tests_pass" in svr["properties"]


def test_a_vsa_has_what_slsas_verifier_asks_for(run: Run) -> None:
    """Steps 2 to 7 of https://slsa.dev/spec/v1.1/verification_summary#how-to-verify, with the types that slsa-verifier
    2.7 decodes the fields as; step 1, the signature, is tried below.
    """
    repository = run("pass")
    assert attest(repository).code == 0
    statement = statements(repository)[VSA]
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://slsa.dev/verification_summary/v1"
    digests = {f"{kind}:{value}" for subject in statement["subject"] for kind, value in subject["digest"].items()}
    assert f"gitCommit:{repository.sample.git('rev-parse', 'HEAD')}" in digests
    vsa = statement["predicate"]
    assert vsa["verifier"]["id"]
    assert isinstance(vsa["verifier"]["id"], str)
    assert all(isinstance(each, str) for each in vsa["verifier"].get("version", {}).values())
    assert vsa["resourceUri"]
    assert isinstance(vsa["resourceUri"], str)
    assert vsa["verificationResult"] == "PASSED"
    assert vsa["verifiedLevels"]
    assert not [level for level in vsa["verifiedLevels"] if level.startswith("SLSA_")]
    assert datetime.fromisoformat(vsa["timeVerified"]).tzinfo is not None
    for named in (vsa["policy"], *vsa.get("inputAttestations", ())):
        assert isinstance(named.get("uri", ""), str)
        assert all(isinstance(value, str) for value in named["digest"].values())
    assert all(isinstance(count, int) for count in vsa.get("dependencyLevels", {}).values())


@pytest.mark.parametrize("key", ["ed25519", "ecdsa"])
def test_securesystemslib_openssl_and_sigstores_javascript_accept_the_signature(
    run: Run, tmp_path: Path, key: str
) -> None:
    repository = run("pass")
    assert attest(repository, key).code == 0
    public = repository.home / f"{key}.pub"
    script = Path(__file__).parents[1] / "support/independent/sigstore_verify.mjs"
    for number, envelope in enumerate(envelopes(repository)):
        trusted = SSlibKey.from_crypto(load_pem_public_key(public.read_bytes()))
        assert Envelope.from_dict(copy.deepcopy(envelope)).verify([trusted], 1)
        (tmp_path / "signed").write_bytes(pae(envelope))
        (tmp_path / "signature").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
        raw = ("-rawin", "-digest", "sha256") if key == "ecdsa" else ("-rawin",)
        files = ("-inkey", public, "-in", tmp_path / "signed", "-sigfile", tmp_path / "signature")
        subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", *raw, *files], check=True, capture_output=True)
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(envelope))
        command = ["node", script, npm_tools.sigstore(), file, public]
        assert subprocess.run(command, check=True, capture_output=True).stdout == base64.b64decode(envelope["payload"])
        envelope["payload"] = base64.b64encode(b"{}").decode()
        file.write_text(json.dumps(envelope))
        assert subprocess.run(command, check=False, capture_output=True).returncode == 1


def test_ssh_keygen_accepts_the_signature(run: Run, tmp_path: Path) -> None:
    repository = run("pass")
    assert attest(repository, "ssh").code == 0
    public = (repository.home / "ssh.pub").read_text()
    (tmp_path / "signers").write_text(f'alice namespaces="attest@verigate" {public}')
    for envelope in envelopes(repository):
        blob = envelope["signatures"][0]["sig"]
        (tmp_path / "sig").write_text(f"-----BEGIN SSH SIGNATURE-----\n{blob}\n-----END SSH SIGNATURE-----\n")
        options = ("-n", "attest@verigate", "-I", "alice", "-f", str(tmp_path / "signers"), "-s", str(tmp_path / "sig"))
        assert b"Good" in ssh_keygen("-Y", "verify", *options, stdin=pae(envelope))
        listed = ssh_keygen("-l", "-f", str(repository.home / "ssh.pub")).decode().split()
        assert envelope["signatures"][0]["keyid"] == listed[1]


def test_a_key_of_an_agent_signs_that_the_gate_never_reads(run: Run, tmp_path: Path) -> None:
    repository = run("pass")
    socket = str(tmp_path / "agent")
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if Path(socket).exists():
                break
            subprocess.run(["sleep", "0.05"], check=True)
        environ = {**os.environ, "SSH_AUTH_SOCK": socket}
        subprocess.run(["ssh-add", "-q", repository.home / "ssh"], check=True, env=environ)
        (repository.home / "ssh").unlink()
        done = attest(repository, "ssh.pub", SSH_AUTH_SOCK=socket)
        assert done.code == 0, done.output
        assert check(repository, "ssh").code == 0
        subprocess.run(["ssh-add", "-q", "-D"], check=True, env=environ)
        refused = attest(repository, "ssh.pub", SSH_AUTH_SOCK=socket)
        assert refused.code == 2, refused.output
        assert "the key can't sign:" in refused.err
    finally:
        agent.terminate()
        agent.wait()


def test_what_is_printed_as_json_says_the_same(run: Run) -> None:
    repository = run("pass")
    made = attest(repository, "ed25519", "--json").json
    assert (made["schema"], made["status"], made["predicates"]) == (
        "verigate:attest.v1",
        "pass",
        ["svr", "vsa", "test-result"],
    )
    found = check(repository, "ed25519", "--json").json
    assert (found["schema"], found["passed"], found["notes"]) == ("verigate:attest-verify.v1", True, [])
    for statement in found["statements"]:
        assert (statement["subject"], statement["passed"]) == (made["subject"], True)


@pytest.mark.release
def test_skipped_tests_are_a_warning(run: Run) -> None:
    repository = run("skipped tests")
    assert attest(repository).code == 0
    tests = statements(repository)[TESTS]["predicate"]
    assert (tests["result"], tests["warnedTests"], tests["passedTests"]) == ("WARNED", ["tests/u.py"], ["tests/t.py"])
    assert check(repository).code == 0


def test_statements_for_others_to_sign_are_bare_and_prove_nothing_by_themselves(run: Run) -> None:
    repository = run("pass")
    done = repository.gate("attest", "T1", "--unsigned", "--predicate", "vsa")
    assert (done.code, "not signed" in done.out) == (0, True), done.output
    bare = json.loads((repository.root / FILE).read_bytes())
    message = json_format.ParseDict(bare, statement_pb2.Statement())
    Statement.copy_from_pb(message).validate()
    assert bare["predicate"]["verificationResult"] == "PASSED"
    refused = check(repository)
    assert (refused.code, "payloadType is None" in refused.err) == (3, True), refused.output
    both = attest(repository, "ed25519", "--unsigned")
    assert (both.code, "exclude each other" in both.err) == (2, True), both.output


# What a verdict that isn't a pass is attested as


@pytest.mark.release
@pytest.mark.parametrize("status", ["fail", "failing tests", "open", "error"])
def test_what_is_no_pass_is_attested_as_a_failure(run: Run, status: str) -> None:
    repository = run(status)
    assert attest(repository).code == 0
    found = statements(repository)
    vsa = found[VSA]["predicate"]
    assert (vsa["verificationResult"], vsa["verifiedLevels"]) == ("FAILED", ["FAILED"])
    assert vsa["verigateStatus"] == repository.verdict()["status"]
    assert found[SVR]["predicate"]["properties"] == []
    assert "PASS" not in json.dumps(found).replace("passedTests", "").upper().replace("TESTS_PASS", "")
    if status == "failing tests":
        tests = found[TESTS]["predicate"]
        assert (tests["result"], tests["failedTests"]) == ("FAILED", ["t.py::test_a"])
    else:
        assert TESTS not in found
    done = check(repository)
    assert done.code == 1, done.output
    assert "attested: NOT passed" in done.out


# What isn't attested


def test_a_verdict_of_another_tree_is_not_attested(run: Run) -> None:
    repository = run("pass")
    repository.put("a.py", "answer = 43\n")
    # HEAD is still what was judged.
    assert attest(repository).code == 0
    repository.sample.git("commit", "--quiet", "--all", "-m", "more")
    done = attest(repository)
    assert done.code == 3, done.output
    assert "no longer the tree that was judged" in " ".join(done.err.split())
    assert attest(repository, "ed25519", "--ref", "HEAD~1").code == 0
    assert check(repository).code == 3
    assert check(repository, "ed25519", "--ref", "HEAD~1").code == 0


def test_a_tree_that_is_not_committed_is_attested_by_itself(run: Run) -> None:
    repository = run("pass")
    repository.sample.git("reset", "-q", "--soft", "HEAD~1")
    assert attest(repository).code == 0
    assert [subject["name"] for subject in statements(repository)[VSA]["subject"]] == ["tree"]
    assert check(repository).code == 0
    repository.put("b.py", "")
    done = attest(repository)
    assert done.code == 3, done.output


@pytest.mark.parametrize("what", ["the status", "the evidence", "the index", "no verdict"])
def test_what_is_not_sealed_and_intact_is_not_attested(run: Run, what: str) -> None:
    repository = run("fail")
    folder = repository.root / ".artifacts/T1"
    if what == "the status":
        verdict = repository.verdict()
        (folder / "verdict.json").write_text(json.dumps({**verdict, "status": "pass", "reasons": []}))
    elif what == "the evidence":
        (folder / "tests.json").write_text("{}")
    elif what == "the index":
        (folder / "artifacts.json").write_text("{}")
    else:
        (folder / "verdict.json").unlink()
    done = attest(repository)
    assert done.code == 3, done.output
    assert "not verified" in done.err
    assert not (repository.root / FILE).exists()


def test_an_earlier_verdict_put_back_is_not_attested(run: Run, tmp_path: Path) -> None:
    repository = run("pass")
    shutil.copytree(repository.root / ".artifacts/T1", tmp_path / "kept")
    repository.put(".artifacts/T1/claim.json", {"task_id": "T1", "claim": {"units_list": ["file:gone.py"]}})
    assert repository.verify().code == 1
    shutil.rmtree(repository.root / ".artifacts/T1")
    shutil.copytree(tmp_path / "kept", repository.root / ".artifacts/T1")
    done = attest(repository)
    assert done.code == 3, done.output
    assert "the last one, number 2, was fail" in " ".join(done.err.split())


@pytest.mark.parametrize("what", ["no chain", "a chain that was cut", "in the commit"])
def test_a_verdict_that_no_chain_vouches_for_is_not_attested(run: Run, tmp_path: Path, what: str) -> None:
    repository = run("pass")
    folder = repository.root / ".artifacts/T1"
    if what == "no chain":
        # As in a clone whose branch brought the folder.
        repository.sample.git("update-ref", "-d", CHAIN)
        message = "its verdict is in no chain"
    elif what == "a chain that was cut":
        assert repository.verify().code == 0
        shutil.copytree(folder, tmp_path / "kept")
        repository.put(".artifacts/T1/claim.json", {"task_id": "T1", "claim": {"units_list": ["file:gone.py"]}})
        assert repository.verify().code == 1
        repository.sample.git("update-ref", CHAIN, f"{CHAIN}~1")
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "kept", folder)
        message = "is gone from the chain of its verdicts"
    else:
        repository.sample.git("add", "--force", ".artifacts/T1")
        message = "git tracks .artifacts/T1/verdict.json as it is"
    done = attest(repository)
    told = " ".join(done.err.split())
    assert (done.code, f"not attested: {message}" in told or message in told) == (3, True), done.output
    assert not (repository.root / FILE).exists()


def test_the_next_verdict_takes_the_attestation_of_the_last_with_it(run: Run) -> None:
    repository = run("pass")
    assert attest(repository).code == 0
    assert repository.gate("show", "T1").code == 0
    assert repository.verify("T1", "--ref", "HEAD").code == 0
    assert not (repository.root / FILE).exists()


@pytest.mark.release
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "no key is named to sign with"),
        (("--key", "/nowhere"), 2, "can't be read"),
        (("--key", "a.py"), 2, "lies in the repository: whoever is judged can sign with it"),
        (("--key", "../home/rsa"), 2, "is not an Ed25519 or ECDSA key"),
        (("--key", "../home/ed25519.pub"), 2, "is not a usable private key"),
        (("--key", "../home/ed25519", "--expires", "soon"), 2, "is not an expiry"),
        (("--key", "../home/ed25519", "--expires", "2001-01-01"), 2, "it would have expired on"),
        (("--key", "../home/ed25519", "--expires", "0"), 2, "it would have expired on"),
        (("--key", "../home/ed25519", "--expires", "400"), 2, "counts for at most 366 days"),
        (("--key", "../home/ed25519", "--predicate", "slsa"), 2, "is not one of svr, vsa, test-result"),
        (("--key", "../home/ed25519", "--ref", "nowhere"), 2, "nowhere is not a commit"),
        (("--key", "../home/ed25519", "--ref", "-n"), 2, "can't name a commit"),
    ],
)
def test_what_can_not_be_signed_is_refused(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    repository = run("pass")
    subprocess.run(["openssl", "genrsa", "-out", repository.home / "rsa"], check=True, capture_output=True)
    done = repository.gate("attest", "T1", *arguments)
    assert (done.code, message in " ".join(done.err.split())) == (code, True), done.output
    assert not (repository.root / FILE).exists()


def test_a_key_is_made_on_request_alone_and_never_over_another(run: Run) -> None:
    repository = run("pass")
    key = repository.home / "ed25519"
    assert key.stat().st_mode & 0o777 == 0o600
    before = key.read_bytes()
    again = repository.gate("attest", "keygen", str(key))
    assert (again.code, key.read_bytes()) == (2, before), again.output
    inside = repository.gate("attest", "keygen", "key.pem")
    assert (inside.code, (repository.root / "key.pem").exists()) == (2, False), inside.output


# What isn't accepted


def forge(repository: gr.GatedRepository, change: Callable[[list[dict[str, Any]]], None]) -> None:
    found = envelopes(repository)
    change(found)
    (repository.root / FILE).write_text("".join(json.dumps(envelope) + "\n" for envelope in found))


def resign(
    repository: gr.GatedRepository, change: Callable[[dict[str, Any]], None], key: str = "ed25519", kind: str = VSA
) -> None:
    """Change what the VSA says, or another kind, and sign that by the same key: a signer who errs or lies."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from securesystemslib.signer import CryptoSigner

    statement = statements(repository)[kind]
    change(statement)
    envelope = Envelope(json.dumps(statement).encode(), "application/vnd.in-toto+json", {})
    envelope.sign(CryptoSigner(load_pem_private_key((repository.home / key).read_bytes(), None)))  # type: ignore[arg-type]
    (repository.root / FILE).write_text(json.dumps(envelope.to_dict()))


def replaced_payload(found: list[dict[str, Any]]) -> None:
    statement = json.loads(base64.b64decode(found[1]["payload"]))
    statement["predicate"]["verificationResult"] = "PASSED"
    statement["predicate"]["verifiedLevels"] = ["VERIGATE_PASS"]
    found[1]["payload"] = base64.b64encode(json.dumps(statement).encode()).decode()


def unknown_key(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"][0]["keyid"] = "0" * 64


def one_bad(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"].append({"keyid": "", "sig": base64.b64encode(bytes(64)).decode()})


def one_unknown(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"].append({"keyid": "f" * 64, "sig": found[0]["signatures"][0]["sig"]})


def twice(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"] *= 2


def none(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"] = []


def other_type(found: list[dict[str, Any]]) -> None:
    found[0]["payloadType"] = "text/plain"


def swapped(found: list[dict[str, Any]]) -> None:
    found[0]["signatures"], found[1]["signatures"] = found[1]["signatures"], found[0]["signatures"]


def not_base64(found: list[dict[str, Any]]) -> None:
    found[0]["payload"] = "%"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (replaced_payload, "a signature is not by"),
        (unknown_key, f"it is signed by {'0' * 64}, which is not a trusted key"),
        (one_bad, "a signature is not by"),
        (one_unknown, f"it is signed by {'f' * 64}, which is not a trusted key"),
        (twice, "two signatures by one key"),
        (none, "the envelope has no signature"),
        (other_type, "payloadType is 'text/plain'"),
        (swapped, "a signature is not by"),
        (not_base64, "this is not a DSSE envelope"),
        (lambda found: found.append({}), "payloadType is None"),  # type: ignore[dict-item]
        (lambda found: found.append([]), "it is not an object"),  # type: ignore[arg-type]
    ],
)
def test_an_envelope_that_was_tampered_with_is_refused(
    run: Run, change: Callable[[list[dict[str, Any]]], None], message: str
) -> None:
    repository = run("fail")
    assert attest(repository).code == 0
    forge(repository, change)
    done = check(repository)
    assert (done.code, done.out) == (3, ""), done.output
    assert message in " ".join(done.err.split()), done.output


def about(name: str, digest: str) -> Callable[[dict[str, Any]], None]:
    return lambda statement: statement.update(subject=[{"name": "x", "digest": {name: digest}}])


def predicate(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda statement: statement["predicate"].update(changes)


YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="seconds")
TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (about("gitTree", "a" * 40), f"is about the tree {'a' * 40}, and not about"),
        (about("sha256", "a" * 64), "only gitCommit and gitTree are compared"),
        (about("gitCommit", "a" * 40), "no subject is a gitTree"),
        (about("gitTree", "A" * 40), "is no gitTree"),
        (lambda statement: statement["subject"][0]["digest"].update(gitCommit="b" * 40), "is about the commit"),
        (lambda statement: statement.update(subject=[]), "At least one subject required"),
        (lambda statement: statement.update(_type="https://in-toto.io/Statement/v0.1"), "Wrong statement type"),
        (lambda statement: statement.update(predicateType="https://slsa.dev/provenance/v1"), "the predicate type"),
        (lambda statement: statement.update(predicateType=SVR), "its svr can't be read"),
        (predicate(verigateExpires=YESTERDAY), "its vsa expired on"),
        (lambda statement: statement["predicate"].pop("verigateExpires"), "its vsa can't be read: 'verigateExpires'"),
        (predicate(verigateExpires="2030-01-01T00:00:00"), "has no time zone"),
        (predicate(timeVerified=TOMORROW), "was made later than now"),
        (predicate(verificationResult="FAILED"), "verificationResult is FAILED, and verifiedLevels"),
        (predicate(verificationResult="passed"), "verificationResult is 'passed'"),
        (predicate(verifiedLevels=["SLSA_BUILD_LEVEL_3"]), "verificationResult is PASSED, and verifiedLevels"),
        (predicate(verifiedLevels="VERIGATE_PASS"), "verifiedLevels must be a list"),
        (predicate(timeVerified=5), "it is not an in-toto statement"),
    ],
)
def test_a_statement_that_does_not_fit_is_refused_though_its_signature_holds(
    run: Run, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    repository = run("pass")
    assert attest(repository).code == 0
    resign(repository, change)
    done = check(repository)
    assert (done.code, done.out) == (3, ""), done.output
    assert message in " ".join(done.err.split()), done.output


def test_what_is_wanted_must_be_there(run: Run) -> None:
    repository = run("pass")
    assert attest(repository, "ed25519", "--predicate", "test-result").code == 0
    done = check(repository)
    assert (done.code, "only says how the tests ran" in done.err) == (3, True), done.output
    assert check(repository, "ed25519", "--predicate", "test-result").code == 0
    aged = check(repository, "ed25519", "--predicate", "test-result", "--max-age", "1")
    assert (aged.code, "doesn't say when it was made" in aged.err) == (3, True), aged.output
    done = check(repository, "ed25519", "--predicate", "vsa")
    assert (done.code, "there is no vsa" in done.err) == (3, True), done.output
    assert attest(repository, "ed25519", "--resource", "git+https://example.com/shop").code == 0
    assert check(repository, "ed25519", "--resource", "git+https://example.com/shop").code == 0
    done = check(repository, "ed25519", "--resource", "git+https://example.com/other")
    assert (done.code, "its resourceUri is" in done.err) == (3, True), done.output
    done = check(repository, "ed25519", "--verifier", "https://example.com/gate")
    assert (done.code, "its verifier.id is" in done.err) == (3, True), done.output
    assert check(repository, "ed25519", "--max-age", "1").code == 0


@pytest.mark.release
def test_what_is_left_of_a_bundle_is_not_enough_and_expires_by_itself(run: Run) -> None:
    """Lines can be taken out of a file by whoever passes it on."""
    repository = run("pass")
    assert attest(repository).code == 0
    assert statements(repository)[SVR]["predicate"]["verigateChain"]["ref"] == CHAIN
    forge(repository, lambda found: found.__delitem__(slice(1, None)))
    assert list(statements(repository)) == [SVR]
    alone = check(repository)
    assert (alone.code, "there is no vsa in it, but svr alone" in alone.err) == (3, True), alone.output
    assert check(repository, "ed25519", "--predicate", "svr").code == 0
    assert check(repository, "ed25519", "--max-age", "1").code == 0
    assert repository.verify("T1", "--ref", "HEAD").code == 0
    assert attest(repository, "ed25519", "--predicate", "svr").code == 0
    kept = (repository.root / FILE).read_bytes()
    repository.sample.git("update-ref", CHAIN, f"{CHAIN}~1")
    (repository.root / FILE).write_bytes(kept)
    gone = check(repository, "ed25519", "--predicate", "svr")
    assert (gone.code, "which is attested, is not in the chain" in " ".join(gone.err.split())) == (3, True), gone.output
    for change, message in (
        (predicate(verigateExpires=YESTERDAY), "its svr expired on"),
        (lambda statement: statement["predicate"].pop("verigateExpires"), "its svr can't be read: 'verigateExpires'"),
    ):
        (repository.root / FILE).write_bytes(kept)
        resign(repository, change, kind=SVR)
        done = check(repository, "ed25519", "--predicate", "svr")
        assert (done.code, message in " ".join(done.err.split())) == (3, True), done.output


def test_the_signed_verdict_of_a_run_is_read_too(run: Run) -> None:
    repository = run("pass")
    key = str(repository.home / "ecdsa")
    assert repository.verify("T1", "--ref", "HEAD", VERIGATE_SIGNING_KEY=key).code == 0
    file = ".artifacts/T1/attestation.json"
    alone = repository.gate("attest", "verify", file, "--key", f"{key}.pub")
    assert (alone.code, "there is no vsa in it, but verdict alone" in alone.err) == (3, True), alone.output
    done = repository.gate("attest", "verify", file, "--key", f"{key}.pub", "--predicate", "verdict")
    assert (done.code, "verdict: pass" in done.out) == (0, True), done.output
    aged = repository.gate("attest", "verify", file, "--key", f"{key}.pub", "--max-age", "1")
    assert (aged.code, "doesn't say when it was made" in aged.err) == (3, True), aged.output


# Whose keys count


def land_signers(repository: gr.GatedRepository, line: str, ref: str = "refs/remotes/origin/main") -> None:
    """Commit an allowed-signers file on top of the base, where the ref then is; the work isn't there."""
    git = repository.sample.git
    head = git("rev-parse", "HEAD")
    git("checkout", "-q", "HEAD~1")
    repository.put("config/allowed-signers", line)
    git("add", "config/allowed-signers")
    git("commit", "-q", "-m", "Who may sign")
    git("update-ref", ref, "HEAD")
    git("checkout", "-q", "-B", "work", head)


def test_signers_come_from_the_trusted_ref(run: Run) -> None:
    repository = run("pass")
    public = (repository.home / "ssh.pub").read_text()
    assert attest(repository, "ssh").code == 0
    nothing = repository.gate("attest", "verify", FILE)
    assert (nothing.code, "refs/remotes/origin/HEAD, which is not here" in " ".join(nothing.err.split())) == (2, True)
    land_signers(repository, f'alice@example.com namespaces="attest@verigate" {public}')
    done = repository.gate("attest", "verify", FILE, "--keys-ref", "origin/main")
    assert (done.code, "by alice@example.com (SHA256:" in done.out) == (0, True), done.output
    by_environment = repository.gate("attest", "verify", FILE, GATE_POLICY_REF="refs/remotes/origin/main")
    assert by_environment.code == 0, by_environment.output
    repository.sample.git("update-ref", "refs/heads/origin/main", "HEAD")
    ambiguous = repository.gate("attest", "verify", FILE, "--keys-ref", "origin/main")
    assert (ambiguous.code, "origin/main is ambiguous" in ambiguous.err) == (2, True), ambiguous.output
    option = repository.gate("attest", "verify", FILE, "--keys-ref=--output=x")
    assert (option.code, "is no name of a ref" in option.err) == (2, True), option.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ('namespaces="policy@verigate"', "doesn't hold: "),
        ('namespaces="attest@verigate",valid-before="20010101"', "doesn't hold: "),
    ],
)
def test_a_key_for_something_else_or_of_the_past_does_not_count(run: Run, options: str, message: str) -> None:
    repository = run("pass")
    land_signers(repository, f"alice {options} {(repository.home / 'ssh.pub').read_text()}")
    assert attest(repository, "ssh").code == 0
    done = repository.gate("attest", "verify", FILE, "--keys-ref", "origin/main")
    assert done.code == 3, done.output
    told = " ".join(done.err.split())
    assert message in told or "which is not a trusted key" in told, done.output


def test_a_signature_for_another_purpose_is_none(run: Run) -> None:
    """The same key, the same bytes, another namespace: what it signs as approvals or files proves nothing here."""
    repository = run("pass")
    assert attest(repository, "ssh", "--predicate", "vsa").code == 0
    (envelope,) = envelopes(repository)
    armoured = ssh_keygen("-Y", "sign", "-q", "-f", str(repository.home / "ssh"), "-n", "file", stdin=pae(envelope))
    envelope["signatures"][0]["sig"] = "".join(armoured.decode().split("\n")[1:-2])
    (repository.root / FILE).write_text(json.dumps(envelope))
    done = check(repository, "ssh")
    assert (done.code, "doesn't hold" in done.err) == (3, True), done.output


def test_a_key_that_the_change_itself_adds_does_not_count(run: Run, tmp_path: Path) -> None:
    repository = run("pass")
    git = repository.sample.git
    other = repository.home / "other"
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", str(other))
    land_signers(repository, f'bob namespaces="attest@verigate" {Path(f"{other}.pub").read_text()}')
    # The change brings its own key, in the file of signers and as a file of its own.
    repository.put(
        "config/allowed-signers", f'me namespaces="attest@verigate" {(repository.home / "ssh.pub").read_text()}'
    )
    repository.put("keys/mine.pub", (repository.home / "ed25519.pub").read_text())
    git("add", "-A", "config", "keys")
    git("commit", "-q", "--amend", "--no-edit")
    repository.verify("T1", "--ref", "HEAD")
    assert attest(repository, "ssh").code == 0
    done = repository.gate("attest", "verify", FILE, "--keys-ref", "origin/main")
    told = " ".join(done.err.split())
    assert (done.code, "of the change itself names, and the trusted one not" in told) == (3, True), done.output
    assert attest(repository, "ed25519").code == 0
    done = repository.gate("attest", "verify", FILE, "--key", "keys/mine.pub", "--keys-ref", "origin/main")
    told = " ".join(done.err.split())
    assert (done.code, "keys that the change itself adds don't count" in told) == (2, True), done.output
    # Nor by a link that leads out, to a file that is nobody's.
    shutil.copy(repository.home / "ed25519.pub", tmp_path / "outside.pub")
    (repository.root / "trusted.pub").symlink_to(tmp_path / "outside.pub")
    (repository.root / "linked").symlink_to(tmp_path)
    for name in ("trusted.pub", "linked/outside.pub", "./keys/../trusted.pub"):
        done = repository.gate("attest", "verify", FILE, "--key", name, "--keys-ref", "origin/main")
        told = " ".join(done.err.split())
        assert (done.code, "keys that the change itself adds don't count" in told) == (2, True), done.output


def test_a_change_of_the_signers_is_one_of_the_judges(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, RULES)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUSTANEXAMPLEJUSTANEXAMPLEJUSTANEXAMPLE1"
    repository.put("config/allowed-signers", f'me namespaces="attest@verigate" {key}\n')
    repository.claim("file:a.py")
    done = repository.verify()
    assert done.code == 1, done.output
    judges = next(check for check in repository.verdict()["checks"] if check["id"] == "gate.judges")
    assert (judges["outcome"], "config/allowed-signers" in json.dumps(judges)) == ("refuted", True)


# The chain of verdicts


@pytest.mark.release
def test_a_verdict_that_was_taken_out_of_its_chain_shows_by_its_attestation(run: Run) -> None:
    repository = run("pass")
    chain = "refs/verigate/verdicts/T1"
    assert repository.verify("T1", "--ref", "HEAD").code == 0
    assert attest(repository).code == 0
    kept = (repository.root / FILE).read_bytes()
    first = repository.sample.git("rev-parse", f"{chain}~1")
    assert repository.verify("T1", "--ref", "HEAD").code == 0
    (repository.root / FILE).write_bytes(kept)
    later = check(repository)
    assert (later.code, "after the attested verdict, number 2, came more" in later.err) == (0, True), later.output
    # Everything local is set back, the witness as well.
    shutil.rmtree(repository.home / ".local/state/verigate/chains", ignore_errors=True)
    repository.sample.git("update-ref", chain, first)
    done = check(repository)
    told = " ".join(done.err.split())
    assert (done.code, "which is attested, is not in the chain" in told) == (3, True), done.output
    repository.sample.git("update-ref", "-d", chain)
    gone = check(repository)
    assert (gone.code, "is not in this repository" in gone.err) == (0, True), gone.output
