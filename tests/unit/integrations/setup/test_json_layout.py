"""The layout of configuration as prettier and biome have it, so that a project's own formatter accepts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from verigate.integrations.setup.json_layout import lay_out

WIDE = "x" * 70


@pytest.mark.parametrize(
    ("package", "content", "laid"),
    [
        (None, '{"a": [1, 2], "b": {}, "c": []}', '{\n  "a": [1, 2],\n  "b": {},\n  "c": []\n}\n'),
        ('{\n\t"a": 1}', '{"a": {"b": [1]}}', '{\n\t"a": {\n\t\t"b": [1]\n\t}\n}\n'),
        ("{}", f'{{"a": ["{WIDE}"]}}', f'{{\n  "a": [\n    "{WIDE}"\n  ]\n}}\n'),
        (None, '{"a": [{"b": "\u00fc"}]}', '{\n  "a": [\n    {\n      "b": "\u00fc"\n    }\n  ]\n}\n'),
        (None, "no json", "no json"),
    ],
)
def test_a_file_is_laid_out_as_its_repository_does(
    tmp_path: Path, package: str | None, content: str, laid: str
) -> None:
    if package is not None:
        (tmp_path / "package.json").write_text(package)
    assert lay_out(tmp_path, "config/a.json", content) == laid


def test_the_baseline_and_what_is_no_json_keep_their_layout(tmp_path: Path) -> None:
    for path in ("config/verigate-baseline.json", ".artifacts/.gitignore"):
        assert lay_out(tmp_path, path, "[ 1 ]") == "[ 1 ]"
