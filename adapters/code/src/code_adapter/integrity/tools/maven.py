"""Settings of Maven that decide which tests run, whether they count, and how much coverage is asked for.

Source: the POM reference; the goals ``surefire:test``, ``failsafe:verify`` and ``jacoco:check`` of the plugins'
documentation. A value that a parent defines isn't known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.guards import COLLECTED, COMMAND, NARROWED, REPEATED, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

GUARDS: tuple[Guard, ...] = (
    Guard("jacoco", r".*\.minimum", "floor", THRESHOLD),
    Guard("jacoco", r".*\.maximum", "ceiling", THRESHOLD),
    Guard("jacoco", r"(?:.*\.)?check", "on", THRESHOLD),
    Guard("jacoco", r"(?:.*\.)?(?:only-reports|skip)", "off", THRESHOLD),
    Guard("jacoco", r"(?:.*\.)?excludes", "grow", NARROWED),
    Guard("surefire", r"(?:.*\.)?(?:skip\w*|tag\..*)", "off", COLLECTED),
    Guard("surefire", r"(?:.*\.)?excludes", "grow", COLLECTED),
    Guard("surefire", r"(?:.*\.)?only", "present", COLLECTED),
    Guard("surefire", r"(?:.*\.)?only-reports", "off", COMMAND),
    Guard("surefire", r"(?:.*\.)?again", "again", REPEATED),
)

_PLUGINS = {
    "jacoco-maven-plugin": "jacoco",
    "maven-surefire-plugin": "surefire",
    "maven-failsafe-plugin": "surefire",
}
_PROPERTIES = {
    "jacoco.skip": ("jacoco", "property.skip"),
    "skipTests": ("surefire", "property.skipTests"),
    "skipITs": ("surefire", "property.skipITs"),
    "maven.test.skip": ("surefire", "property.skip"),
    "maven.test.skip.exec": ("surefire", "property.skipExec"),
    "maven.test.failure.ignore": ("surefire", "property.only-reports"),
    "test": ("surefire", "property.only"),
    "groups": ("surefire", "property.only"),
    "surefire.rerunFailingTestsCount": ("surefire", "property.again"),
}
_NAMES = {
    "skip": "skip",
    "skipTests": "skipTests",
    "skipITs": "skipITs",
    "skipExec": "skipExec",
    "testFailureIgnore": "only-reports",
    "test": "only",
    "groups": "only",
    "rerunFailingTestsCount": "again",
}
"""An option of Surefire's, Failsafe's or JaCoCo's configuration -> its name here."""

_MAX_REFERENCES = 10
_MAX_TEXT = 1000
"""A longer text is no option, and no longer value is put in the place of a property."""


def _read_pom(source: str) -> Sections:
    """Read the settings of a POM. Raises Unreadable."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(source.lstrip())
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unreadable(f"no POM: {error}") from error
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    found: dict[str, dict[str, object]] = {}
    known = dict(_list_properties(root))
    for scope, label in ((root, ""), *((each, f"{_text(each, 'id')}.") for each in root.iterfind("profiles/profile"))):
        values = known if scope is root else {**known, **dict(_list_properties(scope))}
        for name, value in _list_properties(scope):
            if name in _PROPERTIES:
                tool, option = _PROPERTIES[name]
                found.setdefault(tool, {})[f"{label}{option}"] = _resolve(value, values)
        for plugin in scope.iterfind("build//plugin"):
            artifact = _resolve(_text(plugin, "artifactId"), values)
            if artifact in _PLUGINS:
                options = found.setdefault(_PLUGINS[artifact], {})
                for option, setting in _read_plugin(plugin, values):
                    _put(options, f"{label}{artifact.removeprefix('maven-').partition('-')[0]}.{option}", setting)
    return found


def _put(options: dict[str, object], name: str, value: object) -> None:
    """Of a limit that is set twice, both hold: the stricter one counts. Lists are joined."""
    was = options.get(name)
    if isinstance(was, list) and isinstance(value, list):
        was += value
        return
    if isinstance(was, float) and isinstance(value, float):
        value = max(was, value) if name.endswith("minimum") else min(was, value)
    elif isinstance(was, bool) and isinstance(value, bool):
        value = was or value
    options[name] = value


def _read_plugin(plugin: Element, values: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """List the options of a plugin's configuration and of its executions that are bound to a phase."""
    holders = [plugin]
    for execution in plugin.iterfind("executions/execution"):
        if _resolve(_text(execution, "phase"), values).lower() == "none":
            continue  # it never runs, and what it asks for is asked no more
        holders.append(execution)
        for goal in execution.iterfind("goals/goal"):
            if _resolve(goal.text or "", values) == "check":
                yield "check", True
    for configuration in (each for holder in holders for each in holder.iterfind("configuration")):
        yield from _read_configuration(configuration, values)


def _read_configuration(configuration: Element, values: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for option in configuration:
        text = _resolve(option.text or "", values)
        if option.tag in _NAMES:
            yield _NAMES[option.tag], text
        elif option.tag == "haltOnFailure":
            yield "only-reports", text.lower() == "false"
        elif option.tag == "excludedGroups":
            yield from ((f"tag.{tag}", True) for tag in re.split(r"[,|\s]+", text) if tag)
        elif option.tag == "excludes":
            yield "excludes", [_as_path(_resolve(each.text or "", values)) for each in option]
        elif option.tag == "rules":
            yield from _read_rules(option, values)


def _read_rules(rules: Element, values: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for rule in rules:
        element = _resolve(_text(rule, "element"), values) or "BUNDLE"
        included = ",".join(sorted(_resolve(each.text or "", values) for each in rule.iterfind("includes/include")))
        left_out = [_as_path(_resolve(each.text or "", values)) for each in rule.iterfind("excludes/exclude")]
        if left_out:
            yield "excludes", left_out
        for limit in rule.iterfind("limits/limit"):
            counter, value = (_resolve(_text(limit, name), values) for name in ("counter", "value"))
            label = "/".join((element, included, counter or "INSTRUCTION", value or "COVEREDRATIO"))
            for name in ("minimum", "maximum"):
                text = _resolve(_text(limit, name), values)
                if text:
                    yield f"{label}.{name}", _parse_limit(text, is_ratio=not value.endswith("COUNT"))


def _parse_limit(text: str, *, is_ratio: bool) -> float | str:
    """Parse a limit, a ratio as a number of percent; a text that is no number is returned as it is."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d+)?|\.\d+)(%?)", text)
    if match is None:
        return text
    number = float(match[1])
    return number * 100 if is_ratio and not match[2] and number <= 1 else number


def _as_path(pattern: str) -> str:
    """Convert a pattern of classes or test files into one of paths in the repository."""
    if pattern.startswith("%"):
        return "**"  # an expression may leave out anything
    plain = pattern.partition("#")[0].strip()
    plain = re.sub(r"\.(?:java|class|kt|groovy)$", "", plain).replace(".", "/").removeprefix("**/")
    return f"**/{plain}" if plain.endswith("*") else f"**/{plain}.*"


def _list_properties(scope: Element) -> Iterator[tuple[str, str]]:
    for holder in scope.iterfind("properties"):
        yield from ((each.tag, (each.text or "").strip()) for each in holder)


def _text(element: Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _resolve(text: str, values: Mapping[str, str]) -> str:
    """Replace properties by their values, as far as this file defines them."""
    for _ in range(_MAX_REFERENCES):
        if "${" not in text or len(text) > _MAX_TEXT:
            break
        text = re.sub(r"\$\{([^${}]*)\}", lambda found: values.get(found[1], f"$<{found[1]}>")[:_MAX_TEXT], text)
    return text.strip()


READERS: tuple[tuple[str, Reader], ...] = (("pom.xml", _read_pom),)
