"""Which signatures count: each misuse has its own message, and real ssh-keygen verifies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from ssh_keys import BOTH, PRESENT, VERIFIED, FileKey, TokenKey, armor, make_key, signers

from verigate.domain.approval import POLICY, WEAKENING, Accepted, Approval, ApprovalPolicy, SignedApproval
from verigate.errors import ExecutionError
from verigate.evidence.ssh_keygen import SshKeygen
from verigate.usecases.judge_signature import Change, RefusedError, judge_signature

TREE, OTHER_TREE = "a" * 40, "b" * 40
FINDING = "policy config/adapters.json 0123456789ab"
NOW = "2026-03-10T12:00:00Z"
APPROVAL = Approval(
    POLICY, "example.com/shop", TREE, (FINDING,), "a new linter", "2026-03-09T12:00:00Z", "2026-03-16T12:00:00Z"
)
TOKEN = TokenKey()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> FileKey:
    return make_key(tmp_path_factory.mktemp("keys"))


def judge(
    approval: Approval = APPROVAL,
    key: FileKey | TokenKey = TOKEN,
    *,
    allowed: str | None = None,
    signature: str | None = None,
    namespace: str | None = None,
    added: str | None = None,
    now: str = NOW,
    present: tuple[str, ...] = (FINDING,),
    **policy: Any,
) -> Accepted:
    made = key.sign(approval.encode(), namespace or approval.namespace) if signature is None else signature
    trusted = ApprovalPolicy("example.com/shop", (signers(key) if allowed is None else allowed).encode(), **policy)
    change = Change(
        TREE, {POLICY: present, WEAKENING: ()}, now, "the base c0ffee", lambda: added.encode() if added else None
    )
    keygen = SshKeygen.find(Path("/nowhere"), os.environ)
    return judge_signature(SignedApproval(approval, made, "x.json"), trusted, change, lambda: keygen)


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        judge(*arguments, **options)
    return str(caught.value)


def test_a_hardware_key_that_verifies_its_user_counts() -> None:
    found = judge()
    assert found.by == "alice@example.com"
    assert found.how.startswith("hardware key SHA256:")
    assert found.reference.endswith("by alice@example.com")
    assert (found.reason, found.expires) == ("a new linter", APPROVAL.expires)
    assert found.covers(POLICY, FINDING)
    assert not found.covers(WEAKENING, FINDING)
    assert not found.covers(POLICY, "policy config/adapters.json ba9876543210")


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_plain_key_is_named_as_one_and_counts_where_that_is_allowed(tmp_path: Path, kind: str) -> None:
    key = make_key(tmp_path, kind=kind)
    said = refusal(key=key)
    assert "plain key (" in said
    assert "ssh-agent" in said
    assert judge(key=key, plain_keys=True).how.startswith("plain key SHA256:")


def test_a_key_in_an_agent_signs_like_any_other_and_is_a_plain_key(tmp_path: Path, plain: FileKey) -> None:
    """Whoever has the socket signs, without the file of the private key."""
    import subprocess

    started = subprocess.run(("ssh-agent", "-s"), capture_output=True, text=True, check=True).stdout
    found = dict(part.split("=", 1) for part in started.replace("\n", "").split(";") if "=" in part)
    environ = {**os.environ, "SSH_AUTH_SOCK": found["SSH_AUTH_SOCK"]}
    try:
        subprocess.run(("ssh-add", "-q", str(plain.path)), env=environ, check=True, capture_output=True)
        public = tmp_path / "id.pub"
        public.write_text(plain.public)
        signature = SshKeygen.find(Path("/nowhere"), environ).sign(APPROVAL.encode(), public, POLICY)
    finally:
        os.kill(int(found["SSH_AGENT_PID"]), 15)
    assert "plain key (ssh-ed25519" in refusal(key=plain, signature=signature)


@pytest.mark.parametrize(
    ("flags", "counts"), [(PRESENT | VERIFIED, True), (PRESENT, False), (VERIFIED, False), (0, False)]
)
def test_a_token_must_verify_who_touches_it(flags: int, counts: bool) -> None:
    key = TokenKey(flags)
    if counts:
        judge(key=key)
    else:
        assert "didn't verify who touched it" in refusal(key=key)
        assert judge(key=key, plain_keys=True).how.startswith("token SHA256:")


def test_flags_that_the_token_did_not_sign_are_no_flags() -> None:
    key = TokenKey(0)
    said = refusal(key=key, signature=key.sign(APPROVAL.encode(), POLICY, reported=PRESENT | VERIFIED))
    assert "its signature is not for what it says" in said


REFUSED: list[tuple[str, Callable[[], Approval], dict[str, Any], str]] = [
    ("other repository", lambda: replace(APPROVAL, repository="example.com/fork"), {}, "for the repository example"),
    ("other tree", lambda: replace(APPROVAL, tree=OTHER_TREE), {}, "is for the tree bbbbbbbbbbbb, and this is aaaaaaa"),
    ("other findings", lambda: APPROVAL, {"present": ("policy x 1",)}, "names other findings than this change has"),
    ("as a weakening", lambda: replace(APPROVAL, namespace=WEAKENING), {}, "names other findings than this change"),
    ("expired", lambda: APPROVAL, {"now": APPROVAL.expires}, "it expired at 2026-03-16T12:00:00Z"),
    ("clock behind", lambda: APPROVAL, {"now": "2026-03-01T12:00:00Z"}, "this machine's clock says 2026-03-01"),
    ("too long", lambda: replace(APPROVAL, expires="2026-04-10T12:00:00Z"), {}, "counts for more than 30 days"),
    ("ends before", lambda: replace(APPROVAL, expires="2026-03-01T12:00:00Z"), {}, "counts for more than 30 days"),
    ("no date", lambda: replace(APPROVAL, expires="2026-02-31T12:00:00Z"), {}, "one of its dates is none"),
    ("other namespace", lambda: APPROVAL, {"namespace": WEAKENING}, "is signed in the namespace weakening@verigate"),
    ("git's namespace", lambda: APPROVAL, {"namespace": "git"}, "is signed in the namespace git"),
    ("no keys", lambda: APPROVAL, {"allowed": " \n"}, "no keys are configured: config/allowed-signers is empty"),
    ("wrong key", lambda: APPROVAL, {"allowed": signers(TokenKey())}, "is none of config/allowed-signers in the base"),
    (
        "not for policy", lambda: APPROVAL, {"allowed": signers(TOKEN, namespaces=WEAKENING)},
        "may not sign for policy@verigate",
    ),
    ("added here", lambda: APPROVAL, {"allowed": signers(TokenKey()), "added": signers(TOKEN)}, "by this very change"),
    ("no signature", lambda: APPROVAL, {"signature": "yes, I approve"}, "can't be read: it has no BEGIN and END lines"),
    ("signature of noise", lambda: APPROVAL, {"signature": armor(b"SSHSIG\0\0\0\1")}, "it ends too early"),
    (
        "valid later", lambda: APPROVAL,
        {"allowed": signers(TOKEN).replace("namespaces", 'valid-after="20270101",namespaces')},
        "not valid at this time",
    ),
    (
        "valid before", lambda: APPROVAL,
        {"allowed": signers(TOKEN).replace("namespaces", 'valid-before="20260101",namespaces')},
        "not valid at this time",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "options", "message"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED]
)
def test_every_misuse_has_its_own_message(make: Callable[[], Approval], options: dict[str, Any], message: str) -> None:
    assert message in refusal(make(), **options)


@pytest.mark.parametrize(
    "changed",
    [
        {"reason": "another one"}, {"findings": (FINDING, "policy config/x 1")}, {"expires": "2026-03-17T12:00:00Z"},
        {"signed": "2026-03-09T12:00:01Z"},
    ],
)  # fmt: skip
def test_what_was_changed_after_it_was_signed_does_not_count(changed: dict[str, Any]) -> None:
    signature = TOKEN.sign(APPROVAL.encode(), POLICY)
    assert "its signature is not for what it says" in refusal(replace(APPROVAL, **changed), signature=signature)


def test_a_signature_of_another_approval_does_not_count() -> None:
    other = TOKEN.sign(replace(APPROVAL, tree=OTHER_TREE).encode(), POLICY)
    assert "its signature is not for what it says" in refusal(signature=other)


def test_the_trusted_policy_revokes_by_id() -> None:
    signed = SignedApproval(APPROVAL, "", "")
    assert "revokes it" in refusal(revoked=frozenset({signed.id}))
    judge(revoked=frozenset({"0" * 64}))


def test_clocks_may_differ_by_minutes() -> None:
    judge(now="2026-03-09T11:56:00Z")
    assert "clock says" in refusal(now="2026-03-09T11:54:00Z")


def test_the_first_name_of_a_line_is_who_signed() -> None:
    assert (
        judge(allowed=signers(TOKEN, who="alice@example.com,bob@example.com", namespaces=BOTH)).by
        == "alice@example.com"
    )


def test_without_ssh_keygen_nothing_counts() -> None:
    with pytest.raises(ExecutionError, match="no ssh-keygen on PATH"):
        SshKeygen.find(Path("/nowhere"), {"PATH": "/nowhere"})


def test_a_repository_does_not_bring_its_own_ssh_keygen(tmp_path: Path) -> None:
    planted = tmp_path / "bin" / "ssh-keygen"
    planted.parent.mkdir()
    planted.write_text("#!/bin/sh\nexit 0\n")
    planted.chmod(0o755)
    found = SshKeygen.find(tmp_path, {"PATH": f"{planted.parent}{os.pathsep}{os.environ['PATH']}"})
    assert Path(found.program) != planted
