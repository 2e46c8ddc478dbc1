"""Run checkwash (https://github.com/taipei49314/checkwash) on the change: in its own process, on clean trees.

checkwash refuses a repository with paths that aren't UTF-8, or with a changed source file above its size limit. So it
gets trees without links, submodules and such paths; the paths left out are returned and never count as examined.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from code_adapter.integrity.changeset import text
from code_adapter.integrity.conditions import names_platform
from code_adapter.integrity.equal_claims import keeps_claims
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.stand_ins import keeps_imports
from verigate.sdk import AdapterError, ToolFailed, clean_text, path_text, run_tool
from verigate.sdk.languages import language_of
from verigate.sdk.subject import Repository

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

START = Path(__file__).with_name("checkwash_start.py")
TIMEOUT_S = 300.0
MAX_FILE_BYTES = 1_000_000
"""checkwash's own limit for a file that it reads."""

_WHO = {
    "GIT_AUTHOR_NAME": "verigate",
    "GIT_AUTHOR_EMAIL": "verigate@localhost",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "verigate",
    "GIT_COMMITTER_EMAIL": "verigate@localhost",
    "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
}
_KINDS: Mapping[str, str] = {
    "ASSERT_SUBSTITUTED": "assertion_weakened",
    "ASSERT_WEAKENED": "assertion_weakened",
    "BROAD_EXCEPT_ADDED": "assertion_swallowed",
    "CONFTEST_PATCHES_PROD": "test_tampered",
    "EXEMPTION_ADDED": "exemption_added",
    "EXPECTATION_DEFINITION_CHANGED": "assertion_weakened",
    "EXPECTED_VALUE_CHANGED": "assertion_weakened",
    "EXPECTED_VALUE_DERIVED": "assertion_weakened",
    "EXPECTED_VALUE_HARDCODED": "assertion_weakened",
    "HIDDEN_UNICODE": "hidden_text",
    "SUBJECT_INPUT_CHANGED": "assertion_weakened",
    "SUBJECT_NORMALIZED": "assertion_weakened",
    "TEST_DISABLED": "test_skipped",
    "TEST_FILE_UNPARSEABLE": "unexamined",
    "TEST_PATCHES_SUBJECT": "test_tampered",
    "TOLERANCE_LOOSENED": "assertion_weakened",
}
_JUDGED_HERE = frozenset({"ASSERT_REMOVED", "CI_WORKFLOW_TOUCHED", "SUPPRESSION_ADDED", "SCOPE_DRIFT"})
"""Rules whose question is answered by a check of our own, which knows more replacements."""

_OF_CLAIMS = frozenset({"ASSERT_SUBSTITUTED", "ASSERT_WEAKENED"})
"""Rules about assertions that say something else now, whatever else the test says."""

_SCRIPTS = frozenset({"javascript", "typescript"})
"""Languages in which the claims are compared with the literals around them."""

_OF_VALUES = frozenset({"EXPECTATION_DEFINITION_CHANGED", "EXPECTED_VALUE_CHANGED", "EXPECTED_VALUE_HARDCODED"})
"""Rules about assertions that expect another value, and check as much as before."""

_EXCUSES = frozenset({"REPAIR_EVIDENCE", "PACKAGE_REPAIR", "DEPENDENCY_DRIFT"})
"""That other things changed too: what accounts for a weakening, and no reason to take it for less than one."""

_OPPOSITE = "assertion polarity inverted"
_CONTRADICTS = re.compile(r": assertion contradicts the old one \((===?) .* -> \1 ", re.DOTALL)
_IS_NOTHING = re.compile(
    r"assert\s+[^=<>!]+?\s+is\s+None|self\.assertIsNone\([^=<>!]+\)|expect\([^=<>!]+\)\.(?:toBeNull|toBeUndefined)\(\);?"
)
"""An assertion of one value, which checkwash takes for as weak as one of every other value."""

_NOT_ONE = re.compile(r"\b(?:or|and|not|if|lambda|None)\b|\|\||&&|\?")
_COUNTED = re.compile(r"assert\s+[\w.\[\]]+\.count\(\s*\w+\s*\)\s*==\s*[1-9]\d*")
"""How often an output has what is expected: the argument of ``count`` is a part of the expected value."""
_AWAITED = re.compile(r"\((?P<what>.+) -> await (?P=what)\)")
_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\s")
_STILL_EXACT, _MILD_DROP = 90, 30
"""checkwash's own measure of a matcher that changed in style alone."""


@dataclass(frozen=True, slots=True)
class CheckwashReport:
    """checkwash's findings, its version, and the changed paths that it didn't get.

    ``context`` is ``repository``, or ``change`` if it got only the changed files and the settings.
    """

    findings: tuple[IntegrityFinding, ...]
    version: str
    left_out: tuple[str, ...]
    context: str = "repository"


def run_checkwash(changes: ChangeSet, environ: Mapping[str, str]) -> CheckwashReport:
    """Run checkwash on base and subject. Raises ToolFailed or AdapterError if it fails."""
    too_large = {
        side.path
        for file in changes.files
        for side in (file.before, file.after)
        if side is not None and (side.content is None or len(side.content) > MAX_FILE_BYTES)
    }
    with tempfile.TemporaryDirectory(prefix="verigate-checkwash-") as folder:
        repository = _writable(changes.repository, Path(folder))
        base = _entries(repository.entries("ls-tree", "-r", "-z", "--full-tree", changes.base), tree=True)
        subject = _entries(repository.entries("ls-files", "--stage", "-z"), tree=False)
        whole = (_clean(base, too_large), _clean(subject, too_large))
        changed = {os.fsencode(side.path) for file in changes.files for side in (file.before, file.after) if side}
        try:
            context, report = "repository", _judged(repository, whole, environ, Path(folder))
        except ToolFailed:
            # It gives up where a module has more importers, or a tree more files, than it wants to follow. The change
            # itself can still be judged; what is lost is the code around it, which mostly speaks for the change.
            part = tuple({path: e for path, e in side.items() if _is_part(path, changed)} for side in whole)
            context, report = "change", _judged(repository, (part[0], part[1]), environ, Path(folder))
    shown = set(whole[0]) | set(whole[1])
    left_out = tuple(sorted(path_text(path) for path in changed if path not in shown))
    findings = tuple(_finding(entry, changes) for entry in report["findings"] if not _is_judged_here(entry, changes))
    return CheckwashReport(findings, str(report["run"]["checkwash_version"]), left_out, context)


_Entries = Mapping[bytes, tuple[str, str]]


def _is_part(path: bytes, changed: Collection[bytes]) -> bool:
    return path in changed or b"/" not in path or path.rpartition(b"/")[2] == b"conftest.py"


def _judged(
    repository: Repository, sides: tuple[_Entries, _Entries], environ: Mapping[str, str], folder: Path
) -> dict[str, Any]:
    first = _commit(repository, sides[0], None)
    return _check(repository, first, _commit(repository, sides[1], first), environ, folder)


def _writable(repository: Repository, folder: Path) -> Repository:
    """The same repository with objects and index written aside."""
    (folder / "objects").mkdir()
    known = [repository.extra.get("GIT_OBJECT_DIRECTORY"), repository.objects()]
    known.append(repository.extra.get("GIT_ALTERNATE_OBJECT_DIRECTORIES"))
    extra = dict(repository.extra) | _WHO
    extra["GIT_OBJECT_DIRECTORY"] = str(folder / "objects")
    extra["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(dict.fromkeys(path for path in known if path))
    return replace(repository, extra=extra)


def _entries(listing: Iterable[bytes], *, tree: bool) -> dict[bytes, tuple[str, str]]:
    """Path -> (mode, object id): ``ls-tree`` says mode, type, id, path, and ``ls-files --stage`` mode, id, n, path."""
    found: dict[bytes, tuple[str, str]] = {}
    for entry in listing:
        head, tab, path = entry.partition(b"\t")
        if tab:
            fields = head.decode().split(" ")
            found[path] = (fields[0], fields[2] if tree else fields[1])
    return found


def _clean(entries: Mapping[bytes, tuple[str, str]], too_large: Iterable[str]) -> dict[bytes, tuple[str, str]]:
    refused = set(too_large)
    return {
        path: entry
        for path, entry in entries.items()
        if entry[0].startswith("100") and _plain(path) and path_text(path) not in refused
    }


def _plain(path: bytes) -> bool:
    try:
        name = path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return name.isprintable() and "\\" not in name and not name.startswith(".artifacts/")


def _commit(repository: Repository, entries: Mapping[bytes, tuple[str, str]], parent: str | None) -> str:
    index = {"GIT_INDEX_FILE": str(Path(repository.extra["GIT_OBJECT_DIRECTORY"]).parent / "index")}
    Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    lines = b"".join(f"{mode} {oid}\t".encode() + path + b"\0" for path, (mode, oid) in sorted(entries.items()))
    staged = replace(repository, extra=dict(repository.extra) | index)
    staged.git("update-index", "-z", "--index-info", stdin=lines)
    tree = staged.git("write-tree").stdout.decode().strip()
    parents = ["-p", parent] if parent else []
    return staged.git("commit-tree", tree, *parents, "-m", "verigate").stdout.decode().strip()


def _check(repository: Repository, base: str, subject: str, environ: Mapping[str, str], folder: Path) -> dict[str, Any]:
    env = {name: value for name, value in environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    env |= dict(repository.extra)
    # An exemption's expiry must not make the same facts differ tomorrow.
    env |= {"CHECKWASH_TODAY": "2000-01-01", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    argv = [sys.executable, "-I", str(START), "check", f"{base}..{subject}", "--format", "json"]
    argv += ["--repo", str(repository.root)]
    done = run_tool(argv, cwd=repository.root, timeout_s=TIMEOUT_S, env=env)
    if done.exit_code not in {0, 1} or done.truncated:
        raise done.as_failure(f"checkwash ended with {done.ended}", where=str(repository.root))
    try:
        report = json.loads(done.stdout)
        known = isinstance(report["findings"], list) and isinstance(report["run"]["checkwash_version"], str)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise AdapterError(f"checkwash's report can't be read: {error!r}") from error
    if not known:
        raise AdapterError("checkwash's report is not the one this adapter knows", hint="install checkwash 0.9")
    if report.get("config_errors"):
        raise AdapterError(
            f"checkwash's configuration can't be read: {clean_text(str(report['config_errors'][0]))}",
            hint="fix .checkwash/config.toml in the base",
        )
    return dict(report)


def _finding(entry: Mapping[str, Any], changes: ChangeSet) -> IntegrityFinding:
    rule = str(entry["rule"])
    unit, message = clean_text(str(entry["unit"])) if entry.get("unit") else "", str(entry["message"])
    return IntegrityFinding(
        kind=_name_kind(entry, changes),
        path=clean_text(str(entry["path"])),
        line=_line(entry, changes),
        message=clean_text(message if not unit or message.startswith(f"{unit}: ") else f"{unit}: {message}", 500),
        weight=_weigh(entry),
        rule=rule,
        source="checkwash",
        test=unit or None,
    )


def _name_kind(entry: Mapping[str, Any], changes: ChangeSet) -> str:
    """Name the kind: what an assertion expects may follow the code, where code changed."""
    rule = entry["rule"]
    if rule == "GUARDRAIL_TOUCHED":
        return "exemption_added"
    opposite = rule == "ASSERT_WEAKENED" and _OPPOSITE in str(entry["message"]) and not entry.get("subject_changed")
    if (rule in _OF_VALUES or opposite or _expects_another_value(entry)) and changes.touches_code:
        return "expectation_changed"
    return _KINDS.get(rule, "worth_a_look")


def _expects_another_value(entry: Mapping[str, Any]) -> bool:
    """Whether an assertion checkwash takes for weaker, or for one of another input, expects another value alone."""
    before, after = (
        " ".join(str(entry[side].get("text", "")).split()) if isinstance(entry.get(side), dict) else ""
        for side in ("before", "after")
    )
    if entry["rule"] == "SUBJECT_INPUT_CHANGED":
        return before == after and _COUNTED.fullmatch(after) is not None
    if _CONTRADICTS.search(str(entry["message"])):
        still = entry.get("strength_after")
        return isinstance(still, int) and still >= _STILL_EXACT and entry.get("subject_changed") is False
    value = after.removeprefix("assert ").removesuffix(" is None")
    exact = _IS_NOTHING.fullmatch(after) is not None and _NOT_ONE.search(value) is None
    return entry["rule"] == "ASSERT_WEAKENED" and exact and entry.get("subject_changed") is False


def _is_judged_here(entry: Mapping[str, Any], changes: ChangeSet) -> bool:
    """Whether a check of our own answers the rule's question, or there is nothing to ask."""
    rule, path = entry["rule"], str(entry["path"])
    if rule == "GUARDRAIL_TOUCHED":
        return not path.startswith((".checkwash/", ".greenwash/"))
    after = entry.get("after")
    shown = str(after.get("text")) if isinstance(after, dict) else ""
    if rule == "TEST_PATCHES_SUBJECT" and _IMPORT.match(shown):
        return keeps_imports(changes, path)
    if rule == "SUBJECT_NORMALIZED" and _AWAITED.search(str(entry["message"])):
        return True  # a promise is no value yet
    of_claims = rule in _OF_CLAIMS or (rule == "EXPECTED_VALUE_CHANGED" and language_of(path) in _SCRIPTS)
    if of_claims and entry.get("unit") and keeps_claims(changes, path, str(entry["unit"])):
        return True
    if rule == "TEST_DISABLED" and names_platform(changes, path, shown):
        return True
    return rule in _JUDGED_HERE or entry.get("shape") == "unit_removed"


def _weigh(entry: Mapping[str, Any]) -> Weight:
    """Weigh an entry, whatever else the change does: ``_EXCUSES`` lower checkwash's severity, and not the weight."""
    if entry.get("allowlisted"):
        return "note"
    if entry["rule"] in {"EXEMPTION_ADDED", "GUARDRAIL_TOUCHED"}:
        return "weakening"
    excused = _is_excused(entry) and not _is_mild(entry)
    return "weakening" if excused or entry["severity"] not in {"warn", "info"} else "note"


def _is_excused(entry: Mapping[str, Any]) -> bool:
    return not _EXCUSES.isdisjoint(entry.get("deescalators") or ())


def _is_mild(entry: Mapping[str, Any]) -> bool:
    """Whether an assertion is as exact as before, about the same."""
    drop, after = entry.get("strength_drop"), entry.get("strength_after")
    return (
        isinstance(drop, int)
        and isinstance(after, int)
        and drop < _MILD_DROP
        and after >= _STILL_EXACT
        and not entry.get("subject_changed")
    )


def _line(entry: Mapping[str, Any], changes: ChangeSet) -> int | None:
    """The line in the subject, else in the base: checkwash gives offsets into the text."""
    for _, before, after in changes.sides():
        for name, side in (("after", after), ("before", before)):
            evidence = entry.get(name)
            span = evidence.get("span") if isinstance(evidence, dict) else None
            if side is None or side.path != entry["path"] or not isinstance(span, list) or len(span) != 2:
                continue
            start, end = span
            if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
                return text(side).count("\n", 0, start) + 1
    return None
