"""A repository with a task of every kind that pages show, one of them full of hostile texts."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as literal
import published_tasks as published
import report_samples as samples

PAYLOAD = (
    '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
    "\"'><svg onload=alert(1)></pre></code></details><style>*{display:none}</style><base href=//evil.example>"
)
HOSTILE = (
    PAYLOAD,
    "{{ 1234567 * 89 }}{% raw %}{{ site }}",
    "javascript:alert(1)",
    "\u202egnp.exe\x1b[31m\x07\x00",
    "]]> <![CDATA[ &amp; &#0; <a/>",
    "</title><script>alert(1)</script>",
    "'; DROP TABLE task; --",
    "data-hx-get=/login hx-on:click=alert(1) onload=alert(1)",
    # What UTF-8 has no place for has no canonical form, and is in no sealed task.
    *(text for text in samples.HOSTILE if text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)),
)
"""Texts that act on an HTML page, a template, an attribute, an address or a query."""

PATCH = """\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,4 @@
 def f():
-    return 1
+    return 2
+def g():
+    return 3
"""
JUNIT = """\
<testsuites><testsuite name="s" tests="2" failures="1"><testcase classname="t" name="good"/>
<testcase classname="t" name="bad"><failure message="no">because</failure></testcase></testsuite></testsuites>
"""
RULES = {**literal.THRESHOLDS, **literal.SETTINGS}


def make_png(width: int = 8) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((200, 30, 30)) * width for _ in range(width))
    header = struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make_sample(folder: Path) -> gr.GatedRepository:
    """T1 was verified by the gate and passes; the others are published as they would be.

    ``refuted`` has facts, cells, coverage and viewers; ``hostile`` hostile texts; ``broken`` a seal that is; ``open``
    no verdict.
    """
    artifacts = {path: literal.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
    found = gr.make(folder, artifacts, {"tests_pass": True}, acts={"code:tests": "echo a line of a log; sleep 0.2"})
    found.put("a.py", "answer = 42\n")
    found.begin()
    found.claim("file:a.py", statements=["All tests pass."])
    done = found.verify()
    assert done.code == 0, done.output
    publish_refuted(found.root)
    publish_hostile(found.root)
    published.publish_task(found.root, "broken", literal.GOOD, RULES, units=literal.UNITS, actor="alice")
    tests = found.root / ".artifacts/broken/tests.json"
    tests.write_bytes(tests.read_bytes().replace(b'"failed": 0', b'"failed": 1'))
    found.put(".artifacts/open/commitment.json", {"task_id": "open", "type": "every"})
    return found


def publish_refuted(root: Path) -> None:
    cells = literal.counterfactual(
        literal.cell("test_a", "loosened", "PFPP", weakens="yes"),
        literal.cell("test_b", "flaky", "PPPP", weakens="open"),
    )
    cells["tests"][1]["cells"] = {"BB": "PP", "HB": "PP", "BH": "PF", "HH": "FP"}
    artifacts = {
        **literal.BAD,
        "counterfactual.json": cells,
        "diffs.patch": PATCH,
        "coverage.json": {
            **literal.BAD["coverage.json"],
            "files": [{"path": "a.py", "covered": 1, "total": 4}, {"path": "b.py", "covered": 9, "total": 10}],
            "patch": {
                "pct": 0.5,
                "lines": {"covered": 1, "total": 2},
                "files": [{"path": "a.py", "covered": 1, "total": 2, "missed": [4], "measured": True}],
                "unmeasured": [],
            },
        },
        "lint.json": samples.lint(samples.issue("a.py", 2, "unused name", rule="F401")),
        "my/shot.png": make_png(),
        "my/report.xml": JUNIT,
        "my/page.html": f"<html><body>{PAYLOAD}</body></html>",
        "my/notes.json": {"a": [1, {"b": None}], "text": "x"},
    }
    published.publish_task(
        root,
        "refuted",
        artifacts,
        RULES,
        units=literal.UNITS,
        statements=["All tests pass.", "Coverage is above 80%.", "It is quick."],
        actor="hook:claude",
        instruction="Make f return 2.\nAdd g.",
        logs={"logs/code.tests.out": b"one line\nanother\n"},
        warnings=("the sandbox was weaker than asked",),
    )


def publish_hostile(root: Path) -> None:
    text = "\n".join(HOSTILE)
    issues = [samples.issue("a.py", 2, each, rule=each) for each in HOSTILE]
    patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,3 @@\n one\n" + "".join(
        f"+{each}\n" for each in HOSTILE[:2]
    )
    artifacts: dict[str, Any] = {
        **literal.BAD,
        "lint.json": {**samples.lint(*issues), "errors": len(issues)},
        "tests.json": {
            **literal.BAD["tests.json"],
            "failed": len(HOSTILE),
            "passed": 0,
            "total": len(HOSTILE) + 2,
            "failures": [{"id": each, "message": each} for each in HOSTILE],
        },
        "diffs.patch": patch.encode("utf-8", "replace").decode(),
        "counterfactual.json": literal.counterfactual(
            *(literal.cell(each, "flaky", "PPPP", weakens="open", why=each) for each in HOSTILE)
        ),
        "my/notes.json": {each: [each] for each in HOSTILE},
        f"my/{PAYLOAD.replace('/', '_')}.json": {"a": PAYLOAD},
        "my/evil.svg": f'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">{PAYLOAD}</svg>',
        "my/evil.png": f"<html>{PAYLOAD}",
        "my/evil.xml": '<!DOCTYPE a [<!ENTITY b "c">]><testsuites>&b;</testsuites>',
    }
    published.publish_task(
        root,
        "hostile",
        artifacts,
        RULES,
        units=(*literal.UNITS, f"func:{PAYLOAD}"),
        statements=[each for each in HOSTILE if each.strip()],
        actor=PAYLOAD,
        task_type="every",
        instruction=text,
        adapter=PAYLOAD,
        logs={"logs/code.tests.out": text.encode("utf-8", "replace")},
        warnings=HOSTILE,
    )


def read_json(path: Path) -> Any:
    return json.loads(path.read_bytes())
