import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newId, type IdPrefix } from "../src/ids.ts";
import { openDatabase, type Queryable } from "../src/store/driver/db.ts";
import { template, type Group, type Template } from "./recorder.ts";
import { copyId, SUBSCRIPTIONS } from "./world.ts";

/** A bare `node:http` server: it answers each request by repeating the statements of Billow over the same driver. */
type Plan = { connection: object; groups: Group[]; since: string };
const { connection, groups, since } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Plan;
const db = openDatabase(connection);
const prepared = groups.map(({ transaction, sent }) => ({
  transaction,
  sent: sent.map(({ statement, values }) => ({ statement, templates: values.map((value) => template(value, since)) })),
}));
let count = Date.now() * 1000;

/** A new value in place of a used one: an id of the same kind, or a number. */
const anew = (used: string) =>
  /^\d/.test(used) ? String((count += 1)) : newId(used.slice(0, used.indexOf("_")) as IdPrefix);

function fill(templates: Template[], n: number, fresh: Map<string, string>): unknown[] {
  return templates.map((each) => {
    if ("value" in each) return each.value;
    const text = each.parts.map((part) => {
      if (typeof part === "string") return part;
      if ("copy" in part) return copyId(part.copy, n);
      const known = fresh.get(part.fresh) ?? anew(part.fresh);
      fresh.set(part.fresh, known);
      return known;
    });
    return text.join("");
  });
}

async function replay(): Promise<unknown> {
  const n = 1 + Math.floor(Math.random() * SUBSCRIPTIONS);
  const fresh = new Map<string, string>();
  let last: unknown[] = [];
  for (const group of prepared) last = await replayGroup(group, n, fresh);
  return last;
}

async function replayGroup(
  group: (typeof prepared)[number],
  n: number,
  fresh: Map<string, string>,
): Promise<unknown[]> {
  const send = async (handle: Queryable) => {
    let rows: unknown[] = [];
    // Like Billow, a transaction sends its writes without waiting for their results.
    for (const { statement, templates } of group.sent) {
      const values = fill(templates, n, fresh);
      if (handle.kind === "tx" && !statement.text.startsWith("SELECT")) handle.send(statement, values);
      else rows = await handle.query(statement, values);
    }
    return rows;
  };
  return group.transaction ? db.tx(send) : send(db.read);
}

const server = createServer((request, response) => {
  request.resume();
  replay().then(
    (rows) => {
      // Like Billow, this server sends a body that PostgreSQL has already made as JSON without a change.
      const [first] = rows as { body?: string }[];
      const body = first?.body ?? JSON.stringify(rows);
      response
        .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
        .end(body);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
