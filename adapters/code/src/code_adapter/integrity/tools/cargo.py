"""Settings of Cargo and Clippy.

Source: the Cargo book on manifests, Clippy's documentation on lint configuration.
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_toml
from code_adapter.integrity.tools.guards import COLLECTED, LINT, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections, read_as, read_at

GUARDS: tuple[Guard, ...] = (
    Guard("cargo", r"(?:package\.)?autotests|(?:lib|test\.\[\])\.(?:test|harness)", "on", COLLECTED),
    Guard("cargo", r"test\.\[\]\.required-features", "present", COLLECTED),
    Guard("clippy", r".*", "level", LINT),
    Guard("clippy-limits", r".*threshold|max-.*", "ceiling", THRESHOLD),
)


def _read_manifest(source: str) -> Sections:
    document = load_toml(source)
    named = {key: read_at(document, key) for key in ("package", "lib", "test")}
    return {"clippy": read_at(document, "lints") or read_at(document, "workspace", "lints"), "cargo": named}


READERS: tuple[tuple[str, Reader], ...] = (
    ("Cargo.toml", _read_manifest),
    ("clippy.toml", read_as("clippy-limits", load_toml)),
    (".clippy.toml", read_as("clippy-limits", load_toml)),
)
