"""Projects whose packages real yarn keeps in archives: there is no node_modules, and only node's loader finds them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import gated_repository as gr
import pytest
from code_repo import make_repo
from npm_tools import RUNNERS, install_with_yarn
from release_tests import left_for_a_release
from sample_repository import SampleRepository

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\ncompressionLevel: 0\n"
DEVELOPMENT = {"mocha": RUNNERS["mocha"], "eslint": "9.31.0"}
FILES = {
    "package.json": json.dumps(
        {
            "name": "shops",
            "private": True,
            "workspaces": ["packages/*"],
            "scripts": {"test": "yarn workspaces foreach -A run test", "lint": "eslint packages"},
            "devDependencies": DEVELOPMENT,
        }
    ),
    "packages/shop/package.json": json.dumps(
        {
            "name": "shop",
            "version": "1.0.0",
            "scripts": {"test": "mocha"},
            "dependencies": {"ms": "2.1.3"},
            "devDependencies": DEVELOPMENT,
        }
    ),
    ".yarnrc.yml": SETTINGS,
    "yarn.lock": "",
    "eslint.config.js": "module.exports = [{ ignores: ['.pnp.*', '.yarn'] }, { rules: { eqeqeq: 'error' } }];\n",
    "packages/shop/shop.js": "const ms = require('ms');\nmodule.exports = (a, b) => ms(`${a * b}s`);\n",
    "packages/shop/test/shop.js": (
        "const assert = require('node:assert');\nconst shop = require('../shop');\n"
        "it('multiplies', () => { assert.strictEqual(shop(2, 3), 6000); });\n"
    ),
}
IGNORED = ".pnp.*\n.yarn/*\n"
BROKEN = "const ms = require('ms');\nmodule.exports = (a, b) => ms(`${a == b ? 0 : a + b}s`);\n"


@pytest.mark.parametrize("ignored", [*left_for_a_release(IGNORED), ".yarn/install-state.gz\n"])
def test_tests_and_linters_of_a_workspace_run(tmp_path: Path, ignored: str) -> None:
    repository = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    for path, text in {**FILES, ".gitignore": ignored}.items():
        repository.put(path, text)
    install_with_yarn(repository.root)
    assert not (repository.root / "node_modules").exists()
    repository.sample.commit("shops")
    first = repository.gate("init", "--json")
    assert first.json["verdict"]["status"] == "pass", first.output
    assert repository.published("tests.json", "implicit")["total"] == 1
    assert repository.published("lint.json", "implicit")["tool"] == "eslint"
    repository.sample.commit("the gate's files")
    repository.put("packages/shop/shop.js", BROKEN)
    repository.sample.commit("add instead")
    broken = repository.gate("init", "--json")
    assert broken.json["verdict"]["status"] == "fail", broken.output
    assert [reason["code"] for reason in broken.json["verdict"]["reasons"]] == ["LINT_FAIL", "TEST_FAIL"]
    failure = repository.published("tests.json", "implicit")["failures"][0]
    assert (failure["id"], failure["path"]) == ("multiplies", "packages/shop/test/shop.js")
    assert not (repository.root / "node_modules").exists()


@pytest.mark.release
def test_what_is_missing_is_named(tmp_path: Path) -> None:
    package = {"scripts": {"test": "jest", "lint": "eslint ."}, "devDependencies": {"eslint": "9.31.0"}}
    repo = make_repo(tmp_path, {".gitignore": IGNORED, "package.json": json.dumps(package), ".yarnrc.yml": SETTINGS})
    repo.write({"yarn.lock": "", "eslint.config.js": "module.exports = [];\n", "a.js": "", "a.test.js": ""})
    install_with_yarn(repo.root)
    why = repo.run("code:tests", gated=True).json("tests.json")["unexamined"][0]["why"]
    assert why == "jest is not among the dependencies of the package; run `yarn add --dev jest`"
    repo.write({".pnp.cjs": "throw new Error('no loader');\n"})
    why = repo.run("code:lint", gated=True).json("lint.json")["unexamined"][0]["why"]
    assert why == "the packages that .pnp.cjs names can't be read here; run `yarn install --immutable`"
