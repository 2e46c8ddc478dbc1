"""The built-in rules, one module per domain. A rule is a pure function of facts and a threshold."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.gate.rules import api, code, content, links
from verigate.gate.rules.rule import Rule

JUDGES: Mapping[str, Rule] = {**code.JUDGES, **links.JUDGES, **api.JUDGES, **content.JUDGES}
"""Rule key -> the function that judges it."""
