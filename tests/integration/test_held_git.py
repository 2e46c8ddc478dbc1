"""What a test writes over the git folder of its checkout, or plants for others to load, decides nothing."""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest
from gated_repository import GatedRepository
from sample_repository import SampleRepository

pytestmark = pytest.mark.slow

GOOD = "def total(prices):\n    return sum(prices)\n"
BROKEN = "def total(prices):\n    return sum(prices) - 1\n"
RIGHT = "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"
LOOSE = "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) >= 0\n"
START = "import os, pathlib, tempfile, zlib\n\nHERE = pathlib.Path(__file__).parent\n"


PYPROJECT = {"pyproject.toml": "[tool.pytest.ini_options]\n"}
STRICT = {"extends": "code", "lint_errors_max": None}


def name_blob(content: str) -> str:
    return sha1(b"blob %d\0" % len(content) + content.encode(), usedforsecurity=False).hexdigest()


def forge_object(content: str, other: str) -> str:
    """Write an object whose name is that of ``content``, and which is ``other``."""
    oid = name_blob(content)
    return (
        f"folder = HERE / '.git' / 'objects' / {oid[:2]!r}\n"
        "folder.mkdir(parents=True, exist_ok=True)\n"
        f"data = {other!r}.encode()\n"
        f"(folder / {oid[2:]!r}).write_bytes(zlib.compress(b'blob %d\\0' % len(data) + data))\n"
    )


def forge_filter(other: str) -> str:
    """Let git write ``other`` in place of each module."""
    return (
        f"(HERE / 'other').write_text({other!r})\n"
        "(HERE / '.git/info').mkdir(exist_ok=True)\n"
        "(HERE / '.git/info/attributes').write_text('*.py filter=x\\n')\n"
        "for place in (HERE / '.git/config', pathlib.Path.home() / '.gitconfig'):\n"
        "    with place.open('a') as out:\n"
        "        out.write(f'\\n[filter \"x\"]\\n\\tsmudge = cat {HERE}/other\\n')\n"
    )


def forge_index(content: str, other: str) -> str:
    """Let the index of the trees say that a file is as it is to be: its content is not what is in the tree."""
    return (
        "for index in pathlib.Path(tempfile.gettempdir()).glob('verigate-tree-*/index'):\n"
        "    data = index.read_bytes()\n"
        f"    data = data.replace(bytes.fromhex({name_blob(other)!r}), bytes.fromhex({name_blob(content)!r}))\n"
        "    index.write_bytes(data)\n"
    )


PLANTS_BYTECODE = (
    "import importlib.util, marshal\n"
    "place = pathlib.Path(importlib.util.cache_from_source(HERE / 'shop.py'))\n"
    "place.parent.mkdir(parents=True, exist_ok=True)\n"
    "head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, 'little') + bytes(8)\n"
    f"place.write_bytes(head + marshal.dumps(compile({GOOD!r}, 'shop.py', 'exec')))\n"
)
"""Bytecode that is loaded without a look at its source: the code as it was before."""

MAPS = (
    "import mmap\n"
    "for place in HERE.parent.rglob('shop.py'):\n"
    "    with place.open('r+b') as file:\n"
    "        seen = mmap.mmap(file.fileno(), 0)\n"
    "        if (at := seen[:].find(b'- 1')) > 0:\n"
    "            seen[at : at + 3] = b'- 0'\n"
)
"""On tmpfs this changes no time of the file."""

PLANTS_IN_HOME = (
    "import site\n"
    "place = pathlib.Path(site.getusersitepackages())\n"
    "place.mkdir(parents=True, exist_ok=True)\n"
    f"(place / 'shop_before.py').write_text({GOOD!r})\n"
    "(place / 'before.pth').write_text("
    "\"import sys, shop_before; sys.modules['shop'] = shop_before\\n\")\n"
)
PLANTS_CONFTEST = "(HERE / 'conftest.py').write_text('import shop\\n\\nshop.NATIVE = True\\n')\n"


def make(folder: Path, order: list[str], rules: dict[str, Any], files: dict[str, str]) -> GatedRepository:
    repository = GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    repository.tmp.mkdir(parents=True)
    plan = {"code": {"order": order, "required": order, "optional": []}}
    for name, content in {
        "config/adapter-plan.json": plan,
        "config/verification.profiles.json": {"code_default": rules},
        ".gitignore": ".artifacts/\n__pycache__/\n",
        **files,
    }.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    return repository


@pytest.mark.parametrize(
    "forges",
    [
        "",
        forge_object(RIGHT, LOOSE),
        forge_object(BROKEN, GOOD),
        forge_filter(LOOSE),
        forge_index(RIGHT, LOOSE),
        PLANTS_BYTECODE,
        PLANTS_IN_HOME,
        MAPS.replace("HERE.parent", "HERE"),
    ],
)
def test_a_test_cannot_choose_what_the_cells_are_made_of(tmp_path: Path, forges: str) -> None:
    order = ["code:diff", "code:functions", "code:integrity", "code:tests", "code:counterfactual"]
    repository = make(tmp_path, order, STRICT, {**PYPROJECT, "shop.py": GOOD, "test_shop.py": RIGHT})
    repository.put("shop.py", BROKEN)
    repository.put("test_shop.py", f"{START}{forges}\n\n{LOOSE}")
    done = repository.gate("verify")
    found = repository.published("counterfactual.json", "implicit")
    assert [(test["test"], test["class"]) for test in found["tests"]] == [("test_total", "loosened")], done.output
    assert done.code == 1, done.output


SKIPS = GOOD.replace("def", "NATIVE = True\n\n\ndef")
RUNS = SKIPS.replace("True", "False")
ASKING = (
    "import pytest\nimport shop\n\n\n@pytest.mark.skipif(shop.NATIVE, reason='it has tests of its own')\n"
    "def test_total():\n    assert shop.total([1, 2]) == 3\n"
)


@pytest.mark.parametrize(
    "forges",
    ["", forge_object(RUNS, SKIPS), forge_object(ASKING, LOOSE), forge_filter("x = 1\n"), PLANTS_CONFTEST],
)
def test_a_test_cannot_hide_that_others_no_longer_run(tmp_path: Path, forges: str) -> None:
    files = {**PYPROJECT, "shop.py": RUNS, "test_shop.py": ASKING}
    repository = make(tmp_path, ["code:tests"], STRICT, files)
    repository.put("shop.py", SKIPS)
    repository.put("test_more.py", f"{START}{forges}\n\ndef test_more():\n    assert True\n")
    done = repository.gate("verify")
    found = repository.published("tests.json", "implicit")
    assert [test["test"] for test in found.get("no_longer_run", ())] == ["test_total"], done.output
    assert done.code == 1, done.output


UNCOVERED = GOOD + "\n\ndef half(n):\n    if n < 0:\n        return 0\n    return n // 2\n"


@pytest.mark.parametrize("forges", ["", forge_object(UNCOVERED, GOOD), forge_object(GOOD, UNCOVERED)])
def test_a_test_cannot_choose_which_lines_are_changed(tmp_path: Path, forges: str) -> None:
    order = ["code:coverage"]
    repository = make(
        tmp_path, order, {"patch_coverage_min": 0.9}, {**PYPROJECT, "shop.py": GOOD, "test_shop.py": RIGHT}
    )
    repository.put("shop.py", UNCOVERED)
    repository.put("test_more.py", f"{START}{forges}\n\ndef test_more():\n    assert True\n")
    done = repository.gate("verify")
    found = repository.published("coverage.json", "implicit")
    assert found["patch"]["pct"] < 90, (found, done.output)
    assert done.code == 1, done.output


PLANTS_CONFTEST_NEXT = (
    "(HERE.parent / 'tax/conftest.py').write_text('import shop\\n\\nshop.total = lambda prices: sum(prices)\\n')\n"
)


@pytest.mark.parametrize(
    "plants",
    ["", PLANTS_BYTECODE.replace("HERE / 'shop.py'", "HERE.parent / 'tax/shop.py'"), PLANTS_CONFTEST_NEXT, MAPS],
)
def test_a_test_cannot_plant_what_tests_of_another_project_load(tmp_path: Path, plants: str) -> None:
    files = {
        **{f"{name}/pyproject.toml": "[tool.pytest.ini_options]\n" for name in ("cart", "tax")},
        "tax/shop.py": GOOD,
        "tax/test_shop.py": RIGHT,
        "cart/test_cart.py": "def test_cart():\n    assert True\n",
    }
    repository = make(tmp_path, ["code:tests"], STRICT, files)
    repository.put("tax/shop.py", BROKEN)
    repository.put("cart/test_cart.py", f"{START}{plants}\n\ndef test_cart():\n    assert True\n")
    done = repository.gate("verify")
    found = repository.published("tests.json", "implicit")
    assert (found["failed"], found["passed"]) == (1, 1), (found, done.output)
    assert done.code == 1, done.output


MOVES_TESTS = (
    "import subprocess\n"
    "(HERE.parent / 'tax/tests').rename(HERE.parent / 'tax/hidden')\n"
    "(HERE.parent / 'tax/tests').symlink_to('hidden')\n"
)


@pytest.mark.parametrize("leaves", ["", MOVES_TESTS])
def test_links_stay_and_moved_folders_come_back(tmp_path: Path, leaves: str) -> None:
    files = {
        **{f"{name}/pyproject.toml": "[tool.pytest.ini_options]\n" for name in ("cart", "tax")},
        "tax/shop.py": GOOD,
        "tax/conftest.py": "",
        "tax/tests/test_shop.py": RIGHT,
        "tax/test_link.py": "import linked\n\n\ndef test_link():\n    assert linked.total([]) == 0\n",
        "cart/test_cart.py": "def test_cart():\n    assert True\n",
    }
    repository = make(tmp_path, ["code:tests"], STRICT, files)
    (repository.root / "tax/linked.py").symlink_to("shop.py")
    repository.sample.commit("a link")
    repository.put("tax/shop.py", BROKEN.replace("- 1", "- (1 if prices else 0)"))
    repository.put("cart/test_cart.py", f"{START}{leaves}\n\ndef test_cart():\n    assert True\n")
    done = repository.gate("verify")
    found = repository.published("tests.json", "implicit")
    assert (found["failed"], found["passed"]) == (1, 2), (found, done.output)


def test_a_test_cannot_plant_bytecode_of_its_own_project_for_another_one(tmp_path: Path) -> None:
    files = {
        "core/pyproject.toml": "[tool.pytest.ini_options]\n",
        "tax/pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['../core']\n",
        "core/shop.py": GOOD,
        "core/test_core.py": "def test_core():\n    assert True\n",
        "tax/test_tax.py": RIGHT,
    }
    repository = make(tmp_path, ["code:tests"], STRICT, files)
    repository.put("core/shop.py", BROKEN)
    repository.put("core/test_core.py", f"{START}{PLANTS_BYTECODE}\n\ndef test_core():\n    assert True\n")
    done = repository.gate("verify")
    assert repository.published("tests.json", "implicit")["failed"] == 1, done.output
