import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, type Desk } from "../support/dashboard.ts";
import { fillForm, openForm, type Fields } from "../support/dashboard-form.ts";
import { joinAs } from "../support/form-actions.ts";
import { fieldsOf, filledIn } from "../support/filled-form.ts";
import { wordsOf } from "../support/pages.ts";

let app: TestApp;
let owner: Desk;
let keys: string;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  owner = await openDashboard(app);
  keys = `/dashboard/${app.organization.id}/developers/keys`;
});
afterAll(() => app.close());

const fill = (path: string, fields?: Fields) => fillForm(app.url, owner, path, fields);
const secretIn = (text: string) => /blw_test_\w{38}/.exec(text)?.[0] ?? null;
const idIn = (text: string) => /\/developers\/keys\/(key_\w+)/.exec(text)![1]!;
const list = async (): Promise<Json[]> => (await app.manage("GET", "/api-keys")).body.data;
const make = async (fields: Fields = {}) => {
  const { status, text } = await fill(`${keys}/new`, { name: "Shop", scopes: "manage", expiresAt: "", ...fields });
  expect(status).toBe(200);
  return { secret: secretIn(text)!, id: idIn(text), text };
};

describe("a new key", () => {
  test("is shown once, works, and has an entry in the audit log without its secret", async () => {
    const form = await openForm(app.url, owner, `${keys}/new`);
    const fields = { name: "Nightly job", scopes: ["public", "manage"], expiresAt: "2199-01-31" };
    const made = await form.send(fields);
    const secret = secretIn(made.text)!;
    expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect((await caller(`${app.url}/manage/v1`, secret)("GET", "/api-keys")).status).toBe(200);
    const again = await form.send(fields);
    expect([again.status, again.headers.get("Location")]).toEqual([303, `${keys}?done=created`]);
    expect((await list()).filter(({ name }) => name === "Nightly job")).toHaveLength(1);
    const pages = await Promise.all([keys, `${keys}/${idIn(made.text)}`, `${keys}?done=created`].map(owner.get));
    for (const { status, text } of pages) expect([status, secretIn(text)]).toEqual([200, null]);
    const words = wordsOf(pages[0]!.text);
    expect(words).toMatch(new RegExp(`Nightly job Active public , manage blw_test_…${secret.slice(-4)}`));
    const log = (await app.manage("GET", "/audit-log")).body;
    expect(log.data[0]).toMatchObject({
      operation: "createApiKey",
      resourceId: idIn(made.text),
      actor: { type: "user", name: OWNER.name },
    });
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  test.each([
    [{ name: "", scopes: "public" }, "name-fault", "This must not be empty."],
    [{ name: "Shop" }, "scopes-fault", "Choose at least one scope."],
    [{ name: "Shop", scopes: "public", expiresAt: "soon" }, "expiresAt-fault", "Enter a day such as 2026-10-31."],
    [{ name: "Shop", scopes: "public", expiresAt: "2020-01-01" }, "expiresAt-fault", "Choose a day in the future."],
  ])("with %j is refused at its field", async (fields: Fields, id, fault) => {
    const { status, text } = await fill(`${keys}/new`, fields);
    expect(status).toBe(422);
    expect(text).toMatch(new RegExp(`id="${id}">[^<]*(${fault})`));
    expect(secretIn(text)).toBeNull();
  });

  test("with an unknown scope is refused", async () => {
    const { status, text } = await fill(`${keys}/new`, { name: "Shop", scopes: "everything" });
    // The fault stands below the field, and no name of the API stands on the page.
    expect([status, text.includes('id="scopes-fault"'), text.includes("scopes.0")]).toEqual([422, true, false]);
  });

  test("needs the password again after a quarter of an hour", async () => {
    await ageSessions(app.ctx.db, "15 minutes");
    const asked = await owner.get(`${keys}/new`);
    expect(asked.headers.get("Location")).toMatch(/^\/dashboard\/confirm\?next=/);
    const sent = await owner.send(`${keys}/new`, { name: "Shop", scopes: "public" });
    expect([sent.status, secretIn(sent.text)]).toEqual([303, null]);
    await owner.send("/dashboard/confirm", { password: OWNER.password });
    expect((await owner.get(`${keys}/new`)).status).toBe(200);
  });
});

describe("a rotation", () => {
  test("shows the successor once, and keeps the old key for the overlap", async () => {
    const { id, secret } = await make({ name: "Old" });
    const form = await openForm(app.url, owner, `${keys}/${id}/rotate`);
    const made = await form.send({ overlapSeconds: "3600" });
    const next = secretIn(made.text)!;
    expect([made.status, next === secret]).toEqual([200, false]);
    for (const each of [secret, next])
      expect((await caller(`${app.url}/manage/v1`, each)("GET", "/api-keys")).status).toBe(200);
    const again = await form.send({ overlapSeconds: "3600" });
    expect([again.status, again.headers.get("Location")]).toEqual([303, `${keys}/${id}?done=rotated`]);
    const old = wordsOf((await owner.get(`${keys}/${id}`)).text);
    expect(old).toContain(`Being replaced`);
    expect(old).toContain(`Replaced by ${idIn(made.text)}`);
  });

  test("without an overlap ends the old key, and a key that is over can't be rotated", async () => {
    const { id, secret } = await make();
    expect((await fill(`${keys}/${id}/rotate`, { overlapSeconds: "0" })).status).toBe(200);
    await expect
      .poll(async () => (await caller(`${app.url}/manage/v1`, secret)("GET", "/api-keys")).body.code)
      .toBe("api_key_expired");
    const refused = await fill(`${keys}/${id}/rotate`, { overlapSeconds: "0" });
    expect([refused.status, secretIn(refused.text)]).toEqual([409, null]);
  });

  test.each(["", "-1", "604801", "soon"])("with the overlap “%s” is refused", async (overlapSeconds) => {
    const { id } = await make();
    const { status, text } = await fill(`${keys}/${id}/rotate`, { overlapSeconds });
    expect([status, text.includes('id="overlapSeconds-fault"')]).toEqual([422, true]);
  });
});

const useStatement = sql("test.api_keys_use", "UPDATE api_keys SET last_used_at = statement_timestamp() WHERE id = $1");

describe("a revocation", () => {
  test("says when the key was last used, and ends the key within a second", async () => {
    const { id, secret } = await make();
    expect(wordsOf((await owner.get(`${keys}/${id}/revoke`)).text)).toContain("This key was never used.");
    await app.ctx.db.tx((tx) => tx.query(useStatement, [id]));
    const form = await openForm(app.url, owner, `${keys}/${id}/revoke`);
    expect(wordsOf(form.text)).toMatch(/This key was last used .* A program still uses this key\./);
    const done = await form.send();
    expect([done.status, done.headers.get("Location")]).toEqual([303, `${keys}/${id}?done=revoked`]);
    expect((await form.send()).status).toBe(303);
    await expect
      .poll(async () => (await caller(`${app.url}/manage/v1`, secret)("GET", "/api-keys")).body.code)
      .toBe("api_key_revoked");
    const { text } = await owner.get(`${keys}/${id}?done=revoked`);
    expect(wordsOf(text)).toMatch(/The key has been revoked\. State Revoked/);
    expect(text).not.toContain(`${id}/rotate`);
  });
});

test("a key of another Organization is not found", async () => {
  const other = await app.otherOrganization();
  const foreign = await caller(`${app.url}/manage/v1`, other.keys.manage)("GET", "/api-keys");
  const { id } = foreign.body.data[0];
  for (const path of ["", "/rotate", "/revoke"]) {
    expect((await owner.get(`${keys}/${id}${path}`)).status, path).toBe(404);
    if (path !== "") expect((await owner.send(`${keys}/${id}${path}`, { once: "x".repeat(22) })).status).toBe(404);
  }
  expect((await owner.get(`${keys}/key_none`)).status).toBe(404);
  expect((await owner.get(`${keys}?cursor=x`)).status).toBe(404);
});

describe("a developer", () => {
  const ONLY_OWNERS = "Only an owner can get the secret of a key with the scope manage.";
  let developer: Desk;
  beforeAll(async () => void (developer = await joinAs(app, "developer")));
  const send = (path: string, fields: Fields) => fillForm(app.url, developer, path, fields);

  test("creates and rotates a public key, and is offered no other scope", async () => {
    expect((await developer.get(`${keys}/new`)).text).not.toContain('value="manage"');
    const made = await send(`${keys}/new`, { name: "Shop", scopes: "public", expiresAt: "" });
    expect([made.status, secretIn(made.text)]).toEqual([200, expect.any(String)]);
    const rotated = await send(`${keys}/${idIn(made.text)}/rotate`, { overlapSeconds: "0" });
    expect([rotated.status, secretIn(rotated.text)]).toEqual([200, expect.any(String)]);
  });

  test.each([["manage"], [["public", "manage"]]])(
    "can't create a key with %j, by a form of their own either",
    async (scopes) => {
      const before = await list();
      const { status, text } = await send(`${keys}/new`, { name: "Mine", scopes, expiresAt: "" });
      expect([status, secretIn(text)]).toEqual([422, null]);
      expect(text).toContain(ONLY_OWNERS);
      expect(await list()).toEqual(before);
    },
  );

  test("can't rotate an owner's manage key, but can revoke the key", async () => {
    const { id } = await make({ name: "Owner's" });
    expect((await developer.get(`${keys}/${id}`)).text).not.toContain(`${id}/rotate`);
    expect((await developer.get(`${keys}/${id}/rotate`)).text).toContain(ONLY_OWNERS);
    const form = filledIn(fieldsOf((await developer.get(`${keys}/${id}/revoke`)).text), { overlapSeconds: "0" });
    const forged = await developer.post(`${keys}/${id}/rotate`, form);
    expect([forged.status, secretIn(forged.text)]).toEqual([422, null]);
    expect((await list()).find((key) => key.id === id)).toMatchObject({ replacedBy: null, revokedAt: null });
    expect((await send(`${keys}/${id}/revoke`, {})).status).toBe(303);
    expect((await list()).find((key) => key.id === id)).toMatchObject({ revokedAt: expect.any(String) });
  });
});
