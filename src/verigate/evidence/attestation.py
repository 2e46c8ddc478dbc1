"""Sign the verdict of every run as an in-toto statement, attestation.json, if a key is configured.

Formats: in-toto Statement v1 (https://in-toto.io/Statement/v1) in a DSSE envelope (secure-systems-lab/dsse). The key is
a file that VERIGATE_SIGNING_KEY names; the ``attest`` extra brings the libraries. ``gate attest`` makes the statements
that other programs know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

from verigate.domain.attestation import STATEMENT_TYPE, Predicate

KEY_VARIABLE = "VERIGATE_SIGNING_KEY"

Attest = Callable[[Mapping[str, Any], Mapping[str, str]], bytes | None]
"""(verdict document, artifact path -> sha256) -> the bytes of attestation.json, None without a key."""


def load_signer(environ: Mapping[str, str], root: Path) -> Attest:
    """Load the configured key and return a function that signs verdicts; without a key it returns None.

    Raises ConfigError for an unusable key, and for one inside the repository ``root``, before anything has run.
    """
    name = environ.get(KEY_VARIABLE)
    if not name:
        return lambda verdict, artifacts: None  # noqa: ARG005 - the signature of Attest
    from verigate.evidence.attestations.envelope import seal  # only needed with a key
    from verigate.evidence.attestations.signing_keys import load_signer as load_key

    sign = load_key(Path(name), environ, root, option=KEY_VARIABLE)

    def attest(verdict: Mapping[str, Any], artifacts: Mapping[str, str]) -> bytes:
        envelope = seal(build_statement(verdict, artifacts), sign)
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
        "predicateType": Predicate.VERDICT.uri,
        "predicate": {key: value for key, value in verdict.items() if key != "metadata"},
    }
