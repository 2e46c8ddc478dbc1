"""The third source document's cap definition, run by `gate verify` on a real file; and the commands that explain it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest

DEFINITION = """\
title = "Extract Document Metadata"
cap_description = "Extract metadata from PDF documents"
command = "extract-metadata"
stdin = "media:pdf;bytes"

[media_specs."media:extract-metadata-output"]
media_type = "application/json"
profile_uri = "https://capns.org/schema/extract-metadata-output"

[media_specs."media:extract-metadata-output".schema]
type = "object"
additionalProperties = false
properties.title = { type = "string" }
properties.author = { type = "string" }
properties.page_count = { type = "integer", minimum = 0 }
required = ["title", "page_count"]

[urn.tags]
op = "extract_metadata"
ext = "pdf"
in = "media:binary"
out = "media:extract-metadata-output"

[[arguments.required]]
name = "file_path"
media_spec = "media:string"
arg_description = "Path to the document file"
cli_flag = "file_path"
position = 0

[output]
media_spec = "media:extract-metadata-output"
output_description = "Structured metadata extracted from the document"
"""
COUNT = """\
title = "Count pages"
command = "count"
[urn.tags]
op = "count"
out = "media:integer"
"""
ENTRY = r"""#!/usr/bin/env python3
import json, re, sys

command, *arguments = sys.argv[1:]
if command == "count":
    print(open("pages.txt").read().strip())
    sys.exit(0)
assert command == "extract-metadata" and len(arguments) == 1, arguments
text = open(arguments[0], "rb").read()
assert sys.stdin.buffer.read() == text
title = re.search(rb"/Title \((.*?)\)", text)[1].decode()
pages = re.search(rb"/Count (\S+)", text)[1].decode()
print(json.dumps({"title": title, "page_count": int(pages) if pages.isdigit() else pages}))
"""
EXTRACT = "pdf-tools:extract-metadata"
ARTIFACT = "caps/pdf-tools/extract-metadata.json"
RULES = {"rules": [{"id": "pages", "expr": f'artifacts["{ARTIFACT}"].page_count == 3', "message": "three are asked"}]}


def repository(folder: Path, order: tuple[str, ...] = (EXTRACT,), **rules: Any) -> gr.GatedRepository:
    found = gr.make(folder, {}, {**RULES, **rules}, order=order, capabilities=("my:check",))
    base = "adapters/pdf-tools"
    manifest = {"name": "pdf-tools", "version": "1.0.0", "entry": "run", "capabilities": []}
    found.put(f"{base}/manifest.json", {**manifest, "sandbox": {"tools": ["python3"], "filesystem": "readonly"}})
    found.put(f"{base}/extract.toml", DEFINITION)
    found.put(f"{base}/count.toml", COUNT)
    found.sample.write(f"{base}/run", ENTRY, executable=True)
    found.put("config/adapters.json", {"pdf-tools": {"file_path": "paper.pdf", "stdin": "paper.pdf"}})
    found.put("pages.txt", "3\n")
    found.sample.commit("an adapter in TOML")
    found.begin()
    found.put("paper.pdf", "%PDF-1.7 /Title (On Gates) /Count 3\n")
    found.claim("file:paper.pdf")
    return found


@pytest.mark.parametrize("sandbox", ["prefer", "off"])
def test_a_cap_definition_runs_end_to_end(tmp_path: Path, sandbox: str) -> None:
    here = repository(tmp_path, sandbox=sandbox)
    done = here.verify()
    assert done.code == 0, done.output
    assert here.published(ARTIFACT) == {"title": "On Gates", "page_count": 3}
    (record,) = [item for item in here.published("run.json")["invocations"] if item["capability"] == EXTRACT]
    assert record["argv"][-2:] == ["extract-metadata", "paper.pdf"]
    assert record["argv"][-3].endswith("/adapters/pdf-tools/run")
    entry = next(item for item in here.published("artifacts.json")["files"] if item["path"] == ARTIFACT)
    assert (entry["media_spec"], entry["producer"]) == ("media:extract-metadata-output", EXTRACT)
    assert here.gate("replay", "T1").code == 0


def test_an_output_that_is_not_of_its_type_is_refused_with_place_expected_and_actual(tmp_path: Path) -> None:
    here = repository(tmp_path)
    here.put("paper.pdf", "%PDF-1.7 /Title (On Gates) /Count three\n")
    done = here.verify()
    assert done.code == 3, done.output
    (reason,) = [item for item in here.verdict()["reasons"] if item["code"] == "ARTIFACT_INVALID"]
    assert reason["message"].startswith(
        f"{ARTIFACT} is not valid media:extract-metadata-output: /page_count: it is 'three', must be an integer"
    )
    assert not (here.root / ".artifacts/T1" / ARTIFACT).exists(), "nothing of it is published"


@pytest.mark.parametrize(("pages", "code", "said"), [("3", 0, ""), ("3.5", 3, "it is '3.5', must be an integer")])
def test_a_text_output_is_held_to_its_primitive_type(tmp_path: Path, pages: str, code: int, said: str) -> None:
    here = repository(tmp_path, (EXTRACT, "pdf-tools:count"))
    here.put("pages.txt", pages)
    done = here.verify()
    assert done.code == code, done.output
    assert said in done.out


def test_a_value_of_the_configuration_that_is_not_of_its_type_stops_the_gate(tmp_path: Path) -> None:
    here = repository(tmp_path)
    here.put("config/adapters.json", {"pdf-tools": {"file_path": 7}})
    done = here.verify()
    assert done.code == 2, done.output
    assert "config/adapters.json:1 /pdf-tools/file_path" in done.err
    assert "it is 7, must be a string" in done.err


def test_all_faults_of_a_definition_stop_the_gate_at_once(tmp_path: Path) -> None:
    here = repository(tmp_path)
    here.put("adapters/pdf-tools/count.toml", f'{COUNT}in = "my:none.v1"\n[output]\nmedia_spec = "media:string"\n')
    done = here.gate("adapters", "--json")
    assert done.code == 2, done.output
    assert [(fault["file"].rpartition("adapters/")[2], fault["pointer"]) for fault in done.json["faults"]] == [
        ("pdf-tools/count.toml", "/urn/tags/in"),
        ("pdf-tools/count.toml", "/output/media_spec"),
    ]


def test_a_urn_finds_capabilities_the_most_exact_first(tmp_path: Path) -> None:
    here = repository(tmp_path)
    twin = COUNT.replace('"count"', '"other"', 1).replace("Count", "Also count")
    here.put("adapters/pdf-tools/other.toml", f'{twin}ext = "pdf"\n')
    here.put("adapters/pdf-tools/third.toml", f'{twin.replace("other", "third", 1)}ext = "doc"\n')
    found = here.gate("adapters", "--urn", "cap:op=count;out=media:integer", "--json")
    assert found.code == 0, found.output
    assert [(item["name"], item["distance"], item["tied"]) for item in found.json["capabilities"]] == [
        ("pdf-tools:count", 0, False),
        ("pdf-tools:other", 4, True),
        ("pdf-tools:third", 4, True),
    ]
    text = here.gate("adapters", "--urn", "cap:op=count").out
    assert text.index("pdf-tools:count") < text.index("pdf-tools:other")
    assert "tied" in text
    by_type = here.gate("adapters", "--urn", 'cap:in="media:pdf;bytes";op=extract_metadata', "--json").json
    assert [item["name"] for item in by_type["capabilities"]] == [EXTRACT]
    none = here.gate("adapters", "--urn", "cap:op=nothing")
    assert (none.code, "capabilities with a URN" in none.out) == (0, True)
    wrong = here.gate("adapters", "--urn", "cap:op=")
    assert (wrong.code, "empty value" in wrong.err) == (2, True)


def test_gate_media_explains_what_an_id_resolves_to_and_from_where(tmp_path: Path) -> None:
    here = repository(tmp_path)
    own, built_in = here.gate("media", "media:extract-metadata-output", "--json").json["meanings"]
    assert (own["adapter"], own["origin"], own["step"]) == ("pdf-tools", "table", 5)
    assert own["file"] == str(here.root / "adapters/pdf-tools/extract.toml")
    assert own["schemas"][0]["required"] == ["title", "page_count"]
    assert (built_in["origin"], built_in["step"], built_in["schemas"]) == ("built-in", 2, [])
    refined = here.gate("media", "media:pdf;bytes", "--json").json
    assert (refined["canonical"], refined["meanings"][0]["binary"]) == ("media:binary;pdf", True)
    text = here.gate("media", "media:pdf;bytes").out
    assert "media:binary, refined by pdf" in text
    assert "step 2: built in" in text
    standard = here.gate("media", "verigate:lint.v1", "--json").json["meanings"][0]
    assert standard["schemas"][0]["$id"] == "https://verigate.invalid/schemas/lint.v1.json"
    only = here.gate("media", "media:string", "--adapter", "pdf-tools")
    assert only.code == 0, only.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("media:intger",), ["neither in any media_specs table nor built in", "nearest: media:integer"]),
        (
            ("media:extract-metadata-ouput", "--adapter", "pdf-tools"),
            ["the media_specs of pdf-tools", "nearest: media:ex"],
        ),
        (("nonsense",), ["it has no namespace"]),
        (("media:string;x",), ["only binary IDs have tags"]),
        (("media:string", "--adapter", "pdf-tool"), ["no adapter is called 'pdf-tool'", "did you mean 'pdf-tools'"]),
    ],
)
def test_gate_media_refuses_what_it_does_not_know(tmp_path: Path, arguments: tuple[str, ...], said: list[str]) -> None:
    here = repository(tmp_path)
    done = here.gate("media", *arguments)
    assert done.code == 2, done.output
    assert all(text in done.err for text in said), done.output
    assert json.loads(here.gate("media", *arguments, "--json").out)["exit_code"] == 2
