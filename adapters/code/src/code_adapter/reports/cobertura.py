"""Parse Cobertura XML. Source: https://cobertura.sourceforge.net/xml/coverage-04.dtd."""

from __future__ import annotations

import re
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from verigate.sdk.reports.file_coverage import FileCoverage, Ratio, merge_by_path
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_CONDITION = re.compile(r"\d+(?:\.\d+)?% \((\d+)/(\d+)\)")


@reject_malformed
def parse_cobertura(raw: bytes, tool: str) -> tuple[FileCoverage, ...]:
    """Read lines, methods and conditions of each class's file. Raises ReportInvalid.

    Totals in the document must match its lines.
    """
    try:
        # Reports refer to a DTD; it is never fetched, and entities are rejected.
        root = fromstring(check_size(raw, tool), forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not Cobertura XML: {error}") from error
    if root.tag != "coverage":
        raise ReportInvalid(f"the report of {tool} starts with <{root.tag}>, not with <coverage>")
    try:
        files = merge_by_path(_file(element) for element in root.iter("class"))
        covered, valid = root.get("lines-covered"), root.get("lines-valid")
        counted = (sum(f.lines.covered for f in files), sum(f.lines.total for f in files))
        if covered is not None and valid is not None and (int(covered), int(valid)) != counted:
            raise ReportInvalid(f"the report of {tool} states {covered} of {valid} lines, but lists {counted}")
    except (ValueError, KeyError) as error:
        raise ReportInvalid(f"the report of {tool} has a number that can't be read: {error}") from error
    return files


def _file(element: Any) -> FileCoverage:
    lines: dict[int, bool] = {}
    branches = Ratio()
    for line in element.iterfind("lines/line"):
        number = int(line.attrib["number"])
        lines[number] = lines.get(number, False) or int(line.attrib["hits"]) > 0
        if match := _CONDITION.fullmatch(line.get("condition-coverage") or ""):
            branches += Ratio(int(match[1]), int(match[2]))
    methods = [
        any(int(line.attrib["hits"]) > 0 for line in method.iterfind("lines/line"))
        for method in element.iterfind("methods/method")
    ]
    reached = frozenset(number for number, hit in lines.items() if hit)
    return FileCoverage(
        element.attrib["filename"],
        Ratio(len(reached), len(lines)),
        Ratio(sum(methods), len(methods)),
        branches,
        reached,
        frozenset(lines) - reached,
    )
