"""Settings of base against settings of the subject, by a table of what may not fall, grow, vanish or appear."""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.commands import new_weakness
from code_adapter.integrity.documents import Unreadable
from code_adapter.integrity.finding import Finding, Severity
from code_adapter.integrity.guards import COLLECTED, GUARDS, LINT, NARROWED, Guard, Watch
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.integrity.ruff_settings import ruff_settings
from code_adapter.integrity.settings import Options, is_settings_file, read_settings
from code_adapter.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_LEVELS = {
    "off": 0, "0": 0, "allow": 0, "none": 0, "false": 0, "information": 1,
    "warn": 2, "1": 2, "warning": 2, "basic": 2, "standard": 3,
    "error": 4, "2": 4, "deny": 4, "true": 4, "strict": 5, "forbid": 5,
}  # fmt: skip
_LAYOUT = re.compile(
    r"E1\d\d|E2\d\d|E3\d\d|E501|E70[12]|W191|W29[13]|W391|W505|W503|W504|I001|I|D|D\d+|Q|Q\d+|COM|COM\d+|ISC001|"
    r"ANN\d*|EM\d*|FBT\d*|S101|PLR2004|INP001|ARG\d*|TD\d*|FIX\d*|E203|line-too-long|missing-\w*docstring|max-len|indent"
)
_IN_TESTS = re.compile(r"(?:S|D|ANN|ARG|PLR|PLC|PLW|C90|SLF|INP|T20|FBT|N|E|ERA|PT|TRY|EM|DTZ|RUF)\d*")
_NEVER_RUNS = re.compile(
    r"TYPE_CHECKING|__main__|NotImplementedError|abstractmethod|overload|pragma|__repr__|__str__|Protocol|"
    r"assert_never|AssertionError|ImportError|\\\.\\\.\\\.|def __"
)
_NOT_SOURCE = re.compile(
    r"node_modules|dist|build|\.venv|venv|coverage|\.next|\.cache|vendor|third_party|generated|_pb2|"
    r"migrations|\.git\b|__pycache__|site-packages|\.tox|\.mypy|htmlcov|\.eggs|docs?\b|\.d\.ts|storybook|"
    r"\.artifacts"
)


def weakened_settings(changes: ChangeSet) -> Iterator[Finding]:
    """Findings about configuration of test runners, coverage, linters and type checkers."""
    before: dict[tuple[str, str], Options] = {}
    after: dict[tuple[str, str], Options] = {}
    files: dict[tuple[str, str], str] = {}
    for file, old, new in changes.sides():
        for side, into in ((old, before), (new, after)):
            if side is None or not is_settings_file(side.path):
                continue
            folder = str(PurePosixPath(side.path).parent)
            try:
                found = read_settings(side.path, text(side))
            except Unreadable as error:
                if into is after:
                    yield Finding(
                        "unexamined", side.path, None, f"can't be read: {error}", "high", "settings-unreadable"
                    )
                continue
            found.pop("ruff", None)
            for tool, options in found.items():
                into.setdefault((tool, folder), {}).update(options)
                files[tool, folder] = side.path if into is after else files.get((tool, folder), file.path)
    fresh = not _had_source(changes)
    for folder, path, old_settings, new_settings in ruff_settings(changes, fresh=fresh):
        before["ruff", folder], after["ruff", folder], files["ruff", folder] = old_settings, new_settings, path
    for key in sorted(set(before) | set(after)):
        old_options, new_options = before.get(key, {}), after.get(key, {})
        path = files[key]
        # Nothing on one side: the tool may be configured in a file that didn't change.
        if not old_options and (fresh or (key[0] in {"eslint", "tsconfig"} and _is_new_tool(changes, key[0]))):
            continue
        for guard in GUARDS:
            if guard.tool == key[0]:
                yield from _watched(guard, old_options, new_options, path, changes)


def _had_source(changes: ChangeSet) -> bool:
    """Whether there was anything to judge in base: where there wasn't, a configuration is set up, not weakened."""
    changed = {file.after.path for file in changes.files if file.after is not None}
    unchanged = (path for path in changes.subject_paths if path not in changed)
    removed = (file.before.path for file in changes.files if file.before is not None)
    return any(language_of(path) is not None for path in (*unchanged, *removed))


def _is_new_tool(changes: ChangeSet, tool: str) -> bool:
    """Whether base had no configuration of this tool at all: setting one up can't weaken it."""
    known = {file.before.path for file in changes.files if file.before is not None}
    unchanged = set(changes.subject_paths) - {file.path for file in changes.files}
    names = {PurePosixPath(path).name for path in known | unchanged}
    return not any(
        name.startswith((".eslintrc", "eslint.config") if tool == "eslint" else "tsconfig") for name in names
    )


def _watched(guard: Guard, before: Options, after: Options, path: str, changes: ChangeSet) -> Iterator[Finding]:
    pattern = re.compile(guard.option)
    for option in sorted(name for name in set(before) | set(after) if pattern.fullmatch(name)):
        old, new = before.get(option), after.get(option)
        if old == new:
            continue
        for severity, what in _WATCHES[guard.watch](option, old, new, changes, guard):
            label = f"{guard.tool}: {option}: {what}"
            yield Finding(guard.kind, path, None, label[:400], severity, f"{guard.tool}-{guard.watch}")


_Judged = Iterator[tuple[Severity, str]]


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*%?\s*", str(value))
    return float(match[1]) if match else None


def _floor(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    was, now = _number(old), _number(new)
    if was is None:
        return
    if now is None:
        yield "high", f"{old} is gone"
    # A negative threshold of jest is a number of uncovered places; falling below zero is stricter there.
    elif (now < was and was >= 0) or (was < 0 and now < was):
        yield "high", f"{old} became {new}"


def _ceiling(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    was, now = _number(old), _number(new)
    if was is None:
        return
    if now is None:
        yield "high", f"{old} is gone"
    elif now > was:
        yield "high", f"{old} became {new}"


def _on(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    if _true(old) and not _true(new):
        if guard.tool == "tsconfig" and new is None and option != "compilerOptions.strict":
            yield "warn", "it is no longer set"
        else:
            yield "high", "it is no longer on"
    elif guard.tool in {"mypy", "tsconfig"} and old is None and new is not None and not _true(new):
        yield "high", "it is switched off"


def _off(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    if _true(new) and not _true(old):
        yield ("warn" if "skipLibCheck" in option else "high"), "it is switched on"


def _present(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    if new is not None:
        yield "high", f"{new}"


def _true(value: Any) -> bool:
    return value is True or str(value).strip().lower() in {"true", "1", "yes", "on"}


def _list(value: Any, guard: Guard, option: str) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [str(item).strip() for item in value]
    text_value = str(value)
    if "exclude_lines" in option or "exclude_also" in option or "partial" in option or guard.tool == "codecov":
        parts = text_value.splitlines()
    elif guard.tool == "mypy" and option == "exclude":
        parts = [text_value]
    else:
        parts = re.split(r"[,\s]+", re.sub(r"#[^\n]*", "", text_value))
    return [part.strip() for part in parts if part.strip()]


def _keep(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:
    was, now = _list(old, guard, option), _list(new, guard, option)
    if not was:
        yield from _newly_narrow(option, now, changes, guard)
        return
    if not now and new is None and guard.kind in {COLLECTED, NARROWED}:
        return  # without the setting the tool takes everything
    added = [entry for entry in now if entry not in was and entry.startswith("!")]
    yield from (("high", f"{entry} leaves something out") for entry in added if not _harmless(entry, changes, guard))
    for entry in was:
        if entry in now or entry.startswith("!") or any(_within(entry, wider, guard) for wider in now):
            continue
        if guard.kind == COLLECTED and option == "testpaths" and not _tests_below(entry, changes):
            continue
        if guard.tool == "eslint" and _successor(entry, now):
            continue
        if guard.tool == "ruff" and _LAYOUT.fullmatch(entry):
            yield "warn", f"{entry} is gone"
        else:
            yield "high", f"{entry} is gone"


def _newly_narrow(option: str, now: list[str], changes: ChangeSet, guard: Guard) -> _Judged:
    """An option that wasn't there took everything; now it may take less."""
    if guard.tool == "pytest" and option == "testpaths" and now:
        left = [path for path in changes.subject_paths if path.endswith(".py") and is_collected(path)]
        left = [
            path
            for path in left
            if not any(
                path == entry or path.startswith(entry.rstrip("/") + "/") or fnmatch.fnmatchcase(path, f"{entry}/*")
                for entry in now
            )
        ]
        if left and "." not in now:
            yield "high", f"{left[0]} and {len(left) - 1} more are no longer collected"
    elif guard.tool == "pytest" and option == "python_files" and now:
        left = [
            path for path in changes.subject_paths if re.fullmatch(r"test_.*\.py|.*_test\.py", PurePosixPath(path).name)
        ]
        left = [path for path in left if not any(fnmatch.fnmatchcase(PurePosixPath(path).name, entry) for entry in now)]
        if left:
            yield "high", f"{left[0]} is no longer collected"
    else:
        negative = [entry for entry in now if entry.startswith("!") and not _harmless(entry, changes, guard)]
        yield from (("high", f"{entry} leaves something out") for entry in negative)


def _within(entry: str, wider: str, guard: Guard) -> bool:
    if guard.tool in {"ruff", "flake8"}:
        return wider == "ALL" or entry.startswith(wider)
    return wider in {".", "**"} or entry.startswith(wider.rstrip("/*") + "/")


def _successor(entry: str, now: Iterable[str]) -> bool:
    """``plugin:x/recommended`` to a stricter set of the same plug-in."""
    family = re.split(r"[:/]", entry)[:2]
    return any(re.split(r"[:/]", other)[:2] == family and "strict" in other for other in now)


def _tests_below(folder: str, changes: ChangeSet) -> bool:
    return any(path.startswith(folder.rstrip("/") + "/") and is_test_code(path) for path in changes.subject_paths)


def _grow(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:
    was, now = _list(old, guard, option), _list(new, guard, option)
    if guard.tool == "tsconfig" and old is None:
        return
    for entry in now:
        if entry not in was:
            harmless = _harmless(entry, changes, guard, option)
            yield ("warn" if harmless else "high"), f"{entry} is left out"


def _harmless(entry: str, changes: ChangeSet, guard: Guard, option: str = "") -> bool:
    """Whether leaving this out hides nothing that a judge should see."""
    plain = entry.lstrip("!")
    if guard.kind == NARROWED and option.endswith(("exclude_lines", "exclude_also", "partial_also")):
        return bool(_NEVER_RUNS.search(plain))
    codes = re.fullmatch(r"(?:[\w./*-]+:)?[A-Z]+\d*|B\d+", plain)
    if "per-file-ignores" in option or "per_file_ignores" in option:
        target = option.partition("per-file-ignores.")[2] or plain.partition(":")[0]
        code = plain.rpartition(":")[2]
        in_tests = bool(re.search(r"test|conftest|spec", target)) and bool(_IN_TESTS.fullmatch(code))
        exported = target.endswith("__init__.py") and code in {"F401", "F403", "D104"}
        return in_tests or exported or bool(_LAYOUT.fullmatch(code))
    if codes and guard.kind == LINT:
        return bool(_LAYOUT.fullmatch(plain))
    matched = [
        path
        for path in changes.subject_paths
        if _matches(path, plain, expression=guard.tool == "jest") and language_of(path) is not None
    ]
    if guard.kind == COLLECTED:
        return not any(is_test_code(path) for path in matched)
    if guard.kind == NARROWED:
        return all(is_test_code(path) or _NOT_SOURCE.search(path) for path in matched) and not _everything(plain)
    return (not matched or all(_NOT_SOURCE.search(path) for path in matched)) and not _everything(plain)


def _everything(pattern: str) -> bool:
    return pattern in {"*", "**", "**/*", ".", "./", "", "/", ".*", "*.py", "src", "src/*", "src/**"}


def _matches(path: str, pattern: str, *, expression: bool = False) -> bool:
    bare = (
        pattern.removeprefix("./")
        .removeprefix("<rootDir>/")
        .removeprefix("**/")
        .strip("/^$")
        .removesuffix("/**")
        .removesuffix("/*")
    )
    if not bare or _everything(pattern):
        return True
    # jest's patterns are regular expressions; a stranger's expression is not run, its literal parts are looked for.
    pieces = [piece for piece in re.split(r"[\\\\^$.*+?()\[\]{}|]+", bare) if piece]
    if expression and pieces and _in_order(pieces, path):
        return True
    if path == bare or path.startswith(f"{bare}/") or f"/{bare}/" in path or path.endswith(f"/{bare}"):
        return True
    return (
        fnmatch.fnmatchcase(path, bare)
        or fnmatch.fnmatchcase(path, f"*/{bare}")
        or fnmatch.fnmatchcase(path, f"{bare}/*")
    )


def _in_order(pieces: Iterable[str], path: str) -> bool:
    at = 0
    for piece in pieces:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _level(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    if not (option.endswith((".level",)) or ".rules." in f".{option}" or guard.tool in {"clippy", "pyright"}):
        return
    was, now = _rank(old), _rank(new)
    rule = option.rpartition("rules.")[2]
    if now is not None and was is not None and now < was:
        yield "high", f"{_shown(old)} became {_shown(new)}"
    elif was is None and old is None and now == 0:
        yield ("warn" if _LAYOUT.fullmatch(rule) else "high"), "it is switched off"
    elif was is not None and was > 2 and new is None:
        yield "high", f"{_shown(old)} is gone"


def _rank(value: Any) -> int | None:
    if isinstance(value, list):
        value = value[0] if value else None
    return None if value is None else _LEVELS.get(str(value).strip().lower())


def _shown(value: Any) -> str:
    return str(value[0] if isinstance(value, list) and value else value)


def _addopts(option: str, old: Any, new: Any, changes: ChangeSet, guard: Guard) -> _Judged:  # noqa: ARG001 - all watches are asked alike
    was, now = _joined(old), _joined(new)
    for weakness in new_weakness(was, f"pytest {now}"):
        pattern = re.match(r"--ignore(?:-glob)?[= ](\S+)", weakness)
        if pattern and not any(is_test_code(p) for p in changes.subject_paths if _matches(p, pattern[1])):
            yield "warn", weakness
        else:
            yield "high", weakness
    lost = [part for part in _words(was) if part not in _words(now)]
    if "error" in lost and "-W" in _words(was):
        yield "high", "-W error is gone"
    if "--strict-markers" in lost or "--strict-config" in lost or "--strict" in lost:
        yield "warn", "strictness is gone"
    if any(part.startswith("--cov-fail-under") for part in lost) and "--cov-fail-under" not in now:
        yield "high", "--cov-fail-under is gone"


def _joined(value: Any) -> str:
    return " ".join(str(item) for item in value) if isinstance(value, list) else str(value or "")


def _words(options: str) -> list[str]:
    try:
        return shlex.split(options)
    except ValueError:
        return options.split()


_WATCHES: dict[Watch, Callable[[str, Any, Any, ChangeSet, Guard], _Judged]] = {
    "floor": _floor,
    "ceiling": _ceiling,
    "keep": _keep,
    "grow": _grow,
    "on": _on,
    "off": _off,
    "level": _level,
    "addopts": _addopts,
    "present": _present,
}
