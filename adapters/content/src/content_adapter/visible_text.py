"""Extract the visible text of a page: remove what a browser doesn't show, and separate blocks."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator
from functools import lru_cache

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

_NOT_SHOWN = (
    "head,script,style,template,noscript,iframe,object,video,audio,canvas,datalist,svg,annotation,"
    "[hidden],[popover],dialog:not([open])"
)
"""Elements that the HTML standard's rendering section hides, and embedded content, which has no text."""

_FURNITURE = (
    "sup.footnote-ref,a.footnote-backref,a[role=doc-noteref],aside.footnote>span.label,a.headerlink,nav.contents,"
    "p.markdown-alert-title"
)
"""Elements that the renderers of Markdown and reStructuredText, and Sphinx, add themselves."""

_CODE = "pre,code,samp,kbd,tt,span.literal,xmp,listing,textarea"
_CODE_BLOCKS = "pre,xmp,listing,textarea"
_BLOCKS = (
    "address,article,aside,blockquote,br,button,caption,center,dd,details,dialog,div,dl,dt,fieldset,figcaption,figure,"
    "footer,form,h1,h2,h3,h4,h5,h6,header,hr,legend,li,main,menu,nav,ol,optgroup,option,p,pre,section,select,summary,"
    "table,tbody,td,tfoot,th,thead,tr,ul"
)
_RAW_BLOCK = re.compile(rf"<(?:{_BLOCKS.replace(',', '|')})[\s/>]", re.IGNORECASE)

_MAY_BE_MARKUP = re.compile("<[A-Za-z/!?]")
_RENDERED = {
    "none": re.compile("<pre>.*?</pre>|<code>.*?</code>|<[^>]*>", re.DOTALL),
    "inline": re.compile("<pre>.*?</pre>|<[^>]*>", re.DOTALL),
    "all": re.compile("<[^>]*>"),
}
_HIDING = frozenset(
    {
        *(("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")),
        *(("content-visibility", "hidden"), ("color", "transparent")),
    }
)

_WITHOUT_CODE = {
    "none": f"{_NOT_SHOWN},{_FURNITURE},{_CODE}",
    "inline": f"{_NOT_SHOWN},{_FURNITURE},{_CODE_BLOCKS}",
    "all": f"{_NOT_SHOWN},{_FURNITURE}",
}


def parse_visible(html: str, *, furniture: bool = False) -> LexborHTMLParser:
    """Parse ``html`` by the HTML standard and remove hidden elements.

    Hidden are elements that the standard hides, and those hidden by inline styles or the page's own ``<style>``; other
    style sheets aren't read. With ``furniture``, keep what renderers add (footnote marks, tables of contents).
    """
    return _remove(html, _NOT_SHOWN if furniture else f"{_NOT_SHOWN},{_FURNITURE}")


def _remove(html: str, selector: str) -> LexborHTMLParser:
    tree = LexborHTMLParser(html)
    lower = html.lower()
    for hidden in _hiding_selectors(tree) if "<style" in lower else ():
        for node in tree.css(hidden):
            node.replace_with("")
    if "style" in lower:
        for node in tree.css("[style]"):
            if _hides(node.attributes.get("style") or ""):
                node.replace_with("")
    # Don't use decompose(): it frees descendants, and one of them may come next.
    for node in tree.css(selector):
        node.replace_with("")
    return tree


def extract_text(html: str, *, code: str = "none", separate: bool = True) -> str:
    """Extract the visible text of ``html``; ``code`` selects the code to keep: ``none``, ``inline`` or ``all``.

    ``separate`` puts white space around blocks, which handwritten HTML may lack.
    """
    tree = _remove(html, _WITHOUT_CODE[code])
    if separate:
        for node in tree.css(_BLOCKS):
            node.insert_before("\n")
            node.insert_after("\n")
    root = tree.body or tree.root
    return root.text(deep=True, separator="") if root is not None else ""


def extract_rendered_text(html: str, *, code: str = "none") -> str:
    """Extract the text of comrak's output for ``is_all_markdown`` source: that of ``extract_text`` but for white space.

    This avoids the HTML parser, which takes most of the time: every tag is comrak's, every other ">" is escaped, and
    furniture comes only from footnotes and alerts.
    """
    if 'class="footnote' in html or 'class="markdown-alert' in html:
        return extract_text(html, code=code, separate=False)
    return entities.unescape(_RENDERED[code].sub("", html))


def is_all_markdown(source: str) -> bool:
    """Whether Markdown ``source`` certainly has no raw HTML (CommonMark 0.31.2, sections 4.6 and 6.6)."""
    return _MAY_BE_MARKUP.search(source) is None


def may_lack_spaces(source: str) -> bool:
    """Whether Markdown ``source`` has raw HTML blocks, which may lack white space; Markdown's own blocks never do."""
    return _RAW_BLOCK.search(source) is not None


def _hiding_selectors(tree: LexborHTMLParser) -> Iterator[str]:
    for sheet in tree.css("style"):
        for rule in tinycss2.parse_stylesheet(sheet.text(deep=True), skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule" or not _hides(tinycss2.serialize(rule.content)):
                continue
            selector = tinycss2.serialize(rule.prelude).strip()
            try:
                tree.css(selector)
            except (SelectolaxError, ValueError):
                continue
            yield selector


@lru_cache(maxsize=4096)
def _hides(declarations: str) -> bool:
    for item in tinycss2.parse_blocks_contents(declarations, skip_comments=True, skip_whitespace=True):
        if item.type != "declaration":
            continue
        value = tinycss2.serialize(item.value).strip().lower()
        number = value.rstrip("%abcdefghijklmnopqrstuvwxyz")
        if (item.lower_name, value) in _HIDING:
            return True
        if item.lower_name in {"font-size", "opacity"} and _is_zero(number):
            return True
    return False


def _is_zero(number: str) -> bool:
    try:
        return float(number) == 0
    except ValueError:
        return False


def filter_outermost(nodes: list[LexborNode], tag: str) -> list[LexborNode]:
    """Return the ``nodes`` that are inside no other element of this ``tag``."""
    return [node for node in nodes if not any(above.tag == tag for above in ancestors(node))]


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the ancestors of ``node``, nearest first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent
