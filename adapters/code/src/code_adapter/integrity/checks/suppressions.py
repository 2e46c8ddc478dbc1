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
from code_adapter.integrity.checks.bundles import stays_bundle
from code_adapter.integrity.checks.switched_on_rules import SwitchedOnRules
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.languages.silencers import Silencer, is_silencing, read_comment
from code_adapter.integrity.moved_files import list_edited
from code_adapter.integrity.roles import is_test_code, is_test_data
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import end_line_of, is_comment, line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_JAVA_IDIOMS = frozenset({"unchecked", "rawtypes", "serial", "deprecation"})
_LAYOUT = re.compile(
    r"E1\d\d|E2\d\d|E3\d\d|E501|E70[1-4]|W191|W29[13]|W391|W505|I001|D\d{3}|Q\d{3}|COM\d+|max-len|line-too-long|"
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

_OPINION_TOO = re.compile(
    r"(?:Layout|Style|Naming|Metrics|Gemspec|Bundler|RSpec|Rails|Performance|FactoryBot|Capybara|Minitest)(?:/\w+)?|"
    r"(?:Generic|PSR1|PSR2|PSR12|PEAR|Squiz|SlevomatCodingStandard|WordPress)\.[\w.]+|"
    r"PHPMD\.(?:\w*(?:Complexity|Length|TooMany\w+|Excessive\w+|ShortVariable|LongVariable|CamelCase\w*|StaticAccess|"
    r"ElseExpression|UnusedFormalParameter|CouplingBetweenObjects))|"
    r"CS(?:0612|0618|0067|0169|0414|1591|1573|1587|8618)|IDE\d+|SA\d+|CA(?:10[0-9]{2}|17\d\d|18\d\d|1[56]\d\d|22[13]\d)|"
    r"RCS\d+|xUnit\d+|CheckNamespace|InconsistentNaming|Unused\w*\.\w+|MemberCanBe\w*(?:\.\w+)?|"
    r"ClassNeverInstantiated\.\w+|(?:Suggest|Convert|Arrange)\w+|"
    r"UNCHECKED_CAST|DEPRECATION|unused|UNUSED_\w+|NAME_SHADOWING|unchecked|rawtypes|ClassName|FunctionName|PropertyName|"
    r"LocalVariableName|ObjectPropertyName|PackageName|MagicNumber|Long(?:Method|ParameterList)|LargeClass|TooManyFunctions|"
    r"(?:Cyclomatic)?ComplexMethod|CyclomaticComplexMethod|MaxLineLength|ReturnCount|MemberVisibilityCanBePrivate|"
    r"NOTHING_TO_INLINE|Redundant\w*|ktlint(?::[\w:-]+)?|EXPERIMENTAL_\w+|MemberVisibility\w*"
)
"""The same for RuboCop, PHP_CodeSniffer, PHPMD, C#'s compiler and analysers, Kotlin's compiler and detekt."""

_NEVER_RUNS = re.compile(
    r"TYPE_CHECKING|__name__\s*==|NotImplementedError|@abstractmethod|@(?:typing\.)?overload|ImportError|"
    r"ModuleNotFoundError|assert_never|\.\.\.\s*#|def __repr__|Protocol|unreachable"
)
_WORDS = 2


@dataclass(frozen=True, slots=True)
class Suppression:
    """A suppression. ``codes`` are its rules, empty for all; ``reason`` is the rest of the comment, or the one above.

    ``code`` is what it stands at, without the comment: its line, or the next one. ``silenced`` is the same without
    comments and attributes: the first line of code that it is about.
    """

    rule: str
    codes: tuple[str, ...]
    reason: str
    path: str
    line: int
    shown: str
    around: str
    code: str
    silenced: str

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What makes two of them the same for counting."""
        return self.rule, self.codes


def find_new_suppressions(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find suppressions that the subject has more of than the base, or in another place."""
    sides = [*list_edited(changes)]
    before = [item for old, _ in sides for item in _suppressions(changes, old)]
    after = [item for _, new in sides for item in _suppressions(changes, new)]
    for same in (_is_kept, _is_moved, _is_rewritten):
        before, after = _match(before, after, same)
    after = _drop_narrowed(before, after)
    looked_at = {line.strip() for _, old, _ in changes.sides() for line in text(old).splitlines()} - {""}
    switched_on = SwitchedOnRules(changes)
    new_files = {new.path for _, old, new in changes.sides() if old is None and new and _is_mostly_new(new, looked_at)}
    bundles = {file.path for file, old, new in changes.sides() if stays_bundle(file, old, new)}
    for item in after:
        codes = f" ({', '.join(item.codes)})" if item.codes else " (everything)"
        message = f"new suppression{codes}: {item.shown}"
        is_new = bool(item.silenced) and item.silenced not in looked_at
        is_new |= _is_in_new_test(changes, item)
        weight = _weigh(item, new=is_new, new_file=item.path in new_files)
        if weight == "weakening" and (switched_on.has(item.rule, item.codes, item.path) or item.path in bundles):
            weight = "note"
        yield IntegrityFinding("suppression_added", item.path, item.line, message, weight, f"suppression-{item.rule}")


def _is_mostly_new(side: Side, looked_at: set[str]) -> bool:
    """Whether more than half of a file's lines weren't in what the change touches."""
    lines = {line.strip() for line in text(side).splitlines()} - {""}
    return 2 * len(lines & looked_at) < len(lines)


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
    sides = next(((old, new) for _, old, new in changes.sides() if new is not None and new.path == item.path), None)
    language = find_language(item.path)
    if sides is None or language is None:
        return False
    tests = [changes.tests(side, language.find_tests) for side in sides]
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


def _weigh(item: Suppression, *, new: bool, new_file: bool) -> Weight:
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
    if is_test_data(item.path) or (item.codes and all(_LAYOUT.fullmatch(code) for code in item.codes)):
        return "note"
    if item.codes and (is_test_code(item.path) or all(_is_opinion(code) for code in item.codes)):
        return "note" if item.rule != "mypy-file" else "weakening"
    whole_file = item.rule in {"ruff-file", "mypy-file"} or (item.rule == "eslint" and item.shown.startswith("/*"))
    return "note" if item.codes and reasoned and (new_file or not whole_file) else "weakening"


def _is_opinion(code: str) -> bool:
    return _OPINION.fullmatch(code) is not None or _OPINION_TOO.fullmatch(code) is not None


def _suppressions(changes: ChangeSet, side: Side | None) -> list[Suppression]:
    language = find_language(side.path) if side is not None else None
    tree = changes.tree(side)
    if side is None or language is None or tree is None:
        return []
    lines = text(side).splitlines()
    found: list[Suppression] = []
    for node in walk(tree.root):
        line = line_of(node)
        if is_comment(node):
            comment = text_of(node).strip()
            around, code = _find_code(lines, line, comment)
            place = _Place(side.path, line, around, code, code if _is_code(code) else _find_next_code(lines, line))
            made = read_comment(comment, language.foreign_silencers)
            alone = language_of(side.path) == "python" and _is_between(node, lines)
            found += [_at(place, one) for one in made if not (alone and _is_of_its_line(one))]
        elif (silencer := language.read_silencer(node)) is not None:
            around = lines[line - 1].strip() if line <= len(lines) else ""
            found.append(_at(_Place(side.path, line, around, around, _find_code_after(side, node, lines)), silencer))
    return [item if item.reason else replace(item, reason=_above(lines, item.line)) for item in found]


def _is_between(comment: Node, lines: Sequence[str]) -> bool:
    """Whether a comment of Python stands on a line of its own between two statements, below the first one."""
    line = line_of(comment)
    between = comment.parent is not None and comment.parent.type in _BETWEEN
    return (
        between
        and lines[line - 1].lstrip().startswith("#")
        and any(_is_code(each.strip()) for each in lines[: line - 1])
    )


def _is_of_its_line(silencer: Silencer) -> bool:
    """Whether it silences the line, or the statement, that it stands in, and no other."""
    return silencer.rule in _OF_ITS_LINE and _RANGE.search(silencer.shown) is None


_RANGE = re.compile(r"\bstart\b", re.IGNORECASE)
_OF_ITS_LINE = frozenset({"noqa", "type-ignore", "nosec", "coverage"})
"""Sources: the documentation of flake8, ruff, mypy, pyright, bandit and coverage."""

_BETWEEN = frozenset(
    {"module", "block", "function_definition", "class_definition", "if_statement", "elif_clause", "else_clause"}
    | {"for_statement", "while_statement", "with_statement", "try_statement", "except_clause", "finally_clause"}
)
"""Nodes of Python's grammar between whose children only statements, or the lines that begin blocks, may stand."""


def _at(place: _Place, silencer: Silencer) -> Suppression:
    if not _EVERYTHING.isdisjoint(code.lower() for code in silencer.codes):
        silencer = silencer._replace(codes=())
    return Suppression(**silencer._asdict(), **place._asdict())


_EVERYTHING = frozenset({"all", "clippy::all", "lint", "phpmd", "warnings"})
"""Names that stand for all rules of a tool: of pylint, golangci-lint and RuboCop, clippy, Biome, PHPMD, rustc."""


def _find_code_after(side: Side, node: Node, lines: Sequence[str]) -> str:
    """What stands after an attribute: the rest of its line, or the next line of code."""
    after = (side.content or b"")[node.end_byte : node.end_byte + _LONGEST].partition(b"\n")[0]
    rest = after.decode("utf-8", "replace").strip("]) \t\r")
    return rest if _is_code(rest) else _find_next_code(lines, end_line_of(node))


def _find_next_code(lines: Sequence[str], line: int) -> str:
    """The first line of code below ``line``; empty if the next lines have none."""
    return next((other.strip() for other in lines[line : line + _AHEAD] if _is_code(other.strip())), "")


def _is_code(line: str) -> bool:
    return bool(line) and _NO_CODE.match(line) is None


_LONGEST, _AHEAD = 1000, 50
"""Characters of a line, and lines, that are looked at for the code that an attribute stands at."""

_NO_CODE = re.compile(r"#|//|/\*|\*|@\w|\[[A-Z]|--\s")
"""A line that is a comment, or that begins with an attribute, an annotation or a decorator."""


def _find_code(lines: Sequence[str], line: int, comment: str) -> tuple[str, str]:
    """What stands around a comment, and the code that it stands at: that of its line, or the next one."""
    around = lines[line - 1].strip() if line <= len(lines) else ""
    code = around.removesuffix(comment).strip()
    if not code and line < len(lines):
        code = lines[line].strip()
        around = f"{around} {code}"
    return around, code


class _Place(NamedTuple):
    """Where a suppression stands: see ``Suppression``."""

    path: str
    line: int
    around: str
    code: str
    silenced: str


def _above(lines: Sequence[str], line: int) -> str:
    """The comment above a line, or above the block without an empty line that it stands in; empty if there is none."""
    for other in reversed(lines[max(line - 1 - _BLOCK, 0) : line - 1]):
        plain = other.strip()
        if not plain:
            break
        if _ALONE.match(plain) and not is_silencing(plain):
            return plain.strip("*/#- \t")
    return ""


_BLOCK = 10
"""Lines of a block that are looked at for a comment."""

_ALONE = re.compile(r"#(?!!)|//|/\*|\*\s|--\s")
