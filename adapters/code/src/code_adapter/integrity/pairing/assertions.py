"""Find the assertions of a test: which can fail, which can't, and whose failure is caught and dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_plain
from code_adapter.integrity.languages.calls import is_call, is_on_another, read_called, read_last_name
from code_adapter.integrity.languages.vacuity import asks_in_words, is_vacuous
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.languages.test_language import TestLanguage

_HELPER = re.compile(r"_?(?:check|verify|expect|assert|validate|ensure|must|should)(?:_|[A-Z]|$)")

_CLEAR_HELPER = re.compile(r"_?(?:expect|assert|must|should)(?:_|[A-Z]|$)")
"""A method of another object: ``validator.Validate(price)`` is what a test asks."""

_GROUPS = frozenset({"assertSoftly", "assertAll", "expectNotToPerformAssertions"})
"""What only holds assertions, which count themselves, or says that there are none."""


@dataclass(frozen=True, slots=True)
class Assertions:
    """The assertions of a test. ``real`` ones can fail the test; ``held`` are those of them that may not run.

    ``delegated`` are calls of helpers that also assert: they can replace an assertion, and losing one is no finding.
    """

    real: tuple[Assertion, ...] = ()
    delegated: tuple[Assertion, ...] = ()
    vacuous: tuple[Assertion, ...] = ()
    swallowed: tuple[Assertion, ...] = ()
    held: tuple[Assertion, ...] = ()


NAME = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class BodyReader:
    """What finds the assertions of one file. A body is read again only where a helper that it names counts otherwise.

    ``phrases`` says that ``expect`` is that of Unexpected.
    """

    language: TestLanguage
    phrases: bool = False
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _found: dict[tuple[int, frozenset[tuple[str, int]]], Assertions] = field(default_factory=dict)

    def find_words(self, body: Node) -> frozenset[str]:
        """Find the names and numbers below ``body``."""
        if body.id not in self._words:
            self._words[body.id] = frozenset(NAME.findall(text_of(body)))
        return self._words[body.id]

    def find_all(self, bodies: Iterable[Node], helpers: Mapping[str, int]) -> Iterator[Assertions]:
        """Find the assertions below each of ``bodies``, in their order."""
        others = [(name, count) for name, count in helpers.items() if not NAME.fullmatch(name)]
        for body in bodies:
            words = self.find_words(body)
            named = frozenset([*((word, helpers[word]) for word in words if word in helpers), *others])
            key = (body.id, named)
            if key not in self._found:
                self._found[key] = find_assertions(body, self.language, helpers, phrases=self.phrases)
            yield self._found[key]


def find_assertions(
    body: Node, language: TestLanguage, helpers: Mapping[str, int], *, phrases: bool = False
) -> Assertions:
    """Find the assertions below ``body``, without unreachable code.

    ``helpers`` maps functions of the same file to their number of assertions; a call counts as that many. ``phrases``
    says that ``expect`` is that of Unexpected.
    """
    real: list[Assertion] = []
    vacuous: list[Assertion] = []
    swallowed: list[Assertion] = []
    delegated: list[Assertion] = []
    held: list[Assertion] = []
    own = language.has_own_assertions and _is_whole(body)
    stack: list[tuple[Node, bool, bool]] = [(body, False, False)]
    while stack:
        node, caught, apart = stack.pop()
        # A function of the file that is called like an assertion is what its body says, and no assertion by its name.
        found = None if _is_own_helper(node, language, helpers) else language.read_assertion(node)
        if found is None:
            count = _helper_count(node, language, helpers)
            if count:
                text = read_plain(node)
                target = swallowed if caught else real if _is_check(node) else delegated
                made = [Assertion(f"{text} #{n}" if n else text, line_of(node)) for n in range(count)]
                target += made
                held += made if apart and target is real else []
                continue
            live = [
                (step.node, caught or step.caught, apart or (own and step.held))
                for step in language.list_steps(node, helpers)
                if not language.is_never_called(step.node, body)
            ]
            stack.extend(reversed(live))
        elif _is_tuple(node) or (is_vacuous(found.text) and not (phrases and asks_in_words(found.text))):
            vacuous.append(found)
        elif not _repeats(node):
            (swallowed if caught else real).append(found)
            held += [found] if not caught and (apart or language.is_not_awaited(node)) else []
            swallowed += language.list_expected_failures(node)
    return Assertions(tuple(real), tuple(delegated), tuple(vacuous), tuple(swallowed), tuple(held))


def _repeats(node: Node) -> bool:
    """Whether the statement right before it says the same, of what nothing has to be called for."""
    above = node if node.type == "assert_statement" else node.parent
    before = above.prev_named_sibling if above is not None else None
    same = (
        before is not None
        and above is not None
        and before.type == above.type
        and read_plain(before) == read_plain(above)
    )
    return same and (_OF_VALUES.fullmatch(read_plain(node)) is not None or _is_fixed(node))


def _is_fixed(node: Node) -> bool:
    """Rust: whether nothing that an assertion names may change, so that it says the same twice."""
    if node.type != "macro_invocation":
        return False
    body = node
    while body.parent is not None and body.type != "function_item":
        body = body.parent
    return body.type == "function_item" and _MUTABLE.search(text_of(body)) is None


_MUTABLE = re.compile(
    r"\bmut\b|\b(?:Ref)?Cell\b|\bMutex\b|\bRwLock\b|\bAtomic\w+|\bOnce\w*\b|\bstatic\b|\bfs::|\benv::"
)


_OF_VALUES = re.compile(r"assert [^()]*|[\w.]+\([^()]*\)(?:\.\w+\([^()]*\))*;?")
"""An assertion whose values are names and literals."""


def _is_whole(body: Node) -> bool:
    """Whether the parser could make something of the file that a node is in."""
    root = body
    while root.parent is not None:
        root = root.parent
    return not root.is_error


def _is_own_helper(node: Node, language: TestLanguage, helpers: Mapping[str, int]) -> bool:
    if not is_call(node, bare=language.calls_bare_names) or is_on_another(node) or read_last_name(node) not in helpers:
        return False
    return not re.match(r"super\b|parent::|base\.", read_called(node))


def _helper_count(node: Node, language: TestLanguage, helpers: Mapping[str, int]) -> int:
    if not is_call(node, bare=language.calls_bare_names):
        return 0
    name, last = _called(node)
    if last in helpers:
        return helpers[last]
    # A helper of another file: its name is all that is known here.
    return 1 if re.fullmatch(r"[\w.]+", name) and _is_named_check(node, last) else 0


def _called(node: Node) -> tuple[str, str]:
    return read_called(node), read_last_name(node)


def _is_check(node: Node) -> bool:
    return _is_named_check(node, _called(node)[1])


def _is_named_check(node: Node, name: str) -> bool:
    # C# begins the name of every method with a capital.
    plain = name[:1].lower() + name[1:] if node.type == "invocation_expression" else name
    pattern = _CLEAR_HELPER if is_on_another(node) else _HELPER
    return plain not in _GROUPS and bool(pattern.match(plain))


def _is_tuple(node: Node) -> bool:
    """``assert (a == b, "message")`` of Python: a tuple that isn't empty is true, whatever stands in it."""
    return node.type == "assert_statement" and node.named_children[0].type == "tuple"
