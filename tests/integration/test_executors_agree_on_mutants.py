"""The verdict is the same bytes on an idle machine and on a busy one, whoever runs it: mutants are counted, not timed.

A project with a suite of pytest is verified here commit by commit, with the capabilities that run its tests several
times: on base and subject, and on mutants.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import forked_programs
import pytest
from dask_cluster import cluster
from executed_everywhere import read_facts
from gated_repository import Done, GatedRepository
from sample_repository import SampleRepository

from verigate.domain.task_folder import GITIGNORE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SHOP = (
    "def total(prices, rate=2):\n    found = 0\n    for price in prices:\n        if price < 0:\n"
    "            raise ValueError('negative')\n        found += price\n    return found * rate\n\n\n"
    "def split(cents, people):\n    if people < 1:\n        raise ValueError('nobody')\n"
    "    share, rest = divmod(cents, people)\n    return [share + (i < rest) for i in range(people)]\n"
)
TESTS = (
    "import pytest\nimport shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 6\n\n\n"
    "def test_negative():\n    with pytest.raises(ValueError):\n        shop.total([-1])\n\n\n"
    "def test_split():\n    assert shop.split(100, 3) == [34, 33, 33]\n"
)
REWRITTEN = TESTS.replace("assert shop.total([1, 2]) == 6", "found = shop.total([1, 2])\n    assert found == 6")
MORE = "\n\ndef show(cents):\n    return f'{cents // 100}.{cents % 100:02d}'\n"
MORE_TESTS = "\n\ndef test_show():\n    assert shop.show(1250) == '12.50'\n    assert shop.show(5) == '0.05'\n"
BLIND = REWRITTEN.replace("== [34, 33, 33]", "is not None")
_ORDER = ["code:diff", "code:tests", "code:counterfactual", "code:sensitivity", "code:integrity"]
_COMPARED = ("counterfactual.json", "sensitivity.json", "integrity.json")
_SPAN = ("--range", "begin..HEAD", "--json")


@pytest.fixture(scope="module", name="shop")
def _shop(tmp_path_factory: pytest.TempPathFactory) -> GatedRepository:
    """Three commits: a test is rewritten, a function is added with its test, and a test is blinded."""
    top = tmp_path_factory.mktemp("shop")
    shop = GatedRepository(SampleRepository.create(top / "repository"), top / "home")
    shop.tmp.mkdir(parents=True)
    shop.put(".artifacts/.gitignore", GITIGNORE)
    shop.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    shop.put("config/adapter-plan.json", {"code": {"order": _ORDER, "required": _ORDER, "optional": []}})
    shop.put("config/verification.profiles.json", {"code_default": {"tests_pass": True, "integrity": True}})
    shop.put("config/adapters.json", {"code": {"mutants": 8}})
    shop.put("shop.py", SHOP)
    shop.put("test_shop.py", TESTS)
    shop.sample.commit("Begin")
    shop.sample.git("branch", "begin")
    shop.put("test_shop.py", REWRITTEN)
    shop.sample.commit("Name what is found")
    shop.put("shop.py", SHOP + MORE)
    shop.put("test_shop.py", REWRITTEN + MORE_TESTS)
    shop.sample.commit("Show an amount\n\nAdds tests for show.")
    shop.put("test_shop.py", BLIND + MORE_TESTS)
    shop.sample.commit("Tidy the tests")
    return shop


def _verify(repository: GatedRepository, *options: str) -> Done:
    """Verify a range, for as long as it takes: nothing here is about time."""
    done = forked_programs.gate(
        ("verify", *options), cwd=repository.root, env=repository.environ(CI="1"), stdin=b"", timeout=900
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def _read(repository: GatedRepository, name: str) -> str:
    """Read an artifact without its times, as lines, whose differences a failure shows."""
    facts = {key: value for key, value in repository.published(name, "implicit").items() if key != "metadata"}
    return json.dumps(facts, indent=1, sort_keys=True)


@contextmanager
def _load() -> Iterator[None]:
    """Three programs for each processor that do nothing but compute."""
    argv = (sys.executable, "-c", "while True: pass")
    busy = [subprocess.Popen(argv) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_a_busy_machine_tries_as_many_mutants_as_an_idle_one(shop: GatedRepository, tmp_path: Path) -> None:
    last = ("--range", "HEAD~1..HEAD", "--json")
    idle = shop.copy(tmp_path / "idle")
    found = read_facts(_verify(idle, *last))
    power = idle.published("sensitivity.json", "implicit")
    assert [each["test"] for each in power["lost_power"]] == ["test_split"]
    assert len(power["mutants"]) > 3
    assert [each["status"] for each in found["commits"]] == ["fail"]
    busy = shop.copy(tmp_path / "busy")
    with _load():
        again = read_facts(_verify(busy, *last))
    for name in _COMPARED:
        assert _read(busy, name) == _read(idle, name)
    assert again == found


@pytest.mark.release
def test_processes_shards_and_a_cluster_find_the_same(shop: GatedRepository, tmp_path: Path) -> None:
    with cluster(tmp_path / "dask", 1) as dask, ThreadPoolExecutor(2) as pool:
        sharded = shop.copy(tmp_path / "sharded")
        runs = {
            "one after the other": pool.submit(_verify, shop.copy(tmp_path / "plain"), *_SPAN),
            "processes": pool.submit(_verify, shop.copy(tmp_path / "more"), *_SPAN, "--executor", "local:3"),
            "Dask": pool.submit(_verify, shop.copy(tmp_path / "cluster"), *_SPAN, "--executor", dask.executor),
            "shards": pool.submit(_verify_shards, sharded),
        }
        found = {name: read_facts(run.result()) for name, run in runs.items()}
    plain = found["one after the other"]
    assert [each["status"] for each in plain["commits"]] == ["pass", "pass", "fail"]
    for name, facts in found.items():
        assert facts == plain, name


def _verify_shards(sharded: GatedRepository) -> Done:
    place = sharded.home / "shards"
    for number in ("1", "2"):
        output = ("--output", str(place / f"{number}.json"))
        done = _verify(sharded, *_SPAN[:2], "--shard", f"{number}/2", *output)
        assert done.code in {0, 1}, done.output
    return sharded.gate("merge", str(place), "--json", CI="1")
