"""The report formats by the name that ``--format`` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from verigate.reporting.report import Report


class TextStyle(Struct, frozen=True):
    """Style of text reports: ANSI colours, width in terminal cells, everything or one screen."""

    colour: bool = False
    width: int = 100
    verbose: bool = False


class Format(Struct, frozen=True):
    """One format. ``module`` is a module of ``verigate.reporting``; ``needs_texts`` requests ``Report.texts``.

    The module defines ``render(report) -> str``, ending in a newline, and ``render_nothing(why) -> str`` for a run that
    had nothing to verify. It is imported on demand, so that unused formats cost no start-up time.
    """

    module: str
    about: str
    needs_texts: bool = False


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": Format("text", "for people, one screen"),
        "json": Format(
            "json_report",
            "the verdict as it is published, `verigate:verdict.v1`, and the commands that reproduce each problem",
        ),
        "junit": Format("junit", "JUnit XML, a test case per check: Jenkins, GitLab, Azure, CircleCI"),
        "sarif": Format("sarif", "SARIF 2.1.0, a result per finding: code scanning of GitHub, editors"),
        "github": Format("github", "workflow commands of GitHub Actions: annotations within its limits"),
        "gitlab": Format("gitlab", "code quality of GitLab: an entry per finding"),
        "markdown": Format("markdown", "for a pull request's comment and a job summary, at most 65,000 bytes"),
        "html": Format(
            "html", "one page for a browser, with the diff and the evidence; it fetches nothing", needs_texts=True
        ),
        "tap": Format("tap", "Test Anything Protocol 13, a test point per check"),
    }
)


def render(name: str, report: Report, look: TextStyle) -> str:
    """Render ``report`` in the named format; ``look`` only affects text."""
    if name == "text":
        from verigate.reporting import text

        return text.render(report, colour=look.colour, width=look.width, verbose=look.verbose)
    made: str = _load_function(name, "render")(report)
    return made


def render_nothing(name: str, why: str) -> str:
    """Render a run that had nothing to verify in the named format."""
    if name == "text":
        return f"{why}\n"
    made: str = _load_function(name, "render_nothing")(why)
    return made


def _load_function(name: str, function: str) -> Callable[..., str]:
    import importlib

    found: Callable[..., str] = getattr(importlib.import_module(f"verigate.reporting.{FORMATS[name].module}"), function)
    return found
