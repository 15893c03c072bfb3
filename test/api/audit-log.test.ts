import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditedOrigin } from "../../src/actions/team/audit.ts";
import { giveRole } from "../../src/actions/team/members.ts";
import { listMembers } from "../../src/store/memberships.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";

let app: TestApp;
let owner: Desk;
let workspace: Workspace;
beforeAll(async () => {
  [app, workspace] = await Promise.all([startTestApp({ trustedProxies: ["127.0.0.1"] }), createWorkspace()]);
  owner = await openDashboard(app);
});
afterAll(async () => {
  await app.close();
  await workspace.clear();
});
const emptyStatement = sql("test.audit_log_empty", "DELETE FROM audit_log");
beforeEach(() => app.ctx.db.tx(async (tx) => tx.send(emptyStatement, [])));

const read = async (query = ""): Promise<Json[]> => (await app.manage("GET", `/audit-log${query}`)).body.data;
const make = async (body: object = {}) =>
  (
    await app.manage("POST", "/products", {
      key: `p-${Math.random()}`.replace(".", ""),
      name: "Pro",
      interval: "month",
      prices: [{ currency: "usd", amount: 100 }],
      ...body,
    })
  ).body;

test("a change by a key has its caller, its address, the names of the fields and harmless values", async () => {
  const product = await make();
  const answer = await app.manage(
    "PATCH",
    `/products/${product.id}`,
    { name: "Secret plan", archived: true },
    { "X-Forwarded-For": "203.0.113.9" },
  );
  expect(answer.status).toBe(200);
  const [changed, created] = await read();
  expect(changed).toMatchObject({
    actor: { type: "key", name: "manage" },
    operation: "updateProduct",
    resourceId: product.id,
    customerId: null,
    fields: ["name", "archived"],
    values: { archived: true },
    clientAddress: "203.0.113.9",
  });
  expect(created).toMatchObject({ operation: "createProduct", resourceId: product.id, values: { interval: "month" } });
  expect(created.fields).toContain("prices");
});

test("reads, previews, refusals and repeated requests make no entry", async () => {
  const product = await make();
  await app.manage("GET", "/products");
  expect((await app.manage("PATCH", `/products/${product.id}`, { name: 5 })).status).toBe(422);
  expect((await app.manage("PATCH", `/products/${product.id}`, { name: "x" }, { "If-Match": '"other"' })).status).toBe(
    412,
  );
  const repeat = () =>
    app.manage("PATCH", `/products/${product.id}`, { name: "New" }, { "Idempotency-Key": "audit-1" });
  for (let n = 0; n < 3; n += 1) expect((await repeat()).status).toBe(200);
  expect((await read()).map(({ operation }) => operation)).toEqual(["updateProduct", "createProduct"]);
});

test("a key of an Organization reads only its own entries, in pages", async () => {
  for (let n = 0; n < 3; n += 1) await make();
  const { keys } = await app.otherOrganization();
  const other = await app.manage("GET", "/audit-log", undefined, { Authorization: `Bearer ${keys.manage}` });
  expect(other.body.data).toEqual([]);
  const first = (await app.manage("GET", "/audit-log?limit=2")).body;
  const second = (await app.manage("GET", `/audit-log?limit=2&cursor=${first.nextCursor}`)).body;
  expect([first.data.length, second.data.length, second.nextCursor]).toEqual([2, 1, null]);
});

test("a sandbox tool has an entry, too", async () => {
  expect((await app.manage("POST", "/sandbox/clock/advance", { by: "P1D" })).status).toBeLessThan(300);
  expect((await read()).map(({ operation }) => operation)).toContain("advanceSandboxClock");
});

test("entries about a Customer are blanked with the Customer", async () => {
  const customer = (await app.api("POST", "/customers", { email: "ada@example.com" })).body;
  const named = await app.manage("PATCH", `/customers/${customer.id}`, { name: "Ada Lovelace", locale: "de" });
  expect(named.status).toBe(200);
  await app.manage("POST", `/customers/${customer.id}/balance-adjustments`, {
    amount: 500,
    currency: "usd",
    reason: "For Ada",
  });
  const before = await read();
  expect(before.map(({ customerId }) => customerId)).toEqual([customer.id, customer.id]);
  expect(before[1].fields).toEqual(["name", "locale"]);
  expect(JSON.stringify(before)).not.toMatch(/\bAda\b/);
  expect((await app.manage("DELETE", `/customers/${customer.id}?forfeitBalance=true`)).status).toBeLessThan(300);
  const [deletion, ...others] = await read();
  expect([deletion.operation, deletion.resourceId]).toEqual(["deleteCustomer", customer.id]);
  for (const entry of others) expect([entry.fields, entry.values]).toEqual([null, null]);
});

test("an operation on the dashboard is a person's, and is shown to owners", async () => {
  const home = `/dashboard/${app.organization.id}`;
  await owner.sendOnce(`${home}/team/invite`, { email: "nina@example.com", role: "support" });
  await owner.sendOnce(`${home}/team/refund-limit`, { limit: "12.50" });
  const [limit, invitation] = await read();
  expect(limit).toMatchObject({
    actor: { type: "user", name: "Olga Owner" },
    operation: "updateOrganization",
    values: { supportRefundLimit: 1250 },
  });
  expect(limit.clientAddress).toMatch(/^198\.18\./);
  expect(invitation).toMatchObject({
    operation: "inviteMember",
    fields: ["email", "role"],
    values: { role: "support" },
  });
  const page = wordsOf((await owner.get(`${home}/audit-log`)).text);
  expect(page).toMatch(/Olga Owner 198\.18\.\S+ Update organization .* support refund limit: US\$12\.50/);
  expect(page).not.toContain("nina@example.com");
  expect((await owner.get(`${home}/audit-log?cursor=x`)).status).toBe(404);
});

test("filters by caller and change stand in the address, on the page and in the API", async () => {
  const home = `/dashboard/${app.organization.id}`;
  await make();
  await owner.sendOnce(`${home}/team/refund-limit`, { limit: "12.50" });
  const [limit] = await read();
  const operations = async (query: string) => (await read(query)).map(({ operation }) => operation);
  expect(await operations("?actorType=key")).toEqual(["createProduct"]);
  expect(await operations(`?actorId=${limit.actor.id}`)).toEqual(["updateOrganization"]);
  expect(await operations("?operation=createProduct")).toEqual(["createProduct"]);
  expect(await operations("?operation=createProduct&actorType=user")).toEqual([]);
  expect(await operations("?actorType=cli")).toEqual([]);
  expect((await app.manage("GET", "/audit-log?actorType=robot")).status).toBe(422);

  const operationsIn = async (query: string) => {
    const { text } = await owner.get(`${home}/audit-log${query}`);
    return [...text.matchAll(/<th scope="row">.*<\/th>\n<td>.*<\/td>\n<td>(.*)<\/td>/g)].map(([, change]) => change);
  };
  expect(await operationsIn("")).toEqual(["Update organization", "Create product"]);
  expect(await operationsIn(`?by=${limit.actor.id}&operation=`)).toEqual(["Update organization"]);
  expect(await operationsIn("?operation=createProduct")).toEqual(["Create product"]);
  expect(await operationsIn("?by=commands")).toEqual([]);
  const page = (await owner.get(`${home}/audit-log?operation=createProduct`)).text;
  const [, link] = /<a href="([^"]+\/products\/prd_\w+)" title="prd_\w+">Product<\/a>/.exec(page)!;
  expect((await owner.get(link!)).status).toBe(200);
  expect(wordsOf(page)).toMatch(/Create product Product key, name/);
  expect(page).toContain('<option value="createProduct" selected>Create product</option>');
  expect(page).toContain(`<option value="${limit.actor.id}">Olga Owner</option>`);
  expect(page).toMatch(/<option value="key_\w+">API key manage<\/option>/);
  const unknown = await owner.get(`${home}/audit-log?by=usr_x`);
  expect([unknown.status, wordsOf(unknown.text)]).toEqual([200, expect.stringContaining("No change fits")]);
  expect((await owner.get(`${home}/audit-log?color=red`)).status).toBe(404);
});

test("pages of a filter lead on and back", async () => {
  const home = `/dashboard/${app.organization.id}`;
  const product = await make();
  for (let n = 0; n < 51; n += 1) await app.manage("PATCH", `/products/${product.id}`, { name: `Pro ${n}` });
  const first = (await owner.get(`${home}/audit-log?operation=updateProduct`)).text;
  const [, next] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
  expect(next).toContain("operation=updateProduct&amp;cursor=aud_");
  const second = (await owner.get(next!.replaceAll("&amp;", "&"))).text;
  expect(second.match(/<th scope="row">/g)).toHaveLength(1);
  expect(second).toContain(`href="${home}/audit-log?operation=updateProduct"`);
});

test("a refused operation makes no entry", async () => {
  const [member] = await listMembers(app.ctx.db.read, app.organization.id);
  const [actor, operation] = [{ type: "user", id: member!.id } as const, "changeMemberRole"];
  const origin = auditedOrigin<void>(app.organization.id, { actor, operation, clientAddress: null });
  await expect(giveRole(app.ctx, origin, member!.id, "finance")).rejects.toThrow("last_owner");
  expect(await read()).toEqual([]);
});

test("a command has an entry without an address", async () => {
  const { databaseUrl, secret } = app.ctx.config;
  const environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
  const organization = ["--organization", app.organization.id];
  const made = await workspace.run(["keys", "create", "--scope", "public", ...organization], environment);
  await workspace.run(["team", "invite", "zoe@example.com", "--role", "finance", ...organization], environment);
  expect(await read()).toMatchObject([
    {
      actor: { type: "cli", id: null, name: null },
      operation: "inviteMember",
      resourceId: expect.stringMatching(/^itn_/),
      fields: ["email", "role"],
      values: { role: "finance" },
      clientAddress: null,
    },
    { actor: { type: "cli", id: null, name: null }, operation: "createApiKey", clientAddress: null },
  ]);
  expect(made).toBeTruthy();
});
