"""Render an HTML page: one file that fetches nothing and runs no script.

Folding uses ``details``, links stay within the page, and the content security policy only allows the page's own style.
The page is built as a tree instead of with templates: serialising a tree escapes every text.
"""

from __future__ import annotations

from verigate.reporting.html.elements import el, serialise
from verigate.reporting.html.page import build_page, document
from verigate.reporting.report import Report


def render(report: Report) -> str:
    """Render the page: at most about 20 million characters; sections say how much they omit."""
    return "".join(serialise(build_page(report)))


def render_nothing(why: str) -> str:
    """Render a page with one sentence."""
    main = el("main", el("h1", "Gate: nothing to verify"), el("p", el("bdi", why[:2000])), id="main")
    return "".join(serialise(document("Gate: nothing to verify", main)))
