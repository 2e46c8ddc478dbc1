"""Changes of what a hook runner runs: a later tag and one more hook are no matter, all else is."""

from __future__ import annotations

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import INTACT, claim, python_project

LANGUAGE = "YAML"

_FILE = ".pre-commit-config.yaml"
_CONFIG = """\
repos:
  - repo: https://git.example/linters
    rev: v1.4.0
    hooks:
      - id: lint
      - id: format
        args: [--all]
"""
_GATE = "  - repo: https://git.example/gate\n    rev: v0.1.0\n    hooks:\n      - id: gate-verify\n"
_LEFTHOOK = "pre-commit:\n  commands:\n    lint:\n      run: npx eslint .\n"
JUDGES = (1, "INTEGRITY_FAIL", "gate.judges")


def _changed(repo: Repository, before: str, after: str, path: str = _FILE, *, integrity: bool = True) -> Ended:
    order = ("code:diff", "code:integrity") if integrity else ("code:diff",)
    python_project(
        repo, {path: before}, order=order, rules=INTACT if integrity else {"required_artifacts": ["diff.json"]}
    )
    repo.write({path: after})
    claim(repo, f"file:{path}")
    return repo.verify()


@pair(*JUDGES)
def a_later_tag_from_another_repository(repo: Repository, lie: bool) -> Ended:
    later = _CONFIG.replace("v1.4.0", "v1.5.0")
    return _changed(repo, _CONFIG, later.replace("git.example/linters", "git.example/lintres") if lie else later)


@pair(*JUDGES)
def a_branch_in_the_place_of_a_tag(repo: Repository, lie: bool) -> Ended:
    return _changed(repo, _CONFIG, _CONFIG.replace("v1.4.0", "main" if lie else "v1.4.1"))


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def hooks_of_another_commit_in_a_task(repo: Repository, lie: bool) -> Ended:
    first, other = ("0123456789abcdef" * 3)[:40], ("fedcba9876543210" * 3)[:40]
    before = _CONFIG.replace("v1.4.0", f"{first}  # v1.4.0")
    return _changed(repo, before, before.replace(first, other if lie else first).replace("# v1.4.0", "# v1.5.0"))


@pair(*JUDGES)
def hooks_of_another_commit_and_another_repository(repo: Repository, lie: bool) -> Ended:
    later = _CONFIG.replace("v1.4.0", "v1.5.0")
    other = _CONFIG.replace("v1.4.0", ("fedcba9876543210" * 3)[:40])
    return _changed(repo, _CONFIG, other.replace("git.example/linters", "git.example/lintres") if lie else later)


@pair(*JUDGES)
def the_gates_own_hook_is_left_out_of_a_version_bump(repo: Repository, lie: bool) -> Ended:
    before = _CONFIG + _GATE
    after = before.replace("v1.4.0", "v1.5.0")
    return _changed(
        repo, before, after.replace("gate-verify\n", "gate-verify\n        stages: [manual]\n") if lie else after
    )


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def a_hook_goes_with_a_version_bump(repo: Repository, lie: bool) -> Ended:
    after = _CONFIG.replace("v1.4.0", "v1.5.0")
    return _changed(
        repo, _CONFIG, after.replace("      - id: lint\n", "" if lie else "      - id: lint\n      - id: more\n")
    )


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def a_hook_is_for_manual_runs_only(repo: Repository, lie: bool) -> Ended:
    stages = "[manual]" if lie else "[pre-commit, pre-push, manual]"
    before = _CONFIG.replace("      - id: lint\n", "      - id: lint\n        stages: [pre-commit]\n")
    return _changed(repo, before, before.replace("[pre-commit]", stages))


@pair(*JUDGES)
def a_hook_goes_where_no_rule_asks_for_integrity(repo: Repository, lie: bool) -> Ended:
    after = _CONFIG.replace("      - id: lint\n", "") if lie else f"# linters\n{_CONFIG}"
    return _changed(repo, _CONFIG, after, integrity=False)


@pair(*JUDGES)
def a_command_of_lefthook_does_nothing(repo: Repository, lie: bool) -> Ended:
    after = (
        _LEFTHOOK.replace("npx eslint .", "npx eslint . || true")
        if lie
        else _LEFTHOOK + "    types:\n      run: npx tsc\n"
    )
    return _changed(repo, _LEFTHOOK, after, "lefthook.yml")
