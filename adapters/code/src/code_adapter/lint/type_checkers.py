"""Find the type checkers of Python that a project configures and has in its environment.

One that isn't installed there isn't run: what it would find depends on the packages next to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.detection import Missing, Unexamined
from code_adapter.environment import find_node_tool
from code_adapter.excluded_tools import is_excluded
from code_adapter.lint import mypy, pyright
from code_adapter.lint.linters import Linter
from code_adapter.python_environment import describe_install, find_project_script, find_python
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from verigate.sdk import Request
from verigate.sdk.type_checkers import MYPY, ConfiguredChecker, find_type_checkers

_NOT_INSTALLED = "it is not installed in the project's environment"


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing | Unexamined]:
    """Yield a run for each checker in each folder that configures it; of pyright and basedpyright one."""
    own = [path for path in files.paths if not NOT_PROJECTS.intersection(path.split("/")[:-1])]
    run_in: set[str] = set()
    for checker in find_type_checkers(own, files.text):
        if checker.name != MYPY and checker.folder in run_in:
            continue
        if is_excluded(request, checker.name, checker.path):
            yield Unexamined(checker.name, checker.path, "")
            continue
        found = _find(request, files, checker)
        if isinstance(found, Linter) and checker.name != MYPY:
            run_in.add(checker.folder)
        yield found


def _find(request: Request, files: SubjectFiles, checker: ConfiguredChecker) -> Linter | Missing:
    name, folder = checker.name, checker.folder
    program = find_project_script(request, files, folder, name)
    if program is None and name != MYPY:
        program = find_node_tool(request, files, folder, name)
    python = find_python(request, files, folder, ())
    if program is None or (name == MYPY and (python is None or python.origin != "project")):
        how = describe_install(request, files, folder, name)
        return Missing(name, folder, f"{_NOT_INSTALLED}: {how}", due=False)
    if name == MYPY and python is not None:
        version = mypy.read_version(request, python, program)
        if version is None:
            return Missing(name, folder, "it is older than 1.11, which is the first with a report in JSON", due=False)
        return Linter(name, folder, partial(mypy.run_mypy, request, folder, python, program, version))
    python = python if python is not None and python.origin == "project" else None
    version = pyright.read_version(request, python, program)
    if version is None:
        return Missing(name, folder, "it can't start here: it may have to be called once with a network", due=False)
    return Linter(name, folder, partial(pyright.run_pyright, request, folder, python, (name, program), version))
