from pathlib import Path

import pytest

from tidy.cli import main

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.fixture
def messy(tmp_path):
    path = tmp_path / "messy.txt"
    path.write_text("a  \nb\n")
    return path


def test_help(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == (SNAPSHOTS / "help.txt").read_text()


def test_strips(messy, capsys):
    assert main([str(messy)]) == 0
    assert messy.read_text() == "a\nb\n"
    assert capsys.readouterr().out == "messy.txt: stripped\n"


def test_check(messy):
    assert main(["--check", str(messy)]) == 1
    assert messy.read_text() == "a  \nb\n"
