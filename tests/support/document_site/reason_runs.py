"""Runs of the gate that end with each reason code, for the pages about them: what they show was printed by these.

Some are those of a project with its own tests and linter, by the adapter that ships. In the others an adapter reports
the facts that are written down here, and everything else is the gate's own: what it checks, decides and prints.
``PYTHONPATH=tests/support .venv/bin/python -m document_site.reason_runs`` writes the examples again.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
from sample_repository import SampleRepository

from verigate.integrations.sample import build_repository
from verigate.reporting.reasons import REASONS

WITHOUT = frozenset({code for code, text in REASONS.items() if text.source in {"reserved", "reports"}})
"""Codes that no check fails with."""


REAL = "A shop in Python, with pytest and ruff, is judged by the code adapter."
SCRIPTED = "The facts are those that an adapter made for this page reported."
FOLDER = Path(__file__).resolve().parents[2] / "corpus" / "reasons"


@dataclass(frozen=True)
class Example:
    """What ``gate explain`` printed about a check that has the code. ``about`` says what was run."""

    about: str
    command: str
    printed: str

    def text(self) -> str:
        """Return the example as it is kept in a file."""
        return f"# {self.about}\n$ {self.command}\n{self.printed}\n"


def read_examples() -> dict[str, Example]:
    """Return code -> the example that is kept for it. A test runs each of them and compares."""
    found = {}
    for path in sorted(FOLDER.glob("*.txt")):
        about, command, printed = path.read_text("utf-8").removesuffix("\n").split("\n", 2)
        found[path.stem] = Example(about.removeprefix("# "), command.removeprefix("$ "), printed)
    return found


def run_examples(run: Run, folder: Path) -> dict[str, Example]:
    """Run ``run`` in ``folder`` (empty) and return code -> the example of the first check that has it."""
    repository = run.scenario(folder)
    found: dict[str, Example] = {}
    for check in _checks(repository, *run.options):
        code = check.get("reason")
        if code in run.codes and code not in found:
            found[code] = _explain(repository, check["id"], run.about)
    return found


def _checks(repository: gr.GatedRepository, *options: str) -> list[Mapping[str, Any]]:
    done = repository.verify("T1", *options)
    assert repository.has_verdict(), done.output
    checks: list[Mapping[str, Any]] = repository.verdict()["checks"]
    return checks


def _explain(repository: gr.GatedRepository, check: str, about: str) -> Example:
    done = repository.gate("explain", "T1", check, COLUMNS="100")
    assert done.code == 0, done.output
    named = f"'{check}'" if " " in check else check
    return Example(about, f"gate explain T1 {named}", done.out.replace(str(repository.root), "…").rstrip("\n"))


def _shop(folder: Path) -> gr.GatedRepository:
    """A project whose work breaks a test, leaves a lint error and isn't what was claimed."""
    repository = _project(folder)
    repository.put(
        "shop/cart.py", "import os\n\n\ndef total(prices: list[float]) -> float:\n    return round(sum(prices))\n"
    )
    claimed = repository.gate("claim", "T1", "func:discounted", "file:shop/discounts.py", "--text", "All tests pass.")
    assert claimed.code == 0, claimed.output
    return repository


def _project(folder: Path, rules: Mapping[str, Any] | None = None, task_type: str = "code") -> gr.GatedRepository:
    """The shop of ``gate demo`` with a task of ``task_type`` that was begun; ``rules`` are its profile."""
    root = folder / "repository"
    root.mkdir()
    build_repository(root, with_node=False)
    repository = gr.GatedRepository(SampleRepository(root), folder / "home")
    repository.tmp.mkdir(parents=True)
    if rules is not None:
        entry = {"order": ["code:diff"], "required": ["code:diff"], "optional": []}
        repository.put("config/adapter-plan.json", {"code": entry, "facts": entry})
        repository.put("config/verification.profiles.json", {"code_default": rules, "facts": rules})
        repository.sample.commit("the policy")
    repository.begin(task_type=task_type)
    return repository


def _refuted(folder: Path) -> gr.GatedRepository:
    """Facts that refute every rule, and a check that is weakened."""
    rules = {**lf.THRESHOLDS, **lf.SETTINGS, "weakening": "disclose"}
    repository = gr.make(folder, lf.BAD, rules, files={"a.py": "one\n", "t.py": "one\n"})
    for name in ("a.py", "b.py", "c.py", "t.py"):
        repository.put(name, "two\n")
    repository.begin(requirements={"functions": ["foo"], "endpoints": ["GET /users"], "fixes": ["t.py::test_fix"]})
    repository.claim(*lf.UNITS)
    return repository


def _nothing(folder: Path) -> gr.GatedRepository:
    """Facts of adapters that found nothing to look at."""
    rules = {key: lf.THRESHOLDS[key] for key in ("lint_clean", "tests_pass", "build_success")}
    names = ("lint.json", "tests.json", "build.json")
    return _with(gr.make(folder, {name: lf.ZERO[name] for name in names}, rules))


def _unexamined(folder: Path) -> gr.GatedRepository:
    """A project with a linter and tests that weren't run."""
    entry = [{"what": "eslint and jest", "path": "web/package.json", "why": "node_modules is not installed"}]
    artifacts = {name: {**lf.GOOD[name], "unexamined": entry} for name in ("lint.json", "tests.json")}
    return _with(gr.make(folder, artifacts, {"lint_clean": True, "tests_pass": True}))


def _power(folder: Path) -> gr.GatedRepository:
    """A constant of which no test notices what it is: one mutant, since the order of several isn't always the same."""
    repository = _project(folder, {"noticed_min": 0.8})
    text = (repository.root / "shop/cart.py").read_text("utf-8")
    repository.put("shop/cart.py", f"{text}\n\nMOST_ITEMS = 100\n")
    repository.claim("file:shop/cart.py")
    return repository


def _weakened(folder: Path) -> gr.GatedRepository:
    """A test that is skipped, and nothing accounts for it."""
    repository = _project(folder, {"integrity": True, "weakening": "disclose"}, "facts")
    text = (repository.root / "tests/test_cart.py").read_text("utf-8")
    repository.put(
        "tests/test_cart.py",
        "import pytest\n" + text.replace("def test_total()", "@pytest.mark.skip\ndef test_total()"),
    )
    repository.claim("file:tests/test_cart.py")
    return repository


def _disclosed(folder: Path) -> gr.GatedRepository:
    """The same, disclosed, in the turn of an agent."""
    repository = _weakened(folder)
    repository.verify()
    line = repository.verdict()["weakenings"]["listed"][0]["line"].removeprefix("Weakens: ")
    said = line.replace("…", "the service is shut down")
    claimed = repository.gate("claim", "T1", "file:tests/test_cart.py", "--weakens", said)
    assert claimed.code == 0, claimed.output
    return repository


def _broken(folder: Path) -> gr.GatedRepository:
    """Adapters that crash, hang, and write nothing, nonsense, or what isn't theirs."""
    acts = {
        "my:crash": "echo 'no such database' >&2; exit 7",
        "my:slow": "sleep 30",
        "code:lint": "exit 0",
        "code:tests": 'echo \'{"passed": "all"}\' > "$TASK_DIR/tests.json"',
        "my:thief": 'echo 1 > "$TASK_DIR/coverage.json"',
    }
    order = ("my:crash", "my:slow", "code:lint", "code:tests", "my:thief", "my:missing")
    return _with(gr.make(folder, {}, {"tests_pass": True}, acts=acts, order=order, timeout=1))


def _claims(folder: Path) -> gr.GatedRepository:
    """A claim that no fact supports, a rule of the repository's own, and a promise that isn't kept."""
    rule = {"id": "few-files", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "one file in one change"}
    names = ("diff.json", "diff_names.json", "diffs.patch", "changes.json", "tests.json")
    repository = gr.make(folder, {name: lf.BAD[name] for name in names}, {"rules": [rule]})
    repository.put("b.py", "two\n")
    repository.put("c.py", "two\n")
    repository.begin()
    repository.claim("file:b.py", "file:c.py", statements=["it is quick", "all tests pass"])
    return repository


def _invalid(folder: Path) -> gr.GatedRepository:
    """A claim that carries its own measurements."""
    repository = _with(gr.make(folder, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True}))
    repository.claim("file:a.py", metrics={"tests_passed": 5})
    return repository


def _unclaimed(folder: Path) -> gr.GatedRepository:
    """A task that nobody claims anything of."""
    repository = gr.make(folder, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True})
    repository.put("a.py", "two\n")
    repository.begin()
    return repository


def _submodule(folder: Path) -> gr.GatedRepository:
    """A submodule that the change adds, and that nobody has fetched."""
    repository = _with(gr.make(folder, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True}))
    (repository.root / "lib").mkdir()
    repository.sample.git("update-index", "--add", "--cacheinfo", f"160000,{'46e3cf98' * 5},lib")
    return repository


def _with(repository: gr.GatedRepository) -> gr.GatedRepository:
    repository.put("a.py", "two\n")
    repository.begin()
    repository.claim("file:a.py")
    return repository


@dataclass(frozen=True)
class Run:
    """A ``scenario`` makes a repository with the task T1, in a folder. ``codes`` are those that are taken from it."""

    scenario: Callable[[Path], gr.GatedRepository]
    codes: frozenset[str]
    about: str = SCRIPTED
    options: tuple[str, ...] = ()


def _taken(codes: str) -> frozenset[str]:
    return frozenset(codes.split())


RUNS = (
    Run(_shop, _taken("CLAIM_REFUTED DIFF_MISMATCH FUNCTION_MISMATCH LINT_FAIL TEST_FAIL"), REAL),
    Run(_power, _taken("NOTICED_FAIL"), REAL),
    Run(_weakened, _taken("INTEGRITY_FAIL"), REAL),
    Run(_disclosed, _taken("WEAKENING_DISCLOSED"), REAL, ("--stage", "agent")),
    Run(
        _refuted,
        _taken(
            "AUTH_FAIL BUILD_FAIL COVERAGE_FAIL ENDPOINT_MISMATCH FIX_UNPROVEN HEADING_MISSING IMAGE_MISSING "
            "LATENCY_FAIL LINKS_UNCHECKED LINK_FAIL MISSING_UNIT QUOTE_UNATTRIBUTED RATE_LIMIT_FAIL SCHEMA_MISMATCH "
            "WORDS_UNRENDERED WORD_MIN"
        ),
    ),
    Run(_nothing, _taken("LINT_EMPTY TESTS_EMPTY")),
    Run(_unexamined, _taken("LINT_UNEXAMINED TESTS_UNEXAMINED")),
    Run(
        _broken,
        _taken("ADAPTER_CRASH ADAPTER_TIMEOUT ARTIFACT_CONFLICT ARTIFACT_INVALID ARTIFACT_MISSING MISSING_ADAPTER"),
    ),
    Run(_claims, _taken("CLAIM_UNSUPPORTED CUSTOM_RULE")),
    Run(_invalid, _taken("CLAIM_INVALID")),
    Run(_unclaimed, _taken("MISSING_CLAIM")),
    Run(_submodule, _taken("SUBMODULE_MISSING")),
)
"""A run for each code but those in WITHOUT."""


def main() -> int:
    """Write the examples again; returns 0."""
    FOLDER.mkdir(exist_ok=True)
    for run in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            for code, example in run_examples(run, Path(folder)).items():
                (FOLDER / f"{code}.txt").write_text(example.text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
