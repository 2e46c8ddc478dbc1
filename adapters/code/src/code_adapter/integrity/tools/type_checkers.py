"""Settings of mypy, Pyright and TypeScript's compiler.

Source: their references on configuration.
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_json
from code_adapter.integrity.tools.guards import LINT, REPLACED, Guard
from code_adapter.integrity.tools.setting_files import Reader, read_as, read_ini_sections

GUARDS: tuple[Guard, ...] = (
    Guard("mypy", r"strict|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_\w+|strict_\w+", "on", LINT),
    Guard("mypy", r"(?:overrides\..*)?ignore_errors|(?:overrides\..*)?follow_imports_for_stubs", "off", LINT),
    Guard("mypy", r"exclude|disable_error_code|overrides\..*disable_error_code", "grow", LINT),
    Guard("mypy", r"files|packages|modules", "keep", LINT),
    Guard("pyright", r"exclude|ignore", "grow", LINT),
    Guard("pyright", r"include", "keep", LINT),
    Guard("pyright", r"(?:typeCheckingMode|report\w+)", "level", LINT),
    Guard("tsconfig", r"compilerOptions\.paths\..*", "mapped", REPLACED),
    Guard("tsconfig", r"compilerOptions\.(?:strict\w*|noImplicit\w*|noUnused\w*|noUnchecked\w*|noFallthrough\w*|"
          r"exactOptional\w*|useUnknown\w*|alwaysStrict|checkJs)", "on", LINT),
    Guard("tsconfig", r"compilerOptions\.(?:skipLibCheck|noCheck|allowUnreachableCode|suppress\w+)", "off", LINT),
    Guard("tsconfig", r"exclude", "grow", LINT),
    Guard("tsconfig", r"include|files", "keep", LINT),
)  # fmt: skip

READERS: tuple[tuple[str, Reader], ...] = (
    ("mypy.ini", read_ini_sections),
    (".mypy.ini", read_ini_sections),
    ("pyrightconfig.json", read_as("pyright", load_json)),
    ("tsconfig*.json", read_as("tsconfig", load_json)),
)
