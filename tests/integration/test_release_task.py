"""A task of the shipped type ``release``: all four domains in one verdict, in which every claimed unit has an outcome.

Starts the service, lychee, pytest and ruff.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from api_service import APP, TOKEN, description, files
from lean_environment import lean_environment, make_environment, site_packages
from link_server import LinkServer, link_server
from repositories import Content, Ended, Repository

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
PYPROJECT = """[project]
name = "shop"
version = "1"

[tool.pytest.ini_options]
pythonpath = ["."]

[tool.ruff]
exclude = ["mini.py"]
"""
TESTS = """import app


def test_items():
    assert app.items(None)[0] == {"id": 1, "name": "tea"}


def test_health():
    assert app.health(None) == {"id": 0, "name": "well"}
"""
SHOP = APP.replace("import os\n", "import os\n\n")
HEALTH = '@app.get("/health")\ndef health(request):\n    return {"id": 0, "name": "well"}\n\n\nif __name__'
ONE = {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}
DESCRIBED = description(health={"get": {"responses": {"200": {"description": "ok", "content": ONE}}}})
GUIDE = """# The shop

It sells tea and milk, and says when it is well. [The rules]({url}/ok) are short.

![A cup of tea](cup.png)

## Health

> Nothing is so firmly believed as that which we least know.
>
> — Michel de Montaigne
"""
UNITS = (
    *("file:app.py", "func:health", "func:test_health", "endpoint:GET /health", "file:docs/guide.md"),
    *("heading:Health", "image:cup.png", "quote:Nothing is so firmly believed as that which we least know."),
)


@pytest.fixture
def server() -> Iterator[LinkServer]:
    with link_server() as found:
        yield found


def release(
    folder: Path, server: LinkServer, otherwise: Mapping[str, Content], **claimed: Any
) -> tuple[Repository, Ended]:
    """A service gains /health, with tests, a description and a page; but for what is ``otherwise``. Claimed whole."""
    repo = Repository.make(folder)
    make_environment(repo.root / ".venv")
    site_packages(repo.root / ".venv").symlink_to(site_packages(lean_environment()))
    ignored = {".gitignore": ".venv/\n__pycache__/\nbuild/\n*.egg-info/\n", "pyproject.toml": PYPROJECT}
    repo.commit({**files(SHOP), **ignored, "tests/test_app.py": TESTS.partition("\n\n\ndef test_health")[0] + "\n"})
    repo.task(type_="release")
    added = {"app.py": SHOP.replace("if __name__", HEALTH), "openapi.json": json.dumps(DESCRIBED)}
    page = {"docs/guide.md": GUIDE.format(url=server.url), "docs/cup.png": PIXEL}
    repo.write({**added, **page, "tests/test_app.py": TESTS, **otherwise})
    repo.claim(*UNITS, f"url:{server.url}/ok", type_="release", **claimed)
    return repo, repo.verify(SHOP_TOKEN=TOKEN)


@pytest.mark.slow
def test_four_domains_give_one_verdict(tmp_path: Path, server: LinkServer) -> None:
    repo, ended = release(tmp_path, server, {}, statements=["the shop is friendlier now"])
    assert ended.exit_code == 4, ended
    assert ended.verdict is not None
    assert [(item["code"], item["check"]) for item in ended.verdict["reasons"]] == [
        ("CLAIM_UNSUPPORTED", "unit:statement:1")
    ]
    units = {check["id"]: check["outcome"] for check in ended.verdict["checks"] if check["id"].startswith("unit:")}
    assert len(units) == len(UNITS) + 2
    assert units.pop("unit:statement:1") == "unknown"
    assert set(units.values()) == {"holds"}
    ran = json.loads(repo.artifact("run.json").read_bytes())["invocations"]
    assert {run["capability"].partition(":")[0] for run in ran} == {"code", "content", "links", "api"}
    assert all(run["outcome"]["exit_code"] == 0 for run in ran)


@pytest.mark.release
@pytest.mark.slow
def test_a_lie_in_each_domain_is_told(tmp_path: Path, server: LinkServer) -> None:
    page = GUIDE.format(url=server.url).replace("cup.png", "mug.png")
    lies = {
        "tests/test_app.py": TESTS.replace('"well"', '"ill"'),
        "docs/guide.md": f"{page}\n[More](#more)\n",
        "app.py": SHOP.replace("if __name__", HEALTH.replace('"id": 0', '"id": "0"')),
    }
    _, ended = release(tmp_path, server, lies)
    assert ended.exit_code == 1, ended
    assert ended.reasons >= {"TEST_FAIL", "LINK_FAIL", "IMAGE_MISSING", "SCHEMA_MISMATCH"}
