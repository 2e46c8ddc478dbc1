"""``gate attest [TASK_ID]``: sign statements about the verdict of a task."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON, Option, Takes
from verigate.cli.output import print_json, say, warn
from verigate.cli.published_task import find_task_folder
from verigate.domain.attestation import DEFAULT_DAYS, WRITTEN, Predicate
from verigate.domain.task_folder import STATEMENTS_FILE
from verigate.errors import ConfigError, Fault

if TYPE_CHECKING:
    from verigate.usecases.attest import Made

KEY_VARIABLE = "VERIGATE_SIGNING_KEY"
KEY = Option(
    "key",
    ("--key",),
    f"Sign with this private key, or by ssh-agent with that of this public one; default: ${KEY_VARIABLE}.",
    Takes.FILE,
)
UNSIGNED = Option(
    "unsigned",
    ("--unsigned",),
    "Write bare statements, for a program that signs them, such as cosign attest-blob --statement.",
)
PREDICATE = Option(
    "predicates",
    ("--predicate",),
    "Only these statements: {values}.",
    Takes.NAMES,
    "NAME",
    refuses_empty=True,
    known_values=lambda: WRITTEN,
)
EXPIRES = Option(
    "expires",
    ("--expires",),
    f"When they stop counting: days after the verdict, or a date; {DEFAULT_DAYS} days.",
    Takes.WORD,
    "DATE|DAYS",
    refuses_empty=True,
)
REF = Option("ref", ("--ref",), "Attest this commit; its tree must be the one judged.", Takes.WORD, "REF", True)
RESOURCE = Option(
    "resource", ("--resource",), "The URI of what was verified; default: the remote origin.", Takes.WORD, "URI", True
)
VERIFIER = Option(
    "verifier", ("--verifier",), "The URI of whoever verifies; default: this gate.", Takes.WORD, "URI", True
)
OUTPUT = Option("output", ("--output",), f"Write to this file; default: {STATEMENTS_FILE} of the task.", Takes.FILE)


@click.command(name="task")
@task_argument
@with_options(KEY, UNSIGNED, PREDICATE, EXPIRES, REF, RESOURCE, VERIFIER, OUTPUT, JSON)
def command(
    task_id: str | None,
    key: Path | None,
    unsigned: bool,
    predicates: tuple[str, ...],
    expires: str | None,
    ref: str | None,
    resource: str | None,
    verifier: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Sign statements about the verdict of TASK_ID: an SVR, a VSA and a test-result, one DSSE envelope on each line.

    The verdict must be intact, follow from its evidence, and be of the tree as it is now. A verdict that isn't a pass
    is attested as a failure.
    """
    from verigate.composition.attestations import attest_task, name_resource, name_verifier
    from verigate.evidence.attestations.envelope import encode_lines
    from verigate.evidence.store import write_atomically
    from verigate.usecases.attest import AttestationWanted

    root, folder = find_task_folder(task_id)
    named = key or (Path(os.environ[KEY_VARIABLE]) if os.environ.get(KEY_VARIABLE) and not unsigned else None)
    if unsigned and key is not None:
        raise click.UsageError("--unsigned and --key exclude each other")
    if named is None and not unsigned:
        hint = "gate attest keygen FILE makes one, and so does ssh-keygen -t ed25519 -f FILE"
        raise ConfigError([Fault("no key is named to sign with", "--key", hint=hint)])
    wanted = AttestationWanted(
        expires or str(DEFAULT_DAYS),
        verifier or name_verifier(),
        resource or name_resource(root, os.environ),
        parse_predicates(predicates, WRITTEN) or WRITTEN,
    )
    option = "--key" if key is not None else KEY_VARIABLE
    made = attest_task(root, folder, wanted, key=named, option=option, ref=ref, environ=os.environ)
    path = output or folder / STATEMENTS_FILE
    write_atomically(path, encode_lines(document for _, document in made.documents))
    warn(made.notes)
    _report(made, folder.name, path, as_json=as_json)
    return 0


def parse_predicates(names: tuple[str, ...], known: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
    """Read the names of predicates. Raises BadParameter for an unknown one."""
    for name in names:
        if name not in known:
            message = f"{name!r} is not one of {', '.join(known)}"
            raise click.BadParameter(message, param_hint="--predicate")
    return tuple(Predicate(name) for name in dict.fromkeys(names))


def _report(made: Made, task_id: str, path: Path, *, as_json: bool) -> None:
    kinds = [kind.value for kind, _ in made.documents]
    keys = sorted({found["keyid"] for _, document in made.documents for found in document.get("signatures", ())})
    if as_json:
        subject = {"gitTree": made.subject.tree, "gitCommit": made.subject.commit}
        print_json(
            {
                "schema": "verigate:attest.v1",
                "task_id": task_id,
                "status": made.status,
                "subject": subject,
                "predicates": kinds,
                "expires": made.expires,
                "keys": keys,
                "file": str(path),
                "notes": list(made.notes),
            }
        )
        return
    what = f"commit {made.subject.commit}" if made.subject.commit is not None else f"tree {made.subject.tree}"
    say(f"{task_id} attested: {made.status}, {what}\n")
    by = f"signed by {', '.join(keys)}" if keys else "not signed"
    say(f"{', '.join(kinds)}, until {made.expires}, {by}\n")
    say(f"{path}\n")
