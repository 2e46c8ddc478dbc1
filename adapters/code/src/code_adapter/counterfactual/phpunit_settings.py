"""The settings of PHPUnit for some test files and no others: those of the project with another list of tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from verigate.sdk.reports.untrusted import ReportInvalid

_DROPPED = frozenset({"testsuites", "logging", "coverage", "filter"})
_ENDING_EARLY = "stopOn"
_CHOOSING = frozenset({"defaultTestSuite", "cacheResultFile", "cacheDirectory", "cacheResult", "testSuiteLoaderFile"})
_PATHS = frozenset({"bootstrap", "extensionsDirectory"})
_LOCATION = "{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"


def write_settings(text: str, folder: Path, tests: Iterable[Path], place: Path) -> None:
    """Write settings to ``place`` by which PHPUnit runs the files ``tests``.

    ``text`` are the project's, "" without any; paths in them count from ``folder``. Raises ReportInvalid if they are no
    XML.
    """
    root = _parse(text) if text else ET.Element("phpunit")
    for child in [each for each in root if each.tag in _DROPPED]:
        root.remove(child)
    for name in [each for each in root.attrib if each in _CHOOSING or each.startswith(_ENDING_EARLY)]:
        del root.attrib[name]
    root.attrib.pop(_LOCATION, None)
    for name in _PATHS.intersection(root.attrib):
        root.set(name, str(folder / root.get(name, "")))
    for element in root.iter():
        if element.tag in {"includePath", "directory"} and element.text:
            element.text = str(folder / element.text.strip())
        elif element.tag in {"listener", "extension"} and element.get("file"):
            element.set("file", str(folder / element.get("file", "")))
    suite = ET.SubElement(ET.SubElement(root, "testsuites"), "testsuite", name="chosen")
    for path in tests:
        ET.SubElement(suite, "file").text = str(path)
    place.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def list_groups(text: str) -> list[str]:
    """List the groups without which the project's tests don't run."""
    root = _parse(text) if text else ET.Element("phpunit")
    return [group.text.strip() for group in root.findall("groups/include/group") if group.text and group.text.strip()]


def _parse(text: str) -> Any:
    try:
        root = fromstring(text.encode(), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the settings of PHPUnit are not XML: {error}") from error
    if root.tag != "phpunit":
        raise ReportInvalid(f"the settings of PHPUnit start with <{root.tag}>, not with <phpunit>")
    return root
