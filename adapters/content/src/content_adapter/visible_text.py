"""Extract the visible text of a page: remove what a browser doesn't show, and separate blocks."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from content_adapter.styles.selecting import Selecting
from content_adapter.styles.sheets import find_hiding, read_styles
from content_adapter.styles.visibility import Visibility

NOT_SHOWN = (
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
_WITHOUT_CODE = {
    "none": f"{NOT_SHOWN},{_FURNITURE},{_CODE}",
    "inline": f"{NOT_SHOWN},{_FURNITURE},{_CODE_BLOCKS}",
    "all": f"{NOT_SHOWN},{_FURNITURE}",
}


def parse_visible(html: str, *, furniture: bool = False) -> LexborHTMLParser:
    """Parse ``html`` by the HTML standard and remove hidden elements.

    Hidden are elements that the standard hides, and those hidden by styles of the page. What only a browser could tell
    stays. With ``furniture``, keep what renderers add (footnote marks, tables of contents).
    """
    return _remove(html, NOT_SHOWN if furniture else f"{NOT_SHOWN},{_FURNITURE}", doubtful=False)


def may_have_doubts(html: str) -> bool:
    """Whether a page has styles at all."""
    return "style" in html.lower()


def _remove(html: str, selector: str, *, doubtful: bool) -> LexborHTMLParser:
    """Parse and remove; ``doubtful`` removes what may be hidden too."""
    tree = LexborHTMLParser(html)
    if may_have_doubts(html):
        least = Visibility.DOUBTFUL if doubtful else Visibility.HIDDEN
        for node in _find_unseen(tree, html, least):
            node.replace_with("")
    # Don't use decompose(): it frees descendants, and one of them may come next.
    for node in tree.css(selector):
        node.replace_with("")
    return tree


def _find_unseen(tree: LexborHTMLParser, html: str, least: Visibility) -> list[LexborNode]:
    sheets = [sheet.text(deep=True) for sheet in tree.css("style")]
    styled = tree.css("[style]")
    styles = read_styles(sheets, (node.attributes.get("style") or "" for node in styled))
    found = [node for node in styled if styles.judge(node.attributes.get("style") or "") >= least]
    selecting = Selecting(tree, html)
    # Each rule that adds the whole page once more would cost as much again.
    seen: set[str] = set()
    for sheet in sheets:
        for selector, visibility in find_hiding(sheet, styles):
            if visibility >= least and selector not in seen:
                seen.add(selector)
                found += selecting.select(selector, doubts=least is not Visibility.HIDDEN)
    return found


def extract_text(html: str, *, code: str = "none", separate: bool = True, doubtful: bool = False) -> str:
    """Extract the visible text of ``html``; ``code`` selects the code to keep: ``none``, ``inline`` or ``all``.

    ``separate`` puts white space around blocks, which handwritten HTML may lack. ``doubtful`` keeps what may be hidden.
    """
    tree = _remove(html, _WITHOUT_CODE[code], doubtful=not doubtful)
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


def filter_outermost(nodes: list[LexborNode], tag: str) -> list[LexborNode]:
    """Return the ``nodes`` that are inside no other element of this ``tag``."""
    return [node for node in nodes if not any(above.tag == tag for above in ancestors(node))]


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the ancestors of ``node``, nearest first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent
