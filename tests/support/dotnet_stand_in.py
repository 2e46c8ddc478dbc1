"""A program named dotnet for machines without the SDK: what ``dotnet test`` prints and writes of a few lines of C#.

It understands ``static int F(int a, int b) => a + b;`` of the code, and in tests of xUnit ``[Fact]``, ``Skip``,
``var``, ``Assert.Equal`` and ``Assert.True``. What it writes is as in TRX files that public repositories hold; whether
the real program takes the same options and ends the same way, no test here shows.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, os.environ.get("STAND_IN_SUPPORT", str(Path(__file__).resolve().parent)))
from trx_samples import Result, write_trx

FUNCTION = re.compile(r"static int (?P<name>\w+)\((?P<parameters>[^)]*)\) => (?P<body>[^;]+);")
TEST = re.compile(r'\[Fact(?:\(Skip = "(?P<skip>[^"]*)"\))?\]\s*public void (?P<name>\w+)\(\)\s*\{(?P<body>[^}]*)\}')
CALL = re.compile(r"\b(?P<owner>[A-Z]\w*)\.(?P<name>\w+)\(")


def main() -> int:
    arguments = sys.argv[1:]
    assert arguments[:1] == ["test"], arguments
    project = Path(arguments[1])
    results = Path(arguments[arguments.index("--results-directory") + 1])
    assert arguments[arguments.index("--logger") + 1] == "trx"
    chosen = arguments[arguments.index("--filter") + 1] if "--filter" in arguments else ""
    functions = {}
    sources = sorted(project.parent.parent.rglob("*.cs"))
    for path in sources:
        for found in FUNCTION.finditer(path.read_text()):
            names = [each.split()[-1] for each in found["parameters"].split(",") if each.strip()]
            functions[found["name"]] = eval(f"lambda {', '.join(names)}: {found['body'].replace('/', '//')}")  # noqa: S307
    tests = [path for path in sources if path.is_relative_to(project.parent)]
    for path in tests:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for call in CALL.finditer(line):
                if call["owner"] != "Assert" and call["name"] not in functions:
                    message = f"'{call['owner']}' does not contain a definition for '{call['name']}'"
                    print(f"{path}({number},{call.start() + 1}): error CS0117: {message} [{project}]")
                    return 1
    listed = [result for path in tests for result in run_file(path, functions, chosen)]
    results.mkdir(parents=True, exist_ok=True)
    (results / "me_build_2024-05-04_10_11_12.trx").write_text(write_trx(listed))
    print(f"Results File: {results}/me_build_2024-05-04_10_11_12.trx")
    return int(any(each.outcome == "Failed" for each in listed))


def run_file(path: Path, functions: dict[str, object], chosen: str) -> list[Result]:
    text = path.read_text()
    namespace = re.search(r"^namespace ([\w.]+)", text, re.MULTILINE)
    owner = re.search(r"class (\w+)", text)
    if owner is None:
        return []
    name = f"{namespace[1]}.{owner[1]}" if namespace else owner[1]
    found = []
    for test in TEST.finditer(text):
        whole = f"{name}.{test['name']}"
        if chosen and not any(part.partition("~")[2] in whole for part in chosen.split("|")):
            continue
        message = "" if test["skip"] is not None else run_body(test["body"], functions)
        outcome = "NotExecuted" if test["skip"] is not None else "Failed" if message else "Passed"
        stack = f"   at {whole}() in {path}:line {text[: test.start()].count(chr(10)) + 4}"
        found.append(Result(name, test["name"], outcome, whole, message, stack if message else ""))
    return found


def run_body(body: str, functions: dict[str, object]) -> str:
    values = dict(functions)
    for written in body.split(";"):
        statement = CALL.sub(lambda call: f"{call['name']}(", written.strip())
        if set_value := re.fullmatch(r"var (\w+) = (.+)", statement):
            values[set_value[1]] = eval(set_value[2], {}, values)  # noqa: S307
        elif equal := re.fullmatch(r"Equal\((\d+), (.+)\)", statement):
            if (got := eval(equal[2], {}, values)) != int(equal[1]):  # noqa: S307
                return f"Assert.Equal() Failure: Values differ\nExpected: {equal[1]}\nActual:   {got}"
        elif (true := re.fullmatch(r"True\((.+)\)", statement)) and not eval(true[1], {}, values):  # noqa: S307
            return "Assert.True() Failure\nExpected: True\nActual:   False"
    return ""


if __name__ == "__main__":
    sys.exit(main())
