"""More honest and weakening changes, for ``integrity_cases``: which settings are in force, and what a pipeline does.

They come in pairs: what takes a check out of the pipeline, and what is done for an honest reason and looks like it.
"""

from __future__ import annotations

from integrity_cases import PYPROJECT, PYTHON, Change, Content

_PYTEST = "[pytest]\npythonpath = .\ntestpaths = tests\naddopts = -ra --strict-markers{}\nfilterwarnings = error\n{}"
_FLAKE8 = "[flake8]\nmax-line-length = 100\n"
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
    _set("a pytest.toml that leaves tests out", {"pytest.toml": '[pytest]\naddopts = ["-k", "not add"]\n'},
          "test_collection_narrowed"),
    _set("pyrightconfig.json before pyproject.toml", {"pyrightconfig.json": "{}"}, "lint_config_weakened",
         {**PYTHON, _P: f'{PYPROJECT}\n[tool.pyright]\ntypeCheckingMode = "strict"\n'}),
    _set("the file that was asked first is gone", {"mypy.ini": None}, "lint_config_weakened",
         {**PYTHON, "mypy.ini": "[mypy]\nstrict = True\n", _P: PYPROJECT.replace("strict = true", "")}),
    _set("flake8 with fewer rules than by default", {".flake8": f"{_FLAKE8}select = E9\n"}, "lint_config_weakened",
         {**PYTHON, ".flake8": _FLAKE8}),
    _set("flake8 that looks at one file", {".flake8": f"{_FLAKE8}filename = nothing.py\n"}, "lint_config_weakened",
         {**PYTHON, ".flake8": _FLAKE8}),
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
    _set("flake8 with more rules than by default",
         {".flake8": f"{_FLAKE8}select = C,E,F,W,B,B950\nfilename = *.py, *.pyx\n"},
         before={**PYTHON, ".flake8": _FLAKE8}),
    _set("flake8 is new, with some rules", {".flake8": "[flake8]\nselect = E9,F63\n"}),
)  # fmt: skip


_W = ".github/workflows/ci.yml"
_RUN = "name: ci\non:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n{}"
_STEPS = (
    "      - uses: actions/checkout@v4\n      - name: Test\n        run: |\n          pip install -e .\n"
    "          pytest\n          echo done\n"
)
_JOB = _RUN.format(_STEPS)
_ONE = _RUN.format("      - uses: actions/checkout@v4\n      - name: Test\n        run: pytest\n")
_JENKINS = 'pipeline {\n  stages {\n    stage("test") {\n      steps {\n        sh "pytest"\n      }\n    }\n  }\n}\n'
_KITE = "steps:\n  - label: test\n    command: pytest\n"
_NOX = 'import nox\n\n\n@nox.session\ndef tests(session):\n    session.run("pytest", "tests")\n'


def _edit(  # noqa: PLR0917 - as a table reads best
    name: str, path: str, before: str, old: str, new: str, kind: str = "", **more: str
) -> Change:
    assert old in before, name
    project: dict[str, Content] = {**PYTHON, _W: "name: ci\n", path: before, **more}
    return Change(name, project, {path: before.replace(old, new)}, (kind,) if kind else ())


def _job(name: str, old: str, new: str, kind: str = "ci_nonfatal") -> Change:
    return _edit(name, _W, _JOB, old, new, kind)


def _one(name: str, old: str, new: str, kind: str = "ci_nonfatal") -> Change:
    return _edit(name, _W, _ONE, old, new, kind)


_WORSE = "check_command_weakened"
_GITLAB = {".gitlab-ci.yml": "include:\n  - local: ci/jobs.yml\n"}
_JOBS = "test:\n  script:\n    - pytest\n"
_RARE = "  ready:\n    if: github.event_name == 'schedule'\n    steps:\n      - run: echo ready\n"
_READY = "  ready:\n    steps:\n      - run: echo ready\n"
_CHECK = "set -e\npytest -q\necho checked\n"
_MK = "test:\n\tpytest -q\n"

STEPS: tuple[Change, ...] = (
    _job("a shell without -e for all", "jobs:\n", "defaults:\n  run:\n    shell: bash {0}\njobs:\n"),
    _job("a shell without -e for a step", "        run: |", "        shell: sh {0}\n        run: |"),
    _job("pull requests of documents alone", "  pull_request:\n", '  pull_request:\n    paths: ["docs/**"]\n'),
    _job("pull requests without Python", "  pull_request:\n", '  pull_request:\n    paths-ignore: ["**.py"]\n'),
    _job("pull requests to one odd branch", "  pull_request:\n", "  pull_request:\n    branches: [nothing]\n"),
    _job("pull requests that are closed", "  pull_request:\n", "  pull_request:\n    types: [closed]\n"),
    _job("a matrix of nothing", "    steps:", "    strategy:\n      matrix:\n        python: []\n    steps:"),
    _job("a job that waits for a rare one", "  test:\n", f"{_RARE}  test:\n    needs: ready\n"),
    _job("a job for a schedule", "  test:\n", "  test:\n    if: github.event_name == 'schedule'\n"),
    _job("main is checked out", "checkout@v4\n", "checkout@v4\n        with:\n          ref: main\n"),
    _job("git checks main out", "          pytest", "          git checkout origin/main\n          pytest"),
    _job("pytest is another function", "          pytest", "          pytest() { true; }\n          pytest"),
    _one("a pipe without pipefail", "run: pytest", "run: pytest | tee report.txt"),
    _one("pytest in the background", "run: pytest", "run: pytest &"),
    _edit("Buildkite may fail softly", ".buildkite/pipeline.yml", _KITE, "command: pytest\n",
          'command: pytest\n    soft_fail:\n      - exit_status: "*"\n', "ci_nonfatal"),
    _edit("Buildkite skips the step", ".buildkite/pipeline.yml", _KITE, "command", "skip: slow\n    command",
          "ci_nonfatal"),
    _edit("Jenkins catches the error", "Jenkinsfile", _JENKINS, 'sh "pytest"',
          "catchError(buildResult: 'SUCCESS') { sh \"pytest\" }", "ci_nonfatal"),
    _edit("Jenkins asks for the status", "Jenkinsfile", _JENKINS, 'sh "pytest"',
          'sh script: "pytest", returnStatus: true', "ci_nonfatal"),
    _edit("Jenkins tries", "Jenkinsfile", _JENKINS, 'sh "pytest"', 'try { sh "pytest" } catch (e) { echo "x" }',
          "ci_nonfatal"),
    _edit("an included job may fail", "ci/jobs.yml", _JOBS, "test:", "test:\n  allow_failure: true", "ci_nonfatal",
          **_GITLAB),
    _edit("a script without set -e", "ci/check.sh", _CHECK, "set -e\n", "", _WORSE),
    _edit("a script that pipes pytest", "ci/check.sh", _CHECK, "pytest -q", "pytest -q | tee out", _WORSE),
    _edit("an included Makefile ignores", "mk/test.mk", _MK, "pytest", "-pytest", _WORSE, Makefile="include mk/*.mk\n"),
    _edit("an included rule file ignores", "mk/rules", _MK, "pytest", "-pytest", _WORSE, Makefile="include mk/rules\n"),
    _edit("nox takes a failure", "noxfile.py", _NOX, '"tests")', '"tests", success_codes=[0, 1])', _WORSE),
    _edit("tox ignores what it ran", "tox.ini", "[testenv]\ncommands = pytest\n", "commands",
          "ignore_outcome = true\ncommands", _WORSE),
)  # fmt: skip

HONEST_STEPS: tuple[Change, ...] = (
    _job("bash by its name", "        run: |", "        shell: bash\n        run: |", ""),
    _job("a shell with -e", "        run: |", "        shell: bash -euo pipefail {0}\n        run: |", ""),
    _job("documents are left out", "  pull_request:\n", '  pull_request:\n    paths-ignore: ["**.md", "docs/**"]\n',
          ""),
    _job("pull requests to main", "  pull_request:\n", "  pull_request:\n    branches: [main]\n", ""),
    _job("more types", "  pull_request:\n", "  pull_request:\n    types: [opened, synchronize, labeled]\n", ""),
    _job("a matrix", "    steps:", '    strategy:\n      matrix:\n        python: ["3.11"]\n    steps:', ""),
    _job("a job that waits for another", "  test:\n", f"{_READY}  test:\n    needs: ready\n", ""),
    _job("a job for pull requests", "  test:\n", "  test:\n    if: github.event_name == 'pull_request'\n", ""),
    _job("another repository beside", "      - name", "      - uses: actions/checkout@v4\n        with:\n"
         "          repository: a/b\n          ref: main\n          path: b\n      - name", ""),
    _job("the head is checked out", "checkout@v4\n",
         "checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n", ""),
    _one("a pipe with pipefail", "run: pytest", "run: set -o pipefail; pytest | tee report.txt", ""),
    _one("a pipe in bash", "run: pytest", "shell: bash\n        run: pytest | tee report.txt", ""),
    _one("a server in the background", "run: pytest", "run: |\n          python server.py &\n          pytest", ""),
    _edit("Buildkite has another label", ".buildkite/pipeline.yml", _KITE, "label: test", "label: tests"),
    _edit("Jenkins catches what tells people", "Jenkinsfile", _JENKINS, 'sh "pytest"',
          'sh "pytest"\n        catchError { sh "notify done" }'),
    _edit("Jenkins tells people and fails", "Jenkinsfile", _JENKINS, 'sh "pytest"',
          'try { sh "pytest" } catch (e) { notify(); throw e }'),
    _edit("an included job has a stage", "ci/jobs.yml", _JOBS, "test:", "test:\n  stage: test", **_GITLAB),
    _edit("a script with another option", "ci/check.sh", _CHECK, "set -e\n", "set -euo pipefail\n"),
    _edit("a script that ends with pytest", "ci/check.sh", _CHECK, "set -e\npytest -q\necho checked", "pytest -q"),
    _edit("an included Makefile says more", "mk/test.mk", _MK, "-q", "-v", Makefile="include mk/*.mk\n"),
    _edit("nox asks git", "noxfile.py", _NOX, '"tests")', '"tests")\n    session.run("git", success_codes=[0, 1])'),
)  # fmt: skip
_ON_PATH = 'run: |\n          echo "$PWD/ci/bin" >> "$GITHUB_PATH"\n          pytest'


def _program(name: str, program: str, kind: str = "") -> Change:
    after: dict[str, Content] = {_W: _ONE.replace("run: pytest", _ON_PATH), program: "#!/bin/sh\nexit 0\n"}
    return Change(name, {**PYTHON, _W: _ONE}, after, (kind,) if kind else ())


PROGRAMS = (_program("a program called pytest on the path", "ci/bin/pytest", "checks_shadowed"),)
HONEST_PROGRAMS = (_program("a program of its own name on the path", "ci/bin/release"),)

WEAKENING_PIPELINES: tuple[Change, ...] = (*SETTINGS, *STEPS, *PROGRAMS)
HONEST_PIPELINES: tuple[Change, ...] = (*HONEST_SETTINGS, *HONEST_STEPS, *HONEST_PROGRAMS)
