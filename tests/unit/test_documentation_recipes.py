"""What the recipes for developers name is there: files, and what their code imports."""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import document_parts as parts
import pytest

PAGES = ("AGENTS.md", "CONTRIBUTING.md", "docs/extending.md")
SOURCES = ("src", "adapters", "tests")
FOLDERS = {"adapters", "bin", "config", "docs", "examples", "schemas", "src", "tests", ".agents"}
ROOMS = {path.name for path in (parts.ROOT / "src" / "verigate").iterdir() if path.is_dir()}
_CREATED = re.compile(r"(?:Create|Add a file) `([^`]+)`")
_NAMED = re.compile(r"`([\w./-]+)`")
_BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def is_there(name: str, created: set[str]) -> bool:
    """Whether a name in a page that may be a path leads to a file or a folder, now or after the recipe."""
    first, slash, _ = name.partition("/")
    if name in created:
        return True
    if slash and first in FOLDERS:
        return (parts.ROOT / name).exists()
    if slash and first in ROOMS:
        return (parts.ROOT / "src" / "verigate" / name).exists()
    if name.endswith(".py") and not slash:
        return any(next((parts.ROOT / folder).rglob(name), None) for folder in SOURCES)
    return True


def blocks(text: str) -> Iterator[ast.Module]:
    """The Python blocks of a page that are statements; others are entries of a table."""
    for found in _BLOCK.finditer(text):
        try:
            yield ast.parse(textwrap.dedent(found[2]))
        except SyntaxError:
            continue


def absent_imports(text: str) -> list[str]:
    """What the blocks of a page import from this project that neither it nor a recipe of the page has."""
    made = {Path(path).stem for path in _CREATED.findall(text)}
    trees = list(blocks(text))
    nodes = [node for tree in trees for node in ast.walk(tree)]
    assigned = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    absent = []
    for node in nodes:
        if not isinstance(node, ast.ImportFrom) or not re.match(r"verigate|code_adapter", node.module or ""):
            continue
        if node.module is None or node.module.rpartition(".")[2] in made:
            continue
        module = importlib.import_module(node.module)
        typed = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        known = {*vars(module), *(name.name for name in ast.walk(typed) if isinstance(name, ast.alias))}
        absent += [f"{node.module}.{name.name}" for name in node.names if name.name not in known | assigned]
    return absent


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    text = (parts.ROOT / page).read_text("utf-8")
    created = set(_CREATED.findall(text))
    assert [name for name in _NAMED.findall(text) if not is_there(name, created)] == []


def test_what_is_not_there_is_found() -> None:
    text = "Create `src/new.py`, then edit `src/new.py`, `gate/nothing.py`, `nothing_at_all.py` and `docs/none.md`."
    absent = [name for name in _NAMED.findall(text) if not is_there(name, set(_CREATED.findall(text)))]
    assert absent == ["gate/nothing.py", "nothing_at_all.py", "docs/none.md"]
    code = "```python\nfrom verigate.errors import UsageError, NoSuchError\n```"
    assert absent_imports(code) == ["verigate.errors.NoSuchError"]


def test_the_code_of_the_recipes_imports_what_is_there() -> None:
    text = (parts.ROOT / "docs" / "extending.md").read_text("utf-8")
    assert sum(1 for _ in blocks(text)) >= 10
    assert absent_imports(text) == []


def test_the_names_that_the_recipes_place_in_a_module_are_there() -> None:
    text = (parts.ROOT / "docs" / "extending.md").read_text("utf-8")
    placed = re.findall(r"`(\w+)`\s+in\s+`([\w./-]+\.py)`", text)
    assert len(placed) >= 5
    for name, module in placed:
        paths = [path for folder in SOURCES for path in (parts.ROOT / folder).rglob(Path(module).name)]
        sources = [path.read_text("utf-8") for path in paths if str(path).endswith(module)]
        assert any(re.search(rf"\b{name}\b", source) for source in sources), f"{name} in {module}"
