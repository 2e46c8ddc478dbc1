"""From GitHub's Markdown, in which the pages are written, to Python-Markdown's, which the builder reads.

Two things differ in these pages: what belongs to an item of a list has to be indented by four columns for each list,
and a vertical bar in code in a table isn't escaped. A test holds what both renderers make of each page together.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_ITEM = re.compile(r"(\s*)(?:[-*+]|\d+[.)])(\s+)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_WIDTH = 4


def to_python_markdown(text: str) -> str:
    """Return ``text`` in the dialect of Python-Markdown, line by line what it was."""
    lines = text.splitlines()
    more = [0] * len(lines)
    columns: list[int] = []
    tables: set[int] = set()
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "list_item_open":
            assert token.map is not None
            first, after = token.map
            found = _ITEM.match(lines[first])
            assert found is not None, lines[first]
            column = found.end()
            for number in range(first + 1, after):
                if lines[number].startswith(" " * column):
                    more[number] += _WIDTH - (column - (columns[-1] if columns else 0))
            columns.append(column)
        elif token.type == "list_item_close":
            columns.pop()
        elif token.type == "table_open":
            assert token.map is not None
            tables.update(range(*token.map))
    return "".join(
        f"{' ' * more[number] if more[number] > 0 else ''}{_bars(line) if number in tables else line}\n"
        for number, line in enumerate(lines)
    )


def _bars(row: str) -> str:
    return _CODE.sub(lambda found: found[0].replace("\\|", "|"), row)
