"""What of a page a browser shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content_adapter.reading.markdown import convert_markdown
from content_adapter.visible_text import extract_rendered_text, extract_text, is_all_markdown

PAGES = [
    ("<p>one<!-- two --></p>", "one"),
    ("<p>foo<span hidden>x</span>bar</p>", "foobar"),
    ("<p>one</p><p>two</p>", "one two"),
    ("<ul><li>a</li><li>b</li></ul>x<br>y", "a b x y"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
    ("<p><b>W</b>ord</p>", "Word"),
    ("<title>t</title><script>s</script><style>p{}</style><template>t</template><p>one</p>", "one"),
    ("<p style='display: none'>x</p><p style='display:/* */none!important'>y</p><p>one</p>", "one"),
    ("<p style='visibility:hidden'>x</p><p style='font-size:0px'>y</p><p style='opacity:0.0'>z</p>", ""),
    (
        "<p style='COLOR: Transparent'>x</p><p style='content-visibility:hidden'>y</p><p style='color:red'>one</p>",
        "one",
    ),
    ("<p STYLE='display:none'>x</p><p>one</p>", "one"),
    ("<Style>p.a { display: none }</Style><p class=a>x</p><p>one</p>", "one"),
    ("<p style='font-size:0.9em;opacity:0.5;display:block'>one</p>", "one"),
    ("<style>.a, #b { color: red; display: none }</style><p class=a>x</p><p id=b>y</p><p>one</p>", "one"),
    ("<style>@media print { p { display: none } }</style><p>one</p>", "one"),
    ("<style>p:hover::before { display: none } :::{display:none}</style><p>one</p>", "one"),
    ("<div hidden><script>x</script><p hidden>y</p></div>one", "one"),
    ("<dialog>x</dialog><dialog open>one</dialog><details><summary>two</summary>three</details>", "one two three"),
    ("<iframe>x</iframe><video>y</video><svg><text>z</text></svg>one", "one"),
    ("<p>run <code>make</code> now</p><pre>x = 1</pre>", "run now"),
    ("<frameset><frame src=x></frameset>", ""),
    ("", ""),
    ("&lt;p&gt; &amp;amp; &#8203;", "<p> &amp; \u200b"),
]


@pytest.mark.parametrize(("html", "text"), PAGES)
def test_the_text_that_is_shown(html: str, text: str) -> None:
    assert " ".join(extract_text(html).split(" \n")).split() == text.split()


@pytest.mark.parametrize(
    ("code", "text"),
    [("none", ["run", "now"]), ("inline", ["run", "make", "now"]), ("all", ["run", "make", "now", "x"])],
)
def test_code_counts_where_it_is_asked_for(code: str, text: list[str]) -> None:
    assert extract_text("<p>run <code>make</code> now</p><pre><code>x</code></pre>", code=code).split() == text


_BITS = (
    *(
        "word",
        "don't",
        "&amp;",
        "&lt;b&gt;",
        "&#62;",
        "&copy",
        "a < b",
        "->",
        '"',
        "\\<",
        "\\`",
        "<",
        ">",
        "\u200b",
        "\u6f22",
    ),
    *(
        "# ",
        "> ",
        "- ",
        "1. ",
        "- [ ] ",
        "    ",
        "```\n",
        "```a>b\n",
        "~~~",
        "`",
        "``",
        "*",
        "**",
        "_",
        "~~",
        "---",
        "|",
    ),
    *(
        "[a](b)",
        '[a](b "c > d")',
        "![x > y](z)",
        "[a]: b 'c'",
        "[^1]",
        "[^1]: note",
        "> [!NOTE]\n",
        "http://x.y/?a=1&b>2",
    ),
    *("a | b\n--- | ---\n", "\n", "\n\n", " ", "\t", "\r\n", "\x00", "\x0c", "+++", "www.a.b"),
)


@given(
    st.lists(st.sampled_from(_BITS) | st.text(max_size=8), max_size=30).map("".join),
    st.sampled_from(["none", "inline", "all"]),
)
def test_markdown_without_html_needs_no_parser_of_pages(source: str, code: str) -> None:
    if is_all_markdown(source):
        page = convert_markdown(source)
        assert extract_rendered_text(page, code=code).split() == extract_text(page, code=code, separate=False).split()


@pytest.mark.parametrize("source", ["<b>x</b>", "a<br>b", "</p>", "<!-- x -->", "<?php ?>", "<![CDATA[x]]>", "<!X>"])
def test_any_html_in_markdown_is_seen(source: str) -> None:
    assert not is_all_markdown(source)
