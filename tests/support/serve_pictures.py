"""Make the pictures of docs/serve.md: ``.venv/bin/python tests/support/serve_pictures.py [FOLDER]``.

Serves a sample of tasks, and photographs pages with Debian's chromium into docs/images, or FOLDER.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

import literal_facts as literal
import published_tasks as published
import served
from msgspec import Struct
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from verigate.usecases.report_false_block import report_false_block

ROOT = Path(__file__).resolve().parents[2]
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


class Picture(Struct, frozen=True):
    """A page as it is photographed. ``shows`` are texts that are seen on it."""

    name: str
    path: str
    scheme: Literal["light", "dark"]
    width: int
    height: int
    shows: tuple[str, ...]


PICTURES = (
    Picture("serve-queue", "/tasks", "light", 1100, 640, ("seal broken", "add-discounts")),
    Picture("serve-task", "/t/shop/add-discounts#statements", "dark", 1100, 760, ("All tests pass.", "refuted")),
    Picture("serve-narrow", "/t/shop/add-discounts#cells", "light", 420, 760, ("test_discount",)),
    Picture("serve-history", "/history#reasons-title", "light", 1100, 700, ("TEST_FAIL", "The clock of the runner")),
)
LARGEST = 80_000
"""Bytes of a picture in the documentation."""


def good() -> dict[str, Any]:
    return {path: literal.GOOD[path] for path in PATHS}


def make_tasks(root: Path, home: Path) -> None:
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
    report_false_block(
        root,
        root / ".artifacts/add-discounts",
        {"HOME": str(home)},
        findings=("code.tests_pass",),
        reason="The clock of the runner was wrong.",
        by="alice",
        now="2026-11-20T11:05:00Z",
    )


def take_pictures(target: Path) -> dict[str, Path]:
    """Photograph every page into a folder; return the files by name. Fails for a page that isn't there."""
    program = shutil.which("chromium")
    assert program is not None, "bin/test installs chromium"
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "shop", Path(folder) / "home"
        root.mkdir()
        home.mkdir()
        make_tasks(root, home)
        with served.start(root, home=home) as server, sync_playwright() as playwright:
            server.wait_for("/tasks.json", "notice", "")
            browser = playwright.chromium.launch(executable_path=program)
            for picture in PICTURES:
                made[picture.name] = target / f"{picture.name}.png"
                _photograph(browser, server, picture, made[picture.name])
            browser.close()
    return made


def _photograph(browser: Browser, server: served.Server, picture: Picture, file: Path) -> None:
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height}, color_scheme=picture.scheme
    )
    page = context.new_page()
    page.goto(f"{server.base}/login?token={server.token}")
    answer = page.goto(f"{server.base}{picture.path}")
    assert answer is not None, picture
    assert answer.status == 200, picture
    page.wait_for_load_state("load")
    anchor = picture.path.partition("#")[2]
    assert not anchor or page.locator(f"#{anchor}").count() == 1, picture
    for text in picture.shows:
        assert _is_seen(page, text, picture.height), (picture, text)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # Few colours: a page is text.
    shot.quantize(128).save(file, optimize=True)
    context.close()


def _is_seen(page: Page, text: str, height: int) -> bool:
    """Whether a text is on the part of the page that the picture has."""
    places = [each.bounding_box() for each in page.get_by_text(text).all()]
    return any(place is not None and -place["height"] < place["y"] < height for place in places)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=ROOT / "docs" / "images")
    target: Path = arguments.parse_args().folder
    target.mkdir(parents=True, exist_ok=True)
    for name, file in take_pictures(target).items():
        print(f"{name} {file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
