import { listenForStop } from "./cli/lifecycle.ts";
import { runCommandLine } from "./command-line.ts";
import { readEnvironment } from "./config.ts";

const MOST_INPUT = 65_536;

async function readInput(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${prompt}\n`);
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST_INPUT) break;
  }
  return text;
}

const code = await runCommandLine(process.argv.slice(2), {
  environment: readEnvironment,
  input: readInput,
  source: () => process.stdin,
  output: () => process.stdout,
  listenForStop,
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
});
process.exit(code);
