"""Open sigstore bundles (https://docs.sigstore.dev/about/bundle/): an envelope signed by an identity, not by a key.

sigstore's own library verifies certificate, transparency log, timestamps and signature, against a trusted root that it
fetches by TUF, or that a file holds. Whose identity counts is said by whoever verifies.
"""

from __future__ import annotations

import tempfile
from typing import Any

import orjson
from msgspec import Struct

from verigate.domain.attestation import PAYLOAD_TYPE
from verigate.errors import ConfigError, EvidenceError, Fault, UsageError

_MEDIA_TYPE = "application/vnd.dev.sigstore.bundle"


class SigstoreTrust(Struct, frozen=True):
    """Whose signature counts: the identity in the certificate (an address or a URI), and who vouched for it.

    ``root`` is the content of a trusted root (JSON), None for that of sigstore's public instance.
    """

    identity: str | None = None
    issuer: str | None = None
    root: bytes | None = None


def is_bundle(document: Any) -> bool:
    """Whether a JSON document says that it is a sigstore bundle, of whatever version."""
    return isinstance(document, dict) and str(document.get("mediaType", "")).startswith(_MEDIA_TYPE)


def open_bundle(document: Any, trust: SigstoreTrust, *, where: str) -> tuple[bytes, tuple[str, ...]]:
    """Verify a bundle; return the payload of its envelope, and whose signature it is.

    Raises UsageError without identity and issuer, ConfigError without sigstore, EvidenceError if the bundle doesn't
    hold.
    """
    if trust.identity is None or trust.issuer is None:
        hint = "--identity NAME --issuer URL; that of GitHub's workflows is https://token.actions.githubusercontent.com"
        message = "this is signed by sigstore, and nobody said whose signature counts"
        raise UsageError(message, where=where, hint=hint)
    from verigate.extras import find_lack

    if (lack := find_lack("sigstore")) is not None:
        raise ConfigError([Fault(lack.message, where, hint=lack.command)])
    from sigstore.models import Bundle
    from sigstore.verify.policy import Identity

    verifier = _make_verifier(trust)
    try:
        bundle = Bundle.from_json(orjson.dumps(document))
        policy = Identity(identity=trust.identity, issuer=trust.issuer)
        kind, payload = verifier.verify_dsse(bundle, policy)
    except Exception as problem:  # it reads what anybody can write: whatever it raises, the bundle doesn't hold
        why = " ".join(str(problem).split()) or type(problem).__name__
        hint = "the bundle was tampered with, or is of another identity or instance (--trusted-root)"
        raise EvidenceError(f"the sigstore bundle doesn't hold: {why}", where=where, hint=hint) from problem
    if kind != PAYLOAD_TYPE:
        raise EvidenceError(f"payloadType is {kind!r}, and must be {PAYLOAD_TYPE!r}", where=where)
    return payload, (f"{trust.identity} (sigstore, {trust.issuer})",)


def _make_verifier(trust: SigstoreTrust) -> Any:
    from sigstore.models import TrustedRoot
    from sigstore.verify import Verifier

    hint = "name a trusted root with --trusted-root FILE"
    try:
        if trust.root is None:
            return Verifier.production()
        with tempfile.NamedTemporaryFile(prefix="verigate-root-", suffix=".json") as file:
            file.write(trust.root)
            file.flush()
            return Verifier(trusted_root=TrustedRoot.from_file(file.name))
    except Exception as problem:  # of the network, of TUF, or of a file that anybody may have written
        why = " ".join(str(problem).split())[:500] or type(problem).__name__
        raise EvidenceError(
            f"sigstore's trusted root can't be had: {why}", where="--trusted-root", hint=hint
        ) from problem
