"""Find the selectors of style sheets that hide what they match: through conditions, layers, nesting and variables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import tinycss2

from content_adapter.styles.media_queries import Holds, holds_on_screen
from content_adapter.styles.visibility import Visibility, judge

_DEEPEST = 20
_MOST_VALUES = 8
_VARIABLE = re.compile(r"(--[\w-]+)\s*:\s*([^;{}]+)")
_USE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_NO_CONTENT = frozenset({"font-face", "page", "property", "counter-style", "import", "charset", "namespace"})
_KEYFRAMES = re.compile(r"@(?:-webkit-)?keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_LAST_FRAME = re.compile(r"(?:\bto\b|100%)[^{}]*\{([^{}]*)\}")


@dataclass(frozen=True)
class Styles:
    """What all style sheets of a page define together: values of variables, and keyframes that end hidden."""

    variables: dict[str, list[str]] = field(default_factory=dict)
    animations: frozenset[str] = frozenset()

    def judge(self, declarations: str) -> Visibility:
        """Judge a block of declarations; one that hides with some value of a variable only is doubtful."""
        if "var(" not in declarations:
            return judge(declarations, self.animations)
        texts = [declarations]
        for _ in range(_DEEPEST):
            found = _USE.search(texts[0])
            if found is None:
                break
            values = [*self.variables.get(found[1], ())] or [found[2] or "initial"]
            if len(values) > _MOST_VALUES or len(texts) > _MOST_VALUES:
                return Visibility.DOUBTFUL
            texts = [text.replace(found[0], value) for text in texts for value in values]
        else:
            return Visibility.DOUBTFUL
        answers = {judge(text, self.animations) for text in texts}
        return answers.pop() if len(answers) == 1 else Visibility.DOUBTFUL


def read_styles(sheets: Sequence[str], inline: Iterable[str]) -> Styles:
    """Read what the style sheets and inline styles of a page define."""
    variables: dict[str, list[str]] = {}
    for text in (*sheets, *inline):
        for name, value in _VARIABLE.findall(text):
            known = variables.setdefault(name, [])
            if value.strip() not in known:
                known.append(value.strip())
    animations = {
        name.lower()
        for text in sheets
        for name, frames in _KEYFRAMES.findall(text)
        if any(judge(frame) for frame in _LAST_FRAME.findall(frames))
    }
    return Styles(variables, frozenset(animations))


def find_hiding(sheet: str, styles: Styles) -> Iterator[tuple[str, Visibility]]:
    """Yield (selector, HIDDEN or DOUBTFUL) for the rules of a style sheet that hide what they match."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    yield from _walk(rules, "", styles, certain=True, depth=0)


def _walk(
    rules: Iterable[Any], parent: str, styles: Styles, *, certain: bool, depth: int
) -> Iterator[tuple[str, Visibility]]:
    if depth > _DEEPEST:
        yield "*", Visibility.DOUBTFUL
        return
    own: list[str] = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selector = _nest(tinycss2.serialize(rule.prelude).strip(), parent)
            inner = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            yield from _walk(inner, selector, styles, certain=certain, depth=depth + 1)
        elif rule.type == "declaration":
            own.append(rule.serialize())
        elif rule.type == "at-rule":
            holds = _holds(rule.lower_at_keyword, tinycss2.serialize(rule.prelude))
            if rule.content is None or holds is Holds.NO:
                continue
            inner = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            sure = certain and holds is Holds.YES
            yield from _walk(inner, parent, styles, certain=sure, depth=depth + 1)
    answer = styles.judge(";".join(own)) if own and parent else Visibility.SHOWN
    if answer:
        yield parent, answer if certain else Visibility.DOUBTFUL


def _nest(selector: str, parent: str) -> str:
    if not parent:
        return selector
    if "&" in selector:
        return selector.replace("&", f":is({parent})")
    return ", ".join(f":is({parent}) {part.strip()}" for part in selector.split(","))


def _holds(keyword: str, prelude: str) -> Holds:
    if keyword in _NO_CONTENT or keyword.endswith("keyframes"):
        return Holds.NO
    if keyword == "media":
        return holds_on_screen(prelude)
    if keyword == "supports":
        return Holds.MAYBE if "not" in prelude.lower() else Holds.YES
    return Holds.YES if keyword == "layer" else Holds.MAYBE
