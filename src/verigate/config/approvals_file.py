"""Read config/approvals.json and config/allowed-signers, which say whose approvals count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.approval import NAMESPACES, ApprovalPolicy
from verigate.domain.profile import APPROVALS_FILE, SIGNERS_FILE
from verigate.errors import ConfigError, Fault
from verigate.formats.allowed_signers import find_unrestricted_lines

MAX_BYTES = 1024 * 1024
"""The largest of both files that is read, in bytes."""

_RESTRICT = f'write namespaces="{",".join(NAMESPACES)}" between the name and the key'


def read_approval_policy(read: Callable[[str], bytes | None]) -> ApprovalPolicy | None:
    """Read who approves; ``read`` returns a file of the trusted policy, None where it has none.

    None if nobody is named. Raises ConfigError for files that can't be used.
    """
    content, signers = read(APPROVALS_FILE), read(SIGNERS_FILE)
    if content is None:
        if signers is None:
            return None
        hint = f'write {{"repository": "github.com/owner/name"}} into {APPROVALS_FILE}, and let it land'
        raise ConfigError([Fault("it is missing: nothing says which repository this is", APPROVALS_FILE, hint=hint)])
    document = _parse(content)
    if faults := [*_check_size(signers, SIGNERS_FILE), *_check_signers(signers)]:
        raise ConfigError(faults)
    policy = ApprovalPolicy(
        document["repository"],
        signers or b"",
        document.get("keys") == "any",
        tuple(document.get("reviewers", ())),
        frozenset(document.get("revoked", ())),
    )
    return policy if policy.signers.strip() or policy.reviewers else None


def check_approval_files(root: Path, _builtin: Path) -> bool:
    """Check the files of a repository as they are. Raises ConfigError with their faults."""
    faults: list[Fault] = []
    content = read_bytes(root / APPROVALS_FILE, shown=APPROVALS_FILE, max_bytes=MAX_BYTES)
    if content is not None:
        try:
            _parse(content)
        except ConfigError as problem:
            faults += problem.faults
    faults += _check_signers(read_bytes(root / SIGNERS_FILE, shown=SIGNERS_FILE, max_bytes=MAX_BYTES))
    if faults:
        raise ConfigError(faults)
    return True


def _parse(content: bytes) -> dict[str, Any]:
    if faults := _check_size(content, APPROVALS_FILE):
        raise ConfigError(faults)
    document = parse_json(content, shown=APPROVALS_FILE)
    if found := validate("approvals", document, file=APPROVALS_FILE, source=content):
        raise ConfigError(found)
    checked: dict[str, Any] = document
    return checked


def _check_size(content: bytes | None, name: str) -> list[Fault]:
    if content is None or len(content) <= MAX_BYTES:
        return []
    return [Fault(f"it is larger than the {MAX_BYTES} bytes that are read", name)]


def _check_signers(content: bytes | None) -> Iterable[Fault]:
    if content is None:
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        yield Fault("it is not UTF-8", SIGNERS_FILE)
        return
    for line in find_unrestricted_lines(text):
        yield Fault("this key may sign anything: it has no namespaces=", SIGNERS_FILE, line=line, hint=_RESTRICT)
