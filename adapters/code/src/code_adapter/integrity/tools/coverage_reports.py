"""Settings of what measures coverage: coverage.py, nyc and c8, Tarpaulin, Codecov.

Source: their references on configuration.
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_ini, load_json, load_toml, load_yaml
from code_adapter.integrity.tools.guards import NARROWED, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections, load_json_or_yaml, read_as, read_at

GUARDS: tuple[Guard, ...] = (
    Guard("coverage", r"report\.fail_under", "floor", THRESHOLD),
    Guard("coverage", r"(?:run|report)\.omit", "grow", NARROWED),
    Guard("coverage", r"report\.exclude_(?:lines|also)|report\.partial_(?:branches|also)", "grow", NARROWED),
    Guard("coverage", r"(?:run|report)\.(?:source|source_pkgs|include)", "keep", NARROWED),
    Guard("coverage", r"run\.branch", "on", NARROWED),
    Guard("coverage", r"report\.ignore_errors", "off", NARROWED),
    Guard("nyc", r"lines|branches|functions|statements|watermarks\..*", "floor", THRESHOLD),
    Guard("nyc", r"check-coverage|checkCoverage|all|per-file", "on", THRESHOLD),
    Guard("nyc", r"exclude", "grow", NARROWED),
    Guard("nyc", r"include", "keep", NARROWED),
    Guard("tarpaulin", r"(?:.*\.)?fail-under", "floor", THRESHOLD),
    Guard("tarpaulin", r"(?:.*\.)?(?:exclude-files|exclude)", "grow", NARROWED),
    Guard("tarpaulin", r"(?:.*\.)?ignore-panics", "off", NARROWED),
    Guard("codecov", r"coverage\.status\..*target", "floor", THRESHOLD),
    Guard("codecov", r"coverage\.status\..*threshold", "ceiling", THRESHOLD),
    Guard("codecov", r"coverage\.status\..*informational", "off", THRESHOLD),
    Guard("codecov", r"ignore", "grow", NARROWED),
)


def _read_coverage_toml(source: str) -> Sections:
    """Read coverage.py's own TOML file, whose tables may stand below ``tool.coverage`` as in pyproject.toml."""
    document = load_toml(source)
    return {"coverage": read_at(document, "tool", "coverage") or document}


READERS: tuple[tuple[str, Reader], ...] = (
    (".coveragerc", read_as("coverage", load_ini)),
    (".coveragerc.toml", _read_coverage_toml),
    (".nycrc", read_as("nyc", load_json_or_yaml)),
    (".nycrc.json", read_as("nyc", load_json)),
    (".nycrc.y*ml", read_as("nyc", load_yaml)),
    (".c8rc", read_as("nyc", load_json)),
    (".c8rc.json", read_as("nyc", load_json)),
    ("tarpaulin.toml", read_as("tarpaulin", load_toml)),
    (".tarpaulin.toml", read_as("tarpaulin", load_toml)),
    ("codecov.y*ml", read_as("codecov", load_yaml)),
    (".codecov.y*ml", read_as("codecov", load_yaml)),
)
