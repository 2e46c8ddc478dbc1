"""Find comments and attributes that suppress findings of linters, type checkers, scanners or coverage reports.

They are counted over the whole change, so that a moved one isn't new. Comments come from the syntax tree, so a string
that looks like one doesn't count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_test_code
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import end_line_of, is_comment, line_of, text_of, walk

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_REASON = r"(?P<reason>.*)"
_COMMENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (rule, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for rule, pattern in (
        (
            "ruff-file",
            rf"#\s*(?:ruff|flake8)\s*:\s*noqa(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?{_REASON}",
        ),
        ("ruff-file", rf"#\s*ruff\s*:\s*(?:disable|file-ignore)\s*\[(?P<codes>[^\]]*)\]{_REASON}"),
        ("noqa", rf"#\s*ruff\s*:\s*ignore\s*\[(?P<codes>[^\]]*)\]{_REASON}"),
        ("noqa", rf"#\s*noqa(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?(?!\w){_REASON}"),
        ("type-ignore", rf"#\s*(?:type|pyright|ty|pyre)\s*:\s*ignore(?:\[(?P<codes>[^\]]+)\])?{_REASON}"),
        ("mypy-file", rf"#\s*mypy\s*:\s*(?P<codes>ignore-errors|disable-error-code\S*|allow-\S+){_REASON}"),
        (
            "pylint",
            rf"#\s*pylint\s*:\s*(?:disable(?:-next)?|skip-file)(?:\s*=\s*(?P<codes>[\w,\s-]+?))?(?=$|\s+#|\s+-\s){_REASON}",
        ),
        ("nosec", rf"#\s*nosec(?:[\s:]+(?P<codes>B\d+(?:[,\s]+B\d+)*))?(?!\w){_REASON}"),
        ("coverage", rf"(?:#|//|/\*)\s*pragma\s*:?\s*no[ -]?(?:cover|branch){_REASON}"),
        (
            "eslint",
            rf"eslint-disable(?P<scope>-next-line|-line)?(?:\s+(?P<codes>[\w@/,\s-]+?))?(?=\s--|\s*\*/|\s*$){_REASON}",
        ),
        ("eslint", rf"/\*\s*eslint\s+['\"]?(?P<codes>[\w@/-]+)['\"]?\s*:\s*\[?\s*(?:0\b|['\"]?off\b){_REASON}"),
        ("oxlint-biome", rf"(?:oxlint-disable|biome-ignore)\S*(?:\s+(?P<codes>[\w@/,-]+))?{_REASON}"),
        ("typescript", rf"@ts-(?P<scope>ignore|expect-error|nocheck){_REASON}"),
        (
            "coverage",
            rf"(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)(?:\s+(?P<codes>next|if|else|file|start))?{_REASON}",
        ),
        ("nolint", rf"//\s*nolint(?:\s*:\s*(?P<codes>[\w,-]+))?{_REASON}"),
        ("gosec", rf"#nosec(?:\s+(?P<codes>G\d+(?:\s+G\d+)*))?{_REASON}"),
        ("nosonar", rf"NOSONAR{_REASON}"),
        ("checkstyle", rf"(?:CHECKSTYLE\s*:?\s*OFF|CHECKSTYLE\.OFF)(?:\s*:\s*(?P<codes>\w+))?{_REASON}"),
    )
)
_ALLOW = re.compile(r"#!?\[\s*(?:cfg_attr\(.*,\s*)?(?:allow|expect)\s*\((?P<codes>[^)]*)\)", re.DOTALL)
_COVERAGE_OFF = re.compile(r"#!?\[\s*(?:cfg_attr\(.*,\s*)?coverage\(off\)")
_SUPPRESS = re.compile(r"@SuppressWarnings\s*\((?P<codes>.*)\)|@SuppressFBWarnings\b(?P<rest>.*)", re.DOTALL)
_DECLARES_ALL = re.compile(r"module\s+['\"](?:\*|(?:[.@~]{1,2}/)?\*\*?(?:/\*)?(?:\.[cm]?[jt]sx?)?|[.@~]{1,2}/\*)['\"]")
"""TypeScript: each import of it is ``any``, whatever is asked of it. Patterns of styles and images are no such ones."""

_JAVA_IDIOMS = frozenset({"unchecked", "rawtypes", "serial", "deprecation"})
_LAYOUT = re.compile(
    r"E1\d\d|E2\d\d|E3\d\d|E501|E70[12]|W191|W29[13]|W391|W505|I001|D\d{3}|Q\d{3}|COM\d+|max-len|line-too-long|"
    r"indent|quotes|semi|comma-dangle|N8\d\d|clippy::too_many_lines|clippy::module_name_repetitions"
)
_OPINION = re.compile(
    r"(?:PTH|PL[CRW]|ARG|TRY|PERF|ERA|FBT|ANN|EM|T20|INP|SLF|SIM|RET|C4|C90|PIE|UP|FURB|DTZ|EXE|FLY|ISC|TID|TC|TCH|N|D|A|PYI|"
    r"G|LOG|PT|RSE|RUF|FA|FIX|TD)\d*|E4\d\d|E7[124]\d|W6\d\d|F401|F403|F811|"
    r"import-untyped|import-not-found|import|no-untyped-call|no-untyped-def|no-any-return|misc|unused-ignore|type-arg|"
    r"no-console|camelcase|no-param-reassign|no-underscore-dangle|import/[\w-]+|max-lines[\w-]*|class-methods-use-this|"
    r"no-await-in-loop|no-plusplus|no-continue|@typescript-eslint/naming-convention|react/[\w-]+|"
    r"prefer-(?:const|arrow-callback|template|destructuring|rest-params|spread|object-spread|exponentiation-operator)|"
    r"object-shorthand|arrow-body-style|func-(?:style|names)|one-var|no-var|no-else-return|no-lonely-if|no-nested-ternary|"
    r"no-unneeded-ternary|sort-(?:imports|keys|vars)|capitalized-comments|id-length|new-cap|"
    r"@typescript-eslint/(?:array-type|consistent-(?:type-[\w-]+|generic-constructors|indexed-object-style)|"
    r"no-extraneous-class|no-empty-(?:interface|object-type)|member-ordering|method-signature-style|prefer-for-of)|"
    r"unicorn/(?:filename-case|prevent-abbreviations|no-null|prefer-[\w-]+|"
    r"consistent-(?:boolean-name|function-scoping|destructuring)|no-array-(?:for-each|reduce)|better-regex|"
    r"catch-error-name|numeric-separators-style|no-anonymous-default-export)|"
    r"too-many-[\w-]+|too-few-[\w-]+|invalid-name|import-outside-toplevel|protected-access|missing-[\w-]+|unused-argument|"
    r"@stylistic/[\w/-]+|mismatched_lifetime_syntaxes|elided_lifetimes_in_paths|non_camel_case_types|non_upper_case_globals|"
    r"dead_code|non_snake_case|clippy::(?:pedantic|too_many_arguments|type_complexity|module_inception|"
    r"needless_\w+|large_enum_variant|match_like_matches_macro|new_without_default|should_implement_trait|"
    r"wrong_self_convention|len_without_is_empty|upper_case_acronyms|manual_\w+|collapsible_\w+|single_match\w*|"
    r"redundant_(?:closure|field_names|static_lifetimes|pattern_matching)\w*|enum_variant_names|match_ref_pats)"
)
"""Rules about taste and structure. Those that find defects (undefined names, security, wrong types) need a reason."""

_NEVER_RUNS = re.compile(
    r"TYPE_CHECKING|__name__\s*==|NotImplementedError|@abstractmethod|@(?:typing\.)?overload|ImportError|"
    r"ModuleNotFoundError|assert_never|\.\.\.\s*#|def __repr__|Protocol|unreachable"
)
_WORDS = 2


@dataclass(frozen=True, slots=True)
class Suppression:
    """A suppression. ``codes`` are its rules, empty for all; ``reason`` is the rest of the comment, or the one above.

    ``code`` is what it stands at, without the comment: its line, or the next one.
    """

    rule: str
    codes: tuple[str, ...]
    reason: str
    path: str
    line: int
    shown: str
    around: str
    code: str

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What makes two of them the same for counting."""
        return self.rule, self.codes


def find_new_suppressions(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find suppressions that the subject has more of than the base, or in another place."""
    before = [item for _, old, _ in changes.sides() for item in _suppressions(changes, old)]
    after = [item for _, _, new in changes.sides() for item in _suppressions(changes, new)]
    for same in (_is_kept, _is_moved, _is_rewritten):
        before, after = _match(before, after, same)
    after = _drop_narrowed(before, after)
    looked_at = {line.strip() for _, old, _ in changes.sides() for line in text(old).splitlines()} - {""}
    for item in after:
        codes = f" ({', '.join(item.codes)})" if item.codes else " (everything)"
        message = f"new suppression{codes}: {item.shown}"
        weight = _weigh(item, new=item.code not in looked_at or _is_in_new_test(changes, item))
        yield IntegrityFinding("suppression_added", item.path, item.line, message, weight, f"suppression-{item.rule}")


def _is_kept(item: Suppression) -> tuple[object, ...]:
    return (item.key, item.code)


def _is_moved(item: Suppression) -> tuple[object, ...]:
    return (item.key,)


def _is_rewritten(item: Suppression) -> tuple[object, ...]:
    """The same code under another word. One that is wider is no rewrite: it has no codes where there were some."""
    return (item.code, bool(item.codes))


def _match(
    before: list[Suppression], after: list[Suppression], same: Callable[[Suppression], tuple[object, ...]]
) -> tuple[list[Suppression], list[Suppression]]:
    """Take off those that are the same on both sides."""
    known: dict[tuple[object, ...], list[Suppression]] = {}
    for item in before:
        known.setdefault(same(item), []).append(item)
    left = []
    for item in after:
        found = known.get(same(item)) or (known.get((item.code, False)) if same is _is_rewritten else None)
        if found and (same is not _is_rewritten or len(item.codes) <= len(found[0].codes) or not found[0].codes):
            found.pop(0)
        else:
            left.append(item)
    return [item for items in known.values() for item in items], left


def _is_in_new_test(changes: ChangeSet, item: Suppression) -> bool:
    """Whether it stands in a test that the file didn't have, at code that the file has more often now."""
    language = find_language(item.path)
    sides = next(((old, new) for _, old, new in changes.sides() if new is not None and new.path == item.path), None)
    if sides is None or language is None:
        return False
    trees = [changes.tree(side) for side in sides]
    tests = [[*language.find_tests(tree)] if tree is not None else [] for tree in trees]
    lines = [[line.strip() for line in text(side).splitlines()].count(item.code) for side in sides]
    known = {test.qualified for test in tests[0]}
    around = [test for test in tests[1] if line_of(test.node) <= item.line <= end_line_of(test.node)]
    return lines[1] > lines[0] and bool(around) and all(test.qualified not in known for test in around)


def _drop_narrowed(before: list[Suppression], after: list[Suppression]) -> list[Suppression]:
    """Take off those that name rules where one of everything is gone from the same file: each silences less."""
    spare = Counter((item.rule, item.path) for item in before if not item.codes)
    left = []
    for item in after:
        if item.codes and spare[item.rule, item.path]:
            spare[item.rule, item.path] -= 1
        else:
            left.append(item)
    return left


def _weigh(item: Suppression, *, new: bool) -> Weight:
    """Weigh a suppression; ``new`` is whether the code that it stands at is. A reason counts for new code alone."""
    reasoned = new and len(item.reason.split()) >= _WORDS
    if item.rule == "coverage":
        return "note" if is_test_code(item.path) or _NEVER_RUNS.search(item.around) else "weakening"
    if item.rule == "typescript":
        # In a test it is a claim about the types, which fails where there is no error.
        claims = new and is_test_code(item.path)
        return "note" if item.codes == ("expect-error",) and (reasoned or claims) else "weakening"
    if item.rule == "java" and item.codes and _JAVA_IDIOMS.issuperset(item.codes):
        return "note"
    if item.codes and all(_LAYOUT.fullmatch(code) for code in item.codes):
        return "note"
    if item.codes and (is_test_code(item.path) or all(_OPINION.fullmatch(code) for code in item.codes)):
        return "note" if item.rule != "mypy-file" else "weakening"
    whole_file = item.rule in {"ruff-file", "mypy-file"} or (item.rule == "eslint" and item.shown.startswith("/*"))
    return "note" if item.codes and reasoned and not whole_file else "weakening"


def _suppressions(changes: ChangeSet, side: Side | None) -> list[Suppression]:
    if side is None or language_of(side.path) is None:
        return []
    tree = changes.tree(side)
    if tree is None:
        return []
    lines = text(side).splitlines()
    found: list[Suppression] = []
    for node in walk(tree.root):
        line = line_of(node)
        around = lines[line - 1].strip() if line <= len(lines) else ""
        if is_comment(node):
            comment = text_of(node).strip()
            code = around.removesuffix(comment).strip()
            if not code and line < len(lines):
                code = lines[line].strip()
                around = f"{around} {code}"
            place = _Place(side.path, line, around, code)
            found += _in_comment(comment, place)
            continue
        place = _Place(side.path, line, around, around)
        if node.type in {"attribute_item", "inner_attribute_item"}:
            found += _in_attribute(text_of(node), place)
        elif node.type == "module" and _DECLARES_ALL.match(text_of(node)):
            shown = " ".join(text_of(node).split())[:160]
            found.append(Suppression("declared-any", (), "", shown=f"declare {shown}", **place._asdict()))
        elif node.type in {"annotation", "marker_annotation"}:
            found += _in_annotation(text_of(node), place)
    return [item if item.reason else replace(item, reason=_above(lines, item.line)) for item in found]


class _Place(NamedTuple):
    """Where a suppression stands: see ``Suppression``."""

    path: str
    line: int
    around: str
    code: str


def _above(lines: Sequence[str], line: int) -> str:
    """The comment above a line, or above the block without an empty line that it stands in; empty if there is none."""
    for other in reversed(lines[max(line - 1 - _BLOCK, 0) : line - 1]):
        plain = other.strip()
        if not plain:
            break
        if _ALONE.match(plain) and not any(pattern.search(plain[:_WINDOW]) for _, pattern in _COMMENTS):
            return plain.strip("*/#- \t")
    return ""


_BLOCK = 10
"""Lines of a block that are looked at for a comment."""

_ALONE = re.compile(r"#(?!!)|//|/\*|\*\s|--\s")


def _in_comment(comment: str, place: _Place) -> Iterator[Suppression]:
    python = language_of(place.path) == "python"
    seen: set[str] = set()
    # Windows keep the expressions linear in the length of a comment that somebody made a megabyte long.
    for start in range(0, max(len(comment), 1), _WINDOW - _OVERLAP):
        window = comment[start : start + _WINDOW]
        for rule, pattern in _COMMENTS:
            match = pattern.search(window)
            if match is None or rule in seen or (python and rule in {"eslint", "typescript", "nolint", "gosec"}):
                continue
            seen.add(rule)
            groups = match.groupdict()
            codes = (match["scope"].lower(),) if rule == "typescript" else _codes(groups.get("codes") or "")
            reason = _ANOTHER.split(groups.get("reason") or "")[0].strip("*/#-:—– \t\r\n")
            yield Suppression(rule, codes, reason, shown=" ".join(window.split())[:160], **place._asdict())


_WINDOW, _OVERLAP = 4000, 400
_ANOTHER = re.compile(r"#\s*(?=type\s*:|noqa|pylint|nosec|pragma|pyright|mypy|ruff)")


def _codes(written: str) -> tuple[str, ...]:
    return tuple(sorted(code for code in re.split(r"[,\s\"'{}]+", written) if code))


def _in_attribute(attribute: str, place: _Place) -> Iterator[Suppression]:
    match = _ALLOW.match(attribute)
    if match is not None:
        names, _, reason = match["codes"].partition("reason")
        yield Suppression("allow", _codes(names), reason.strip(' ="'), shown=attribute[:160], **place._asdict())
    elif _COVERAGE_OFF.match(attribute):
        yield Suppression("coverage", (), "", shown=attribute[:160], **place._asdict())


def _in_annotation(annotation: str, place: _Place) -> Iterator[Suppression]:
    match = _SUPPRESS.match(annotation)
    if match is not None:
        codes = tuple(sorted(set(re.findall(r'"([^"]+)"', match["codes"] or "")) - {"all"}))
        reason = match["rest"] or ""
        yield Suppression("java", codes, reason, shown=" ".join(annotation.split())[:160], **place._asdict())
