"""A page for a browser: one file that fetches nothing and runs nothing.

No script is in it: what unfolds is ``details``, what leads somewhere is a link within the page, and its policy allows
no more than its own style. Without a template library: autoescaping escapes what a template's author leaves to it, and
a tree leaves nobody the choice.
"""

from __future__ import annotations

from verigate.reporting.html.elements import el, serialise
from verigate.reporting.html.page import build_page, document
from verigate.reporting.report import Report


def render(report: Report) -> str:
    """The whole page. At most about 20 million characters: each section says what it had no room for."""
    return "".join(serialise(build_page(report)))


def render_nothing(why: str) -> str:
    """A page with one sentence."""
    main = el("main", el("h1", "Gate: nothing to verify"), el("p", el("bdi", why[:2000])), id="main")
    return "".join(serialise(document("Gate: nothing to verify", main)))
