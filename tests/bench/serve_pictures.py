"""Make the pictures of docs/serve.md: ``.venv/bin/python tests/bench/serve_pictures.py [FOLDER]``.

Serves a sample of tasks, and photographs pages with Debian's chromium into docs/images, or FOLDER.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import literal_facts as literal
import published_tasks as published
import served
from PIL import Image
from playwright.sync_api import sync_playwright

RULES = {key: literal.THRESHOLDS[key] for key in ("lint_clean", "tests_pass", "tests_min", "coverage_min", "integrity")}
PATHS = ("diff.json", "diff_names.json", "tests.json", "lint.json", "coverage.json", "integrity.json")
PATCH = """\
diff --git a/shop/prices.py b/shop/prices.py
--- a/shop/prices.py
+++ b/shop/prices.py
@@ -10,4 +10,7 @@ def total(items):
 def discount(price, percent):
-    return price
+    if percent > 100:
+        raise ValueError(percent)
+    return price * (100 - percent) / 100

"""
PICTURES = (
    ("serve-queue", "/tasks", "light", 1100, 640),
    ("serve-task", "/t/shop/add-discounts#statements", "dark", 1100, 760),
    ("serve-narrow", "/t/shop/add-discounts#cells", "light", 420, 760),
)


def good() -> dict[str, Any]:
    return {path: literal.GOOD[path] for path in PATHS}


def make_tasks(root: Path) -> None:
    failures = [
        {
            "id": "tests/test_prices.py::test_discount",
            "path": "tests/test_prices.py",
            "line": 8,
            "message": "assert 90 == 80",
        },
        {
            "id": "tests/test_prices.py::test_none",
            "path": "tests/test_prices.py",
            "line": 15,
            "message": "assert 0 is None",
        },
    ]
    cells = literal.counterfactual(
        literal.cell("test_discount", "loosened", "PFPP", weakens="yes", path="tests/test_prices.py"),
        literal.cell("test_total", "kept", "PPPP", weakens="no", path="tests/test_prices.py"),
        literal.cell("test_none", "flaky", "PPPP", weakens="open", path="tests/test_prices.py"),
    )
    bad = {
        **good(),
        "tests.json": {
            **literal.BAD["tests.json"],
            "failed": 2,
            "passed": 142,
            "skipped": 0,
            "total": 144,
            "failures": failures,
        },
        "coverage.json": {
            **literal.BAD["coverage.json"],
            "files": [{"path": "shop/prices.py", "covered": 4, "total": 9}],
        },
        "diffs.patch": PATCH,
        "counterfactual.json": cells,
    }
    published.publish_task(
        root,
        "add-discounts",
        bad,
        RULES,
        units=("file:shop/prices.py", "func:discount"),
        statements=("All tests pass.", "Coverage is above 80%.", "The error message is friendlier."),
        actor="hook:claude",
        task_type="code",
        finished="2026-11-20T10:12:00.000Z",
        instruction="Add discounts in percent, and refuse more than 100.",
        duration_s=8.4,
    )
    for name, actor, statement, moment in (
        ("fix-rounding", "hook:codex", "All tests pass.", "2026-11-20T09:40:00.000Z"),
        ("docs-for-prices", "alice", "The whole suite passes.", "2026-11-19T15:02:00.000Z"),
        ("rename-cart", "bob", "The suite is green.", "2026-11-18T11:30:00.000Z"),
    ):
        published.publish_task(
            root,
            name,
            good(),
            RULES,
            statements=(statement,),
            actor=actor,
            task_type="code",
            finished=moment,
            duration_s=6.1,
        )
    published.publish_task(root, "move-config", good(), RULES, actor="hook:claude", task_type="code")
    evidence = root / ".artifacts/move-config/tests.json"
    evidence.write_bytes(evidence.read_bytes().replace(b'"failed": 0', b'"failed": 3'))


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "docs" / "images"
    target.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium")
    assert program is not None, "bin/test installs chromium"
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "shop", Path(folder) / "home"
        root.mkdir()
        home.mkdir()
        make_tasks(root)
        with served.start(root, home=home) as server, sync_playwright() as playwright:
            server.wait_for("/tasks.json", "notice", "")
            browser = playwright.chromium.launch(executable_path=program)
            for name, path, scheme, width, height in PICTURES:
                size = {"width": width, "height": height}
                context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type] # of literals
                page = context.new_page()
                page.goto(f"{server.base}/login?token={server.token}")
                page.goto(f"{server.base}{path}")
                page.wait_for_load_state("load")
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                # Few colours: a page is text.
                picture.quantize(128).save(target / f"{name}.png", optimize=True)
                print(f"{target / name}.png {(target / f'{name}.png').stat().st_size:,} bytes")
                context.close()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
