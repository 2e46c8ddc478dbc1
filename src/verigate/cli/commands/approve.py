"""``gate approve``: sign a change of policy or a weakened check, in place of ``--no-verify``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON, Option, Takes
from verigate.cli.output import print_json, say, warn
from verigate.cli.target import Target, find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.domain.facts import Facts
    from verigate.usecases.approve import Draft

_REASON = Option("reason", ("--reason",), "Why it is right.", Takes.WORD, "TEXT", refuses_empty=True)
_DAYS = Option("days", ("--days",), "Let it count for so many days, 1 to 30. Default: 7.", Takes.WORD, "DAYS")
_KEY = Option("key", ("--key",), "Sign with this key. Default: git's user.signingkey.", Takes.FILE, "FILE")
_BASE = Option("base", ("--base",), "Compare REV with this commit.", Takes.WORD, "COMMIT", refuses_empty=True)
_YES = Option("yes", ("--yes", "-y"), "Sign without asking.")
_LIST = Option("listed", ("--list",), "List the approvals here, and whether they count.")
_REVOKE = Option("revoke", ("--revoke",), "Remove the approval with this id.", Takes.WORD, "ID", refuses_empty=True)
_DEFAULT_DAYS = "7"


@click.command(name="approve")
@click.argument("rev", required=False, metavar="[TASK|REV]")
@with_options(_REASON, _DAYS, _KEY, _BASE, _YES, _LIST, _REVOKE, JSON)
def command(
    rev: str | None,
    reason: str | None,
    days: str | None,
    key: Path | None,
    base: str | None,
    yes: bool,
    listed: bool,
    revoke: str | None,
    as_json: bool,
) -> int:
    """Sign what stops the verdict of TASK, or of the commit REV: changes of policy, and weakened checks.

    Exactly these findings of exactly this tree are approved, for at most 30 days. Keys that count are in
    config/allowed-signers, as it is in the base. Tampering can't be approved.
    """
    root = find_repository()
    if listed:
        return _list(root, as_json=as_json)
    if revoke is not None:
        return _revoke(root, revoke, as_json=as_json)
    if reason is None:
        raise click.UsageError("Missing option '--reason'.")
    if days is not None and not (days.isdecimal() and len(days) < 4):
        raise click.BadParameter("it is no number of days", param_hint="--days")
    chosen = _choose_key(root, key)  # first: to verify a commit may take long
    facts = _find_facts(root, rev, base)
    return _approve(root, facts, reason, int(days or _DEFAULT_DAYS), chosen, yes=yes, as_json=as_json)


def _approve(root: Path, facts: Facts, reason: str, days: int, key: Path, *, yes: bool, as_json: bool) -> int:
    from verigate.cli.init_questions import can_ask
    from verigate.composition import now, services
    from verigate.domain.policy_source import JUDGED
    from verigate.domain.subject import SubjectKind
    from verigate.usecases.approve import draft_approvals, sign_draft

    base = facts.subject.base
    if base is None:
        raise UsageError("a plain folder has no policy that could be approved", hint="git init, and commit")
    # The base as a commit of its own: it need not be in the history of HEAD.
    with services(root).workspaces.open(root, kind=SubjectKind.COMMIT, ref=base, base=base, policy=JUDGED) as workspace:
        draft = draft_approvals(facts, workspace, reason=reason, days=days, now=now())
    say(_render_draft(draft, key), err=as_json)
    if not yes:
        if not can_ask():
            hint = "call it from a terminal, or with --yes"
            raise UsageError("nobody is there to ask whether this is to be signed", hint=hint)
        if not click.confirm("sign this?", default=False, err=True):
            say("not approved", err=True)
            return 1
    made = sign_draft(draft, root, key, os.environ)
    files = [str(path.relative_to(root)) for path, _ in made]
    if as_json:
        print_json(
            {
                "schema": "verigate:approved.v1",
                "approvals": [
                    {"id": approval_id, "file": file, **approval.document()}
                    for file, (_, approval_id), approval in zip(files, made, draft.approvals, strict=True)
                ],
            }
        )
        return 0
    for file, (_, approval_id) in zip(files, made, strict=True):
        say(f"approved: {approval_id[:12]} in {file}")
    say(f"it counts here at once; to let it travel with the commit: git add --force -- {' '.join(files)}")
    return 0


def _find_facts(root: Path, target: str | None, base: str | None) -> Facts:
    """Return the facts of the published verdict of a task, or those of a commit, which is verified first."""
    from verigate.domain.task import TASK_ID
    from verigate.evidence.store import task_folder
    from verigate.usecases.replay import read_genuine, restore_facts

    if target is None or (TASK_ID.fullmatch(target) and task_folder(root, target).is_dir()):
        from verigate.cli.published_task import find_task_folder
        from verigate.composition.attestations import find_judged

        if base is not None:
            raise UsageError("only a commit is compared with another base", where="--base", hint="name a commit")
        if target is not None and _is_revision(root, target):
            hint = (
                "name the commit by its full ref (refs/heads/...) or as NAME^0; without an argument it is the last task"
            )
            raise UsageError(f"{target} is a task and a commit", where="TASK|REV", hint=hint)
        verdict = read_genuine(*find_task_folder(target))
        find_judged(root, os.environ, verdict.verdict, what="approved")  # what is signed is what lies here
        return restore_facts(root, verdict)
    from verigate.cli.progress import progress
    from verigate.composition import services
    from verigate.usecases.verify import verify

    wanted = Target(root, None, ref=target, base=base)
    task_id = wanted.choice().task_id
    with progress(quiet=False, root=root) as listener:
        done = verify(
            wanted.request(task_id, commitment=wanted.read_commitment(task_id)), services(root, listener=listener)
        )
    warn(done.warnings)
    if done.verdict is None or done.folder is None:
        raise UsageError("there is nothing to approve: it doesn't differ from its base", where=target)
    return restore_facts(root, read_genuine(root, done.folder))


def _is_revision(root: Path, name: str) -> bool:
    from verigate.subject.git_query import read_git_line

    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return read_git_line(root, os.environ, *asked) is not None


def _choose_key(root: Path, key: Path | None) -> Path:
    from verigate.subject.git_query import read_git_line

    if key is None:
        named = read_git_line(root, os.environ, "config", "--get", "--type=path", "user.signingkey")
        if named is None or named.startswith(("key::", "ssh-")):
            hint = (
                "--key ~/.ssh/id_ed25519_sk, or set git's user.signingkey to that path; config/approvals.json and "
                "config/allowed-signers say whose approvals count. Without approvals a person commits and pushes "
                "policy files past the hooks"
            )
            raise UsageError("no key is named to sign with", where="--key", hint=hint)
        key = Path(named)
    if not key.is_file():
        raise UsageError("there is no such file", where=f"--key {key}", hint="name a private key, or its .pub")
    return key.absolute()


def _render_draft(draft: Draft, key: Path) -> str:
    from verigate.reporting.escape import escape

    first = draft.approvals[0]
    lines = [
        f"approve in {escape(first.repository)}, from {first.signed} until {first.expires}",
        f"  tree    {first.tree}",
        f"  base    {draft.base}",
        f"  reason  {escape(first.reason, limit=2000)}",
        f"  key     {escape(str(key))}",
    ]
    for approval in draft.approvals:
        lines.append(f"  {approval.namespace}")
        lines += [f"    {escape(finding, limit=20_000)}" for finding in approval.findings]
    lines += [f"  not approved: {escape(text)}" for text in draft.left]
    lines.append(f"  to see it: git diff {draft.base[:12]} {first.tree[:12]}")
    return "\n".join(lines)


def _list(root: Path, *, as_json: bool) -> int:
    from verigate.composition import now, services
    from verigate.domain.policy_source import JUDGED
    from verigate.domain.subject import SubjectKind
    from verigate.evidence.ssh_keygen import SshKeygen
    from verigate.reporting.escape import escape
    from verigate.usecases.known_approvals import list_known_approvals

    with services(root).workspaces.open(
        root, kind=SubjectKind.WORKTREE, ref=None, base=None, policy=JUDGED
    ) as workspace:
        known = list_known_approvals(root, workspace, now(), lambda: SshKeygen.find(root, os.environ))
    if as_json:
        entries: list[dict[str, Any]] = [
            {
                "id": each.signed.id,
                "file": each.signed.place,
                "counts": not each.fault,
                **({"fault": each.fault} if each.fault else {}),
                **each.signed.approval.document(),
            }
            for each in known.found
        ]
        print_json(
            {"schema": "verigate:approvals-listed.v1", "approvals": entries, "unreadable": list(known.unreadable)}
        )
        return 0
    for each in known.found:
        own = each.signed.approval
        state = f"doesn't count: {each.fault}" if each.fault else f"counts until {own.expires}"
        what = f"{own.namespace}, {len(own.findings)} of tree {own.tree[:12]}"
        say(f"{each.signed.name}  {what}: {escape(own.reason, limit=200)}; {escape(state, limit=600)}")
    warn(known.unreadable)
    if not known.found:
        say("there are no approvals")
    return 0


def _revoke(root: Path, named: str, *, as_json: bool) -> int:
    from verigate.domain.profile import APPROVALS_FILE
    from verigate.usecases.known_approvals import revoke_approval

    gone = revoke_approval(root, named)
    if as_json:
        print_json({"schema": "verigate:approval-revoked.v1", "id": gone.id, "expires": gone.approval.expires})
        return 0
    say(f"removed {gone.place}")
    say(
        f"a copy of it counts until {gone.approval.expires}; to stop that, let this line land in {APPROVALS_FILE}: "
        f'"revoked": ["{gone.id}"]'
    )
    return 0
