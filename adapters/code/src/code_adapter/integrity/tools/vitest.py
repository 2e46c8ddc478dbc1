"""Vitest's settings, also those in a configuration of Vite.

Source: Vitest's documentation, "Configuring Vitest".
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_javascript
from code_adapter.integrity.tools.guards import COLLECTED, NARROWED, REPEATED, REPLACED, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, load_typescript, read_as

GUARDS: tuple[Guard, ...] = (
    Guard("vitest", r"(?:test\.)?runner", "local", REPLACED),
    Guard("vitest", r"(?:test\.)?environment", "brought", REPLACED),
    Guard("vitest", r"(?:.*\.)?retry(?:\.count)?", "again", REPEATED),
    Guard("vitest", r"(?:test\.|resolve\.)?alias\..*", "mapped", REPLACED),
    Guard("vitest", r"(?:test\.)?(?:testNamePattern|dir)", "present", COLLECTED),
    Guard("vitest", r"(?:.*\.)?coverage\.thresholds?\.(?!autoUpdate).*", "floor", THRESHOLD),
    Guard("vitest", r"(?:.*\.)?test\.exclude|exclude", "grow", COLLECTED),
    Guard("vitest", r"(?:.*\.)?test\.include", "keep", COLLECTED),
    Guard("vitest", r"(?:.*\.)?(?:passWithNoTests|dangerouslyIgnoreUnhandledErrors)", "off", COLLECTED),
    Guard("vitest", r"(?:.*\.)?coverage\.exclude", "grow", NARROWED),
)

READERS: tuple[tuple[str, Reader], ...] = (
    ("vitest.config.*ts", read_as("vitest", load_typescript)),
    ("vite.config.*ts", read_as("vitest", load_typescript)),
    ("vitest.config.*js", read_as("vitest", load_javascript)),
    ("vite.config.*js", read_as("vitest", load_javascript)),
)
