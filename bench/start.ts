import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  scripts: { start: string };
};
/** The flags that `npm start` passes to Node. */
export const NODE_FLAGS = scripts.start.split(" ").filter((word) => word.startsWith("--"));

/** Milliseconds from the spawn of `billow start` until `/readyz` answers 200. */
async function startOnce(root: string, dataDir: string): Promise<number> {
  const began = performance.now();
  const env = {
    ...process.env,
    PORT: "0",
    BILLOW_DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    DATABASE_URL: "",
    PUBLIC_ORIGIN: "",
  };
  const child = spawn(process.execPath, [...NODE_FLAGS, "bin/billow.mjs", "start"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
  });
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status}`);
  const took = performance.now() - began;
  await new Promise((resolve) => child.on("exit", resolve).kill("SIGTERM"));
  return took;
}

/** Cold: an empty data directory. Warm: a directory that was used before. */
export async function measureStarts(root: string, rounds: number): Promise<string[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), "billow-start-"));
    chmodSync(dataDir, 0o711);
    cold.push(await startOnce(root, dataDir));
    warm.push(await startOnce(root, dataDir));
    rmSync(dataDir, { recursive: true, force: true });
  }
  const line = (name: string, figures: number[]) => {
    const sorted = figures.toSorted((one, other) => one - other).map((figure) => Math.round(figure));
    return `| ${name} | ${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)}) |`;
  };
  return ["| start to ready, ms | |", "|---|---|", line("cold (empty data directory)", cold), line("warm", warm)];
}
