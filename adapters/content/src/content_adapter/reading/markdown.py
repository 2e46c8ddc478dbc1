"""Markdown (CommonMark 0.29 with GitHub's extensions and footnotes) by cmark-gfm, GitHub's own renderer."""

from __future__ import annotations

import re
import tomllib

import cmarkgfm
from cmarkgfm.cmark import Options

_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
"""Without tagfilter, which shows a script's source as text."""

_YAML = re.compile(r"---[ \t]*\r?\n(.*?^)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\r?\n(.*?^)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def markdown(source: str) -> str:
    """``source`` as HTML, raw HTML as it stands, without its front matter."""
    text = without_front_matter(source)
    rendered: str = cmarkgfm.cmark.markdown_to_html_with_extensions(text, _OPTIONS, _EXTENSIONS)
    return rendered


def without_front_matter(source: str) -> str:
    """``source`` after a block of YAML (``---``) or TOML (``+++``) at its very beginning.

    Only a mapping is front matter. Two rules with text between them are text, and are read.
    """
    if source.startswith("---") and (found := _YAML.match(source)) and _is_yaml_mapping(found[1]):
        return source[found.end() :]
    if source.startswith("+++") and (found := _TOML.match(source)) and _is_toml(found[1]):
        return source[found.end() :]
    return source


def _is_yaml_mapping(text: str) -> bool:
    import yaml

    try:
        # Composed, not constructed: a tag asks for nothing and an alias isn't followed.
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return node is None or isinstance(node, yaml.MappingNode)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return True
