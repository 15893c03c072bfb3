import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { customers } from "../../src/store/customers.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { lockWaiters } from "../support/locks.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { comeDue, startWebClient } from "../support/portal.ts";
import { startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

let story: Story;
let server: MailServer;
let portal: string;

beforeAll(async () => {
  server = await startMailServer();
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { smtpUrl: server.url, trustedProxies: ["127.0.0.1"] });
  portal = `/portal/${story.app.organization.id}`;
});
afterAll(async () => {
  await story.close();
  await server.close();
});
beforeEach(() => {
  server.received = [];
  server.toMessage = () => ({ code: 250 });
});

const linksIn = (text: string) =>
  [...text.matchAll(/\bhttp:\S+\/sign-in\/[\w-]{43}/g)].map(([url]) => new URL(url).pathname);
/** A visitor types an address, and the worker handles it. */
async function ask(email: string): Promise<void> {
  expect((await startWebClient(story.app.url).post(portal, { email })).status).toBe(200);
  await story.app.runDue();
}
const send = () => mailOnce(story.app.ctx);
const emailTo = async ({ id }: Json): Promise<Json> => {
  const [newest] = (await story.ok(story.app.manage("GET", `/emails?kind=portal_sign_in&customerId=${id}&limit=1`)))
    .data;
  return story.ok(story.app.manage("GET", `/emails/${newest.id}`));
};
/** Two Customers with the same e-mail address. The e-mail belongs to the older Customer. */
async function pairAt(email: string): Promise<[Json, Json]> {
  const join = (externalId: string) => story.ok(story.app.api("POST", "/customers", { email, externalId }));
  return [await join(`${email}: stays`), await join(`${email}: leaves`)];
}
const remove = async ({ id }: Json) => expect((await story.app.manage("DELETE", `/customers/${id}`)).status).toBe(204);

describe("Customers that share an address", () => {
  test("are not named any more once they are deleted, wherever they were written to meanwhile", async () => {
    const [stays, leaves] = await pairAt("moves@example.com");
    await ask("moves@example.com");
    await send();
    expect((await emailTo(stays)).text).toContain("moves@example.com: leaves");
    await story.ok(story.app.manage("PATCH", `/customers/${leaves.id}`, { email: "moved@example.com" }));
    await remove(leaves);
    expect(await emailTo(stays)).toMatchObject({ status: "sent", text: null, html: null });
  });

  test("get an e-mail that is still to be sent, without a Customer that is deleted meanwhile", async () => {
    const [stays, leaves] = await pairAt("waits@example.com");
    server.toMessage = () => ({ code: 451, text: "Later" });
    await ask("waits@example.com");
    await send();
    await remove(leaves);
    expect(await emailTo(stays)).toMatchObject({ status: "queued", attempts: 1 });
    server.toMessage = () => ({ code: 250 });
    await comeDue(story.app.ctx.db);
    await send();
    expect(server.received).toHaveLength(1);
    const text = server.received[0]!.text!;
    expect([linksIn(text).length, text.includes("leaves")]).toEqual([1, false]);
    expect(await emailTo(stays)).toMatchObject({ status: "sent", to: "waits@example.com" });
  });

  test("are not named in the kept e-mail where one is deleted just as it is sent", async () => {
    const [stays, leaves] = await pairAt("race@example.com");
    server.toMessage = async () => {
      await remove(leaves);
      return { code: 250 };
    };
    await ask("race@example.com");
    await send();
    expect(server.received).toHaveLength(1);
    expect(await emailTo(stays)).toMatchObject({ status: "sent", text: null, html: null });
  });
});

/** Waits until `count` transactions wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await until(async () => (await lockWaiters(story.app.ctx.db.read)) === count);
}

describe("while somebody works on a Customer", () => {
  test("a visitor that types the Customer's address is answered as any other", async () => {
    const { id } = await story.ok(story.app.api("POST", "/customers", { email: "busy@example.com" }));
    await story.app.ctx.db.tx(async (tx) => {
      await customers.lock(tx, story.app.organization.id, id);
      expect((await startWebClient(story.app.url).post(portal, { email: "busy@example.com" })).status).toBe(200);
    });
    await story.app.runDue();
    await send();
    expect(server.received).toHaveLength(1);
  });

  test("an address that changes as the e-mail is made gets no link", async () => {
    const before = await story.ok(story.app.api("POST", "/customers", { email: "before@example.com" }));
    await ask("before@example.com");
    const late = await story.app.ctx.db.tx(async (tx) => {
      await customers.lock(tx, story.app.organization.id, before.id);
      const change = story.app.manage("PATCH", `/customers/${before.id}`, { email: "after@example.com" });
      await untilWaiting(1);
      const sending = send();
      await untilWaiting(2);
      return { change, sending };
    });
    expect((await late.change).status).toBe(200);
    await late.sending;
    expect(server.received).toEqual([]);
    expect(await emailTo(before)).toMatchObject({ status: "skipped", reason: "changed_meanwhile" });
  });
});
