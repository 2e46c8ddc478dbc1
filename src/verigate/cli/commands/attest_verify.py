"""``gate attest verify``: verify statements about verdicts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.commands.attest_task import parse_predicates
from verigate.cli.options import JSON, Option, Takes
from verigate.cli.output import print_json, say, warn
from verigate.cli.target import find_repository
from verigate.domain.attestation import Attested, Predicate
from verigate.domain.profile import SIGNERS_FILE
from verigate.domain.task_folder import STATEMENTS_FILE
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.usecases.verify_attestations import AttestationReport

KEYS = Option(
    "keys",
    ("--key",),
    "Trust this public key, or the keys of this allowed-signers file. Repeat for more. A file of the repository is "
    f"read from the trusted ref. Default: {SIGNERS_FILE} there.",
    Takes.WORDS,
    "FILE",
)
KEYS_REF = Option(
    "keys_ref",
    ("--keys-ref",),
    "The trusted ref; default: $GATE_POLICY_REF, else the default branch of origin.",
    Takes.WORD,
    "REF",
    refuses_empty=True,
)
REF = Option(
    "ref", ("--ref",), "They must be about this commit; default: HEAD or the working tree.", Takes.WORD, "REF", True
)
PREDICATE = Option(
    "predicates",
    ("--predicate",),
    "These must be there: {values}.",
    Takes.NAMES,
    "NAME",
    refuses_empty=True,
    known_values=lambda: Predicate,
)
IDENTITY = Option(
    "identity",
    ("--identity",),
    "In a sigstore bundle: it must be signed by this identity, an address or a URI.",
    Takes.WORD,
    "NAME",
    refuses_empty=True,
)
ISSUER = Option("issuer", ("--issuer",), "In a sigstore bundle: who vouched for the identity.", Takes.WORD, "URL", True)
TRUSTED_ROOT = Option(
    "trusted_root",
    ("--trusted-root",),
    "Verify sigstore bundles by this trusted root; default: that of the public instance, from the network.",
    Takes.FILE,
)
RESOURCE = Option("resource", ("--resource",), "They must name this resource.", Takes.WORD, "URI", True)
VERIFIER = Option("verifier", ("--verifier",), "They must name this verifier.", Takes.WORD, "URI", True)


@click.command(name="verify")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--max-age", type=click.IntRange(1, 3660), metavar="DAYS", help="Refuse verdicts older than this.")
@with_options(KEYS, KEYS_REF, IDENTITY, ISSUER, TRUSTED_ROOT, REF, PREDICATE, RESOURCE, VERIFIER, JSON)
def command(
    file: Path | None,
    keys: tuple[str, ...],
    keys_ref: str | None,
    identity: str | None,
    issuer: str | None,
    trusted_root: Path | None,
    ref: str | None,
    predicates: tuple[str, ...],
    max_age: int | None,
    resource: str | None,
    verifier: str | None,
    as_json: bool,
) -> int:
    """Verify the attestations in FILE: every signature, what they are about, their expiry and the chain of verdicts.

    FILE is by default that of the current task. Exits with 0 if they say that it passed, with 1 if they say that it
    failed, with 3 if they don't hold.
    """
    from verigate.composition.attestations import TrustWanted, list_expected_subjects, verify_file
    from verigate.usecases.verify_attestations import Expected

    root = find_repository()
    path = file or _find_file()
    wanted = parse_predicates(predicates, tuple(Predicate))
    subjects = list_expected_subjects(root, os.environ, ref)
    expected = Expected(subjects, wanted, max_age, resource, verifier)
    trust = TrustWanted(tuple(map(Path, keys)), keys_ref, identity, issuer, trusted_root)
    report = verify_file(root, path, expected, trust=trust, environ=os.environ)
    warn(report.notes)
    if as_json:
        print_json(_describe(report, path))
    else:
        say(_render(report))
    return 0 if report.passed else 1


def _find_file() -> Path:
    from verigate.cli.published_task import find_task_folder

    return find_task_folder(None)[1] / STATEMENTS_FILE


def _describe(report: AttestationReport, path: Path) -> dict[str, Any]:
    return {
        "schema": "verigate:attest-verify.v1",
        "file": str(path),
        "passed": report.passed,
        "statements": [
            {
                "predicate": found.predicate.value,
                "type": found.predicate.uri,
                "passed": found.passed,
                "says": found.says,
                "subject": {"gitTree": found.subject.tree, "gitCommit": found.subject.commit},
                "signers": list(found.signers),
                "moment": found.moment,
                "expires": found.expires,
                "resource": found.resource,
                "verifier": found.verifier,
            }
            for found in report.statements
        ],
        "notes": list(report.notes),
    }


def _render(report: AttestationReport) -> str:
    lines = [_render_statement(found) for found in report.statements]
    lines.append("attested: passed" if report.passed else "attested: NOT passed")
    return "\n".join(lines) + "\n"


def _render_statement(found: Attested) -> str:
    mark = "✓" if found.passed else "✗"
    what = f"commit {found.subject.commit}" if found.subject.commit is not None else f"tree {found.subject.tree}"
    until = f", until {found.expires}" if found.expires is not None else ""
    return escape(f"{mark} {found.predicate.value}: {found.says}; {what}; by {', '.join(found.signers)}{until}")
