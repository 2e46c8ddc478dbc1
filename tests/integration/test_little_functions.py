"""Claimed functions that do next to nothing, or exist in tests alone: what supports them, and what doesn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from sample_repository import SampleRepository

ORDER = ["code:diff", "code:functions", "code:tests"]
PLAN = {name: {"order": ORDER, "required": ORDER, "optional": []} for name in ("code", "facts")}
RULES = {"tests_pass": True}
LITTLE = "def total(rows):\n    return 0\n\n\ndef limit():\n    return 30\n"
LOOSE = "from shop import limit, total\n\n\ndef test_limit():\n    assert limit() is not None\n    total([])\n"
EXACT = "from shop import limit\n\n\ndef test_limit():\n    assert limit() == 30\n"


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    """A Python project with a test."""
    found = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", PLAN)
    found.put("config/verification.profiles.json", dict.fromkeys(("code_default", "facts"), RULES))
    found.put("pyproject.toml", "[tool.pytest.ini_options]\n")
    found.put("rates.py", "RATE = 2\n")
    found.put("test_rates.py", "from rates import RATE\n\n\ndef test_rate():\n    assert RATE == 2\n")
    found.sample.commit("the base")
    return found


def verify(repository: gr.GatedRepository, *units: str) -> tuple[str, dict[str, Any]]:
    repository.begin()
    repository.claim(*units)
    done = repository.gate("verify", "T1", "--quiet", "--json")
    assert repository.gate("replay", "T1", "--json").json["agrees"], done.output
    checks = {each["id"].removeprefix("unit:"): each for each in done.json["checks"]}
    return done.json["status"], {unit: checks[unit] for unit in units}


def test_a_constant_that_no_test_looks_at_supports_nothing(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", LITTLE)
    repository.put("test_shop.py", LOOSE)
    status, found = verify(repository, "func:total", "func:limit")
    assert status == "inconclusive"
    assert {each["outcome"] for each in found.values()} == {"unknown"}
    assert "only returns a constant, and no test is known to notice another" in found["func:total"]["message"]


WORKS = "def {0}(rows):\n    return sum(rows) / len(rows)\n\n\n"
LATER = (
    WORKS.format("total")
    + "def total(rows):\n    return None\n\n\n"  # what importers get
    + WORKS.format("mean")
    + "mean = lambda rows: None\n\n\n"
    + "class Row:\n    @property\n    def width(self):\n        return self.size + 1\n\n"
    + "    @width.setter\n    def width(self, size):\n        self.size = size - 1\n"
)


def test_of_two_functions_of_a_name_the_last_counts(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", LATER)
    repository.put(
        "sums.js", "export function a(b) { return b.c }\nfunction d(b) { return b.c }\nfunction d(b) { return 0 }\n"
    )
    units = ("func:total", "func:mean", "func:Row.width", "func:a", "func:d")
    status, found = verify(repository, *units)
    assert status == "fail"
    assert [found[unit]["outcome"] for unit in units] == ["unknown", "refuted", "holds", "holds", "unknown"]


@pytest.mark.release
def test_a_test_that_notices_the_constant_supports_it(repository: gr.GatedRepository) -> None:
    repository.put("shop.py", LITTLE)
    repository.put("test_shop.py", EXACT)
    status, found = verify(repository, "func:limit")
    assert (status, found["func:limit"]["outcome"]) == ("pass", "holds"), found
    changed = repository.published("sensitivity.json")["changed"]["mutants"]
    assert {(each["unit"], each["fate"]) for each in changed} == {("limit", "noticed")}


@pytest.mark.release
def test_a_function_of_tests_is_none_of_the_product(repository: gr.GatedRepository) -> None:
    repository.put(
        "test_shop.py", "def total(rows):\n    return sum(rows)\n\n\ndef test_it():\n    assert total([1]) == 1\n"
    )
    status, found = verify(repository, "func:total", "func:test_shop.py::total", "func:test_it")
    assert status == "inconclusive"
    assert [each["outcome"] for each in found.values()] == ["unknown", "holds", "holds"]
    assert found["func:total"]["message"].endswith("claim func:test_shop.py::total")


@pytest.mark.release
def test_a_function_that_is_declared_alone_is_undecided(repository: gr.GatedRepository) -> None:
    declared = (
        "from abc import ABC, abstractmethod\n\n\nclass Shop(ABC):\n    @abstractmethod\n    def total(self): ...\n"
    )
    repository.put("shop.py", declared)
    status, found = verify(repository, "func:total")
    assert (status, found["func:total"]["outcome"]) == ("inconclusive", "unknown")
    repository.put("shop.py", f"{declared}\n\nclass Own(Shop):\n    def total(self):\n        return sum(self.rows)\n")
    status, found = verify(repository, "func:total")
    assert (status, found["func:total"]["outcome"]) == ("pass", "holds"), found
