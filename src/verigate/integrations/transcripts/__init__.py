"""Transcripts that coding agents leave on their user's machine, as sessions."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.integrations.transcripts import claude, codex, gemini
from verigate.integrations.transcripts.source import Source

SOURCES: Mapping[str, Source] = {each.name: each for each in (claude.SOURCE, codex.SOURCE, gemini.SOURCE)}
"""The hosts whose transcripts are read, by the names that ``--host`` takes."""
