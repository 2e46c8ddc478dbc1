from __future__ import annotations

import subprocess
import sys


def test_importing_the_sdk_loads_no_other_part_of_the_gate() -> None:
    # An adapter starts for every call: beside the standard library it pays for msgspec, and for nothing else.
    used = "import sys; from verigate.sdk import Request, ToolFailed, main, run_tool, write_json; "
    told = f"{used}print(*(name for name in sys.modules if '.' not in name))"
    ours = f"{used}print(*(name for name in sys.modules if name.startswith('verigate.')))"

    def printed(script: str) -> set[str]:
        done = subprocess.run((sys.executable, "-I", "-c", script), capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    modules = {name for name in printed(told) if not name.startswith("_")} - sys.stdlib_module_names
    # typing_extensions is msgspec's; an editable install has a finder of its own.
    assert modules - {"typing_extensions"} <= {"verigate", "msgspec", "sitecustomize", "distutils-precedence"}
    parts = {name.split(".")[1] for name in printed(ours)}
    assert parts == {"errors", "extras", "sdk"}
    assert "verigate.sdk.languages" not in printed(ours)
