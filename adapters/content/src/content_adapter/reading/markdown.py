"""Convert Markdown (CommonMark with GitHub's extensions, footnotes and alerts) to HTML with comrak."""

from __future__ import annotations

import re
import tomllib

from comrak import ExtensionOptions, RenderOptions, render_markdown


def _extensions() -> ExtensionOptions:
    # Leave out tagfilter, which would show a script's source as text.
    options = ExtensionOptions()
    options.table = options.strikethrough = options.autolink = options.tasklist = True
    options.footnotes = options.alerts = True
    return options


def _rendering() -> RenderOptions:
    options = RenderOptions()
    options.unsafe_ = True  # keep raw HTML; visible.py removes what isn't shown
    return options


_EXTENSIONS, _RENDERING = _extensions(), _rendering()

_YAML = re.compile(r"---[ \t]*\r?\n(.*?^)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\r?\n(.*?^)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def convert_markdown(source: str) -> str:
    """Convert ``source`` to HTML without its front matter; raw HTML is kept."""
    return render_markdown(strip_front_matter(source), extension_options=_EXTENSIONS, render_options=_RENDERING)


def strip_front_matter(source: str) -> str:
    """Remove a block of YAML (``---``) or TOML (``+++``) at the very beginning.

    Only a mapping is front matter; other text between two horizontal rules is kept.
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
