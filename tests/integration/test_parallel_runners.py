"""Runners that a project configures to run in parallel do so inside the sandbox, and no other does."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from lean_environment import HERE, make_environment, site_packages
from npm_tools import node_modules
from suite_repository import failures, judge, make_suite

MACHINE = """import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import shared_memory

def square(n): return n * n

def test_all_processors_are_seen():
    assert len(os.sched_getaffinity(0)) == {processors}

def test_semaphores_and_pools_work():
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(square, range(4))) == [0, 1, 4, 9]
    with multiprocessing.Lock():
        assert multiprocessing.Semaphore(2).acquire()

def test_shared_memory_works():
    block = shared_memory.SharedMemory(create=True, size=1 << 20)
    block.buf[0] = 7
    assert os.path.exists("/dev/shm/" + block.name.lstrip("/"))
    block.close()
    block.unlink()
"""
WORKER = """import os, time
import pytest

@pytest.mark.parametrize("n", range(4))
def test_worker(n):
    time.sleep(0.2)
    assert os.environ.get("PYTEST_XDIST_WORKER_COUNT") == {workers!r}
"""


OWN_CALL = "[testenv]\ncommands = pytest -n 2 --dist=loadfile {posargs}\n"


@pytest.mark.parametrize(
    ("options", "own", "workers"),
    [("-n 2", "", "2"), ("", OWN_CALL, "2"), ("", "", None), ("-n 0", OWN_CALL, None)],
    ids=["settings", "own call", "none", "settings over own call"],
)
def test_pytest_in_workers(tmp_path: Path, options: str, own: str, workers: str | None) -> None:
    machine = MACHINE.replace("{processors}", str(len(os.sched_getaffinity(0))))
    files = {
        ".gitignore": ".venv\n",
        "pyproject.toml": f"[tool.pytest.ini_options]\naddopts = '{options}'\n",
        "tox.ini": own,
        "test_machine.py": machine,
        "test_worker.py": WORKER.format(workers=workers),
    }
    repository = make_suite(tmp_path, files)
    environment = repository.root / ".venv"
    make_environment(environment)
    site_packages(environment).mkdir()
    (site_packages(environment) / "all.pth").write_text(f"{site_packages(HERE)}\n")
    done = judge(repository)
    assert failures(repository) == {}, done.output
    assert repository.published("tests.json")["passed"] == 7


JEST = """test("in a worker", async () => {
  await new Promise((done) => setTimeout(done, 300));
  expect(Number(process.env.JEST_WORKER_ID)).toBeGreaterThanOrEqual(1);
  expect(process.send).toBeDefined();
});
"""
VITEST = """import { expect, test } from "vitest";
import { availableParallelism } from "node:os";
test("in a pool", () => {
  expect(Number(process.env.VITEST_POOL_ID)).toBeGreaterThanOrEqual(1);
  expect(availableParallelism()).toBe(PROCESSORS);
  expect(new SharedArrayBuffer(8).byteLength).toBe(8);
});
"""


@pytest.mark.release
def test_jest_and_vitest_in_workers(tmp_path: Path) -> None:
    processors = str(len(os.sched_getaffinity(0)))
    scripts = {"test": "jest --maxWorkers=2 && vitest run --pool=threads --poolOptions.threads.maxThreads=2"}
    files = {
        ".gitignore": "node_modules\n",
        "package.json": json.dumps({"scripts": scripts}),
        "vitest.config.mjs": "export default { test: { include: ['**/*.spec.mjs'] } };\n",
        **{f"{name}.test.js": JEST for name in "abc"},
        **{f"{name}.spec.mjs": VITEST.replace("PROCESSORS", processors) for name in "abc"},
    }
    repository = make_suite(tmp_path, files)
    (repository.root / "node_modules").symlink_to(node_modules())
    done = judge(repository)
    assert failures(repository) == {}, done.output
    tools = {tool["name"]: tool["passed"] for tool in repository.published("tests.json")["tools"]}
    assert tools == {"jest": 3, "vitest": 3}
    commands = [command["argv"] for command in repository.published("tests.meta.json")["commands"]]
    assert any("--maxWorkers=2" in argv for argv in commands)
    assert any("--pool=threads" in argv for argv in commands)
