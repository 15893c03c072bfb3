import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { template, type Recording } from "./recorder.ts";
import { SUBSCRIPTIONS } from "./world.ts";

export type Server = { host: string; port: number; user: string; password: string; database: string };

/**
 * pgbench takes `:00` for a variable even within quotes, so colons are escaped. Unlike `||`, the escape leaves the
 * literal without a type.
 */
const quote = (text: string) => `U&'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\003A")}'`;

/**
 * A recorded value as an SQL expression that fills the same places with new values each time. `fresh`: the pgbench
 * variables of the new values.
 */
function expression(value: unknown, since: string, fresh: Map<string, string>): string {
  const filled = template(value, since);
  if ("value" in filled) return literal(filled.value);
  const parts = filled.parts.map((part) => {
    if (typeof part === "string") return quote(part);
    if ("copy" in part) return `${quote(`${part.copy}_`)} || lpad(:n::text, 26, '0')`;
    const variable = fresh.get(part.fresh) ?? `fresh${fresh.size}`;
    fresh.set(part.fresh, variable);
    if (/^\d/.test(part.fresh)) return `:${variable}::text`;
    return `${quote(part.fresh.slice(0, part.fresh.indexOf("_") + 1))} || lpad(:${variable}::text, 26, '0')`;
  });
  const json = filled.parts.some((part) => typeof part === "string" && part.startsWith("{"));
  return `(${parts.join(" || ")})${json ? "::json" : ""}`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return quote(`{${value.join(",")}}`);
  return typeof value === "string" ? quote(value) : String(value);
}

/** The statements of one request as a script of pgbench. */
function script({ groups, since }: Recording): string {
  const fresh = new Map<string, string>();
  const lines = groups.flatMap(({ transaction, sent }) => {
    const statements = sent.map(({ statement, values }) => {
      const text = statement.text
        .replace(/'((?:[^']|'')*)'/g, (whole, quoted: string) => (quoted.includes(":") ? quote(quoted) : whole))
        .replace(/\$(\d+)/g, (_, n: string) => expression(values[Number(n) - 1], since, fresh));
      return `${text.replace(/\s+/g, " ")};`;
    });
    return transaction ? ["BEGIN;", ...statements, "COMMIT;"] : statements;
  });
  const variables = [...fresh.values()].map((name) => `\\set ${name} random(1, 1000000000000000)`);
  return `${[`\\set n random(1, ${SUBSCRIPTIONS})`, ...variables, ...lines].join("\n")}\n`;
}

/** The requests per second that pgbench reaches with the recorded statements. */
export function runPgbench(
  server: Server,
  path: string,
  recorded: Recording,
  clients: number,
  seconds: number,
): number {
  writeFileSync(path, script(recorded));
  const args = ["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(seconds), "-f", path];
  const connect = ["-h", server.host, "-p", String(server.port), "-U", server.user, server.database];
  const run = spawnSync("pgbench", [...args, ...connect], {
    encoding: "utf8",
    env: { ...process.env, PGPASSWORD: server.password, PGTZ: "UTC" },
  });
  const tps = /tps = ([\d.]+) \(without/.exec(run.stdout)?.[1];
  if (!tps) throw new Error(`pgbench failed: ${run.stderr}`);
  return Number(tps);
}
