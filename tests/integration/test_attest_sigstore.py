"""``gate attest verify`` on sigstore bundles that sigstore's JavaScript makes, with its services on this machine."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import npm_tools
import pytest

IDENTITY = "https://github.com/shop/shop/.github/workflows/release.yml@refs/heads/main"
ISSUER = "https://token.actions.githubusercontent.com"
SCRIPT = Path(__file__).parents[1] / "support/independent/sigstore_sign.mjs"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    """A verdict that passed, its VSA in a bundle, and the trusted root, both in the home."""
    artifacts = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
    found = gr.make(tmp_path_factory.mktemp("sigstore"), artifacts, {"tests_pass": True})
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    assert found.verify().code == 0
    found.sample.commit("the work")
    key, statement = str(found.home / "key"), found.home / "statement.json"
    assert found.gate("attest", "keygen", key).code == 0
    for how, file in ((("--key", key), "by-key.json"), (("--unsigned",), "statement.json")):
        done = found.gate("attest", "T1", *how, "--predicate", "vsa", "--output", str(found.home / file))
        assert done.code == 0, done.output
    files = (found.home / "bundle.json", found.home / "root.json")
    command = ("node", SCRIPT, npm_tools.sigstore(), statement, IDENTITY, ISSUER, *files)
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return found


def check(
    signed: gr.GatedRepository, file: Path, *more: str, identity: str = IDENTITY, issuer: str = ISSUER
) -> gr.Done:
    root = ("--trusted-root", str(signed.home / "root.json"))
    return signed.gate("attest", "verify", str(file), "--identity", identity, "--issuer", issuer, *root, *more)


def test_a_bundle_of_the_right_identity_holds(signed: gr.GatedRepository) -> None:
    done = check(signed, signed.home / "bundle.json", "--predicate", "vsa")
    assert done.code == 0, done.output
    assert f"by {IDENTITY} (sigstore, {ISSUER})" in done.out
    both = signed.home / "both.jsonl"
    both.write_bytes((signed.home / "bundle.json").read_bytes() + b"\n" + (signed.home / "by-key.json").read_bytes())
    done = check(signed, both, "--key", str(signed.home / "key.pub"))
    assert (done.code, done.out.count("✓ vsa")) == (0, 2), done.output


@pytest.mark.release
def test_a_bundle_of_anybody_else_does_not(signed: gr.GatedRepository) -> None:
    bundle = signed.home / "bundle.json"
    for done in (check(signed, bundle, identity="somebody@example.com"), check(signed, bundle, issuer="https://else")):
        assert (done.code, "the sigstore bundle doesn't hold" in done.err) == (3, True), done.output
    unnamed = signed.gate("attest", "verify", str(bundle))
    assert (unnamed.code, "nobody said whose signature counts" in unnamed.err) == (2, True), unnamed.output
    other = signed.home / "other-root.json"
    other.write_text('{"mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1"}')
    options = ("--identity", IDENTITY, "--issuer", ISSUER, "--trusted-root", str(other))
    rootless = signed.gate("attest", "verify", str(bundle), *options)
    assert (rootless.code, "trusted root can't be had" in rootless.err) == (3, True), rootless.output


def test_a_trusted_root_of_the_change_itself_does_not_count(signed: gr.GatedRepository) -> None:
    signed.put("root.json", (signed.home / "root.json").read_text())
    try:
        options = ("--identity", IDENTITY, "--issuer", ISSUER, "--trusted-root", "root.json", "--keys-ref", "main")
        done = signed.gate("attest", "verify", str(signed.home / "bundle.json"), *options)
    finally:
        (signed.root / "root.json").unlink()
    assert (done.code, "the change itself adds don't count" in " ".join(done.err.split())) == (2, True), done.output


def flip(text: str) -> str:
    """The same bytes in base64, but for one."""
    content = bytearray(base64.b64decode(text))
    content[len(content) // 2] ^= 1
    return base64.b64encode(content).decode()


def payload(bundle: dict[str, Any]) -> None:
    bundle["dsseEnvelope"]["payload"] = flip(bundle["dsseEnvelope"]["payload"])


def signature(bundle: dict[str, Any]) -> None:
    found = bundle["dsseEnvelope"]["signatures"][0]
    found["sig"] = flip(found["sig"])


def log_body(bundle: dict[str, Any]) -> None:
    found = bundle["verificationMaterial"]["tlogEntries"][0]
    found["canonicalizedBody"] = flip(found["canonicalizedBody"])


def log_time(bundle: dict[str, Any]) -> None:
    found = bundle["verificationMaterial"]["tlogEntries"][0]
    found["integratedTime"] = str(int(found["integratedTime"]) + 86_400)


def promise(bundle: dict[str, Any]) -> None:
    found = bundle["verificationMaterial"]["tlogEntries"][0]["inclusionPromise"]
    found["signedEntryTimestamp"] = flip(found["signedEntryTimestamp"])


def proof(bundle: dict[str, Any]) -> None:
    found = bundle["verificationMaterial"]["tlogEntries"][0]["inclusionProof"]
    found["rootHash"] = flip(found["rootHash"])


def no_log(bundle: dict[str, Any]) -> None:
    bundle["verificationMaterial"]["tlogEntries"] = []


def certificate(bundle: dict[str, Any]) -> None:
    material = bundle["verificationMaterial"]
    found = material.get("certificate") or material["x509CertificateChain"]["certificates"][0]
    found["rawBytes"] = flip(found["rawBytes"])


def key_alone(bundle: dict[str, Any]) -> None:
    bundle["verificationMaterial"] = {"publicKey": {"hint": "x"}, "tlogEntries": []}


def version(bundle: dict[str, Any]) -> None:
    bundle["mediaType"] = "application/vnd.dev.sigstore.bundle.v9+json"


def file_signed(bundle: dict[str, Any]) -> None:
    sig = bundle.pop("dsseEnvelope")["signatures"][0]["sig"]
    bundle["messageSignature"] = {"messageDigest": {"algorithm": "SHA2_256", "digest": "AA=="}, "signature": sig}


@pytest.mark.release
@pytest.mark.parametrize(
    "change",
    [payload, signature, log_body, log_time, promise, proof, no_log, certificate, key_alone, version, file_signed],
)
def test_a_bundle_that_was_tampered_with_is_refused(
    signed: gr.GatedRepository, tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    bundle = json.loads((signed.home / "bundle.json").read_bytes())
    change(bundle)
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    done = check(signed, tmp_path / "bundle.json")
    assert (done.code, done.out) == (3, ""), done.output
    assert "the sigstore bundle doesn't hold" in done.err
