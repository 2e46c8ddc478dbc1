import { spawn } from "node:child_process";

const MOST_TURNS = 8;
const looping = new Set();

// Asks the gate. What it can't say is "not verified", and never a pass.
function ask(event, input) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", COMMANDS[event]], { cwd: input.folder, stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.stdin.on("error", () => {});
    child.on("error", (problem) => resolve(failed(event, String(problem))));
    child.on("close", (code) => {
      if (code !== 0) return resolve(failed(event, err, code));
      try {
        resolve(JSON.parse(out || "{}"));
      } catch {
        resolve(failed(event, out));
      }
    });
    child.stdin.end(JSON.stringify(input));
  });
}

function failed(event, output, code) {
  const text = output.trim() || "verigate: NOT VERIFIED: the gate did not answer";
  if (event === "tool") return { refusal: text };
  return event === "stop" && code === 2 ? { prompt: text } : { note: text };
}

function lastText(messages) {
  const said = (messages ?? []).filter((message) => message.role === "assistant");
  const parts = said.length > 0 ? said[said.length - 1].content : [];
  return parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
}

export default function (amp) {
  const { filePathFromURI, filesModifiedByToolCall, shellCommandFromToolCall } = amp.helpers;
  const root = amp.system.workspaceRoot;
  const folder = root ? filePathFromURI(root) : process.cwd();

  amp.on("agent.start", async (event) => {
    await ask("prompt", { session: event.thread.id, folder, prompt: event.message });
  });
  amp.on("tool.call", async (event) => {
    const command = shellCommandFromToolCall(event)?.command;
    const paths = (filesModifiedByToolCall(event) ?? []).map((uri) => filePathFromURI(uri));
    if (!command && paths.length === 0) return { action: "allow" };
    const answer = await ask("tool", { session: event.thread.id, folder, arguments: { command, paths } });
    return answer.refusal ? { action: "reject-and-continue", message: answer.refusal } : { action: "allow" };
  });
  amp.on("agent.end", async (event, ctx) => {
    const session = event.thread.id;
    const aborted = event.status !== "done";
    const message = lastText(event.messages);
    const answer = await ask("stop", { session, folder, message, aborted, looping: looping.has(session) });
    if (answer.prompt) {
      looping.add(session);
      return { action: "continue", userMessage: answer.prompt, maxContinuations: MOST_TURNS };
    }
    looping.delete(session);
    if (answer.note) amp.logger.log(answer.note);
  });
}
