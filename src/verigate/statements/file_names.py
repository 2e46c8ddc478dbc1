"""Suffixes by which prose names a file."""

from __future__ import annotations

_SUFFIXES = """
py pyi js jsx mjs cjs ts tsx md rst txt toml json yaml yml rb rs go java kt c h cc cpp hpp cs php swift scala sh
bash sql html css scss vue svelte lock cfg ini xml ipynb adoc proto gradle lua ex exs tf
"""
EXTENSIONS = tuple(_SUFFIXES.split())
