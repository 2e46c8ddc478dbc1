"""What .importlinter holds for the adapters' packages."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest
from adapter_packages import AdapterPackagesContract, find_packages
from grimp import ImportGraph

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("api_adapter", "code_adapter", "content_adapter", "links_adapter", "tool_adapter")


def test_every_adapter_has_a_package() -> None:
    assert find_packages() == PACKAGES
    assert len(PACKAGES) == len(list(ROOT.glob("adapters/*/src")))


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("importlinter", "root_packages"),
        ("importlinter:contract:acyclic", "ancestors"),
        ("importlinter:contract:adapters-apart", "modules"),
        ("importlinter:contract:adapters-below", "source_modules"),
    ],
)
def test_every_adapter_is_in_each_contract(section: str, key: str) -> None:
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter")
    assert set(PACKAGES) <= set(parser[section][key].split())


def test_an_adapter_that_is_not_listed_breaks_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    graph = ImportGraph()
    for name in PACKAGES[1:]:
        graph.add_module(name)
    contract = AdapterPackagesContract("name", {}, {})
    check = contract.check(graph, verbose=False)
    assert (check.kept, check.metadata) == (False, {"missing": ["api_adapter"]})
    contract.render_broken_contract(check)
    assert "api_adapter is not among the root_packages" in capsys.readouterr().out
    graph.add_module(PACKAGES[0])
    assert contract.check(graph, verbose=False).kept
