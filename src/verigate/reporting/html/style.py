"""The style of the page: light and dark, wide and narrow, on paper. Nothing in it is fetched."""

from __future__ import annotations

import base64
import hashlib

STYLE = """\
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f6f8fa; --line: #d0d7de; --fg: #1b1f24; --dim: #57606a; --link: #0550ae;
  --good: #116329; --bad: #a40e26; --warn: #744500; --added: #dafbe1; --removed: #ffebe9; --cited: #fff3c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #0d1117; --panel: #161b22; --line: #3d444d; --fg: #e6edf3; --dim: #a3adb8; --link: #79c0ff;
    --good: #56d364; --bad: #ff9d99; --warn: #e3b341; --added: #12361f; --removed: #47191d; --cited: #423300;
  }
}
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--fg); font: 1rem/1.5 system-ui, sans-serif; text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 3rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: 1rem; top: -10rem; padding: .5rem 1rem; background: var(--bg); }
.skip:focus { top: .5rem; }
h1, h2, h3 { line-height: 1.25; }
h1 { margin: 1.5rem 0 .25rem; font-size: 1.6rem; }
h2 { margin: 2.5rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 1.25rem 0 .25rem; font-size: 1.05rem; }
header { padding-top: .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .2rem 0; }
p { margin: .35rem 0; }
code, pre, .diff { font-family: ui-monospace, monospace; font-size: .875em; unicode-bidi: isolate; }
code { white-space: pre-wrap; }
pre { margin: .5rem 0 0; padding: .75rem; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; }
pre, .diff td:last-child { white-space: pre-wrap; tab-size: 4; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .dim { color: var(--dim); }
.mark { font-weight: 600; }
details { margin: .4rem 0; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
details details, .plain { background: var(--bg); }
summary { padding: .4rem .75rem; cursor: pointer; }
.body { padding: 0 .75rem .75rem; scroll-margin-top: 4rem; }
details:has(> .body:target), tr:target, mark:target { outline: 3px solid var(--link); outline-offset: 1px; }
dl { display: grid; grid-template-columns: minmax(5.5rem, max-content) minmax(0, 1fr); gap: .2rem .75rem; }
dl { margin: .35rem 0; }
dt { color: var(--dim); }
dd { margin: 0; min-width: 0; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
dd > ul { margin: 0; padding-left: 1rem; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { padding: .2rem .5rem; text-align: left; vertical-align: top; }
.times th, .times td { border-bottom: 1px solid var(--line); }
.times .number { text-align: right; width: 5.5rem; overflow-wrap: normal; }
.times th:last-child { width: 30%; }
.cells th, .cells td { border-bottom: 1px solid var(--line); }
.cells tbody th { font-weight: 400; }
.cells th:not(:first-child), .cells td { width: 3.5rem; text-align: center; }
.cells td { font-family: ui-monospace, monospace; }
meter { width: 100%; height: 1rem; }
.diff { background: var(--bg); }
.diff th { width: 3.25rem; color: var(--dim); font-weight: 400; }
.diff th:last-child { width: auto; }
.diff td { padding: 0 .4rem; color: var(--dim); }
.diff td:last-child { color: var(--fg); }
.diff .added td { background: var(--added); }
.diff .removed td { background: var(--removed); }
.diff .hunk td { color: var(--dim); background: var(--panel); padding-top: .3rem; padding-bottom: .3rem; }
.diff .finding td { padding: .3rem .5rem; border-left: 4px solid var(--bad); background: var(--panel); }
.diff .finding td { white-space: normal; }
.diff .warning td { border-left-color: var(--warn); }
.diff .note td { border-left-color: var(--dim); }
mark { background: var(--cited); color: inherit; }
mark a { color: inherit; }
footer { margin-top: 3rem; color: var(--dim); }
@media (max-width: 40rem) {
  body { padding: 0 .75rem 2rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .35rem; }
  .diff { font-size: .75rem; }
  .diff th { width: 2.4rem; overflow-wrap: normal; }
  .diff td, .diff th { padding-left: .2rem; padding-right: .2rem; }
  .cells th:not(:first-child), .cells td { width: 2.4rem; padding-left: .1rem; padding-right: .1rem; }
  .times { font-size: .875rem; }
  .times .number { width: 5rem; }
}
@media print {
  :root {
    color-scheme: light;
    --bg: #ffffff; --panel: #ffffff; --line: #8c959f; --fg: #000000; --dim: #424a53; --link: #000000;
    --good: #116329; --bad: #a40e26; --warn: #744500; --added: #eefcf1; --removed: #fff4f3; --cited: #fff3c4;
  }
  body { max-width: none; padding: 0; }
  nav, .skip { display: none; }
  details:not(.long)::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; break-after: avoid; }
  h2, h3 { break-after: avoid; }
}
"""


def policy() -> str:
    """The content security policy of the page (CSP Level 3): this very style, and nothing else of any kind."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
