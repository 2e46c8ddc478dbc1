from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from verigate.composition.adapters import RepositoryAdapters
from verigate.config.adapters_config import load_adapters_config, resolve_adapters_config
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.config.files import label, read_bytes
from verigate.config.plan_file import find_entry, load_plan
from verigate.config.profiles import hash_rules, load_profiles
from verigate.config.root import find_root
from verigate.config.tighten import tighten
from verigate.domain.manifest import Manifest, Origin
from verigate.domain.object_merge import merge_objects
from verigate.errors import ConfigError, Fault, UsageError

BUILTIN = find_builtin_root()


def _write(root: Path, name: str, document: Any) -> Path:
    path = root / "config" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document, indent=1))
    return root


def _plan(root: Path, document: Any) -> Path:
    return _write(root, "adapter-plan.json", document)


def _profiles(root: Path, document: Any) -> Path:
    return _write(root, "verification.profiles.json", document)


def _faults(root: Path) -> tuple[Fault, ...]:
    with pytest.raises(ConfigError) as caught:
        load_configuration(root, BUILTIN)
    return caught.value.faults


# --- plan


def test_a_repositorys_entry_replaces_the_shipped_one_and_the_others_remain(tmp_path: Path) -> None:
    _plan(tmp_path, {"code": {"order": ["my:check"], "required": ["my:check"]}})
    plan = load_plan(tmp_path, BUILTIN)
    assert plan["code"].order == ("my:check",)
    assert plan["link_check"] == load_plan(BUILTIN, BUILTIN)["link_check"]


@pytest.mark.parametrize(
    ("entry", "pointer", "message"),
    [
        ({"order": ["a:b"]}, "/t/order/0", "neither required nor optional"),
        ({"order": ["a:b"], "required": ["a:b"], "unchecked": {"a:b": "x"}}, "/t/unchecked/a:b", "in unchecked"),
        ({"order": ["a:b"], "required": ["a:b"], "optional": ["a:c"]}, "/t/optional/0", "not in order"),
        ({"order": ["a:b"], "required": ["a:c"], "optional": ["a:b"]}, "/t/required/0", "not in order"),
        ({"order": ["a:b"], "required": ["a:b"], "optional": ["a:b"]}, "/t/optional/0", "both required and optional"),
        ({"order": []}, "/t/order", "empty"),
        ({"required": []}, "/t", "'order' is missing"),
        ({"order": ["lint"], "required": ["lint"]}, "/t/order/0", "not of the form"),
        ({"order": ["a:b\n"], "required": ["a:b\n"]}, "/t/order/0", "not of the form"),
        ({"order": ["a:b", "a:b"], "required": ["a:b"]}, "/t/order", "same item twice"),
        ({"order": ["a:b"], "requird": ["a:b"]}, "/t/requird", "unknown key"),
        ([], "/t", "must be an object"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused_at_its_place(
    tmp_path: Path, entry: Any, pointer: str, message: str
) -> None:
    faults = _faults(_plan(tmp_path, {"t": entry}))
    assert any(fault.pointer == pointer and message in fault.message and fault.line for fault in faults), faults


def test_a_type_without_a_plan_names_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        find_entry(load_plan(BUILTIN, BUILTIN), "link_chek")
    assert "did you mean 'link_check'?" in (caught.value.hint or "")
    assert "known types: api_test, code," in (caught.value.hint or "")


# --- profiles


def test_parents_are_merged_left_to_right_and_the_child_comes_last(tmp_path: Path) -> None:
    _profiles(
        tmp_path,
        {
            "a": {"tests_min": 1, "lint_clean": True, "rules": [{"id": "x", "expr": "1"}, {"id": "y", "expr": "2"}]},
            "b": {"tests_min": 2, "coverage_min": 0.5, "rules": [{"id": "y", "expr": "3"}]},
            "c": {"extends": ["a", "b"], "coverage_min": None, "rules": [{"id": "z", "expr": "4"}]},
            "d": {"extends": "c", "lint_clean": None},
        },
    )
    rules = load_profiles(tmp_path, BUILTIN).resolve("d").rules
    assert rules == {
        "tests_min": 2,
        "rules": [{"id": "x", "expr": "1"}, {"id": "y", "expr": "3"}, {"id": "z", "expr": "4"}],
    }


def test_the_digest_covers_the_rules_and_nothing_else(tmp_path: Path) -> None:
    _profiles(
        tmp_path,
        {
            "a": {"tests_min": 1, "lint_clean": True},
            "b": {"description": "the same", "lint_clean": True, "tests_min": 1},
            "c": {"extends": "a", "tests_min": 2},
        },
    )
    profiles = load_profiles(tmp_path, BUILTIN)
    digests = {name: profiles.resolve(name).digest for name in "abc"}
    assert digests["a"] == digests["b"] != digests["c"]
    assert digests["a"] == hash_rules({"tests_min": 1, "lint_clean": True})


@pytest.mark.parametrize(
    ("document", "pointer", "message"),
    [
        ({"p": {"extends": "cod_strict"}}, "/p/extends", "which is no profile"),
        ({"p": {"extends": "p"}}, "/p/extends", "p -> p"),
        ({"p": {"extends": "q"}, "q": {"extends": "p"}, "r": {"extends": "p"}}, "/p/extends", "p -> q -> p"),
        ({"code": {"extends": "code_strict"}}, "/code/extends", "dependency cycle: code -> code_strict -> code"),
        ({"active": {}}, "/active", "can't name a profile"),
        ({"p": {"rules": [{"id": "a", "expr": "1"}, {"id": "a", "expr": "2"}]}}, "/p/rules/1/id", "the id 'a'"),
        ({"p": {"rules": [{"id": "a"}]}}, "/p/rules/0", "'expr' is missing"),
        ({"p": {"lint_claen": True}}, "/p/lint_claen", "unknown key"),
        ({"p": {"tests_pass": "true"}}, "/p/tests_pass", "true or false"),
        ({"p": {"latency_ms": {"p90": 1}}}, "/p/latency_ms/p90", "unknown key"),
        ({"p": {"tests_min": -1}}, "/p/tests_min", "at least 0"),
        ({"p q": {}}, "/p q", "not of the form"),
    ],
)
def test_a_profile_that_can_not_be_meant_is_refused(tmp_path: Path, document: Any, pointer: str, message: str) -> None:
    faults = _faults(_profiles(tmp_path, document))
    assert any(fault.pointer == pointer and message in fault.message for fault in faults), faults


@pytest.mark.parametrize("extends", ["cdoe", ["code", "cdoe"], 3, [3]])
def test_an_unknown_parent_is_reported_with_what_the_schema_finds(tmp_path: Path, extends: Any) -> None:
    faults = _faults(_profiles(tmp_path, {"p": {"extends": extends, "tests_pas": True, "tests_min": -1}, "q": 3}))
    assert {"/p/tests_pas", "/p/tests_min", "/p/extends" if extends != [3] else "/p/extends/0"} <= {
        fault.pointer for fault in faults
    }


def test_every_cycle_is_reported_once(tmp_path: Path) -> None:
    document = {
        "p": {"extends": ["q", "r"]},
        "q": {"extends": "p"},
        "r": {"extends": "p"},
        "s": {"extends": ["s", "p"]},
        "t": {"extends": "s"},
    }
    chains = {fault.message: fault.pointer for fault in _faults(_profiles(tmp_path, document))}
    assert chains == {
        "dependency cycle: p -> q -> p": "/p/extends",
        "dependency cycle: p -> r -> p": "/p/extends",
        "dependency cycle: s -> s": "/s/extends",
    }


def test_a_percentage_is_refused_with_the_fraction(tmp_path: Path) -> None:
    (fault,) = _faults(_profiles(tmp_path, '{\n"p": {\n"coverage_min": 80}}'))
    assert (fault.line, fault.hint) == (3, "a fraction from 0 to 1: write 0.8")


def test_long_and_branching_chains_are_resolved_without_recursion(tmp_path: Path) -> None:
    document: dict[str, Any] = {"a0": {"tests_min": 1}, "b0": {"tests_min": 2}}
    for number in range(1, 2000):
        parents = [f"a{number - 1}", f"b{number - 1}"]
        document[f"a{number}"] = {"extends": parents}
        document[f"b{number}"] = {"extends": parents}
    profiles = load_profiles(_profiles(tmp_path, document), BUILTIN)
    assert profiles.resolve("a1999").rules == {"tests_min": 2}


def test_the_default_profile(tmp_path: Path) -> None:
    shipped = load_profiles(tmp_path, BUILTIN)
    assert shipped.default_for("code") == "code"
    with pytest.raises(UsageError, match="no profile for the task type 'my_type'"):
        shipped.default_for("my_type")
    with pytest.raises(UsageError) as caught:
        shipped.resolve("code_strct")
    assert caught.value.hint == "did you mean 'code_strict'?"
    own = load_profiles(_profiles(tmp_path, {"code_default": {"tests_min": 5}, "my_type": {}}), BUILTIN)
    assert own.default_for("code") == "code_default"
    assert own.default_for("my_type") == "my_type"
    assert own.resolve("code_default").source == "config/verification.profiles.json"
    assert own.resolve("code").source == "built-in config/verification.profiles.json"


def test_the_document_for_adapters_is_flat_and_shows_what_is_enforced(tmp_path: Path) -> None:
    profiles = load_profiles(tmp_path, BUILTIN)
    enforced, _ = tighten(profiles.resolve("code_strict"), {"coverage_min": 0.95})
    document = profiles.document(enforced)
    assert document["active"] == "code_strict"
    assert document["code_strict"]["coverage_min"] == 0.95
    assert document["code_strict"]["tests_pass"] is True
    assert set(document) == {*profiles.names, "active"}
    assert all("extends" not in profile for name, profile in document.items() if name != "active")


# --- the commitment's quality


@pytest.mark.parametrize(
    ("enforced", "quality", "expected"),
    [
        ({"coverage_min": 0.8}, {"coverage_min": 0.9}, {"coverage_min": 0.9}),
        ({"lint_errors_max": 5}, {"lint_errors_max": 0}, {"lint_errors_max": 0}),
        ({}, {"word_min": 400, "tests_pass": True}, {"tests_pass": True, "word_min": 400}),
        ({"headings_required": ["h1"]}, {"headings_required": ["h2"]}, {"headings_required": ["h1", "h2"]}),
        ({"latency_ms": {"p50": 10, "p95": 50}}, {"latency_ms": {"p50": 5}}, {"latency_ms": {"p50": 5, "p95": 50}}),
        ({"statements": "report"}, {"statements": "require"}, {"statements": "require"}),
        ({}, {"sandbox": "require"}, {"sandbox": "require"}),
        ({"treat_3xx_as_pass": True}, {"treat_3xx_as_pass": False}, {"treat_3xx_as_pass": False}),
        ({"word_tolerance": 0.2}, {"word_tolerance": 0.1}, {"word_tolerance": 0.1}),
    ],
)
def test_a_promise_tightens(enforced: dict[str, Any], quality: dict[str, Any], expected: dict[str, Any]) -> None:
    profile = load_profiles(BUILTIN, BUILTIN).resolve("code")
    profile = type(profile)("p", enforced, hash_rules(enforced))
    tightened, warnings = tighten(profile, quality)
    assert (dict(tightened.rules), warnings) == (expected, ())
    assert tightened.digest == hash_rules(expected)


@pytest.mark.parametrize(
    ("enforced", "quality"),
    [
        ({"coverage_min": 0.8}, {"coverage_min": 0.1}),
        ({"lint_errors_max": 0}, {"lint_errors_max": 100}),
        ({"tests_pass": True}, {"tests_pass": False}),
        ({"latency_ms": {"p50": 10}}, {"latency_ms": {"p50": 1000}}),
        ({}, {"treat_3xx_as_pass": True}),
        ({}, {"statements": "report"}),
        ({"statements": "require"}, {"statements": "report"}),
        ({}, {"fuzzy_units": "accept"}),
        ({}, {"sandbox": "off"}),
        ({}, {"sandbox": "prefer"}),
        ({}, {"word_tolerance": 0.5}),
        ({}, {"timeout_ms": 10_000_000}),
        ({}, {"allow_policy_change": True}),
    ],
)
def test_a_promise_never_loosens(enforced: dict[str, Any], quality: dict[str, Any]) -> None:
    profile = type(load_profiles(BUILTIN, BUILTIN).resolve("code"))("p", enforced, hash_rules(enforced))
    tightened, warnings = tighten(profile, quality)
    assert tightened == profile
    (key,) = quality
    assert [warning.pointer for warning in warnings] == [f"/commitments/quality/{key}"]


# --- all files at once


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    _plan(tmp_path, {"code": {"ordr": []}})
    _profiles(tmp_path, {"p": {"coverage_min": 80, "lint_claen": True}})
    _write(tmp_path, "adapters.json", '{"a": {}, "a": {}}')
    files = [fault.file for fault in _faults(tmp_path)]
    assert files == [
        "config/adapter-plan.json",
        "config/adapter-plan.json",
        "config/verification.profiles.json",
        "config/verification.profiles.json",
        "config/adapters.json",
    ]


def test_the_gates_own_checkout_is_held_to_the_schemas_too(tmp_path: Path) -> None:
    shutil.copytree(BUILTIN / "config", tmp_path / "config")
    own = load_configuration(tmp_path, tmp_path)
    assert "code_default" not in own.profiles.names
    _plan(tmp_path, {"code": {"order": []}})
    with pytest.raises(ConfigError):
        load_configuration(tmp_path, tmp_path)


def test_start_up_with_shipped_files_imports_no_validator(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from verigate.config.builtin import find_builtin_root\n"
        "from verigate.config.configuration import load_configuration\n"
        "load_configuration(Path(sys.argv[1]), find_builtin_root()).profiles.resolve('code')\n"
        "print(sorted({'jsonschema', 'jsonschema_rs', 'click', 'importlib.resources', 'difflib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"


# --- adapters.json


def _manifest(**more: Any) -> Manifest:
    return Manifest("links", "1", "bin/x", "/adapters/links", Origin.REPOSITORY, "0", **more)


def test_adapter_configuration_is_checked_over_the_manifests_defaults(tmp_path: Path) -> None:
    _write(tmp_path, "adapters.json", {"links": {"depth": 2}})
    manifest = _manifest(config_defaults={"start": "x"}, config_schema={"required": ["depth", "start"]})
    assert resolve_adapters_config(load_adapters_config(tmp_path, BUILTIN), [manifest]) == {"links": {"depth": 2}}


def test_defaults_of_an_adapter_do_not_reach_another_one_of_its_name(tmp_path: Path) -> None:
    _write(tmp_path, "adapters.json", {"links": {"depth": 2}})
    first, second = _manifest(config_defaults={"start": "evil"}), _manifest(config_defaults={"start": "x"})
    resolved = resolve_adapters_config(load_adapters_config(tmp_path, BUILTIN), [first, second])
    assert merge_objects(second.config_defaults, resolved["links"]) == {"depth": 2, "start": "x"}


@pytest.mark.parametrize(
    ("document", "schema", "message"),
    [
        ({"lnks": {}}, None, "no adapter is called 'lnks' (did you mean 'links'?)"),
        ({"links": {"depth": "2"}}, {"properties": {"depth": {"type": "integer"}}}, "/links/depth: it is '2'"),
        ({}, {"$ref": "https://example.com/s"}, "may only lead inside it"),
        ({}, {"type": "nonsense"}, "not a usable JSON Schema"),
    ],
)
def test_adapter_configuration_is_checked_against_the_manifests(
    tmp_path: Path, document: Any, schema: Any, message: str
) -> None:
    _write(tmp_path, "adapters.json", document)
    with pytest.raises(ConfigError) as caught:
        resolve_adapters_config(load_adapters_config(tmp_path, BUILTIN), [_manifest(config_schema=schema)])
    assert message in str(caught.value)


def test_the_defaults_of_what_ships_are_what_its_schemas_ask_for(tmp_path: Path) -> None:
    registry = RepositoryAdapters(str(BUILTIN), {}).discover(str(tmp_path))
    shipped = [replace(manifest, origin=Origin.REPOSITORY, launcher=None) for manifest in registry.manifests]
    assert {"api", "code", "content", "links", "ruff"} <= {manifest.name for manifest in shipped}
    assert all(manifest.config_schema is not None for manifest in shipped)
    assert resolve_adapters_config(load_adapters_config(tmp_path, BUILTIN), shipped)


# --- files and folders


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    os.mkfifo(tmp_path / "config" / "adapter-plan.json")
    (tmp_path / "config" / "verification.profiles.json").mkdir()
    (tmp_path / "config" / "adapters.json").symlink_to("adapters.json")
    assert [fault.file for fault in _faults(tmp_path)] == [
        "config/adapter-plan.json",
        "config/verification.profiles.json",
        "config/adapters.json",
    ]


@pytest.mark.parametrize("target", ["/dev/zero", "nowhere", "x.json", "y.json"])
def test_links_are_refused_wherever_they_lead(tmp_path: Path, target: str) -> None:
    (tmp_path / "y.json").write_text("{}")
    (tmp_path / "x.json").symlink_to(target)
    with pytest.raises(ConfigError, match=r"x\.json: it is a symbolic link \(put the file itself there\)"):
        read_bytes(tmp_path / "x.json", shown="x.json")


def test_a_path_that_a_person_named_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "y.json").write_text("{}")
    (tmp_path / "x.json").symlink_to("y.json")
    assert read_bytes(tmp_path / "x.json", shown="x.json", follow=True) == b"{}"
    (tmp_path / "y.json").unlink()
    assert read_bytes(tmp_path / "x.json", shown="x.json", follow=True) is None
    (tmp_path / "x.json").unlink()
    (tmp_path / "x.json").symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match="not a regular file"):
        read_bytes(tmp_path / "x.json", shown="x.json", follow=True)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b" " * 11)
    assert read_bytes(tmp_path / "x.json", shown="x.json", max_bytes=11) == b" " * 11
    with pytest.raises(ConfigError, match="larger than the 10 bytes"):
        read_bytes(tmp_path / "x.json", shown="x.json", max_bytes=10)


def test_a_path_that_is_not_utf8_can_be_shown() -> None:
    assert label(Path(os.fsdecode(b"/r/a\xff.json")), Path("/r")) == "a\\xff.json"


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True)


def test_the_root_is_the_git_toplevel_also_in_worktrees_and_submodules(tmp_path: Path) -> None:
    repository, worktree = tmp_path / "r", tmp_path / "w"
    (repository / "deep" / "er").mkdir(parents=True)
    (repository / "deep" / "config").mkdir()
    (repository / "deep" / "config" / "adapters.json").write_text("{}")
    _git(repository, "init", "-q")
    _git(repository, "commit", "-q", "--allow-empty", "-m", "x")
    _git(repository, "worktree", "add", "-q", str(worktree))
    (worktree / "sub").mkdir()
    _git(worktree, "submodule", "add", "-q", str(repository), "module")
    assert find_root(repository / "deep" / "er") == repository
    assert find_root(worktree / "sub") == worktree
    assert find_root(worktree / "module") == worktree / "module"


def test_outside_git_the_root_is_where_configuration_lies(tmp_path: Path) -> None:
    (tmp_path / "a" / "b" / ".git").mkdir(parents=True)  # an empty one is none
    assert find_root(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    (tmp_path / "a" / ".artifacts").mkdir()
    assert find_root(tmp_path / "a" / "b") == tmp_path / "a"
