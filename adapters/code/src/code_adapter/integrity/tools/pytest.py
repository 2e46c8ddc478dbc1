"""pytest's settings and hooks.

Source: pytest's reference on configuration options and hooks.
"""

from __future__ import annotations

from code_adapter.integrity.tools.documents import load_toml
from code_adapter.integrity.tools.guards import COLLECTED, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections, read_at, read_ini_sections

GUARDS: tuple[Guard, ...] = (
    Guard("pytest", r"addopts", "addopts", COLLECTED),
    Guard("pytest", r"testpaths|python_(?:files|classes|functions)", "keep", COLLECTED),
    Guard("pytest", r"norecursedirs|collect_ignore\w*", "grow", COLLECTED),
    Guard("pytest", r"xfail_strict|strict\w*", "on", COLLECTED),
)


def _read_own_toml(source: str) -> Sections:
    return {"pytest": read_at(load_toml(source), "pytest")}


READERS: tuple[tuple[str, Reader], ...] = (
    ("pytest.ini", read_ini_sections),
    (".pytest.ini", read_ini_sections),
    ("pytest.toml", _read_own_toml),
    (".pytest.toml", _read_own_toml),
)

FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""Where pytest looks for its settings, in order of precedence."""

HOOKS = frozenset(
    {
        "pytest_runtest_makereport",
        "pytest_runtest_protocol",
        "pytest_runtest_call",
        "pytest_runtest_setup",
        "pytest_runtest_logreport",
        "pytest_runtestloop",
        "pytest_pyfunc_call",
        "pytest_report_teststatus",
        "pytest_collection_modifyitems",
        "pytest_collection_finish",
        "pytest_ignore_collect",
        "pytest_collect_file",
        "pytest_collect_directory",
        "pytest_pycollect_makeitem",
        "pytest_make_collect_report",
        "pytest_itemcollected",
        "pytest_sessionfinish",
        "pytest_sessionstart",
        "pytest_cmdline_main",
        "pytest_cmdline_parse",
        "pytest_load_initial_conftests",
        "pytest_exception_interact",
        "pytest_unconfigure",
        "pytest_terminal_summary",
        "pytest_fixture_setup",
        "pytest_configure",
        "pytest_collection",
        "pytest_collectreport",
        "pytest_collectstart",
        "pytest_generate_tests",
        "pytest_pycollect_makemodule",
        "pytest_report_from_serializable",
        "pytest_report_to_serializable",
        "pytest_runtest_logfinish",
        "pytest_runtest_logstart",
        "pytest_runtest_teardown",
    }
)
"""Functions that pytest calls around tests."""
