"""``iflow-cli``: iFlow's program, an early relative of Gemini CLI. It answers in text, and trusts every folder.

Its package was not to be had when this was written. What stands here is from what is published about it: its settings'
schema, how its own action for GitHub calls it, and its account of an execution, on stderr or below the answer.
"""

from __future__ import annotations

from verigate.domain.engine import EngineCapabilities
from verigate.verifier.enforced import read_shipped_enforced
from verigate.verifier.program import ConfigFile, Program, SkillDelivery, Trailer, Words

_DOCUMENT = """\
# iflow-cli

Use when: iFlow is installed and set up, and its models are wanted.
Don't use when: it has to be known which model answered, or what it cost; it reports tokens at best.

Core fields: command, settings (keys of its settings.json, such as selectedAuthType and modelName), arguments, skill,
instructionsFilePath (becomes the IFLOW.md of the run folder).
"""

# Without anybody at a terminal it approves every tool by itself. Whether an empty list of tools means none or all of
# them isn't said, so that each is named too.
_TOOLS = (
    *("run_shell_command", "write_file", "replace", "multi_edit", "read_file", "read_many_files", "list_directory"),
    *("glob", "search_file_content", "web_fetch", "web_search", "google_web_search", "save_memory", "task", "Skill"),
    *("ShellTool", "WriteFileTool", "EditTool", "ReadFileTool", "ReadManyFilesTool", "LSTool", "GlobTool", "GrepTool"),
    *("WebFetchTool", "WebSearchTool", "MemoryTool"),
)

PROGRAM = Program(
    type="iflow_cli",
    label="iFlow CLI (local)",
    command=("iflow",),
    configuration_doc=_DOCUMENT,
    capabilities=EngineCapabilities(supports_instructions_bundle=True),
    provider="iflow",
    arguments=(Words(("--model", "{model}"), needs="model"), Words(("--prompt", ""))),
    config=ConfigFile(".iflow/settings.json"),
    defaults={"hideTips": True, "hideBanner": True, "disableAutoUpdate": True},
    enforced=read_shipped_enforced("iflow"),
    environment=("IFLOW_*", "iflow_*"),
    credentials=("IFLOW_API_KEY", "IFLOW_apiKey", "~/.iflow/oauth_creds.json", "~/.iflow/settings.json"),
    # A skill in a folder would be listed, and nothing could read it: tools are off. It goes into the prompt.
    skills=SkillDelivery(),
    instructions_file="IFLOW.md",
    trailer=Trailer(
        "<Execution Info>",
        "</Execution Info>",
        {
            "session": ("/session-id",),
            "input_tokens": ("/tokenUsage/input",),
            "output_tokens": ("/tokenUsage/output",),
        },
    ),
    package="@iflow-ai/iflow-cli",
    install="npm install -g @iflow-ai/iflow-cli",
)
