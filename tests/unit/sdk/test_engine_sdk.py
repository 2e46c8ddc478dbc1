"""What engines of packages import: configuration by type, environment, template, answer, one program."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from engine_calls import services

import verigate.sdk.engine as sdk
from verigate.errors import ExecutionError, UsageError
from verigate.sdk.engine import (
    EngineConfigError,
    ExecutionContext,
    as_boolean,
    as_number,
    as_string,
    as_words,
    build_engine_environment,
    find_answer,
    render_template,
    run_program,
)


def test_every_name_that_is_offered_is_there() -> None:
    assert all(getattr(sdk, name) is not None for name in sdk.__all__)
    with pytest.raises(AttributeError):
        _ = sdk.no_such_name


def test_values_of_a_configuration_have_their_type_or_the_default() -> None:
    config: dict[str, Any] = {"a": " x ", "b": "", "n": 2, "t": True, "w": ["a", "b"], "z": None}
    assert (as_string(config, "a"), as_string(config, "b", "d"), as_string(config, "z", "d")) == ("x", "d", "d")
    assert (as_number(config, "n"), as_number(config, "gone", 1.5), as_number(config, "gone")) == (2.0, 1.5, None)
    assert (as_boolean(config, "t"), as_boolean(config, "gone", default=True)) == (True, True)
    assert (as_words(config, "w"), as_words(config, "gone", ("p",))) == (("a", "b"), ("p",))


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (as_string, 3), (as_string, ["x"]), (as_number, "3"), (as_number, True), (as_number, float("nan")),
        (as_boolean, "yes-0123"), (as_boolean, 1), (as_words, "rm -rf"), (as_words, ["a", 1]),
    ],
)  # fmt: skip
def test_another_type_is_an_error_that_names_the_key_and_not_the_value(read: Any, value: Any) -> None:
    with pytest.raises(EngineConfigError) as caught:
        read({"the_key": value}, "the_key")
    assert "the_key" in caught.value.message
    assert caught.value.hint
    assert str(value) not in caught.value.message.replace("the_key", "")


def test_a_program_gets_common_and_named_variables_and_no_others() -> None:
    environ = {"PATH": "/bin", "LC_ALL": "C", "MY_KEY": "k", "MY_URL": "u", "OTHER_TOKEN": "t", "GATE_ENGINES": "x",
               "LD_PRELOAD": "y"}  # fmt: skip
    assert build_engine_environment(environ, ("MY_*",)) == {"PATH": "/bin", "LC_ALL": "C", "MY_KEY": "k", "MY_URL": "u"}
    assert "LD_PRELOAD" not in build_engine_environment(environ, ("*",))


ANSWERS: dict[str, dict[str, Any] | None] = {
    '{"a": 1}': {"a": 1},
    'so:\n```json\n{"a": 2}\n```\n': {"a": 2},
    '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```': {"a": 2},
    '{"a": 1} and more': None,
    '{"a": NaN}': None,
    "[1]": None,
    "": None,
}


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_found_or_it_is_none(text: str) -> None:
    assert find_answer(text) == ANSWERS[text]


def test_a_template_has_its_values_and_no_way_out() -> None:
    assert render_template("{{ a }}-{{ b.c }}", {"a": 1, "b": {"c": 2}}) == "1-2"
    for template in ("{{ gone }}", "{{ a.__class__.__mro__ }}", "{% for"):
        with pytest.raises(UsageError, match="can't be rendered"):
            render_template(template, {"a": ""})


def call(folder: Path, script: str, **more: Any) -> Any:
    heard: list[str] = []

    async def on_log(_stream: str, chunk: str) -> None:
        heard.append(chunk)

    ctx = ExecutionContext("r", {}, {}, on_log=on_log)
    wanted = {"prompt": "hello", "environ": {"PATH": "/usr/bin:/bin"}, "timeout_s": 10, **more}
    done = asyncio.run(run_program(services(folder), ctx, ("sh", "-c", script), **wanted))
    return done, heard


def test_a_program_reads_the_prompt_and_is_heard(tmp_path: Path) -> None:
    done, heard = call(tmp_path, "cat; echo; pwd; echo no >&2; exit 3")
    assert (done.exit_code, done.failed, done.stderr) == (3, True, "no\n")
    assert done.stdout == f"hello\n{tmp_path}/verigate-engine-run-x\n"
    assert "".join(heard).replace("no\n", "") == done.stdout
    assert not call(tmp_path, "true")[0].failed


def test_a_program_is_ended_in_time_and_leaves_nothing(tmp_path: Path) -> None:
    began = time.monotonic()
    done, _ = call(tmp_path, "sleep 60 & sleep 60", timeout_s=0.5, grace_s=0.5)
    assert (done.timed_out, done.failed, time.monotonic() - began < 20) == (True, True, True)
    assert call(tmp_path, "kill -9 $$")[0].signal == "SIGKILL"


def test_a_program_that_isn_t_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="is not on PATH"):
        asyncio.run(
            run_program(
                services(tmp_path), ExecutionContext("r", {}, {}), ("no-such",), prompt="", environ={}, timeout_s=1
            )
        )


def test_importing_it_loads_no_library_that_isn_t_used() -> None:
    program = "import sys, json, verigate.sdk.engine; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert {"jinja2", "httpx2", "jsonschema_rs", "verigate.verifier"}.isdisjoint(loaded)
