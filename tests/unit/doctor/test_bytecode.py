from __future__ import annotations

from pathlib import Path

import pytest

from verigate.doctor.bytecode import count_without_bytecode, write_bytecode
from verigate.doctor.checks import _examine_bytecode
from verigate.errors import ExecutionError


def test_what_lacks_bytecode_is_told_and_compiled_once(tmp_path: Path) -> None:
    adapters, libraries = tmp_path / "adapters", tmp_path / "libraries"
    package = adapters / "mine" / "src" / "mine"
    package.mkdir(parents=True)
    libraries.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("ANSWER = 42\n")
    (libraries / "other.py").write_text("ANSWER = 42\n")
    (libraries / "template.py").write_text("{{ no Python }}\n")
    (finding,) = _examine_bytecode(adapters)
    assert (finding.code, finding.level.value) == ("bytecode", "warn")
    assert finding.message.startswith("2 Python files")
    assert write_bytecode(adapters, libraries) == 2
    assert [path.name.partition(".")[0] for path in (libraries / "__pycache__").iterdir()] == ["other"]
    assert list(_examine_bytecode(adapters)) == []
    assert write_bytecode(adapters, libraries) == 0


def test_what_can_not_be_compiled_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "mine" / "src" / "broken.py"
    source.parent.mkdir(parents=True)
    source.write_text("def\n")
    with pytest.raises(ExecutionError, match="1 files could not be compiled"):
        write_bytecode(tmp_path, tmp_path / "mine" / "src")
    assert count_without_bytecode(tmp_path) == 1
