import { spawn } from "node:child_process";
import { styleText } from "node:util";

/** A program, by its file below `node_modules`, and its arguments. */
export type Task = { name: string; program: string; args: string[] };

const ROOT = new URL("../", import.meta.url);

/** Runs a task to its end and answers whether it succeeded. `quiet`: shows the output only after a failure. */
export function runTask({ name, program, args }: Task, quiet: boolean): Promise<boolean> {
  const began = performance.now();
  const file = new URL(`node_modules/${program}`, ROOT).pathname;
  const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, stdio: quiet ? "pipe" : "inherit" });
  const output: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("error", (error) => output.push(Buffer.from(error.message)));
    child.on("close", (code) => {
      const passed = code === 0;
      if (!passed) process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(
        `${passed ? styleText("green", "passed") : styleText("red", "FAILED")}  ${name} (${seconds} s)\n`,
      );
      resolve(passed);
    });
  });
}
