"""More honest and weakening changes, for ``integrity_cases``: which settings are in force, and what a pipeline does.

They come in pairs: what takes a check out of the pipeline, and what is done for an honest reason and looks like it.
"""

from __future__ import annotations

from integrity_cases import PYPROJECT, PYTHON, Change, Content

_PYTEST = "[pytest]\npythonpath = .\ntestpaths = tests\naddopts = -ra --strict-markers{}\nfilterwarnings = error\n{}"
_P = "pyproject.toml"


def _set(name: str, after: dict[str, Content], kind: str = "", before: dict[str, Content] = PYTHON) -> Change:
    return Change(name, before, after, (kind,) if kind else ())


SETTINGS: tuple[Change, ...] = (
    _set("an empty mypy.ini before pyproject.toml", {"mypy.ini": "[mypy]\n"}, "lint_config_weakened"),
    _set("an empty .mypy.ini before pyproject.toml", {".mypy.ini": ""}, "lint_config_weakened"),
    _set("a .coveragerc without a threshold", {".coveragerc": "[run]\nbranch = True\n"}, "threshold_lowered"),
    _set("coverage in setup.cfg", {"setup.cfg": "[coverage:run]\nbranch = True\n"}, "threshold_lowered"),
    _set(
        "a pytest.ini without what pyproject.toml asks for",
        {"pytest.ini": "[pytest]\n"},
        "test_collection_narrowed",
        {**PYTHON, _P: PYPROJECT.replace('"-ra --strict-markers"', '"-ra"\nxfail_strict = true')},
    ),
    _set("a pytest.toml that leaves tests out", {"pytest.toml": '[pytest]\naddopts = ["-k", "not add"]\n'}, "test_collection_narrowed"),
    _set("pyrightconfig.json before pyproject.toml", {"pyrightconfig.json": "{}"}, "lint_config_weakened",
         {**PYTHON, _P: f'{PYPROJECT}\n[tool.pyright]\ntypeCheckingMode = "strict"\n'}),
    _set("the file that was asked first is gone", {"mypy.ini": None}, "lint_config_weakened",
         {**PYTHON, "mypy.ini": "[mypy]\nstrict = True\n", _P: PYPROJECT.replace("strict = true", "")}),
)  # fmt: skip

HONEST_SETTINGS: tuple[Change, ...] = (
    _set("mypy.ini that asks for as much", {"mypy.ini": "[mypy]\nstrict = True\nwarn_unreachable = True\n"}),
    _set(
        "a .coveragerc that asks for more",
        {".coveragerc": "[run]\nbranch = True\nsource = calc\n\n[report]\nfail_under = 95\n"},
    ),
    _set("a pytest.ini that asks for as much", {"pytest.ini": _PYTEST.format("", "xfail_strict = true\n")}),
    _set("a laxer file goes, and the one that asks for more is in force", {".coveragerc": None}, before={
        **PYTHON, ".coveragerc": "[run]\nbranch = True\nsource = calc\n\n[report]\nfail_under = 80\n"}),
    _set("a setup.cfg without a section for the tools", {"setup.cfg": "[metadata]\nname = calc\n"}),
    _set("mypy's settings move to a file of their own", {"mypy.ini": "[mypy]\nstrict = True\n",
         _P: PYPROJECT.replace("\n[tool.mypy]\nstrict = true\n", "")}),
)  # fmt: skip

WEAKENING_PIPELINES: tuple[Change, ...] = SETTINGS
HONEST_PIPELINES: tuple[Change, ...] = HONEST_SETTINGS
