"""Markdown (CommonMark with GitHub's extensions, footnotes and alerts) by comrak, which follows GitHub's cmark-gfm."""

from __future__ import annotations

import re
import tomllib

from comrak import ExtensionOptions, RenderOptions, render_markdown


def _extensions() -> ExtensionOptions:
    # Without tagfilter, which shows a script's source as text.
    options = ExtensionOptions()
    options.table = options.strikethrough = options.autolink = options.tasklist = True
    options.footnotes = options.alerts = True
    return options


def _rendering() -> RenderOptions:
    options = RenderOptions()
    options.unsafe_ = True  # raw HTML stays: what of it is shown, visible.py says
    return options


_EXTENSIONS, _RENDERING = _extensions(), _rendering()

_YAML = re.compile(r"---[ \t]*\r?\n(.*?^)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\r?\n(.*?^)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def markdown(source: str) -> str:
    """``source`` as HTML, raw HTML as it stands, without its front matter."""
    return render_markdown(without_front_matter(source), extension_options=_EXTENSIONS, render_options=_RENDERING)


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
