"""Scripts without an extension are known by their first line."""

from __future__ import annotations

import pytest

from verigate.tools.interpreter import detect_script_type


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"#!/bin/sh\necho\n", "text/x-shellscript"),
        (b"#! /bin/bash -e\n", "text/x-shellscript"),
        (b"#!/usr/bin/env bash", "text/x-shellscript"),
        (b"#!/usr/bin/env -S LANG=C dash -x\n", "text/x-shellscript"),
        (b"#!/usr/bin/python3.11\n", "text/x-python"),
        (b"#!/usr/bin/env node\n", "text/javascript"),
        (b"#!/usr/bin/env -S\n", None),
        (b"#!/usr/bin/tclsh\n", None),
        (b"#!\n/bin/sh", None),
        (b"#!/bin/\xff\xfesh\n", None),
        (b" #!/bin/sh\n", None),
        (b"", None),
    ],
)
def test_the_first_line_names_the_interpreter(head: bytes, expected: str | None) -> None:
    assert detect_script_type(head) == expected
