"""Convert reStructuredText to HTML with docutils, without includes and raw markup."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.statemachine import StringList

WITHOUT_ALT = "verigate-without-alt"
"""Class of an image without ``:alt:``; docutils would show the file's name instead."""

_SETTINGS: dict[str, Any] = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "line_length_limit": 1 << 20,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "math_output": "latex",
    "initial_header_level": "auto",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "output_encoding": "unicode",
    "embed_images": None,
}

_NO_TEXT = frozenset(
    {
        *("toctree", "index", "highlight", "currentmodule", "literalinclude", "autosummary", "productionlist", "uml"),
        *("graphviz", "digraph", "graph", "mermaid", "plot", "tabularcolumns", "inheritance-diagram", "raw", "include"),
        *("testcode", "testsetup", "testcleanup", "testoutput", "doctest", "ipython", "jupyter-execute", "prompt"),
        *("code-tab", "command-output", "program-output", "click", "argparse", "sphinx-autoschema"),
    }
)
"""Directives of Sphinx and its extensions whose content isn't text for readers."""

_CODE_ROLES = frozenset(
    {
        *("func", "meth", "class", "mod", "attr", "data", "exc", "obj", "const", "type", "member", "macro", "var"),
        *("file", "program", "kbd", "samp", "command", "envvar", "option", "code-py", "makevar", "regexp", "token"),
    }
)


class _AnyOptions(dict[str, Callable[[Any], Any]]):
    """Options of a directive unknown to docutils: accepts every name and value."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, _name: object) -> bool:
        return True

    def __getitem__(self, _name: str) -> Callable[[Any], Any]:
        return lambda value: value


class _Unknown(Directive):
    """A directive of Sphinx or an extension: its content is parsed as text."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _AnyOptions()

    def run(self) -> list[nodes.Node]:
        if self.name.rpartition(":")[2].lower() in _NO_TEXT or self.name.lower().startswith("auto"):
            return []
        container = nodes.container()
        # ".. versionadded:: 1.2" may continue on the next line; the first line holds a name or a number.
        _, _, text = self.arguments[0].partition("\n") if self.arguments else ("", "", "")
        if text.strip():
            self.state.nested_parse(StringList(text.splitlines()), self.content_offset, container)
        self.state.nested_parse(self.content, self.content_offset, container, match_titles=True)
        return [container]


def _unknown_role(
    name: str, _raw: str, text: str, *_more: Any, **_options: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    shown = text.rpartition("<")[0].strip() if text.endswith(">") else ""
    if name.rpartition(":")[2].lower() in _CODE_ROLES:
        return [nodes.literal(text, shown or text)], []
    return [nodes.inline(text, shown or text)], []


_known_directive = directives.directive
_known_role = roles.role


def _directive(name: str, language: Any, document: Any) -> tuple[Any, list[Any]]:
    found, messages = _known_directive(name, language, document)
    return (found, messages) if found is not None else (_Unknown, [])


def _role(name: str, language: Any, line: int, reporter: Any) -> tuple[Any, list[Any]]:
    found, messages = _known_role(name, language, line, reporter)
    return (found, messages) if found is not None else (_unknown_role, [])


# docutils looks both up by these names at each use; Sphinx replaces them in the same way.
setattr(directives, "directive", _directive)  # noqa: B010 (an assignment is a type error)
setattr(roles, "role", _role)  # noqa: B010 (an assignment is a type error)


def convert_rst(source: str) -> str:
    """Convert ``source`` to an HTML page without docutils' own error messages."""
    document = publish_doctree(source, settings_overrides=_SETTINGS)
    for image in _images(document):
        if "alt" not in image:
            image["alt"] = ""
            image["classes"] = [*image["classes"], WITHOUT_ALT]
    page: str = publish_from_doctree(document, writer="html5", settings_overrides=_SETTINGS)
    return page


def _images(document: nodes.document) -> Iterator[nodes.image]:
    return document.findall(nodes.image)
