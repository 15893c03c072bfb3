import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { oldRows } from "../../src/worker/forgetting.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { startStory, type Story } from "../support/story.ts";

const retention = { events: null, deliveries: 60, emails: 40, requests: 3 };
let story: Story;
beforeAll(async () => void (story = await startStory({}, { retention })));
afterAll(() => story.close());

/** For each kind of old rows, the table and a row of `$2` days. `n` numbers the rows. */
const ROWS = {
  emails: [
    "emails",
    `(organization_id, id, kind, status, attempts, created_at, queued_at, sent_at)
     SELECT $1, 'eml_' || $2::integer || '_' || n, 'receipt', 'sent', 1, now(), now() - $2 * interval '1 day', now()`,
  ],
  requests: [
    "api_requests",
    `(organization_id, id, at, key_id, method, path, status, client_address, duration_ms)
     SELECT $1, 'req_' || $2::integer || '_' || n, now() - $2 * interval '1 day', 'key', 'POST', '/', 200, '::1', 1`,
  ],
  deliveries: [
    "webhook_deliveries",
    `(organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, repeated, attempts,
       created_at, updated_at)
     SELECT e.organization_id, 'whd_' || $2::integer || '_' || n, w.id, e.id, e.type, e.resource_id, e.sequence,
       'succeeded', false, 1, now() - $2 * interval '1 day', now()
     FROM (SELECT * FROM events WHERE organization_id = $1 ORDER BY id DESC LIMIT 1) e
     JOIN webhook_endpoints w ON w.organization_id = $1 AND w.description = $2::integer::text CROSS JOIN`,
  ],
} as const;
type Kind = keyof typeof ROWS;

const fill = (kind: Kind, days: number, many: number) => {
  const [table, row] = ROWS[kind];
  const from = row.endsWith("JOIN") ? "" : "FROM";
  const statement = sql(
    `test.forgetting_${kind}`,
    `INSERT INTO ${table} ${row} ${from} generate_series(1, $3::int) AS n`,
  );
  return story.app.ctx.db.tx((tx) => tx.query(statement, [story.app.organization.id, days, many]));
};
const left = async (kind: Kind) => {
  const [table] = ROWS[kind];
  const statement = sql(
    `test.forgetting_left_${kind}`,
    `SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id`,
  );
  const rows = await story.app.ctx.db.read.query<{ id: string }>(statement, [story.app.organization.id]);
  return rows.map(({ id }) => id);
};

test("deletes a thousand old rows at most in a transaction", async () => {
  await fill("emails", 41, 2001);
  const forget = () =>
    oldRows(story.app.ctx)
      .find(({ key }) => key === "emails")!
      .run();
  expect([await forget(), await forget(), await forget(), await forget()]).toEqual([1000, 1000, 1, 0]);
});

test("keeps rows for as many days as the settings say", async () => {
  const { ctx, api, manage } = story.app;
  // An endpoint has one delivery of an event.
  for (const description of ["59", "61"])
    await story.ok(manage("POST", "/webhook-endpoints", { url: "https://receiver.invalid/", description }));
  for (const { id } of (await story.ok(manage("GET", "/webhook-endpoints"))).data)
    await story.ok(manage("PATCH", `/webhook-endpoints/${id}`, { status: "disabled" }));
  await story.ok(api("POST", "/customers", { email: "ada@example.com" }));
  await ctx.db.script("UPDATE events SET dispatch_at = NULL");
  const ages: [Kind, number, number][] = [
    ["emails", 39, 41],
    ["requests", 2, 4],
    ["deliveries", 59, 61],
  ];
  for (const [kind, young, old] of ages) for (const days of [young, old]) await fill(kind, days, 1);
  await runOnce(ctx);
  expect(await left("emails")).toEqual(["eml_39_1"]);
  expect((await left("requests")).filter((id) => id.endsWith("_1"))).toEqual(["req_2_1"]);
  expect(await left("deliveries")).toEqual(["whd_59_1"]);
});
