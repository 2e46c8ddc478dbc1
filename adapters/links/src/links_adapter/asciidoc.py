"""Find links and anchors of AsciiDoc, which lychee doesn't read.

Source: https://docs.asciidoctor.org/asciidoc/latest/macros/ (links, cross references, images, passthroughs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from links_adapter.asciidoc_anchors import find_anchors_and_titles
from links_adapter.asciidoc_lines import Attributes, Line, read_lines
from links_adapter.written_link import WrittenLink

_PASSED = re.compile(r"(\+{2,3})(?=\S).*?\S?\1|(?<![\w+])\+(?=\S)[^+]*\+(?![\w+])|pass:[a-z,]*\[[^\]]*\]")
_BLOCK = re.compile(r"(image|include|video|audio)::([^\s\[][^\[]*)\[")
_INLINE = re.compile(
    r"(?P<escaped>\\)?(?:"
    r"(?P<macro>link|xref|image|mailto):(?!:)(?P<target>\+\+.+?\+\+|[^\s:\[][^\s\[]*)\["
    r"|<<(?P<reference>[^<>\s,][^<>,]*)(?:>>|,[^<>]*(?:>>|$))"
    r"|(?P<url>(?:https?|ftp|irc)://[^\s\[\]<>]+)(?P<text>\[)?"
    r"|(?P<unknown>\{\w[\w-]*\}[^\s\[\]{}]*)\[)"
)
_AFTER = ".,;:!?)'\"*_`"
"""Characters that end a sentence or a format, not a bare URL."""


def find_links(text: str) -> Iterator[WrittenLink]:
    """Yield the links, images and includes of a document in their order; one within the document is ``#anchor``."""
    attributes = Attributes()
    ids, titles = find_anchors_and_titles(text)
    for line in read_lines(text, attributes):
        for kind, target, at in _find_targets(line):
            if kind == "xref":
                made = _resolve_reference(target, ids, titles)
            elif kind in {"image", "video", "audio"}:
                made = _in_folder(target, attributes.values.get("imagesdir", ""))
            else:
                made = f"mailto:{target}" if kind == "mailto" else target
            if made:
                column = at if line.text == line.written else max(line.written.find(target), 0)
                yield WrittenLink(made, line.number, column + 1)


def find_anchors(text: str) -> frozenset[str]:
    """Return the ids that a link can have after ``#``."""
    return find_anchors_and_titles(text)[0]


def _find_targets(line: Line) -> Iterator[tuple[str, str, int]]:
    block = _BLOCK.match(line.text)
    if block is not None:
        yield block[1], block[2].strip(), block.start(2)
        return
    if line.text.startswith(("ifdef::", "ifndef::", "ifeval::", "endif::")):
        return
    macros = _PASSED.sub(lambda match: " " * len(match[0]), line.text)
    # A target between ++ and ++ is part of a macro.
    for match in _INLINE.finditer(line.text if "link:++" in line.text else macros):
        if match["escaped"]:
            continue
        if match["url"]:
            url = match["url"] if match["text"] else match["url"].rstrip(_AFTER)
            yield "link", url, match.start("url")
        elif match["macro"]:
            yield match["macro"], match["target"].removeprefix("++").removesuffix("++"), match.start("target")
        elif match["unknown"]:
            yield "link", match["unknown"], match.start("unknown")
        else:
            yield "xref", match["reference"].strip(), match.start("reference")


def _resolve_reference(target: str, ids: frozenset[str], titles: dict[str, str]) -> str:
    """Resolve the target of a cross reference: a file, an anchor of one, or an anchor or title of this document."""
    path, hash_, anchor = target.partition("#")
    if not hash_ and not path.lower().endswith((".adoc", ".asciidoc", ".html")) and "{" not in path:
        return f"#{path}" if path in ids else f"#{titles.get(path, path)}"
    if hash_ and path and "." not in path.rpartition("/")[2] and "{" not in path:
        path += ".adoc"
    return f"{path}#{anchor}" if anchor else path


def _in_folder(target: str, folder: str) -> str:
    if "://" in target or target.startswith(("/", "data:", "{")) or not folder:
        return target
    return f"{folder.rstrip('/')}/{target}"
