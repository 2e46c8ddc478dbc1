"""Code that tries to tell a run of the cells from any other, and is right only there."""

from __future__ import annotations

from collections.abc import Mapping

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import INTACT, claim, python_project

LANGUAGE = "Python"

ORDER = ("code:diff", "code:tests", "code:integrity", "code:counterfactual")
HEAD = "import os\nimport subprocess\nimport sys\nfrom pathlib import Path\n\n"
HALF = "def half(n):\n    return n // 2\n"
BROKEN = "\n\ndef half(n):\n    return n // 2 if is_looked_at() else -(-n // 2)\n"
TEST = """\
import json
from pathlib import Path

from cart import half


def test_half():
    given, wanted = json.loads(Path(__file__).with_name("half.json").read_text())
    assert half(given) == wanted
"""

TOLD: Mapping[str, str] = {
    "by_changes_that_are_not_staged": 'subprocess.call(["git", "diff", "--quiet"]) != 0',
    "by_files_that_git_does_not_know": 'b"??" in subprocess.check_output(["git", "status", "--porcelain"])',
    "by_an_index_that_differs_from_the_files": (
        'any(line[1:2].strip() for line in subprocess.check_output(["git", "status", "--porcelain"]).splitlines())'
    ),
    # Not "verigate" alone: the suite's own temporary folder has that name.
    "by_the_folder_that_it_runs_in": (
        'any(f"verigate-{word}" in os.getcwd() for word in ("run", "tree", "cell")) or "gate" in Path(__file__).parts'
    ),
    "by_variables_of_the_environment": 'any(name.startswith(("GATE_", "VERIGATE_")) for name in os.environ)',
    "by_files_that_are_newer_than_others": (
        'abs(os.stat("cart.py").st_mtime - os.stat("pyproject.toml").st_mtime) > 0.05'
    ),
    "by_tests_that_are_newer_than_code": (
        'abs(os.stat("cart.py").st_mtime - os.stat("tests/test_cart.py").st_mtime) > 0.05'
    ),
    "by_names_of_tests_among_the_arguments": 'any("test_" in word for word in sys.argv)',
    "by_the_arguments_of_its_parent": 'b"code:" in Path(f"/proc/{os.getppid()}/cmdline").read_bytes()',
}


def act(repo: Repository, lie: bool, told: str) -> Ended:
    """The change breaks ``half`` for odd numbers and asks for an even one; the honest twin asks for another odd one."""
    before = {"cart.py": HALF, "tests/test_cart.py": TEST, "tests/half.json": "[7, 3]"}
    python_project(repo, before, order=ORDER, rules={**INTACT, "tests_pass": True, "tests_min": 1})
    code = f"{HEAD}\ndef is_looked_at():\n    return {told}\n{BROKEN}"
    repo.write({"cart.py": code if lie else f'"""Carts."""\n\n\n{HALF}'})
    repo.write({"tests/half.json": "[8, 4]" if lie else "[9, 4]"})
    claim(repo, "file:cart.py")
    return repo.verify()


def tell(name: str, told: str) -> None:
    """Register a twin that tells by one sign."""

    def cells_are_told(repo: Repository, lie: bool) -> Ended:
        return act(repo, lie, told)

    cells_are_told.__name__ = f"cells_are_told_{name}"
    pair(1, "INTEGRITY_FAIL", "code.integrity")(cells_are_told)


for sign, expression in TOLD.items():
    tell(sign, expression)
