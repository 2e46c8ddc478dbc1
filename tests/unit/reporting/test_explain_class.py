"""Classes of tests are explained: each that the schema knows, in the words of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from verigate.reporting.explain_class import CLASSES, describe_class, render_class

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = ROOT / "src/verigate/config/schemas/counterfactual.v1.schema.json"


def test_each_class_of_the_schema_and_of_the_page_is_explained() -> None:
    tests = json.loads(SCHEMA.read_text())["properties"]["tests"]["items"]["properties"]
    assert tests["class"]["enum"] == list(CLASSES)
    page = (ROOT / "docs/counterfactual.md").read_text().partition("## An example of each class")[2]
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)[: len(CLASSES)] == list(CLASSES)


@pytest.mark.parametrize("width", [1, 60, 200])
def test_text_and_json_have_the_meaning(width: int) -> None:
    text = render_class("followed", width=width)
    assert text.startswith("followed  class of a test")
    assert " ".join(describe_class("followed")["meaning"].split()) in " ".join(text.split())
    assert "So HB is the old test on the new code." in " ".join(text.split())
