"""Read files of the policy that whoever is judged can't write: the one place that says where that is."""

from __future__ import annotations

from verigate.domain.ports import SubjectWorkspace


def read_trusted_file(workspace: SubjectWorkspace, path: str) -> bytes | None:
    """Return the content of a file of the trusted policy, None if it has none: of the policy ref, without one of the
    base, and never of the subject.

    Raises SubjectError where it isn't a regular file.
    """
    return workspace.read_trusted_file(path)


def describe_trusted(workspace: SubjectWorkspace) -> str:
    """Name where the trusted policy is read, for messages."""
    if workspace.policy_source is not None:
        return f"{workspace.policy_source.name} {workspace.policy_source.commit[:12]}"
    base = workspace.subject.base
    return "nowhere: a plain folder has no base" if base is None else f"the base {base[:12]}"
