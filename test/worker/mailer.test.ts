import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { startMailer } from "../../src/worker/mailer.ts";
import { startPoller } from "../../src/worker/poller.ts";
import { caller, startOwnTestApp, type TestApp, type TestCall } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";

let app: TestApp;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  app = await startOwnTestApp({ smtpUrl: server.url });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/** Starts a mailer without the rest of a worker. */
function start(ctx: Context): { stop(): Promise<void> } {
  const parts = [startMailer(ctx), startPoller(ctx)];
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}

const FREE = { key: "free", name: "Free", interval: "month", group: null, prices: [{ currency: "usd", amount: 0 }] };

/** A live Organization with `count` ended Subscriptions to write about, each to another address. */
async function organizationWith(name: string, count: number): Promise<TestCall> {
  const { keys } = await app.otherOrganization({ mode: "live" });
  const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
  await manage("POST", "/products", FREE);
  for (let n = 0; n < count; n += 1) {
    const customer = (await api("POST", "/customers", { email: `${name}${n}@example.com` })).body;
    const sold = { customerId: customer.id, productKey: "free", amount: 0, startedAt: "2026-01-01T00:00:00Z" };
    const { body } = await manage("POST", "/subscriptions", sold);
    expect((await manage("POST", `/subscriptions/${body.id}/cancel-now`, {})).status).toBe(200);
  }
  return manage;
}
const sent = async (manage: TestCall) => (await manage("GET", "/emails?status=sent")).body.data.length;

test("an Organization with many e-mails keeps no other waiting", async () => {
  const [much, little] = [await organizationWith("much", 25), await organizationWith("little", 1)];
  const mailer = start(app.ctx);
  await expect.poll(async () => [await sent(much), await sent(little)]).toEqual([25, 1]);
  await mailer.stop();
  expect(server.asked).toHaveLength(26);
  expect(server.asked.indexOf("little0@example.com")).toBeLessThan(10);
});

test("files of e-mails that are gone are removed beside, whole or not", async () => {
  const folder = join(app.ctx.config.dataDir, "emails", app.organization.id);
  await mkdir(folder, { recursive: true });
  for (const name of [`${newId("eml")}.eml`, `${newId("eml")}.eml.part`, "own.txt"])
    await writeFile(join(folder, name), "");
  const mailer = start(app.ctx);
  await expect.poll(() => readdir(folder)).toEqual(["own.txt"]);
  await mailer.stop();
});

test("of a sandbox the newest goes first", async () => {
  server.asked = [];
  const price = [{ currency: "usd", amount: 500 }];
  await app.manage("POST", "/products", { key: "book", name: "Book", prices: price });
  for (const name of ["first", "second", "third"]) {
    const { body } = await app.api("POST", "/checkouts", {
      productKey: "book",
      customer: { email: `${name}@example.com` },
    });
    await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" });
  }
  const mailer = start(app.ctx);
  await expect.poll(() => sent(app.manage)).toBe(3);
  await mailer.stop();
  expect(server.asked).toEqual(["third@example.com", "second@example.com", "first@example.com"]);
});
