import { afterAll, beforeAll, expect, test } from "vitest";
import { examineInstallation } from "../../src/actions/doctor/doctor.ts";
import { sql } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { startOwnTestApp, type Json, type TestAnswer, type TestApp } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { age, startWebClient } from "../support/portal.ts";

const FILE = "0086-international-domains.sql";
const UNICODE = "eva@bücher.example";
const ASCII = "eva@xn--bcher-kva.example";
const oldKeysStatement = sql(
  "test.old_email_keys",
  "UPDATE customers SET email_key = lower(email), shares_email = false WHERE email <> ''",
);
const keysStatement = sql("test.email_keys", "SELECT id, email_key AS key, shares_email AS shares FROM customers");

let app: TestApp;
let server: MailServer;
const ids: Record<string, string> = {};

const ok = async (answer: Promise<TestAnswer>): Promise<Json> => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};
const create = (email: string, externalId: string | null = null) =>
  ok(app.api("POST", "/customers", { email, externalId }));

/** Customers as an earlier release kept them: `bücher` and `xn--bcher-kva` had keys of their own. */
beforeAll(async () => {
  server = await startMailServer();
  app = await startOwnTestApp({ smtpUrl: server.url });
  const { db } = app.ctx;
  ids["alone"] = (await create("kim@例え.example")).id;
  ids["named"] = (await create(UNICODE, "named")).id;
  ids["ascii"] = (await create("first@example.com")).id;
  ids["unicode"] = (await create("second@example.com")).id;
  await db.script(
    "DROP INDEX customers_email, customers_sharing",
    `UPDATE customers SET email = '${ASCII}' WHERE id = '${ids["ascii"]}'`,
    `UPDATE customers SET email = '${UNICODE}' WHERE id = '${ids["unicode"]}'`,
  );
  await db.tx((tx) => tx.query(oldKeysStatement));
  await db.script("ALTER TABLE customers DROP shares_email", `DELETE FROM schema_migrations WHERE name = '${FILE}'`);
  await db.script("CREATE UNIQUE INDEX customers_email ON customers (organization_id, email_key) WHERE false");
  expect(await migrate(db)).toEqual([FILE]);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const mailboxes = async () => {
  const found = await examineInstallation({ config: app.ctx.config, server: null, ctx: app.ctx });
  return found.find(({ name }) => name === "mailboxes");
};

test("every Customer has the new key, and a later one of a mailbox shares it", async () => {
  const rows = await app.ctx.db.read.query<{ id: string; key: string; shares: boolean }>(keysStatement);
  const keys = Object.fromEntries(rows.map(({ id, key, shares }) => [id, [key, shares]]));
  expect(keys).toEqual({
    [ids["alone"]!]: ["kim@xn--r8jz45g.example", false],
    [ids["named"]!]: [ASCII, false],
    [ids["ascii"]!]: [ASCII, false],
    [ids["unicode"]!]: [ASCII, true],
  });
});

test("doctor names both, and a change of another field is no conflict", async () => {
  expect(await mailboxes()).toMatchObject({
    status: "warning",
    says: `1 pair of Customers with one mailbox: ${ids["unicode"]} and ${ids["ascii"]}`,
  });
  for (const id of [ids["unicode"], ids["ascii"]])
    expect((await app.manage("PATCH", `/customers/${id}`, { name: "Eva" })).status).toBe(200);
});

test("either form of the address signs in to each of them", async () => {
  const portal = `/portal/${app.organization.id}`;
  for (const typed of [UNICODE, "EVA@XN--BCHER-KVA.example"]) {
    server.received = [];
    await age(app.ctx.db, "1 hour");
    expect((await startWebClient(app.url, null).post(portal, { email: typed })).status).toBe(200);
    await app.runDue();
    await mailOnce(app.ctx);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]!.to).toMatchObject([{ address: ASCII }]);
    expect(server.received[0]!.raw).toMatch(/^To: .*<?eva@xn--bcher-kva\.example>?\r?$/m);
    const links = [...server.received[0]!.text!.matchAll(/\bhttp:\S+\/sign-in\/[\w-]{43}/g)];
    expect(links).toHaveLength(3);
  }
});

test("a Customer that has shared a mailbox identifies the address once the other one is gone", async () => {
  expect((await app.manage("DELETE", `/customers/${ids["ascii"]}`)).status).toBeLessThan(300);
  expect(await mailboxes()).toMatchObject({ status: "ok" });
  for (const email of [UNICODE, ASCII]) {
    const { status, body } = await app.api("POST", "/customers", { email });
    expect([status, body.customerId]).toEqual([409, ids["unicode"]]);
  }
  await ok(app.manage("PATCH", `/customers/${ids["unicode"]}`, { email: "eva@example.com" }));
  const rows = await app.ctx.db.read.query<{ id: string; shares: boolean }>(keysStatement);
  expect(rows.filter(({ shares }) => shares)).toEqual([]);
});
