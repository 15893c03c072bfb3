import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { template, type Group } from "./recorder.ts";
import { SUBSCRIPTIONS } from "./world.ts";

export type Server = { host: string; port: number; user: string; password: string; database: string };

/** pgbench takes `:00` for a variable even within quotes, hence the escape; unlike `||` it leaves the literal without a type. */
const quote = (text: string) => `U&'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\003A")}'`;

/** A recorded value as an expression of SQL, with the same places filled anew each time. */
function expression(value: unknown): string {
  const filled = template(value);
  if ("value" in filled) return literal(filled.value);
  const parts = filled.parts.map((part) => {
    if (typeof part === "string") return quote(part);
    if ("copy" in part) return `${quote(part.copy === 0 ? "sub_" : "cus_")} || lpad(:n::text, 26, '0')`;
    return `${quote(`${part.fresh.slice(0, 4)}0`)} || lpad(:${part.fresh.startsWith("chk") ? "chk" : "evt"}::text, 25, '0')`;
  });
  const json = filled.parts.some((part) => typeof part === "string" && part.startsWith("{"));
  return `(${parts.join(" || ")})${json ? "::json" : ""}`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return quote(`{${value.join(",")}}`);
  return typeof value === "string" ? quote(value) : String(value);
}

/** What Billow sent as a script of pgbench; each group stands for one request. */
export function script(groups: Group[]): string {
  const lines = [`\\set n random(1, ${SUBSCRIPTIONS})`];
  for (const { transaction, sent } of groups) {
    lines.push("\\set chk random(1, 1000000000000000)", "\\set evt random(1, 1000000000000000)");
    if (transaction) lines.push("BEGIN;");
    for (const { statement, values } of sent) {
      const text = statement.text
        .replace(/'((?:[^']|'')*)'/g, (whole, quoted: string) => (quoted.includes(":") ? quote(quoted) : whole))
        .replace(/\$(\d+)/g, (_, n: string) => expression(values[Number(n) - 1]));
      lines.push(`${text.replace(/\s+/g, " ")};`);
    }
    if (transaction) lines.push("COMMIT;");
  }
  return `${lines.join("\n")}\n`;
}

/** Requests a second that pgbench makes of the script. */
export function runPgbench(server: Server, path: string, groups: Group[], clients: number, seconds: number): number {
  writeFileSync(path, script(groups));
  const args = ["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(seconds), "-f", path];
  const connect = ["-h", server.host, "-p", String(server.port), "-U", server.user, server.database];
  const run = spawnSync("pgbench", [...args, ...connect], {
    encoding: "utf8",
    env: { ...process.env, PGPASSWORD: server.password, PGTZ: "UTC" },
  });
  const tps = /tps = ([\d.]+) \(without/.exec(run.stdout)?.[1];
  if (!tps) throw new Error(`pgbench failed: ${run.stderr}`);
  return Number(tps) * groups.length;
}
