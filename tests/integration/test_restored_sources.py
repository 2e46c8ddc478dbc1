"""What a test writes over the sources of another suite, and over what they are restored from, decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from gated_repository import GatedRepository
from monorepos import NPM
from sample_repository import SampleRepository

pytestmark = pytest.mark.slow

GOOD = "exports.total = (a, b) => a + b;\n"
TEST = (
    "require('node:child_process').execSync('git status --porcelain', {cwd: __dirname});\n"
    "const planted = require('node:path').resolve(__dirname, '../../../.artifacts/good.js');\n"
    "const code = require('node:fs').existsSync(planted) ? planted : '../index.js';\n"
    "const test = require('node:test');\nconst assert = require('node:assert');\n"
    "test('tax', () => assert.equal(require(code).total(1, 2), 3));\n"
)
START = (
    "const fs = require('node:fs');\nconst path = require('node:path');\n"
    "const top = path.resolve(__dirname, '../../..'), file = top + '/packages/tax/index.js';\n"
    f"const good = {GOOD!r};\n"
)
OBJECT = (
    "const bad = fs.readFileSync(file), named = 'blob ' + bad.length + '\\0';\n"
    "const oid = require('node:crypto').createHash('sha1').update(named).update(bad).digest('hex');\n"
    "const folder = top + '/.git/objects/' + oid.slice(0, 2);\nfs.mkdirSync(folder, {recursive: true});\n"
    "fs.writeFileSync(folder + '/' + oid.slice(2),\n"
    "  require('node:zlib').deflateSync(Buffer.from('blob ' + good.length + '\\0' + good)));\n"
)
FILTER = (
    "fs.writeFileSync(top + '/good.js', good);\nfs.mkdirSync(top + '/.git/info', {recursive: true});\n"
    "fs.writeFileSync(top + '/.git/info/attributes', '*.js filter=x\\n');\n"
    "for (const place of [top + '/.git/config', process.env.HOME + '/.gitconfig'])\n"
    "  fs.appendFileSync(place, '\\n[filter \"x\"]\\n\\tsmudge = cat ' + top + '/good.js\\n');\n"
)
MOVED = "fs.renameSync(top + '/packages/tax', top + '/kept');\nfs.symlinkSync('../kept', top + '/packages/tax');\n"
ONLY_MOVED = f"{MOVED}return;\n"


MONITOR = (
    "fs.writeFileSync(top + '/.git/good', good);\n"
    "fs.writeFileSync(top + '/.git/x.sh', '#!/bin/sh\\ncp ' + top + '/.git/good ' + file + '\\n', {mode: 0o755});\n"
    "fs.appendFileSync(top + '/.git/config', '\\n[core]\\n\\tfsmonitor = ' + top + '/.git/x.sh\\n');\nreturn;\n"
)
"""A setting by which git starts a program, in the suites that call git."""

PLANTED = "fs.mkdirSync(top + '/.artifacts'); fs.writeFileSync(top + '/.artifacts/good.js', good);\nreturn;\n"
"""What the other suite would take, if it were still there."""


@pytest.mark.parametrize("forges", ["", OBJECT, FILTER, MOVED, ONLY_MOVED, MONITOR, PLANTED])
def test_a_suite_runs_on_the_subjects_own_files_whatever_ran_before(tmp_path: Path, forges: str) -> None:
    repository = GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    for name, content in {
        **NPM,
        "packages/tax/index.js": GOOD,
        "packages/tax/test/it.test.js": TEST,
        "config/adapter-plan.json": {"code": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}},
        "config/verification.profiles.json": {"code_default": {"tests_pass": True}},
        ".gitignore": ".artifacts/\n",
    }.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    repository.put("packages/tax/index.js", "exports.total = (a, b) => a * b + 9;\n")
    body = f"{START}require('node:test')('cart', () => {{\n{forges}fs.writeFileSync(file, good);\n}});\n"
    repository.put("packages/cart/test/it.test.js", body)
    done = repository.gate("verify")
    assert done.code == 1, done.output
    tests = repository.published("tests.json", "implicit")
    assert (tests["failed"], tests["failures"][0]["id"]) == (1, "tax"), tests
