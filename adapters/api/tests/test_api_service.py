"""The service is started, waited for, and stopped with all it has started; its words are kept without secrets."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from processes_alive import gone

from api_adapter.redaction import HIDDEN, MAX_SAMPLE, Redaction
from api_adapter.service import LOG_BYTES, run_service
from api_adapter.settings import ServiceCommand, Settings, read_settings
from verigate.sdk import AdapterUsageError, Request, ToolFailed

ANSWER = (
    "import http.server, os\n"
    "class H(http.server.BaseHTTPRequestHandler):\n"
    "    def do_GET(self):\n"
    "        self.send_response(200); self.end_headers(); self.wfile.write(b'{}')\n"
    "def serve():\n"
    "    http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])), H).serve_forever()\n"
)


def request(folder: Path, **environ: str) -> Request:
    return Request("api:responses", folder, repo_root=folder, environ={"PATH": "/usr/bin:/bin", **environ})


def started(script: str, **given: Any) -> Settings:
    command = (sys.executable, "-c", ANSWER + script)
    return Settings(service=ServiceCommand(command, **{"start_timeout_s": 10, **given}))


def test_its_children_end_with_it_and_the_end_of_its_log_is_kept(tmp_path: Path) -> None:
    marker = f"api-child-{time.time_ns()}"
    child = f"import subprocess, sys\nsubprocess.Popen(['sh', '-c', \"trap '' TERM; sleep 600\", '{marker}'])\n"
    flood = "sys.stdout.write('x' * 300000 + 'the end')\nsys.stdout.flush()\nserve()\n"
    with run_service(started(child + flood, health="/"), request(tmp_path)) as service:
        assert service.log is not None
        assert not gone(marker, within_s=0)
    assert len(service.log.text()) <= LOG_BYTES
    assert "the end" in service.log.text()
    assert gone(marker)


FAILS = [
    ("raise SystemExit('no database')", {}, "exit code 1 before it answered\nno database"),
    ("import time; time.sleep(60)", {"start_timeout_s": 0.3}, "didn't answer at its port within 0.3 s"),
]


@pytest.mark.parametrize(("script", "given", "said"), FAILS, ids=["ends", "never listens"])
def test_a_service_that_doesnt_come_up(tmp_path: Path, script: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolFailed) as raised, run_service(started(script, **given), request(tmp_path)):
        pass
    assert said in str(raised.value)


def test_what_answers_in_its_place_is_not_called(tmp_path: Path) -> None:
    with run_service(started("serve()"), request(tmp_path)) as other:
        port = int(other.base_url.rpartition(":")[2])
        with (
            pytest.raises(ToolFailed, match="is already in use"),
            run_service(started("", port=port), request(tmp_path)),
        ):
            pass


def test_credentials_reach_the_service_only_where_that_is_asked_for(tmp_path: Path) -> None:
    script = "print(os.environ.get('API_KEY_X'), os.environ.get('GATE_TASK_ID'), os.environ['AT'], flush=True)\nserve()"
    for passed, seen in ((False, "None None"), (True, "abcdefgh None")):
        settings = started(script, pass_credentials=passed, env={"AT": "port-{port}"})
        settings = Settings(service=settings.service, credentials={"key": "API_KEY_X"})
        with run_service(settings, request(tmp_path, API_KEY_X="abcdefgh", GATE_TASK_ID="T1")) as service:
            assert service.log is not None
        assert f"{seen} port-" in service.log.text()


BAD_SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"base_url": "http://x", "service": {"command": ["a"]}}, "both configured"),
    ({"base_url": "http://me:secret@x"}, "not a plain http"),
    ({"base_url": "file:///etc"}, "not a plain http"),
    ({"servce": {}}, "servce"),
    ({"service": {"command": ["a"], "cwd": ".."}}, "is outside the repository"),
    ({}, "no service to call"),
    ({"service": {"command": ["/nonexistent/program"]}}, "can't be started"),
]


@pytest.mark.parametrize(("config", "said"), BAD_SETTINGS, ids=[case[1] for case in BAD_SETTINGS])
def test_settings_that_make_no_sense(tmp_path: Path, config: dict[str, Any], said: str) -> None:
    call = Request("api:auth", tmp_path, repo_root=tmp_path, config=config, environ={"PATH": "/usr/bin:/bin"})
    with pytest.raises((AdapterUsageError, ToolFailed), match=said), run_service(read_settings(call), call):
        pass


SECRETS = [
    ('{"token":"abc\\"def","n":1}', f'{{"token":"{HIDDEN}","n":1}}'),
    ('{"apiKey": 12345, "a": 1}', f'{{"apiKey": "{HIDDEN}", "a": 1}}'),
    ("x eyJhbGciOi.eyJzdWIiOi.c2ln y", f"x {HIDDEN} y"),
    ("Authorization: Bearer abcdefgh12", f"Authorization: Bearer {HIDDEN}"),
    ("AKIAABCDEFGHIJKLMNOP", HIDDEN),
    ("my-own-value and my-own", f"{HIDDEN} and my-own"),
    ('{"tokens_left": "', f'{{"tokens_left": "{HIDDEN}"'),
    ("nothing to hide", "nothing to hide"),
]


@pytest.mark.parametrize(("text", "kept"), SECRETS, ids=[case[0][:20] for case in SECRETS])
def test_secrets_are_taken_out_of_samples(text: str, kept: str) -> None:
    redaction = Redaction.of(Settings(credentials={"a": "A"}), {"A": "my-own-value"})
    assert redaction.sample(text.encode()) == kept


def test_samples_are_bounded_and_text() -> None:
    assert len(Redaction().sample(b"\xff" * 100_000)) <= MAX_SAMPLE
