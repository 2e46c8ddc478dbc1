"""Find links and anchors of reStructuredText with docutils; lychee reads such files only as plain text.

Directives and roles that docutils doesn't know (Sphinx has hundreds) are parsed as containers, so that links inside
them count. In raw HTML, ``href`` and ``src`` count. No other file is included.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles

from links_adapter.lenient_html import LenientParser
from links_adapter.written_link import WrittenLink

_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "docinfo_xform": False,
    "report_level": 5,
    "halt_level": 5,
    "input_encoding": "utf-8",
    "input_encoding_error_handler": "replace",
    "syntax_highlight": "none",
}
_ATTRIBUTES = {nodes.reference: "refuri", nodes.image: "uri", nodes.target: "refuri"}


def find_links(text: str) -> Iterator[WrittenLink]:
    """Yield links and images of a document in their order; a link within the document is ``#anchor``.

    Targets without a reference count too, since other documents may refer to them.
    """
    tree = _parse(text)
    places = _Places(text)
    used = {node.get("refuri") for node in tree.findall(nodes.reference)}
    seen = set()
    for node in tree.findall(lambda found: type(found) in _ATTRIBUTES or isinstance(found, nodes.raw)):
        for target in _targets(node):
            if isinstance(node, nodes.target) and target in used:
                continue
            link = WrittenLink(target, *places.of(target, node))
            if link not in seen:
                seen.add(link)
                yield link


def _targets(node: Any) -> list[str]:
    if isinstance(node, nodes.raw):
        page = _Page()
        if "html" in node.get("format", "").split():
            page.feed(node.astext())
            page.close()
        return page.targets
    target = node.get(_ATTRIBUTES[type(node)]) or ""
    if isinstance(node, nodes.reference) and not target and node.get("refid"):
        target = f"#{node['refid']}"
    return [target] if target else []


class _Page(LenientParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.targets += [value.strip() for name, value in attributes if name in {"href", "src"} and value]


def find_anchors(text: str) -> frozenset[str]:
    """Return the ids that a link can have after ``#``."""
    return frozenset(name for node in _parse(text).findall(nodes.Element) for name in node.get("ids", ()))


class _Places:
    """Locates targets in the text: each search starts after the previous target."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._after: dict[str, int] = {}

    def of(self, target: str, node: Any) -> tuple[int, int]:
        written = f"{node.astext()}_" if target.startswith("#") else target.removeprefix("mailto:")
        found = self._text.find(written, self._after.get(written, 0))
        if found < 0:
            found = self._text.find(written)
        if found < 0:
            return _line_of(node), 1
        self._after[written] = found + len(written)
        return self._text.count("\n", 0, found) + 1, found - self._text.rfind("\n", 0, found)


def _line_of(node: Any) -> int:
    while node is not None:
        if node.line:
            return int(node.line)
        node = node.parent
    return 1


def _parse(text: str) -> Any:
    known_directive, known_role = directives.directive, roles.role

    def directive(directive_name: str, language_module: Any, document: Any) -> Any:
        found, messages = known_directive(directive_name, language_module, document)
        return (found, messages) if found is not None else (_Container, [])

    def role(role_name: str, language_module: Any, lineno: int, reporter: Any) -> Any:
        found, messages = known_role(role_name, language_module, lineno, reporter)
        return (found, messages) if found is not None else (_as_text, [])

    # docutils keeps both in module globals and has no other hook for unknown names.
    directives.directive, roles.role = directive, role
    try:
        return publish_doctree(text, settings_overrides={**_SETTINGS, "warning_stream": io.StringIO()})
    finally:
        directives.directive, roles.role = known_directive, known_role


class _Container(Directive):
    """An unknown directive: its arguments and content are parsed as text, its options are ignored."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        for argument in self.arguments:
            # Text after the name without an empty line is the argument to docutils, though often it is content.
            container += self.state.inline_text(argument, self.lineno)[0]
        self.state.nested_parse(self.content, self.content_offset, container)
        return [container]


_Container.option_spec = type("_Any", (dict,), {"__getitem__": lambda _self, _key: lambda value: value})()


def _as_text(_name: str, rawtext: str, text: str, _line: int, _inliner: Any, *_more: Any) -> Any:
    return [nodes.inline(rawtext, text)], []
