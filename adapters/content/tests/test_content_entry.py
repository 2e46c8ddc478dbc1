"""The entry of the adapter: what it says where the extra isn't installed, and to a call that makes no sense."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from content_adapter import __main__ as entry
from verigate.sdk import main


def test_without_the_extra_it_says_which_one_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "comrak", None)
    monkeypatch.setattr(sys, "argv", ["adapter-content", "content:scan", "--task-dir", str(tmp_path)])
    assert entry.run() == 1
    said = capsys.readouterr().err
    assert "/bin/setup --extra content\n" in said
    assert "missing: comrak" in said
    assert not list(tmp_path.iterdir())


def test_another_capability_is_none_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = dict.fromkeys(entry.CAPABILITIES, entry._serve)
    assert main(handlers, ["content:spelling", "--task-dir", str(tmp_path)]) == 2
    assert "content:wordcount" in capsys.readouterr().err
