"""Which changes install or compile something else, so that a failure in base proves nothing."""

from __future__ import annotations

import pytest

from code_adapter.counterfactual.dependencies import differ_in_dependencies

PACKAGE = '{"name": "shop", "scripts": {"test": "mocha"}, "dependencies": {"cart": "^1.0.0"}}'
PYPROJECT = '[project]\nname = "shop"\ndependencies = ["cart>=1"]\n[tool.pytest.ini_options]\naddopts = "-ra"\n'
SETUP = "[metadata]\nname = shop\n[options]\ninstall_requires =\n    cart>=1\n[tool:pytest]\naddopts = -ra\n"


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [
        ("package.json", PACKAGE, PACKAGE.replace("^1", "^2")),
        ("packages/cart/package.json", PACKAGE, PACKAGE.replace('"dependencies"', '"devDependencies"')),
        ("package.json", PACKAGE, "{"),
        ("pyproject.toml", PYPROJECT, PYPROJECT.replace("cart>=1", "cart>=2")),
        ("pyproject.toml", PYPROJECT, PYPROJECT + '[dependency-groups]\ntest = ["pytest"]\n'),
        ("setup.cfg", SETUP, SETUP.replace("cart>=1", "cart>=2")),
        ("setup.cfg", SETUP, SETUP + "[options.extras_require]\nfast = cython\n"),
        *((name, "1", "2") for name in ("requirements-dev.txt", "uv.lock", "package-lock.json", "yarn.lock", "go.sum")),
        *((name, "1", "2") for name in ("Cargo.lock", "src/fast.pyx", "pnpm-lock.yaml")),
    ],
)
def test_other_dependencies(path: str, base: str, head: str) -> None:
    assert differ_in_dependencies(path, base, head)


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [
        ("package.json", PACKAGE, PACKAGE.replace("mocha", "mocha --bail")),
        ("package.json", PACKAGE, PACKAGE.replace("}}", "}, }")),
        ("pyproject.toml", PYPROJECT, PYPROJECT.replace("-ra", "-q")),
        ("setup.cfg", SETUP, SETUP.replace("-ra", "-q")),
        ("go.mod", "go 1.19\n", "go 1.20\n"),
        ("shop.py", "1", "2"),
        ("notes/package.json.md", "1", "2"),
    ],
)
def test_the_same_dependencies(path: str, base: str, head: str) -> None:
    assert not differ_in_dependencies(path, base, head)
