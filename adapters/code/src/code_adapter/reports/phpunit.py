"""PHPUnit's ``--log-junit``: JUnit XML, in which versions before 10 also list risky tests as errors."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_RISKY = "RiskyTest"
"""PHPUnit passes what it calls so, a test without an assertion for one, unless its settings say that it fails."""


@reject_malformed
def parse_phpunit(raw: bytes, tool: str) -> Outcomes:
    """Read the report of a project whose settings say nothing of risky tests: these pass. Raises ReportInvalid."""
    return parse_junit(drop_risky(raw, tool), tool)


def drop_risky(raw: bytes, tool: str) -> bytes:
    """Return the report without the errors that only say that a test is risky. Raises ReportInvalid if it is no XML."""
    if _RISKY.encode() not in raw:
        return raw
    try:
        root = fromstring(check_size(raw, tool), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not JUnit XML: {error}") from error
    for case in root.iter("testcase"):
        for answer in case.findall("error"):
            if _RISKY in (answer.get("type") or "").rpartition("\\")[2]:
                case.remove(answer)
    return ET.tostring(root)


def split_method(name: str) -> tuple[str, str]:
    """Split ``Shop.Tests.ShopTest.testAdds with data set #0`` into the class and the method."""
    owner, _, method = name.partition(" with data set ")[0].rpartition(".")
    return owner, method
