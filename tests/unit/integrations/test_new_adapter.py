from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import forked_programs
import jsonschema_rs
import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.config.validation import find_unknown_keys, validate
from verigate.discovery.manifest_file import find_manifest_faults
from verigate.domain.media import resolve
from verigate.errors import UsageError
from verigate.integrations.new_adapter import TEMPLATES, plan_new_files, write_new
from verigate.integrations.new_adapter.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_manifest_schema_fixtures_a_test_and_an_entry(language: str) -> None:
    files = {file.path: file for file in plan_new_files("try-it", language, "mine:look")}
    manifest = json.loads(files["manifest.json"].content)
    assert validate("manifest", manifest) == ()
    assert find_unknown_keys("manifest", manifest) == ()
    assert find_manifest_faults(manifest, "manifest.json") == ()
    assert manifest["name"] == "try-it"
    (capability,) = manifest["capabilities"]
    assert (capability["name"], capability["outputs"][0]["path"]) == ("mine:look", "mine-look.json")
    schema = resolve("mine:look.v1", manifest["media_specs"]).schema
    assert schema is not None
    judged = jsonschema_rs.Draft202012Validator(dict(schema))
    assert judged.is_valid({"files_checked": 1, "files_skipped": 0, "findings": [{"file": "a", "line": 1}]})
    assert not judged.is_valid({"files_checked": 1, "findings": []})
    assert files[manifest["entry"]].executable
    assert files["check.sh"].executable
    assert "adapter check" in files["check.sh"].content
    fixtures = [json.loads(file.content) for path, file in files.items() if path.startswith("fixtures/")]
    assert [bool(fixture["expect"]["mine-look.json"]["/findings"]) for fixture in fixtures] == [True, False]
    for file in files.values():
        assert "@@" not in file.content, file.path
        assert "NAME" not in file.path
        assert file.content.endswith("\n")
        # The adapter looks at its own files too, once they are in the repository.
        assert not [line for line in file.content.splitlines() if line.startswith("<<<<<<< ")]
    assert LANGUAGES[language].source.replace("NAME", "try-it") in files


def test_every_template_belongs_to_a_language() -> None:
    folders = {path.name for path in TEMPLATES.iterdir()}
    assert folders == {"common", *(folder for language in LANGUAGES.values() for folder in language.folders)}
    assert all(path.suffix == ".in" for path in TEMPLATES.rglob("*") if path.is_file())


REFUSED = {
    "a path": ("../x", "python", None, "not a valid name for an adapter"),
    "a flag": ("-x", "python", None, "not a valid name for an adapter"),
    "capitals": ("Mine", "python", None, "not a valid name for an adapter"),
    "quotes": ('x"y', "python", None, "not a valid name for an adapter"),
    "nothing": ("", "python", None, "not a valid name for an adapter"),
    "a slip in the language": ("x", "pyton", None, "no template for 'pyton'"),
    "a language that has none": ("x", "cobol", None, "no template for 'cobol'"),
    "no capability": ("x", "c", "look", "not of the form domain:action"),
    "a command": ("x", "bash", "x:$(touch y)", "not of the form domain:action"),
    "somebody else's": ("x", "c", "code:lint", "whose shape is fixed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_not_be_made_is_refused_with_a_way_on(name: str) -> None:
    given, language, capability, told = REFUSED[name]
    with pytest.raises(UsageError, match=told):
        plan_new_files(given, language, capability)


def test_a_slip_in_the_language_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        plan_new_files("x", "pyton")
    assert "python" in str(caught.value.hint)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")
    for name in ("file", "folder", "link"):
        with pytest.raises(UsageError, match="already"):
            write_new(tmp_path / name, plan_new_files("x", "c"))
    assert (tmp_path / "file").read_text() == "mine"
    assert list((tmp_path / "folder").iterdir()) == []
    assert not (tmp_path / "elsewhere").exists()


def gate(root: Path, *arguments: str, cwd: Path | None = None, **more: str) -> tuple[int, str]:
    done = forked_programs.gate(arguments, cwd=cwd or root, env=clean_environ(**more))
    return done.returncode, done.stdout.decode() + done.stderr.decode()


@pytest.mark.slow
def test_the_command_writes_into_the_repository_and_says_what_comes_next(tmp_path: Path) -> None:
    root = SampleRepository.create(tmp_path / "repository").path
    code, told = gate(root, "adapter", "new", "mine", "--language", "perl", "--dry-run")
    assert (code, (root / "adapters").exists()) == (0, False), told
    assert "would write adapters/mine/manifest.json" in told
    code, told = gate(root, "adapter", "new", "mine", "--language", "perl")
    assert code == 0, told
    assert told.splitlines()[-1] == "next: gate adapter check adapters/mine"
    assert os.access(root / "adapters/mine/bin/adapter-mine", os.X_OK)
    code, told = gate(root, "adapter", "new", "mine", "--language", "perl")
    assert (code, "already" in told) == (2, True), told
    (root / "deeper").mkdir()
    code, told = gate(root, "adapter", "new", "other", "-l", "c", "--into", "my place", cwd=root / "deeper")
    assert told.splitlines()[-1] == "next: gate adapter check 'my place/other'"
    assert (root / "deeper/my place/other/manifest.json").is_file()
    code, told = gate(root, "adapter", "new", "third", "-l", "go", "--json")
    document = json.loads(told)
    assert document["tools"] == ["git", "go"]
    bare = tmp_path / "bin"
    bare.mkdir()
    for tool in ("bash", "git", "grep"):
        (bare / tool).symlink_to(str(shutil.which(tool)))
    code, told = gate(root, "adapter", "new", "fourth", "-l", "bash", PATH=str(bare))
    assert told.splitlines()[-2] == "tools   bash, git, grep, jq; not installed here: jq"
    assert {file["path"] for file in document["files"]} == {file.path for file in plan_new_files("third", "go")}
    assert "third" in gate(root, "adapters")[1]
