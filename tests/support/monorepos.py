"""Small repositories of three packages, ``cart`` needs ``core``, and ``tax`` none: files by their paths."""

from __future__ import annotations

import json


def member(name: str, *needs: str) -> str:
    return f"[project]\nname = '{name}'\nversion = '1'\ndependencies = {list(needs)}\n[tool.uv]\npackage = false\n"


UV = {
    "pyproject.toml": "[tool.uv.workspace]\nmembers = ['libs/*']\n"
    "[tool.pytest.ini_options]\npythonpath = ['libs/core']\n"
    "addopts = '--import-mode=importlib -p no:cacheprovider'\n",
    "libs/core/pyproject.toml": member("core"),
    "libs/core/core.py": "def total(prices):\n    return sum(prices)\n",
    "libs/core/tests/test_it.py": "from core import total\n\n\ndef test_core():\n    assert total([1]) == 1\n",
    "libs/cart/pyproject.toml": member("cart", "core"),
    "libs/cart/tests/test_it.py": "from core import total\n\n\ndef test_cart():\n    assert total([1, 2]) == 3\n",
    # Settings of its own, which a call at the root never reads.
    "libs/tax/pyproject.toml": member("tax") + "[tool.pytest.ini_options]\naddopts = '--unknown-option'\n",
    "libs/tax/tests/test_it.py": "def test_tax():\n    assert True\n",
}
NPM = {
    "package.json": json.dumps({"workspaces": ["packages/*"], "scripts": {"test": "npm test --workspaces"}}),
    **{
        f"packages/{name}/package.json": json.dumps(
            {"name": name, "scripts": {"test": "node --test"}, "dependencies": dict.fromkeys(needs, "*")}
        )
        for name, needs in (("core", ()), ("cart", ("core",)), ("tax", ()))
    },
    **{
        f"packages/{name}/test/it.test.js": f"const test = require('node:test');\ntest('{name}', () => {{}});\n"
        for name in ("core", "cart", "tax")
    },
    "packages/core/index.js": "exports.total = (a, b) => a + b;\n",
}
CARGO = {
    "Cargo.toml": "[workspace]\nresolver = '2'\nmembers = ['crates/*']\n",
    **{
        f"crates/{name}/Cargo.toml": f"[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2021'\n{needs}"
        for name, needs in (
            ("core-parts", ""),
            ("cart", "[dependencies]\ncore-parts = {path = '../core-parts'}\n"),
            ("tax", ""),
        )
    },
    **{
        f"crates/{name}/src/lib.rs": f"#[test]\nfn {name.partition('-')[0]}() {{}}\n"
        for name in ("core-parts", "cart", "tax")
    },
    ".gitignore": "target/\nCargo.lock\n",
}
GO = {
    "go.work": "go 1.19\n\nuse (\n\t./core\n\t./cart\n\t./tax\n)\n",
    "core/go.mod": "module example.com/core\n\ngo 1.19\n",
    "cart/go.mod": "module example.com/cart\n\ngo 1.19\n\nrequire example.com/core v0.0.0\n\n"
    "replace example.com/core => ../core\n",
    "tax/go.mod": "module example.com/tax\n\ngo 1.19\n",
    "core/core.go": "package core\n\nfunc Total(a, b int) int { return a + b }\n",
    **{
        f"{name}/{name}_test.go": f'package {name}\n\nimport "testing"\n\nfunc Test{name.title()}(t *testing.T) {{}}\n'
        for name in ("core", "cart", "tax")
    },
}
