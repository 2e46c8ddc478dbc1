"""Whether commitment, claim or diff touch a domain. Rules of an untouched domain don't apply."""

from __future__ import annotations

from verigate.domain.code_paths import is_code, is_document
from verigate.domain.facts import Facts
from verigate.domain.subject import Change, SubjectKind
from verigate.domain.task import UNKNOWN_TASK_TYPE, UnitKind

_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".html", ".htm", ".ipynb")
_MEDIA = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".pdf")
"""Web pages and notebooks contain both text and code: they touch both domains."""
_KINDS = {
    "code": frozenset({UnitKind.FUNCTION, UnitKind.ENDPOINT, UnitKind.FIX}),
    "api": frozenset({UnitKind.ENDPOINT}),
    "links": frozenset({UnitKind.URL}),
    "content": frozenset({UnitKind.HEADING, UnitKind.IMAGE, UnitKind.QUOTE}),
}


def _change_touches(change: Change, domain: str) -> bool:
    return is_code(change) if domain == "code" else _path_touches(change.path, domain)


def _path_touches(path: str, domain: str) -> bool:
    if domain == "code":
        return not is_document(path)
    lowered = path.lower()
    prose = lowered.endswith(_PROSE)
    if domain == "content":
        return prose or lowered.endswith(_MEDIA)
    return domain == "links" and prose


def touches_domain(facts: Facts, domain: str) -> bool:
    """Whether anything in this task concerns ``domain``.

    Always true for ``any``, for a subject that is judged as a whole, and for a plain folder: without a diff nothing is
    known to be untouched.
    """
    if domain == "any" or facts.subject.whole or facts.subject.kind is SubjectKind.FOLDER:
        return True
    if any(_change_touches(change, domain) for change in facts.subject.changes):
        return True
    units = facts.units or ()
    if any(unit.kind in _KINDS[domain] for unit in units):
        return True
    if any(unit.kind is UnitKind.FILE and _path_touches(unit.key, domain) for unit in units):
        return True
    return not facts.task.implicit and _commitment_touches(facts, domain)


def _commitment_touches(facts: Facts, domain: str) -> bool:
    # A task type that nobody chose says nothing about the task, although its plan names capabilities.
    named = facts.task.type != UNKNOWN_TASK_TYPE
    if named and any(name.partition(":")[0] == domain for name in facts.plan.entry.order):
        return True
    commitment = facts.task.commitment
    scope = commitment.scope
    if domain == "code":
        return bool(scope.functions or scope.endpoints or commitment.required_functions or commitment.fixes)
    if domain == "api":
        return bool(scope.endpoints or commitment.required_endpoints or scope.target_url)
    return False
