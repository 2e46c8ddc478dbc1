"""Read config/policy.json: the ref that the repository's policy is read from.

``subject.configured_policy`` finds which of its versions counts; here every fault of one is reported.
"""

from __future__ import annotations

from pathlib import Path

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.policy_source import POLICY_FILE
from verigate.errors import ConfigError, Fault, UsageError
from verigate.formats.schema import locate_faults
from verigate.subject.configured_policy import KEY
from verigate.subject.policy_ref import check_ref_name


def read_policy_file(root: Path) -> str | None:
    """Return the ref that the file names; None without one. Raises ConfigError with every fault."""
    source = read_bytes(root / POLICY_FILE, shown=POLICY_FILE)
    if source is None:
        return None
    document = parse_json(source, shown=POLICY_FILE)
    if faults := validate("policy", document, file=POLICY_FILE, source=source):
        raise ConfigError(faults)
    named: str | None = document.get(KEY)
    if named is not None:
        try:
            check_ref_name(named, POLICY_FILE)
        except UsageError as problem:
            fault = Fault(problem.message, pointer=f"/{KEY}", hint=problem.hint)
            raise ConfigError(locate_faults([fault], file=POLICY_FILE, source=source)) from None
    return named
