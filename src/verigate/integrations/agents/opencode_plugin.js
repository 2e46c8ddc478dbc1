import { spawn } from "node:child_process";

const SHELLS = new Set(["bash"]);
const EDITS = new Set(["edit", "write", "patch", "multiedit", "apply_patch"]);
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
  return event === "stop" && code === 2 ? { prompt: text } : { note: text };
}

function textOf(parts) {
  const texts = (parts ?? []).filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text ?? "");
  return texts.join("\n");
}

async function lastMessage(client, session) {
  const found = await client.session.messages({ path: { id: session } });
  const said = (found.data ?? []).filter((message) => message.info?.role === "assistant");
  return said.length > 0 ? textOf(said[said.length - 1].parts) : undefined;
}

export const Verigate = async ({ client, directory }) => ({
  "chat.message": async (input, output) => {
    await ask("prompt", { session: input.sessionID, folder: directory, prompt: textOf(output.parts) });
  },
  "tool.execute.before": async (input, output) => {
    if (!EDITS.has(input.tool) && !SHELLS.has(input.tool)) return;
    const answer = await ask("tool", { session: input.sessionID, folder: directory, arguments: output.args });
    if (answer.refusal) throw new Error(answer.refusal);
  },
  "tool.execute.after": async (input, output) => {
    if (!EDITS.has(input.tool)) return;
    const answer = await ask("edit", { session: input.sessionID, folder: directory, arguments: input.args });
    if (answer.context) output.output = `${output.output ?? ""}\n${answer.context}`;
  },
  event: async ({ event }) => {
    if (event.type !== "session.idle") return;
    const session = event.properties.sessionID;
    const message = await lastMessage(client, session);
    const answer = await ask("stop", { session, folder: directory, message, looping: looping.has(session) });
    if (answer.prompt) {
      looping.add(session);
      await client.session.prompt({ path: { id: session }, body: { parts: [{ type: "text", text: answer.prompt }] } });
      return;
    }
    looping.delete(session);
    if (answer.note) {
      await client.tui.showToast({ body: { message: answer.note, variant: "error" } });
    }
  },
});
