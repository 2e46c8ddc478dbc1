"""Sign the verdict as an in-toto statement, attestation.json, if a key is configured.

Formats: in-toto Statement v1 (https://in-toto.io/Statement/v1) in a DSSE envelope (secure-systems-lab/dsse), signed
with Ed25519 (RFC 8032). The key is a PEM file that VERIGATE_SIGNING_KEY names; the ``attest`` extra brings the library.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from verigate.errors import ConfigError, EvidenceError, Fault

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_VARIABLE = "VERIGATE_SIGNING_KEY"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://verigate.dev/attestation/verdict/v1"

Attest = Callable[[Mapping[str, Any], Mapping[str, str]], bytes | None]
"""(verdict document, artifact path -> sha256) -> the bytes of attestation.json, None without a key."""


def load_signer(environ: Mapping[str, str]) -> Attest:
    """Load the configured key and return a function that signs verdicts; without a key it returns None.

    Raises ConfigError for an unusable key, before anything has run.
    """
    name = environ.get(KEY_VARIABLE)
    if not name:
        return lambda verdict, artifacts: None  # noqa: ARG005 - the signature of Attest
    import base64  # imported late: only needed with a key

    key = _load_private_key(Path(name))

    def attest(verdict: Mapping[str, Any], artifacts: Mapping[str, str]) -> bytes:
        payload = orjson.dumps(build_statement(verdict, artifacts), option=orjson.OPT_SORT_KEYS)
        envelope = {
            "payloadType": PAYLOAD_TYPE,
            "payload": base64.b64encode(payload).decode(),
            "signatures": [
                {"keyid": key_id(key.public_key()), "sig": base64.b64encode(key.sign(_encode_pae(payload))).decode()}
            ],
        }
        return orjson.dumps(envelope, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    return attest


def build_statement(verdict: Mapping[str, Any], artifacts: Mapping[str, str]) -> dict[str, Any]:
    """Build the in-toto statement: its subjects are the verified tree and all artifacts, its predicate the verdict."""
    tree = str(verdict["subject"]["tree"])
    algorithm, separator, digest = tree.partition(":")
    subject = {"name": "subject", "digest": {algorithm: digest} if separator else {"gitTree": tree}}
    files = [{"name": path, "digest": {"sha256": value}} for path, value in sorted(artifacts.items())]
    return {
        "_type": STATEMENT_TYPE,
        "subject": [subject, *files],
        "predicateType": PREDICATE_TYPE,
        "predicate": {key: value for key, value in verdict.items() if key != "metadata"},
    }


def verify_attestation(envelope: bytes, public_key_pem: bytes) -> dict[str, Any]:
    """Verify the signature of an attestation and return its statement. Raises EvidenceError."""
    import base64

    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(public_key_pem)
    if not isinstance(key, Ed25519PublicKey):
        raise EvidenceError("the public key is not an Ed25519 key")
    try:
        document = orjson.loads(envelope)
        payload = base64.b64decode(document["payload"], validate=True)
        signatures = [base64.b64decode(item["sig"], validate=True) for item in document["signatures"]]
        if document["payloadType"] != PAYLOAD_TYPE or not signatures:
            raise EvidenceError("the attestation is not a signed in-toto statement")
        for signature in signatures:
            key.verify(signature, _encode_pae(payload))
        found: dict[str, Any] = orjson.loads(payload)
    except (KeyError, TypeError, ValueError) as problem:
        raise EvidenceError(f"the attestation is not a DSSE envelope ({problem})") from problem
    except InvalidSignature as problem:
        raise EvidenceError("the attestation's signature is not by this key") from problem
    return found


def key_id(key: Ed25519PublicKey) -> str:
    """The key ID: the sha256 of the raw public key, in hex."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()


def _encode_pae(payload: bytes) -> bytes:
    """Encode for signing: the pre-authentication encoding (PAE) of DSSE v1."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def _load_private_key(path: Path) -> Ed25519PrivateKey:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError as problem:
        from verigate.extras import lack_of

        lack = lack_of("attest", ["cryptography"])
        raise ConfigError([Fault(lack.message, KEY_VARIABLE, hint=lack.command)]) from problem
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as problem:
        hint = f"openssl genpkey -algorithm ed25519 -out {path}"
        raise ConfigError(
            [Fault(f"{path} is not a usable private key: {problem}", KEY_VARIABLE, hint=hint)]
        ) from problem
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError([Fault(f"{path} is not an Ed25519 key", KEY_VARIABLE)])
    return key
