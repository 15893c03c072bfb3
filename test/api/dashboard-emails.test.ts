import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let receiver: Receiver;
let owner: Desk;
let support: Desk;
let customerId: string;
let home: string;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { app } = story;
  receiver = await startReceiver();
  await story.ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
  await story.plan("pro", 3000, { name: "Pro" });
  ({ customerId } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com", name: "Ada <b>Lovelace</b>" } },
    CARDS.pays,
  ));
  await mailOnce(app.ctx);
  home = `/dashboard/${app.organization.id}`;
  owner = await openDashboard(app);
  support = await joinAs(app, "support");
});
afterAll(async () => {
  await story.close();
  await receiver.close();
});

const page = () => `${home}/customers/${customerId}`;
const emails = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}`))).data;

test("an e-mail is shown as it was sent, in a frame without script or access", async () => {
  const [receipt] = await emails();
  expect(wordsOf((await support.get(page())).text)).toContain(`${receipt.subject} Kept, not sent`);
  const shown = await support.get(`${page()}/emails/${receipt.id}`);
  expect(shown.status).toBe(200);
  expect(shown.headers.get("Content-Security-Policy")).toContain("frame-src 'self'");
  expect(wordsOf(shown.text)).toContain("To ada@example.com Kind receipt State Kept, not sent");
  const { text, html } = await story.ok(story.app.manage("GET", `/emails/${receipt.id}`));
  expect(shown.text).toContain("Ada &lt;b&gt;Lovelace&lt;/b&gt;");
  expect(wordsOf(shown.text)).toContain(text.trim().split("\n")[0]);
  const [, src] = /<iframe [^>]*src="([^"]+)" sandbox="allow-popups allow-popups-to-escape-sandbox"/.exec(shown.text)!;
  const message = await support.get(src!);
  const sent = await fetch(new URL(src!, story.app.url), { headers: { Cookie: support.cookie! } });
  expect(await sent.text()).toBe(html);
  expect(message.headers.get("Content-Security-Policy")).toContain("sandbox allow-popups");
  expect(message.headers.get("Content-Security-Policy")).not.toContain("script-src");
  expect((await startWebClient(story.app.url).get(src!)).status).toBe(303);
});

test("an e-mail is sent again to the present address, once for a form", async () => {
  const [receipt] = await emails();
  await story.ok(story.app.manage("PATCH", `/customers/${customerId}`, { email: "ada@new.example" }));
  const path = `${page()}/emails/${receipt.id}/send-again`;
  expect((await support.get(`${page()}/emails/${receipt.id}`)).text).toContain("/send-again");
  const form = await support.get(path);
  expect(wordsOf(form.text)).toContain(`A new e-mail goes to ada@new.example . Its subject is “${receipt.subject}”`);
  expect(wordsOf(form.text)).toContain("The first e-mail went to ada@example.com");
  const fields = actionFieldsOf(form.text)!;
  for (const _ of [1, 2]) expect((await support.post(path, fields)).status).toBe(303);
  await mailOnce(story.app.ctx);
  const [again, first, ...others] = await emails();
  expect(others).toEqual([]);
  expect(again).toMatchObject({ kind: "receipt", status: "kept", to: "ada@new.example", invoiceId: receipt.invoiceId });
  expect(first).toMatchObject({ id: receipt.id, to: "ada@example.com" });
  expect(wordsOf((await support.get(`${page()}/emails/${again.id}`)).text)).toContain(
    "This e-mail was kept, not sent. A sandbox keeps its e-mails and sends none to people.",
  );
  const [entry] = (await story.ok(story.app.manage("GET", "/audit-log?limit=1"))).data;
  expect(entry).toMatchObject({ operation: "sendEmailAgain", resourceId: receipt.id });
  const reader = await joinAs(story.app, "read_only");
  expect((await reader.get(`${page()}/emails/${receipt.id}`)).text).not.toContain("/send-again");
  expect((await reader.get(path)).status).toBe(403);
});

test("news that is out of date is not sent again, and the page says why", async () => {
  const { id: subscriptionId } = (await story.ok(story.app.manage("GET", `/subscriptions?customerId=${customerId}`)))
    .data[0];
  await story.ok(story.app.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: true }));
  await mailOnce(story.app.ctx);
  const [scheduled] = await emails();
  expect(scheduled.kind).toBe("cancellation_scheduled");
  await story.ok(story.app.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: false }));
  const form = await support.get(`${page()}/emails/${scheduled.id}/send-again`);
  expect(wordsOf(form.text)).toContain("This e-mail is out of date (changed meanwhile)");
  expect(actionFieldsOf(form.text)).toBeNull();
});

test("a message with a link into the portal is for its recipient alone", async () => {
  const client = startWebClient(story.app.url);
  await client.post(`/portal/${story.app.organization.id}`, { email: "ada@new.example" });
  await story.app.runDue();
  await mailOnce(story.app.ctx);
  const link = (await emails()).find(({ kind }) => kind === "portal_sign_in")!;
  const [, url] = /(http\S+\/portal\/\S+)/.exec((await story.ok(story.app.manage("GET", `/emails/${link.id}`))).text)!;
  const path = `${page()}/emails/${link.id}`;
  for (const desk of [owner, support]) {
    const { text } = await desk.get(path);
    expect(text).not.toContain(new URL(url!).pathname);
    expect(wordsOf(text)).toContain("so the message is for the recipient alone");
    expect((await desk.get(`${path}/message`)).status).toBe(404);
    expect(text).not.toContain("/send-again");
    expect(actionFieldsOf((await desk.get(`${path}/send-again`)).text)).toBeNull();
    expect((await desk.send(`${path}/send-again`, { once: "b".repeat(22) })).status).toBe(422);
  }
  expect((await owner.get(path)).text).toContain("/sandbox/emails/");
  expect((await support.get(path)).text).not.toContain("/sandbox/emails/");
});

test("the webhooks of a Customer stand on the page, for roles that see deliveries", async () => {
  await story.app.runDue();
  const words = wordsOf((await owner.get(page())).text);
  expect(words).toContain(`${receiver.url} Succeeded HTTP 200`);
  const [event] = (await story.events()).filter(({ type }) => type === "customer.updated");
  expect((await owner.get(page())).text).toContain(`${home}/developers/events/${event!.id}`);
  expect(wordsOf((await support.get(page())).text)).not.toContain(receiver.url);
  const hrefs = [...(await owner.get(page())).text.matchAll(/href="([^"]+\/developers\/[^"]+\/(?:evt|whd)_\w+)"/g)];
  expect(hrefs.length).toBeGreaterThan(1);
  for (const [, href] of hrefs.slice(0, 2)) expect((await owner.get(href!)).status, href).toBe(200);
});

test("an e-mail to another Customer and of another Organization is not found", async () => {
  const receipt = (await emails()).find(({ kind }) => kind === "receipt")!;
  const { id: other } = await story.ok(story.app.api("POST", "/customers", { email: "other@example.com" }));
  const { organization } = await story.app.otherOrganization();
  const stranger = await joinAs(story.app, "owner", organization.id);
  for (const end of ["", "/message", "/send-again"])
    for (const [desk, path] of [
      [support, `${home}/customers/${other}/emails/${receipt.id}${end}`],
      [stranger, `/dashboard/${organization.id}/customers/${customerId}/emails/${receipt.id}${end}`],
    ] as const)
      expect((await desk.get(path)).status, path).toBe(404);
  expect((await doAction(support, `${page()}/emails/${receipt.id}/send-again`)).status).toBe(303);
});

test("an e-mail with a license key shows the key masked", async () => {
  const { app, ok } = story;
  const properties = { prefix: "ACME" };
  const benefit = await ok(app.manage("POST", "/benefits", { type: "license_key", name: "Desktop", properties }));
  await story.plan("desktop", 5000, { name: "Desktop", interval: null, benefitIds: [benefit.id] });
  const buyer = { email: "keys@example.com", externalId: "keys" };
  const bought = await story.buy({ productKey: "desktop", customer: buyer }, CARDS.pays);
  await mailOnce(app.ctx);
  const ofBuyer = `customerId=${bought.customerId}`;
  const [{ properties: granted }] = (await ok(app.manage("GET", `/benefit-grants?${ofBuyer}`))).data;
  const [receipt] = (await ok(app.manage("GET", `/emails?customerId=${bought.customerId}`))).data;
  expect((await ok(app.manage("GET", `/emails/${receipt.id}`))).text).toContain(granted.key);
  const path = `${home}/customers/${bought.customerId}/emails/${receipt.id}`;
  const masked = `••••${granted.key.slice(-4)}`;
  for (const desk of [owner, await joinAs(app, "finance")])
    for (const each of [path, `${path}/message`]) {
      const { status, text } = await desk.get(each);
      expect([status, text.includes(granted.key), text.includes(masked)], each).toEqual([200, false, true]);
    }
});
