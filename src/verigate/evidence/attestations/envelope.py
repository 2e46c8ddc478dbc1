"""Seal statements in DSSE envelopes (https://github.com/secure-systems-lab/dsse), and open them again.

securesystemslib encodes, signs and verifies. What it leaves to its caller is here: that every signature of an envelope
counts, not a threshold of them, and that bytes by somebody else are read strictly.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from verigate.domain.attestation import PAYLOAD_TYPE
from verigate.errors import EvidenceError
from verigate.formats.strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from verigate.evidence.attestations.signing_keys import Sign
    from verigate.evidence.attestations.trusted_keys import TrustedKeys

LARGEST_FILE = 64 * 1024 * 1024
_MOST_ENVELOPES = 1000
_MOST_SIGNATURES = 32


def seal(statement: Mapping[str, Any], sign: Sign) -> dict[str, Any]:
    """Sign a statement; return its envelope. Raises ConfigError where the key can't sign."""
    from securesystemslib.dsse import Envelope

    envelope = Envelope(orjson.dumps(statement, option=orjson.OPT_SORT_KEYS), PAYLOAD_TYPE, {})
    signature = sign(envelope.pae())
    envelope.signatures[signature.keyid] = signature
    found: dict[str, Any] = envelope.to_dict()
    return found


def encode_lines(envelopes: Iterable[Mapping[str, Any]]) -> bytes:
    """Encode envelopes as in-toto's bundle: one on each line (https://in-toto.io/, spec/v1/bundle.md)."""
    options = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return b"".join(orjson.dumps(envelope, option=options) for envelope in envelopes)


def read_envelopes(content: bytes, *, where: str) -> tuple[Any, ...]:
    """Read one JSON document, or one on each line. Raises EvidenceError."""
    if len(content) > LARGEST_FILE:
        raise EvidenceError(f"it has more than {LARGEST_FILE} bytes", where=where)
    try:
        return (loads(content),)
    except StrictJsonError as problem:
        lines = [line for line in content.split(b"\n") if line.strip()]
        if len(lines) < 2:
            hint = "take a file that `gate attest` wrote"
            raise EvidenceError(f"this is not an attestation: {problem}", where=where, hint=hint) from problem
    if len(lines) > _MOST_ENVELOPES:
        raise EvidenceError(f"it has more than {_MOST_ENVELOPES} lines", where=where)
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(loads(line))
        except StrictJsonError as problem:
            raise EvidenceError(f"this is not an attestation: {problem}", where=f"{where}:{number}") from problem
    return tuple(found)


def open_envelope(document: Any, keys: TrustedKeys, *, where: str) -> tuple[bytes, tuple[str, ...]]:
    """Verify every signature of an envelope; return its payload, and who signed.

    Raises EvidenceError if a signature doesn't hold or is by a key that isn't trusted: an envelope with one good and
    one bad signature was tampered with.
    """
    payload, signatures = _read_envelope(document, where)
    from securesystemslib.dsse import Envelope

    signed = Envelope(payload, PAYLOAD_TYPE, {}).pae()
    signers = [keys.verify(signed, keyid, signature, where=where) for keyid, signature in signatures]
    return payload, tuple(dict.fromkeys(signers))


def _read_envelope(document: Any, where: str) -> tuple[bytes, list[tuple[str, bytes]]]:
    if not isinstance(document, dict):
        raise EvidenceError("this is not a DSSE envelope: it is not an object", where=where)
    if (kind := document.get("payloadType")) != PAYLOAD_TYPE:
        raise EvidenceError(f"payloadType is {kind!r}, and must be {PAYLOAD_TYPE!r}", where=where)
    listed = document.get("signatures")
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise EvidenceError("this is not a DSSE envelope: signatures is not a list of objects", where=where)
    if not listed:
        hint = "attest again, with a key: gate attest --key FILE"
        raise EvidenceError("the envelope has no signature", where=where, hint=hint)
    if len(listed) > _MOST_SIGNATURES:
        raise EvidenceError(f"the envelope has more than {_MOST_SIGNATURES} signatures", where=where)
    try:
        payload = _decode(document["payload"])
        signatures = [(_read_keyid(item), _decode(item["sig"])) for item in listed]
    except (KeyError, TypeError, ValueError, binascii.Error) as problem:
        raise EvidenceError(f"this is not a DSSE envelope: {problem}", where=where) from problem
    named = [keyid for keyid, _ in signatures if keyid]
    if len(set(named)) != len(named):
        raise EvidenceError("the envelope has two signatures by one key", where=where)
    return payload, signatures


def _read_keyid(signature: Mapping[str, Any]) -> str:
    keyid = signature.get("keyid", "")
    if not isinstance(keyid, str):
        raise TypeError("keyid is not a text")
    return keyid


def _decode(text: Any) -> bytes:
    if not isinstance(text, str):
        raise TypeError("a part in base64 is not a text")
    return base64.b64decode(text, validate=True)
