import { pino, type Logger } from "pino";
import type { Config } from "./config.ts";

/** The fields of a line that a person reads elsewhere in the line, or that say the same in each line. */
const FRAME = new Set(["level", "time", "pid", "msg"]);

/** `12:03:04 warn a request can't be answered code=unavailable`: a line of the log for the eyes of a person, in UTC. */
export function readable(line: string): string {
  const fields = JSON.parse(line) as { level: number; time: number; msg?: string } & Record<string, unknown>;
  const label = pino.levels.labels[fields.level] ?? String(fields.level);
  const at = new Date(fields.time).toISOString().slice(11, 19);
  const others = Object.entries(fields).filter(([name]) => !FRAME.has(name));
  const text = (value: unknown) => (typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value));
  return [at, label, fields.msg ?? "", ...others.map(([name, value]) => `${name}=${text(value)}`)]
    .filter((part) => part !== "")
    .join(" ");
}

const STDERR = 2;
const TERMINAL = { write: (line: string) => void process.stderr.write(`${readable(line)}\n`) };

const REDACTED = ["authorization", "cookie", "password", "secret", "token", "card", "number", "cvc"];

/**
 * Writes to stderr: lines for a person on a terminal, else JSON lines for a program. Fields that may hold a key, a card
 * or a secret are redacted, down to two levels deep.
 */
export function createLogger(level: Config["logLevel"]): Logger {
  const paths = REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    { level, base: { pid: process.pid }, redact: { paths, censor: "[redacted]" } },
    process.stderr.isTTY ? TERMINAL : pino.destination({ dest: STDERR, sync: true }),
  );
}
