"""Recognise a test that has another name or place in the subject: the same test, with two forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from code_adapter.counterfactual.cell_runs import TestName

LEAST = 0.75
"""Similarity of two bodies, in parts of one, from which the one is taken for the other renamed."""

_FEWEST_WORDS = 3
"""``test_read`` begins the names of many tests that have nothing else in common."""

_WORDS = re.compile(r"[A-Z]?[a-z]+|[0-9]+")

_MOST = 400
"""With more lost tests than this nothing but equal bodies is compared: similarity takes the square of the number."""


def pair_renamed(lost: Mapping[TestName, str], added: Mapping[TestName, str]) -> dict[TestName, TestName]:
    """Pair lost tests with added ones by their sources: equal bodies first, then the most similar ones.

    Of the same name in another file or class half of the similarity is enough. In the same file and class a longer
    name for the same is enough alone: a test that keeps its name may say anything else as well.
    """
    found: dict[TestName, TestName] = {}
    left = dict(added)
    by_body: dict[str, list[TestName]] = {}
    for test, source in added.items():
        by_body.setdefault(_normalise(source), []).append(test)
    for test, source in lost.items():
        equal = [other for other in by_body.get(_normalise(source), ()) if other in left]
        if equal:
            found[test] = equal[0]
            del left[equal[0]]
    rest = {test: source for test, source in lost.items() if test not in found}
    if len(rest) > _MOST or len(left) > _MOST:
        return found
    scored = sorted(_score(rest, left), key=lambda item: (-item[0], item[1], item[2]))
    for _, test, other in scored:
        if test not in found and other in left:
            found[test] = other
            del left[other]
    return found


def _score(lost: Mapping[TestName, str], added: Mapping[TestName, str]) -> Iterable[tuple[float, TestName, TestName]]:
    for test, source in lost.items():
        for other, candidate in added.items():
            matcher = SequenceMatcher(None, _normalise(source).split(), _normalise(candidate).split(), autojunk=False)
            near = _last(test) == _last(other) or test.path == other.path
            least = LEAST / 2 if _last(test) == _last(other) else 0.0 if _is_named_after(test, other) else LEAST
            if matcher.real_quick_ratio() >= least and (ratio := matcher.ratio()) >= least:
                yield ratio + near, test, other


def _normalise(source: str) -> str:
    """Drop the line that names the test, and layout."""
    head, _, body = source.partition("\n")
    return " ".join((body or head).split())


def _is_named_after(test: TestName, other: TestName) -> bool:
    """Whether two tests of one place have one name, of which one goes on: ``test_old_format``, ``..._is_refused``."""
    short, long = sorted((_last(test), _last(other)), key=len)
    near = test.path == other.path and test.name.removesuffix(_last(test)) == other.name.removesuffix(_last(other))
    return (
        near
        and len(_WORDS.findall(short)) >= _FEWEST_WORDS
        and bool(re.match(rf"{re.escape(short)}(?![a-z0-9])", long))
    )


def _last(test: TestName) -> str:
    return test.name.rpartition(".")[2]
