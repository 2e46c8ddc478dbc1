"""The manual page: what the commands are, as mandoc and man read it. Starts mandoc and man (Debian)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import document_parts as parts
import man_page

PAGE = parts.ROOT / man_page.PATH


def test_it_is_what_the_program_makes() -> None:
    made = man_page.make_man_page()
    assert PAGE.read_text("utf-8") == made, "run .venv/bin/python tests/support/document_parts.py"


def test_mandoc_finds_nothing() -> None:
    done = subprocess.run(("mandoc", "-Tlint", "-Wwarning", PAGE), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_can_not_be_read_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "gate.1"
    broken.write_text(PAGE.read_text("utf-8").replace(".SH COMMANDS", ".SH COMMANDS\n.XX"), "utf-8")
    done = subprocess.run(("mandoc", "-Tlint", "-Wwarning", broken), capture_output=True, text=True, check=False)
    assert done.returncode != 0


def test_a_reader_sees_each_command_with_its_options_as_they_are_typed() -> None:
    shown = subprocess.run(
        ("mandoc", "-Tutf8", "-O", "width=300", PAGE), capture_output=True, text=True, check=True
    ).stdout
    # Overstrikes are bold type.
    plain = "".join(char for index, char in enumerate(shown) if char != "\b" and shown[index + 1 : index + 2] != "\b")
    for name in parts.COMMANDS:
        for path in parts.command_paths(name):
            command, context = parts.command_at(path)
            usage = " ".join(("gate", *path, *command.collect_usage_pieces(context)))
            assert usage in plain
            for parameter in command.get_params(context):
                record = parameter.get_help_record(context)
                if parameter.param_type_name == "option" and record is not None:
                    assert f"  {record[0]}" in plain
                    assert " ".join(record[1].split())[:60] in " ".join(plain.split())
