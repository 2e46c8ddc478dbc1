"""Read pytest's settings in a project's folder."""

from __future__ import annotations

from configparser import ConfigParser, Error
from typing import Any

from code_adapter.project_texts import ProjectTexts


def read_pytest_options(files: ProjectTexts, folder: str) -> str | None:
    """Read pytest's ``addopts`` in ``folder``; "" without, None if nothing there configures pytest."""
    prefix = f"{folder}/" if folder else ""
    options: list[str] = []
    for name, section in (
        ("pytest.ini", "pytest"),
        (".pytest.ini", "pytest"),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        if prefix + name in files.known:
            parser = ConfigParser(interpolation=None, strict=False)
            try:
                parser.read_string(files.text(prefix + name))
            except Error:
                options.append("")
                continue
            if parser.has_section(section) or name.endswith("pytest.ini"):
                options.append(parser.get(section, "addopts", fallback=""))
    options += [
        _words(files.toml(prefix + name).get("pytest", {}))
        for name in ("pytest.toml", ".pytest.toml")
        if prefix + name in files.known
    ]
    tool = files.toml(f"{prefix}pyproject.toml").get("tool")
    table = tool.get("pytest") if isinstance(tool, dict) else None
    if isinstance(table, dict):
        options.append(_words(table.get("ini_options", table)))
    return " ".join(options) if options else None


def read_test_paths(files: ProjectTexts, folder: str) -> tuple[str, ...]:
    """Read where pytest's settings in ``folder`` say that tests are: ``testpaths`` of the first file that has any."""
    prefix = f"{folder}/" if folder else ""
    for name, section in (
        *((name, "") for name in ("pytest.toml", ".pytest.toml")),
        *((name, "pytest") for name in ("pytest.ini", ".pytest.ini")),
        ("pyproject.toml", ""),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        if prefix + name not in files.known:
            continue
        table = _read_ini(files.text(prefix + name), section) if section else _read_toml(files.toml(prefix + name))
        if table is not None or "pytest" in name:
            value = (table or {}).get("testpaths", ())
            if isinstance(value, str):
                return tuple(value.split())
            return tuple(map(str, value)) if isinstance(value, list) else ()
    return ()


def _read_ini(text: str, section: str) -> dict[str, Any] | None:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return None
    return dict(parser.items(section)) if parser.has_section(section) else None


def _read_toml(document: dict[str, Any]) -> dict[str, Any] | None:
    """Read the table of pytest, in a file of its own or among the tools of ``pyproject.toml``."""
    tool = document.get("tool")
    table = document.get("pytest", tool.get("pytest") if isinstance(tool, dict) else None)
    inner = table.get("ini_options", table) if isinstance(table, dict) else None
    return inner if isinstance(inner, dict) else None


def _words(table: object) -> str:
    value = table.get("addopts", "") if isinstance(table, dict) else ""
    return " ".join(str(word) for word in value) if isinstance(value, list) else str(value)
