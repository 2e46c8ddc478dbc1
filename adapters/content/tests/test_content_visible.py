"""What of a page a browser shows."""

from __future__ import annotations

import pytest

from content_adapter.visible import shown, text_of

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
    assert " ".join(text_of(shown(html)).split(" \n")).split() == text.split()


@pytest.mark.parametrize(
    ("code", "text"),
    [("none", ["run", "now"]), ("inline", ["run", "make", "now"]), ("all", ["run", "make", "now", "x"])],
)
def test_code_counts_where_it_is_asked_for(code: str, text: list[str]) -> None:
    assert text_of(shown("<p>run <code>make</code> now</p><pre><code>x</code></pre>"), code=code).split() == text
