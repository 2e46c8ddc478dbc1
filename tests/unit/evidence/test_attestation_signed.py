from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from verigate.errors import ConfigError
from verigate.evidence.attestation import KEY_VARIABLE, load_signer

VERDICT: dict[str, Any] = {"task_id": "T1", "status": "pass", "subject": {"tree": "a" * 40}, "metadata": {"host": "h"}}
ELSEWHERE = Path("/nowhere")
ARTIFACTS = {"lint.json": "b" * 64}


def openssl(*arguments: str) -> bytes:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.pem"
    openssl("genpkey", "-algorithm", "ed25519", "-out", str(path))
    return path


def public(key: Path) -> bytes:
    return openssl("pkey", "-in", str(key), "-pubout")


def test_without_a_key_nothing_is_signed() -> None:
    assert load_signer({}, ELSEWHERE)(VERDICT, ARTIFACTS) is None


def test_the_statement_names_the_tree_the_artifacts_and_the_verdict(key: Path) -> None:
    envelope = load_signer({KEY_VARIABLE: str(key)}, ELSEWHERE)(VERDICT, ARTIFACTS)
    assert envelope is not None
    opened = Envelope.from_dict(json.loads(envelope))
    opened.verify([SSlibKey.from_crypto(load_pem_public_key(public(key)))], 1)
    statement = json.loads(opened.payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"] == [
        {"name": "subject", "digest": {"gitTree": "a" * 40}},
        {"name": "lint.json", "digest": {"sha256": "b" * 64}},
    ]
    assert statement["predicate"] == {key: value for key, value in VERDICT.items() if key != "metadata"}


def test_openssl_accepts_the_signature(key: Path, tmp_path: Path) -> None:
    envelope = json.loads(load_signer({KEY_VARIABLE: str(key)}, ELSEWHERE)(VERDICT, ARTIFACTS) or b"")
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    (tmp_path / "signed").write_bytes(b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
    (tmp_path / "public.pem").write_bytes(public(key))
    files = ("-inkey", str(tmp_path / "public.pem"), "-in", str(tmp_path / "signed"), "-sigfile", str(tmp_path / "sig"))
    assert b"Verified Successfully" in openssl("pkeyutl", "-verify", "-pubin", "-rawin", *files)


def test_another_key_is_told_apart(key: Path, tmp_path: Path) -> None:
    envelope = Envelope.from_dict(
        json.loads(load_signer({KEY_VARIABLE: str(key)}, ELSEWHERE)(VERDICT, ARTIFACTS) or b"")
    )
    other = tmp_path / "other.pem"
    openssl("genpkey", "-algorithm", "ed25519", "-out", str(other))
    with pytest.raises(VerificationError):
        envelope.verify([SSlibKey.from_crypto(load_pem_public_key(public(other)))], 1)


def test_a_key_inside_of_the_repository_is_refused(key: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="lies in the repository: whoever is judged can sign with it"):
        load_signer({KEY_VARIABLE: str(key)}, tmp_path)


def test_a_key_that_can_not_be_used_stops_the_run_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "nonsense.pem").write_text("nonsense")
    openssl("genpkey", "-algorithm", "rsa", "-out", str(tmp_path / "rsa.pem"))
    for name in ("gone.pem", "nonsense.pem", "rsa.pem"):
        with pytest.raises(ConfigError) as caught:
            load_signer({KEY_VARIABLE: str(tmp_path / name)}, ELSEWHERE)
        assert caught.value.exit_code == 2
        assert KEY_VARIABLE in str(caught.value)
