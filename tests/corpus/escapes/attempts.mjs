// Attempts to leave a sandbox, in Node. Ends with 10 if one is out, 20 if it is held; anything else is broken.
import { spawn } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import net from "node:net";

const { T_HOME: home, T_TCP: port, T_UDP: datagrams } = process.env;
const out = () => process.exit(10);
const held = (error) => {
  console.error(String(error ?? ""));
  process.exit(20);
};

const attempts = {
  tcp: () => net.connect(Number(port), "127.0.0.1").on("connect", out).on("error", held),
  udp: () => {
    const line = dgram.createSocket("udp4").on("message", out).on("error", held);
    line.send("ping", Number(datagrams), "127.0.0.1", (error) => error && held(error));
    setTimeout(held, 300);
  },
  dns: () => dns.lookup("example.com", (error) => (error ? held(error) : out())),
  dns_servers: () => {
    dns.resolve4("example.com", (error) => (error ? held(error) : out()));
    setTimeout(held, 500);
  },
  my_cnf: () => fs.readFileSync(`${home}/.my.cnf`) && out(),
  write_home: () => fs.writeFileSync(`${home}/escaped-by-node`, "x") ?? out(),
  socket_home: () => net.connect(`${home}/agent.sock`).on("connect", out).on("error", held),
  kill: () => process.kill(Number(process.env.T_GATE), 0) && out(),
  environment: () => (process.env.PARENT_SECRET ? out() : held()),
  environ_of_gate: () =>
    fs.readFileSync(`/proc/${process.env.T_GATE}/environ`, "latin1").includes("PARENT_SECRET") ? out() : held(),
  link: () => fs.symlinkSync(`${home}/.my.cnf`, "node-link") ?? (fs.readFileSync("node-link") && out()),
  daemon: () => {
    spawn("/bin/sleep", ["60"], { argv0: process.env.T_MARK_NODE, detached: true, stdio: "ignore" }).unref();
    held("the bench looks whether it lives on");
  },
};

const attempt = attempts[process.argv[2]];
if (!attempt) process.exit(30);
try {
  attempt();
} catch (error) {
  held(error);
}
