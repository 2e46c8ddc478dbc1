"""What a language says about its tests, so that each check asks all languages the same questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from code_adapter.integrity.languages.asserted import Assertion
from code_adapter.integrity.languages.flow import FlowStep, list_common_steps
from code_adapter.integrity.languages.imports import Imports
from code_adapter.integrity.languages.silencers import Silencer
from verigate.sdk.languages.tree import walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from verigate.sdk.languages.tree import Tree

MarkerKind = Literal["skip", "xfail", "focus"]
"""Not run, expected to fail, or run while the others are not."""


@dataclass(frozen=True, slots=True)
class FoundTest:
    """A test. ``qualified`` includes enclosing classes or suites; ``leading`` are decorators or attributes."""

    name: str
    qualified: str
    node: Node
    body: Node
    leading: tuple[Node, ...] = ()


class MadeMarker(NamedTuple):
    """What a node says: ``conditional`` is whether it depends on the platform, a version or installed packages."""

    kind: MarkerKind
    text: str
    conditional: bool = False


class FoundMarker(NamedTuple):
    """A node that keeps tests from running or counting. ``named`` is a mark that gets a name of the file."""

    node: Node
    kind: MarkerKind
    text: str
    conditional: bool
    named: bool = False


def _no(*_: object) -> bool:
    return False


def _list_steps(node: Node, _: Collection[str]) -> Iterator[FlowStep]:
    return list_common_steps(node)


def _nothing(*_: object) -> Iterator[str]:
    return iter(())


@dataclass(frozen=True, slots=True)
class TestLanguage:
    """One language: where a test is in a file, and what its statements say. Which files have tests: ``test_paths``.

    The first three have to be given. A language without one of the others doesn't have it, or isn't asked.

    find_tests         the tests of a file
    find_markers       what skips tests, expects them to fail, or runs some alone
    read_assertion     an assertion that begins at a node

    find_scope          the class, suite or definition that such a marker is about, None for the whole file
    list_steps          the reachable children of a node; the texts are what ``find_dropping_managers`` gives
    has_own_assertions  whether a condition is no part of an assertion, as in ``if got != want { t.Error() }``
    calls_bare_names    whether a name that stands alone as a statement is a call
    skipped_folders     patterns of folders that its runners leave out
    is_left_out         whether the build leaves a path out on Linux
    is_never_called     whether a node in the body of a test is a function that never runs
    is_not_awaited      whether nobody waits for an assertion
    list_expected_failures  the assertions in what an assertion expects to throw
    find_dropping_managers  ``with NAME`` for each context manager of a file that drops exceptions
    list_statements     what each statement of a test evaluates, empty for more than a call
    hands_failures_on   whether all that catches in a file (base, subject), and didn't before, hands it on to the runner
    keeps_claims        whether a test (path, name) makes all claims that it made in base
    names_platform      whether a marker (path, text) skips under a name whose values ask for the platform
    find_settled_skips  skips, by path and line, in new helpers that no test of base calls
    is_repeating        whether a node, in test code or not, says that tests which fail are run again
    read_silencer       what suppresses findings and is no comment: an attribute, an annotation
    foreign_silencers   rules of comments of tools that don't read this language
    find_replaced_parts  places of a text, in test code or not, that replace a part of the runner; None: not examined
    find_support_parts  those that count in test support alone; None: not examined
    imports             how imports are read; None: stand-ins are not examined
    detection           what only code asks that finds out whether it is being tested; None: not examined
    equals_everything   whether a function says that two things are equal whatever they are
    """

    __test__: ClassVar[bool] = False

    name: str
    find_tests: Callable[[Tree], Iterator[FoundTest]]
    find_markers: Callable[[Tree], Iterator[FoundMarker]]
    read_assertion: Callable[[Node], Assertion | None]
    find_scope: Callable[[Node], Node | None] = lambda _: None
    list_steps: Callable[[Node, Collection[str]], Iterator[FlowStep]] = _list_steps
    has_own_assertions: bool = False
    calls_bare_names: bool = False
    skipped_folders: tuple[str, ...] = ()
    is_left_out: Callable[[str], bool] = _no
    is_never_called: Callable[[Node, Node], bool] = _no
    is_not_awaited: Callable[[Node], bool] = _no
    list_expected_failures: Callable[[Node], Iterator[Assertion]] = lambda _: iter(())
    find_dropping_managers: Callable[[Node], Iterator[str]] = _nothing
    list_statements: Callable[[Node], Iterator[str]] = _nothing
    hands_failures_on: Callable[[Tree | None, Tree], bool] = _no
    keeps_claims: Callable[[Tree, Tree, str, str], bool] = _no
    names_platform: Callable[[ChangeSet, str, str], bool] = _no
    is_repeating: Callable[[Node, bool], bool] = _no
    read_silencer: Callable[[Node], Silencer | None] = lambda _: None
    foreign_silencers: frozenset[str] = frozenset()
    find_replaced_parts: Callable[[str, bool], Iterator[re.Match[str]]] | None = None
    find_support_parts: Callable[[str], Iterator[re.Match[str]]] | None = None
    imports: Imports | None = None
    detection: re.Pattern[str] | None = None
    equals_everything: Callable[[Node], bool] = _no
    find_settled_skips: Callable[[ChangeSet], frozenset[tuple[str, int]]] = lambda _: frozenset()


def find_each(read: Callable[[Node], MadeMarker | None]) -> Callable[[Tree], Iterator[FoundMarker]]:
    """Make what finds the markers of a file of what reads one node as a marker."""

    def find(tree: Tree) -> Iterator[FoundMarker]:
        for node in walk(tree.root):
            made = read(node)
            if made is not None:
                yield FoundMarker(node, *made)

    return find


def find_following(node: Node) -> Node | None:
    """Find what an attribute or a decorator stands on."""
    following = node.next_named_sibling
    while following is not None and following.type in {"attribute_item", "decorator", "comment"}:
        following = following.next_named_sibling
    return following
