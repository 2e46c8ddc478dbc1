"""Manifests that hold settings of tests and others: which changes concern tests."""

from __future__ import annotations

import pytest

from code_adapter.counterfactual.mixed_files import matters_to_tests

NPM = '{"version": "1.0", "scripts": {"test": "jest"}, "jest": {"bail": 1}, "devDependencies": {"jest": "29"}}'
PYTHON = """\
[project]
name = "shop"
version = "1.0"
dependencies = ["attrs"]
[project.scripts]
shop = "shop:main"
[tool.ruff]
line-length = 100
[tool.pytest.ini_options]
addopts = "-q"
[tool.hatch.envs.default]
features = ["a"]
"""
INI = "[metadata]\nversion = 1.0\n[tool:pytest]\naddopts = -q\n[options]\npackages = shop\n"


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "matters"),
    [
        ("package.json", NPM, '"1.0"', '"1.1"', False),
        ("web/package.json", NPM, '"29"', '"30"', False),
        ("package.json", NPM, '"bail": 1', '"bail": 2', True),
        ("package.json", NPM, '"test": "jest"', '"test": "jest -t a"', True),
        ("package.json", NPM, '"1.0"', '"1.0", "type": "module"', True),
        ("package.json", NPM, "{", "", True),
        ("pyproject.toml", PYTHON, '"1.0"', '"1.1"', False),
        ("pyproject.toml", PYTHON, "100", "120", False),
        ("pyproject.toml", PYTHON, '["attrs"]', '["attrs", "cattrs"]', False),
        ("pyproject.toml", PYTHON, '"-q"', '"-q -x"', True),
        ("pyproject.toml", PYTHON, '["a"]', '["b"]', True),
        ("pyproject.toml", PYTHON, "shop:main", "shop:other", True),
        ("pyproject.toml", PYTHON, '"1.0"', '"1.1', True),
        ("setup.cfg", INI, "1.0", "1.1", False),
        ("setup.cfg", INI, "-q", "-x", True),
        ("setup.cfg", INI, "packages = shop", "packages = sho", True),
    ],
)
def test_what_concerns_tests(path: str, before: str, old: str, new: str, *, matters: bool) -> None:
    assert old in before
    assert matters_to_tests(path, before.encode(), before.replace(old, new, 1).encode()) is matters
