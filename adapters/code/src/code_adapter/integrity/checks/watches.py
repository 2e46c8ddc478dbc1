"""Compare the old and new value of an option, with one function per kind of guard in ``guards``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.left_out import LAYOUT, is_harmless, is_renamed, matches
from code_adapter.integrity.checks.narrowed import PATTERNS, collects_fewer, find_narrowing
from code_adapter.integrity.roles import is_test_code
from code_adapter.integrity.tools.commands import find_new_weakness
from code_adapter.integrity.tools.eslint import FORMATTING
from code_adapter.integrity.tools.guards import COLLECTED, NARROWED, Guard, Watch
from code_adapter.integrity.tools.ruff import SELECTS, covers, is_unselected, list_selected
from code_adapter.integrity.tools.setting_values import (
    format_value,
    is_on,
    join_options,
    parse_number,
    rank_level,
    split_entries,
    split_words,
)
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.finding import Weight

    Judged = Iterator[tuple[Weight, str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """An option compared by ``guard``, in base and in the subject; None if it isn't set.

    ``before`` and ``after`` are all options of the tool.
    """

    option: str
    old: Any
    new: Any
    guard: Guard
    changes: ChangeSet
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def _floor(it: Setting) -> Judged:
    was, now = parse_number(it.old), parse_number(it.new)
    if was is None:
        return
    if now is None:
        yield "weakening", f"{it.old} is gone"
    # A negative threshold of jest is a number of uncovered places; falling below zero is stricter there.
    elif (now < was and was >= 0) or (was < 0 and now < was):
        yield "weakening", f"{it.old} became {it.new}"


def _ceiling(it: Setting) -> Judged:
    was, now = parse_number(it.old), parse_number(it.new)
    if was is None:
        return
    if now is None:
        yield "weakening", f"{it.old} is gone"
    elif now > was:
        yield "weakening", f"{it.old} became {it.new}"


def _on(it: Setting) -> Judged:
    if is_on(it.old) and not is_on(it.new):
        if it.guard.tool == "tsconfig" and it.new is None and it.option != "compilerOptions.strict":
            yield "note", "it is no longer set"
        else:
            yield "weakening", "it is no longer on"
    elif it.guard.tool in {"mypy", "tsconfig", "cargo"} and it.old is None and it.new is not None and not is_on(it.new):
        yield "weakening", "it is switched off"


def _off(it: Setting) -> Judged:
    if is_on(it.new) and not is_on(it.old):
        yield ("note" if "skipLibCheck" in it.option else "weakening"), "it is switched on"


def _present(it: Setting) -> Judged:
    if it.new is not None:
        yield "weakening", f"{it.new}"


def _keep(it: Setting) -> Judged:
    was, now = split_entries(it.old, it.guard, it.option), split_entries(it.new, it.guard, it.option)
    was, now = _unify(was, now, it)
    if not was and now and it.before:
        was = [*_UNSET.get((it.guard.tool, it.option), ())]
    if not was:
        yield from find_narrowing(it.option, now, it.changes, it.guard)
        return
    if not now and it.new is None and it.guard.kind in {COLLECTED, NARROWED}:
        return  # without the setting the tool takes everything
    added = [entry for entry in now if entry not in was and entry.startswith("!")]
    yield from (
        ("weakening", f"{entry} leaves something out")
        for entry in added
        if not is_harmless(entry, it.changes, it.guard)
    )
    for entry in was:
        if entry in now or entry.startswith("!") or any(_within(entry, wider, it.guard) for wider in now):
            continue
        if it.guard.kind == COLLECTED and it.option == "testpaths" and not _tests_below(entry, it.changes):
            continue
        if it.guard.kind == COLLECTED and it.option.endswith(PATTERNS) and not collects_fewer(entry, now, it.changes):
            continue
        if it.guard.tool == "eslint" and _successor(entry, now):
            continue
        if it.guard.tool == "ruff" and LAYOUT.fullmatch(entry):
            yield "note", f"{entry} is gone"
        else:
            yield "weakening", f"{entry} is gone"


def _unify(was: list[str], now: list[str], it: Setting) -> tuple[list[str], list[str]]:
    """Write the entries of both sides as one can be compared with the other, with what other options say."""
    match it.guard.tool:
        case "eslint":
            # A set in a list of its own holds as one that is spread.
            return [entry.removeprefix("...") for entry in was], [entry.removeprefix("...") for entry in now]
        case "ruff" if it.option in SELECTS:
            return was, [*now, *list_selected(it.after)]
        case "mypy":
            return [_path_of(entry).removeprefix("src/") for entry in was], [*_list_checked(it)]
    return was, now


_UNSET: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {("flake8", "select"): ("E", "F", "W"), ("flake8", "filename"): ("*.py",)}
)
"""What a list means that isn't there. Source: flake8, "Options and their descriptions"; C90 is off by default."""


_OF_MYPY = ("files", "packages", "modules")


def _list_checked(it: Setting) -> Iterator[str]:
    """List what mypy checks by any option as paths; of a folder below ``src``, the package too."""
    for option in _OF_MYPY:
        for entry in split_entries(it.after.get(option), it.guard, option):
            yield _path_of(entry)
            yield _path_of(entry).removeprefix("src/")


def _path_of(entry: str) -> str:
    """Where a module or a path is; mypy's patterns stay as they are."""
    if "*" in entry:
        return entry
    return re.sub(r"\.pyi?$", "", entry.removeprefix("./").rstrip("/")).replace(".", "/") or "."


def _within(entry: str, wider: str, guard: Guard) -> bool:
    if guard.tool == "ruff" and guard.option != "include":
        return covers(wider, entry)
    if guard.tool == "flake8":
        return wider == "ALL" or entry.startswith(wider)
    return wider in {".", "**"} or entry.startswith(wider.rstrip("/*") + "/")


def _successor(entry: str, now: Iterable[str]) -> bool:
    """``plugin:x/recommended`` to a stricter set of the same plug-in."""
    family = re.split(r"[:/]", entry)[:2]
    return any(re.split(r"[:/]", other)[:2] == family and "strict" in other for other in now)


def _tests_below(folder: str, changes: ChangeSet) -> bool:
    return any(path.startswith(folder.rstrip("/") + "/") and is_test_code(path) for path in changes.subject_paths)


def _grow(it: Setting) -> Judged:
    was, now = split_entries(it.old, it.guard, it.option), split_entries(it.new, it.guard, it.option)
    if it.guard.tool == "tsconfig" and it.old is None:
        return
    for entry in now:
        if entry not in was:
            named = it.option == "builtins" and it.guard.tool == "ruff"
            harmless = entry in _DEFINED if named else is_harmless(entry, it.changes, it.guard, it.option)
            harmless = harmless or (it.guard.tool == "eslint" and entry.startswith("!"))  # it is taken in again
            harmless = harmless or is_renamed(*_find_patterns(entry, was, it), it.changes) or _was_off(entry, it)
            yield ("note" if harmless else "weakening"), f"{entry} is left out"


def _was_off(rule: str, it: Setting) -> bool:
    """Whether the base's settings of ruff didn't select a rule that is ignored now: it reported nothing."""
    ignored = it.guard.tool == "ruff" and _IGNORING.match(it.option) is not None
    return ignored and is_unselected(rule, list_selected(it.before))


_IGNORING = re.compile(r"lint\.(?:extend-)?(?:per-file-)?ignores?\b")


def _find_patterns(entry: str, was: list[str], it: Setting) -> tuple[str, list[str]]:
    """Find the pattern that a new entry is about, and those that said the same: of per-file-ignores these are keys."""
    head, table, pattern = it.option.partition("per-file-ignores.")
    if not table:
        return entry, was
    known = ((name.removeprefix(f"{head}{table}"), codes) for name, codes in it.before.items() if name != it.option)
    return pattern, [name for name, codes in known if isinstance(codes, list) and entry in codes]


def _is_of_new_plugin(rule: str, it: Setting) -> bool:
    """Whether an ESLint rule is one of a plugin that no changed settings of base name: it never held."""
    plugin, slash, _ = rule.removeprefix("@").partition("/")
    if it.guard.tool != "eslint" or not slash:
        return False
    settings = (before for _, before, _ in it.changes.sides() if before is not None and "eslint" in before.path)
    return all(f"{plugin}/" not in text(before) and f"-{plugin}" not in text(before) for before in settings)


def _level(it: Setting) -> Judged:
    if not (it.option.endswith((".level",)) or ".rules." in f".{it.option}" or it.guard.tool in {"clippy", "pyright"}):
        return
    was, now = rank_level(it.old), rank_level(it.new)
    rule = it.option.rpartition("rules.")[2]
    of_layout = LAYOUT.fullmatch(rule) or (it.guard.tool == "eslint" and FORMATTING.fullmatch(rule))
    if now is not None and was is not None and now < was:
        yield ("note" if of_layout else "weakening"), f"{format_value(it.old)} became {format_value(it.new)}"
    elif was is None and it.old is None and now == 0:
        harmless = of_layout or _is_of_new_plugin(rule, it)
        yield ("note" if harmless else "weakening"), "it is switched off"
    elif was is not None and was > 2 and it.new is None:
        yield "weakening", f"{format_value(it.old)} is gone"


def _addopts(it: Setting) -> Judged:
    was, now = join_options(it.old), join_options(it.new)
    for weakness in find_new_weakness(f" {was}", f"pytest {now}"):
        pattern = re.match(r"--ignore(?:-glob)?[= ](\S+)", weakness)
        if pattern and not any(is_test_code(p) for p in it.changes.subject_paths if matches(p, pattern[1])):
            yield "note", weakness
        else:
            yield "weakening", weakness
    before = set(_list_selections(was))
    yield from (("weakening", f"only {chosen} is run") for chosen in _list_selections(now) if chosen not in before)
    lost = [part for part in split_words(was) if part not in split_words(now)]
    if "error" in lost and "-W" in split_words(was):
        yield "weakening", "-W error is gone"
    if "--strict-markers" in lost or "--strict-config" in lost or "--strict" in lost:
        yield "note", "strictness is gone"
    if any(part.startswith("--cov-fail-under") for part in lost) and "--cov-fail-under" not in now:
        yield "weakening", "--cov-fail-under is gone"


def _list_selections(options: str) -> Iterator[str]:
    """List what ``-k`` and ``-m`` select, without negations: these are found in every command."""
    words = split_words(options)
    for word, following in pairwise([*words, ""]):
        value = following if word in {"-k", "-m"} else word[2:] if word[:2] in {"-k", "-m"} else ""
        if value and not value.startswith("not "):
            yield f"{word[:2]} {value}"


def _pattern(it: Setting) -> Judged:
    """A name is no stranger's expression: of what can't be read nothing is known, and it counts as wide."""
    if it.new is not None and _takes_names(str(it.new)) and not (it.old is not None and _takes_names(str(it.old))):
        yield "weakening", f"{it.new} takes in ordinary names"


def _takes_names(expression: str) -> bool:
    """Whether it isn't one of those that begin with an underscore, or are a name or a choice of names in full."""
    bare = expression.strip("^$()?: ")
    return not re.match(r"(?:\(\?:|\()*_|\^?_", expression.strip("^")) and not re.fullmatch(r"\w+(?:\|\w+)*", bare)


def _local(it: Setting) -> Judged:
    """A transformer is asked only where it takes in what tests import: scripts, not images or styles."""
    pattern = it.option.partition("transform.")[2]
    scripts = not pattern or bool(re.search(r"\[?[jt]+\]?s|^\W*$|^\.\W*$", pattern))
    values = it.new if isinstance(it.new, list) else [it.new]
    named = next((str(value) for value in values if re.match(r"\.{1,2}/|<rootDir>|/", str(value or ""))), None)
    if named and scripts and it.new != it.old:
        yield "weakening", f"{named} is a file of the repository"


def _brought(it: Setting) -> Judged:
    """A resolver or an environment that was there may be named; one that comes with the change is nobody's yet."""
    given = re.sub(r"^(?:<rootDir>/|\.{1,2}/)+", "", str(it.new or ""))
    new = [after.path for _, before, after in it.changes.sides() if before is None and after is not None]
    named = next((path for path in new if given and f"/{_stem(path)}".endswith(f"/{_stem(given)}")), None)
    if named and re.match(r"\.{1,2}/|<rootDir>|/", str(it.new)):
        yield "weakening", f"{named} comes with this change"


def _again(it: Setting) -> Judged:
    if (parse_number(it.new) or 0) > (parse_number(it.old) or 0):
        yield "weakening", f"tests that fail are run {it.new} times more"


def _mapped(it: Setting) -> Judged:
    """``"./price.js": "./fake.js"``: what is asked for is a file of the source, and what is given another one."""
    key = re.split(r"moduleNameMapper\.|alias\.|paths\.", it.option, maxsplit=1)[-1]
    values = it.new if isinstance(it.new, list) else [it.new]
    source = [path for path in it.changes.subject_paths if language_of(path) is not None and not is_test_code(path)]
    stem = re.sub(r"\\|\$$|^\^|\([^)]*\)|^(?:\.{0,2}/|@/|~/|#|\.\*/?)+|\.[cm]?[jt]sx?$", "", key.replace("\\.", "."))
    stem = re.sub(r"\.[cm]?[jt]sx?$", "", stem.rstrip("$")).strip("/*")
    meant = [path for path in source if stem and f"/{_stem(path)}".endswith(f"/{stem}")]
    for value in values:
        given = re.sub(r"^(?:<rootDir>/|\.{1,2}/)+", "", str(value or ""))
        exists = any(_stem(path) == _stem(given) for path in it.changes.subject_paths)
        if meant and exists and not any(_stem(path).endswith(_stem(given)) for path in meant):
            yield "weakening", f"{meant[0]} becomes {value}"


def _stem(path: str) -> str:
    return re.sub(r"\.[cm]?[jt]sx?$", "", path)


_DEFINED = frozenset({"_", "reveal_type", "reveal_locals"})
"""Names that are there without being defined: gettext's, and type checkers' own."""

WATCHES: Mapping[Watch, Callable[[Setting], Judged]] = MappingProxyType(
    {
        "floor": _floor,
        "ceiling": _ceiling,
        "keep": _keep,
        "grow": _grow,
        "on": _on,
        "off": _off,
        "level": _level,
        "addopts": _addopts,
        "present": _present,
        "pattern": _pattern,
        "local": _local,
        "mapped": _mapped,
        "brought": _brought,
        "again": _again,
    }
)
