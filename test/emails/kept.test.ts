import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Config } from "../../src/config.ts";
import { sql } from "../../src/store/driver/db.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { startMailServer } from "../support/mail-server.ts";
import { infoOf } from "../support/pdf.ts";
import { moved } from "../support/sql-instants.ts";

let app: TestApp;
afterEach(() => app.close());

async function start(config: Partial<Config> = {}): Promise<void> {
  app = await startTestApp(config);
  await openShop(app);
}
async function openShop({ manage }: { manage: TestCall }): Promise<void> {
  for (const [key, amount] of [
    ["pro", 3000],
    ["free", 0],
  ] as const) {
    await manage("POST", "/products", { key, name: key, interval: "month", prices: [{ currency: "usd", amount }] });
  }
}
async function buy(productKey = "pro", email = "ada@example.com"): Promise<Json> {
  const { body } = await app.api("POST", "/checkouts", { productKey, customer: { email } });
  return (await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" })).body;
}
const folderOf = (organizationId: string) => join(app.ctx.config.dataDir, "emails", organizationId);
const filesOf = (organizationId: string): Promise<string[]> => readdir(folderOf(organizationId)).catch(() => []);
const emails = async (query = ""): Promise<Json[]> => (await app.manage("GET", `/emails${query}`)).body.data;
const ageStatement = sql(
  "test.emails_age",
  `UPDATE emails SET queued_at = ${moved("queued_at", "- $1::interval")},
     file_at = ${moved("file_at", "- $1::interval")}`,
);
const age = (by: string) => app.ctx.db.tx((tx) => tx.query(ageStatement, [by]));

describe("without SMTP_URL", () => {
  beforeEach(() => start());

  test("an e-mail of a sandbox is kept, readable on the API and as a file that only we may read", async () => {
    await buy();
    await mailOnce(app.ctx);
    const [email] = await emails();
    expect(email).toMatchObject({
      kind: "receipt",
      status: "kept",
      attempts: 0,
      to: "ada@example.com",
      sentAt: null,
      nextAttemptAt: null,
    });
    const whole = (await app.manage("GET", `/emails/${email!.id}`)).body;
    expect(whole).toMatchObject({
      ...email,
      text: expect.stringContaining("US$30.00"),
      html: expect.stringContaining("<html"),
    });
    expect(await filesOf(app.organization.id)).toEqual([`${email!.id}.eml`]);
    const path = join(folderOf(app.organization.id), `${email!.id}.eml`);
    expect([(await stat(path)).mode & 0o777, (await stat(folderOf(app.organization.id))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const mail = await PostalMime.parse(await readFile(path));
    expect([mail.subject, mail.text?.trim(), mail.html?.trim()]).toEqual([
      email!.subject,
      whole.text.trim(),
      whole.html.trim(),
    ]);
    expect(mail.to).toEqual([{ name: "", address: "ada@example.com" }]);
    expect(Number(infoOf(new Uint8Array(mail.attachments[0]!.content as ArrayBuffer))["Pages"])).toBe(1);
  });

  test("only fresh e-mails of a crowd in a sandbox become files", async () => {
    await buy();
    await age("11 minutes");
    await buy("pro", "eve@example.com");
    await mailOnce(app.ctx);
    const [fresh, old] = await emails();
    expect([fresh!.status, old!.status]).toEqual(["kept", "kept"]);
    expect(await filesOf(app.organization.id)).toEqual([`${fresh!.id}.eml`]);
  });

  test("an e-mail that can't be written to a file is written later", async () => {
    await buy();
    await mkdir(join(app.ctx.config.dataDir, "emails"));
    await writeFile(folderOf(app.organization.id), "in the way");
    await mailOnce(app.ctx);
    expect(await emails()).toMatchObject([{ status: "kept", attempts: 0 }]);
    await rm(folderOf(app.organization.id));
    await mailOnce(app.ctx);
    expect(await filesOf(app.organization.id)).toEqual([`${(await emails())[0]!.id}.eml`]);
  });

  test("an e-mail of a live Organization is a file at once", async () => {
    const { organization, keys } = await app.otherOrganization({ mode: "live" });
    const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
    await openShop({ manage });
    const customer = (await api("POST", "/customers", { email: "live@example.com" })).body;
    const sold = { customerId: customer.id, productKey: "free", amount: 0, startedAt: "2026-01-01T00:00:00Z" };
    const bought = await manage("POST", "/subscriptions", sold);
    expect(bought.status, JSON.stringify(bought.body)).toBe(201);
    expect((await manage("POST", `/subscriptions/${bought.body.id}/cancel-now`, {})).status).toBe(200);
    await mailOnce(app.ctx);
    const { data } = (await manage("GET", "/emails")).body;
    expect(data).toMatchObject([
      { kind: "canceled", status: "kept", url: null, subject: "Your subscription to free has ended" },
    ]);
    expect(await filesOf(organization.id)).toEqual([`${data[0].id}.eml`]);
    expect((await manage("GET", `/emails/${data[0].id}`)).body.text).not.toContain("sandbox");
  });

  test("after thirty days both row and file are gone", async () => {
    await buy();
    await mailOnce(app.ctx);
    await age("30 days");
    await runOnce(app.ctx);
    await mailOnce(app.ctx);
    expect([await emails(), await filesOf(app.organization.id)]).toEqual([[], []]);
  });

  test("a deletion removes the files of the Customer's e-mails, and no others", async () => {
    const { customerId } = await buy();
    await buy("pro", "eve@example.com");
    await mailOnce(app.ctx);
    // A file that Billow did not write must stay.
    await mkdir(folderOf("notes"), { recursive: true });
    await writeFile(join(folderOf("notes"), "own.eml"), "");
    // This file is left from a process that died while writing it.
    const [leftOver] = await emails(`?customerId=${customerId}`);
    await writeFile(join(folderOf(app.organization.id), `${leftOver!.id}.eml.part`), "To: ada@example.com");
    expect((await app.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    await mailOnce(app.ctx);
    const [kept] = await emails("?status=kept&kind=receipt");
    expect(kept!.to).toBe("eve@example.com");
    expect([await filesOf(app.organization.id), await filesOf("notes")]).toEqual([[`${kept!.id}.eml`], ["own.eml"]]);
  });

  test("the list is filtered, paged and one's own", async () => {
    const { customerId } = await buy();
    await buy("pro", "eve@example.com");
    await mailOnce(app.ctx);
    await buy("pro", "bob@example.com");
    expect((await emails(`?customerId=${customerId}`)).map(({ to }) => to)).toEqual(["ada@example.com"]);
    expect((await emails("?status=queued")).map(({ to, subject }) => [to, subject])).toEqual([[null, null]]);
    expect(await emails("?kind=canceled")).toEqual([]);
    const first = (await app.manage("GET", "/emails?limit=2")).body;
    const second = (await app.manage("GET", `/emails?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...second.data].map(({ id }: Json) => id)).toEqual((await emails()).map(({ id }) => id));
    expect(second.nextCursor).toBeNull();
    for (const query of ["?kind=spam", "?status=lost", "?colour=red", "?cursor=x", "?limit=0"]) {
      expect((await app.manage("GET", `/emails${query}`)).status).toBe(422);
    }
    const foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
    expect((await foreign("GET", "/emails")).body.data).toEqual([]);
    expect((await foreign("GET", `/emails?customerId=${customerId}`)).body.data).toEqual([]);
    const { id } = (await emails())[0]!;
    for (const path of [`/emails/${newId("eml")}`, "/emails/eml_x"])
      expect((await app.manage("GET", path)).status).toBe(404);
    expect((await foreign("GET", `/emails/${id}`)).status).toBe(404);
    const found = await app.manage("GET", `/emails/${id}`);
    const again = await app.manage("GET", `/emails/${id}`, undefined, { "If-None-Match": found.headers.get("ETag")! });
    expect([found.status, again.status]).toEqual([200, 304]);
    for (const method of ["POST", "PATCH", "DELETE"])
      expect((await app.manage(method, `/emails/${id}`)).status).toBe(405);
  });
});

test("a sandbox that the world can reach writes to nobody, SMTP_URL or not", async () => {
  const server = await startMailServer();
  await start({ smtpUrl: server.url, publicOrigin: "https://billing.example.com" });
  await buy();
  await mailOnce(app.ctx);
  expect([server.asked, (await emails())[0]!.status]).toEqual([[], "kept"]);
  await server.close();
});
