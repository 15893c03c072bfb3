import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs } from "../support/form-actions.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";
import { ok } from "../support/story.ts";

let app: TestApp;
let owner: Desk;
let live: { id: string; api: TestCall; manage: TestCall };

async function open(smtpUrl: string | null): Promise<void> {
  app = await startTestApp({ smtpUrl, trustedProxies: ["127.0.0.1"] });
  const { organization, keys } = await app.otherOrganization({ mode: "live" });
  const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
  live = { id: organization.id, api, manage };
  owner = await openDashboard(app);
}

const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const make = (email: string, more: object = {}, api: TestCall = live.api): Promise<Json> =>
  ok(api("POST", "/customers", { email, ...more }));
const pageOf = (id: string, organizationId = live.id) => `/dashboard/${organizationId}/customers/${id}`;
const formOf = (id: string) => `${pageOf(id)}/portal-link/email`;
const signIns = async (manage: TestCall = live.manage): Promise<Json[]> =>
  (await ok(manage("GET", "/emails?kind=portal_sign_in"))).data;
const audited = async (): Promise<Json[]> =>
  (await ok(live.manage("GET", "/audit-log?limit=50"))).data.filter(
    ({ operation }: Json) => operation === "mailPortalSignIn",
  );

describe("with a mail server", () => {
  let mails: MailServer;
  beforeAll(async () => {
    mails = await startMailServer();
    await open(mails.url);
  });
  afterAll(async () => {
    await app.close();
    await mails.close();
  });

  const mailsTo = (email: string) => mails.received.filter(({ to }) => to![0]!.address === email);
  const linksTo = (email: string) =>
    mailsTo(email).flatMap(({ text }) =>
      [...text!.matchAll(/\bhttp:\S+\/sign-in\/[\w-]{43}/g)].map(([url]) => new URL(url).pathname),
    );
  /** Sends the form, and the e-mail, and signs in by its newest link. */
  async function sendAndOpen(id: string, email: string): Promise<void> {
    expect(location(await doAction(owner, formOf(id)))).toBe(`${pageOf(id)}?done=sign-in-mailed`);
    await mailOnce(app.ctx);
    expect((await startWebClient(app.url).post(linksTo(email).at(-1)!)).status).toBe(303);
  }

  test("the button beside the link sends the portal's e-mail, once for a form", async () => {
    const { id } = await make("ada@example.com", { name: "Ada" });
    const { text } = await owner.get(`${pageOf(id)}/portal-link`);
    expect(text).toContain(`formaction="${formOf(id)}"`);
    expect(wordsOf(text)).toContain("Create the link E-mail a sign-in link to ada@example.com");
    expect(wordsOf(text)).not.toContain("keeps its e-mails");
    const fields = actionFieldsOf(text)!;
    for (const _ of [1, 2]) {
      const answer = await owner.post(formOf(id), fields);
      expect([answer.status, location(answer)]).toEqual([303, `${pageOf(id)}?done=sign-in-mailed`]);
    }
    expect(wordsOf((await owner.get(`${pageOf(id)}?done=sign-in-mailed`)).text)).toContain(
      "The e-mail with a sign-in link to ada@example.com is queued.",
    );
    await mailOnce(app.ctx);
    expect(mailsTo("ada@example.com")).toMatchObject([{ subject: "Sign in to Test" }]);
    const [link, ...others] = linksTo("ada@example.com");
    expect(others).toEqual([]);
    const there = startWebClient(app.url);
    expect((await there.post(link!)).status).toBe(303);
    expect(wordsOf((await there.get(`/portal/${live.id}`)).text)).toContain("Ada");

    const entries = await audited();
    expect(entries).toMatchObject([{ resourceId: id, actor: { type: "user" } }]);
    const [email] = await signIns();
    const secret = link!.split("/").at(-1)!;
    for (const shown of [
      JSON.stringify(entries),
      (await ok(live.manage("GET", `/emails/${email!.id}`))).text ?? "",
      (await owner.get(pageOf(id))).text,
      (await owner.get(`${pageOf(id)}/emails/${email!.id}`)).text,
    ])
      expect(shown).not.toContain(secret);
  });

  test("the page with a new link offers the e-mail, too", async () => {
    const { id } = await make("both@example.com");
    const { text } = await doAction(owner, `${pageOf(id)}/portal-link`);
    expect(text).toContain(`href="${formOf(id)}"`);
    expect(wordsOf(text)).toContain("The link works once, within 24 hours.");
  });

  test("an unused e-mail of the last two minutes is named, also for a request in the portal", async () => {
    const { id } = await make("bob@example.com");
    expect((await doAction(owner, formOf(id))).status).toBe(303);
    const refused = await doAction(owner, formOf(id));
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      422,
      expect.stringContaining("bob@example.com got a sign-in e-mail less than 2 minutes ago, and its link is unused."),
    ]);
    await startWebClient(app.url).post(`/portal/${live.id}`, { email: "bob@example.com" });
    await runOnce(app.ctx);
    await mailOnce(app.ctx);
    expect(mailsTo("bob@example.com")).toHaveLength(1);
    expect((await audited()).filter(({ resourceId }) => resourceId === id)).toHaveLength(1);
  });

  test("two forms at the same moment send one e-mail", async () => {
    const { id } = await make("race@example.com");
    const forms = await Promise.all([1, 2].map(async () => actionFieldsOf((await owner.get(formOf(id))).text)!));
    const answers = await Promise.all(forms.map((fields) => owner.post(formOf(id), fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    await mailOnce(app.ctx);
    expect(mailsTo("race@example.com")).toHaveLength(1);
  });

  test("the sixth e-mail within an hour is refused, with another way", async () => {
    const { id } = await make("often@example.com");
    for (let n = 0; n < 5; n += 1) await sendAndOpen(id, "often@example.com");
    const refused = await doAction(owner, formOf(id));
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      422,
      expect.stringContaining("often@example.com got too many sign-in e-mails within the last hour. Try again later"),
    ]);
    await mailOnce(app.ctx);
    expect(mailsTo("often@example.com")).toHaveLength(5);
  });

  test("Customers that share an address share its limits, and one e-mail has a link for each", async () => {
    const first = await make("desk@example.com", { externalId: "one" });
    const second = await make("desk@example.com", { externalId: "two" });
    expect((await doAction(owner, formOf(second.id))).status).toBe(303);
    expect((await doAction(owner, formOf(first.id))).status).toBe(422);
    await mailOnce(app.ctx);
    expect([mailsTo("desk@example.com").length, linksTo("desk@example.com").length]).toEqual([1, 2]);
  });

  test("a deleted Customer is refused with words, also between the page and the click", async () => {
    const { id } = await make("gone@example.com");
    const fields = actionFieldsOf((await owner.get(formOf(id))).text)!;
    expect((await live.manage("DELETE", `/customers/${id}`)).status).toBeLessThan(300);
    const refused = await owner.post(formOf(id), fields);
    expect([refused.status, wordsOf(refused.text)]).toEqual([
      422,
      expect.stringContaining("This Customer is deleted and has no e-mail address any more. No e-mail was queued."),
    ]);
    const { status, text } = await owner.get(formOf(id));
    expect([status, actionFieldsOf(text)]).toEqual([200, null]);
    expect(wordsOf(text)).toContain("This Customer is deleted and has no e-mail address any more.");
    expect(wordsOf((await owner.get(`${pageOf(id)}?done=sign-in-mailed`)).text)).not.toContain("is queued");
  });

  test("needs the permission of the link, the token, a fresh password and the own Organization", async () => {
    const { id } = await make("kept@example.com");
    const fields = actionFieldsOf((await owner.get(formOf(id))).text)!;
    const once = { once: fields["once"]! };
    const before = (await signIns()).length;
    const reader = await joinAs(app, "read_only", live.id);
    expect((await reader.get(pageOf(id))).text).not.toContain("portal-link");
    expect([(await reader.get(formOf(id))).status, (await reader.send(formOf(id), once)).status]).toEqual([403, 403]);
    expect((await owner.post(formOf(id), once)).status).toBe(403);
    expect((await owner.send(formOf(id), { once: "" })).status).toBe(422);
    const elsewhere = await joinAs(app, "support");
    for (const organizationId of [live.id, app.organization.id]) {
      const path = `${pageOf(id, organizationId)}/portal-link/email`;
      expect([(await elsewhere.get(path)).status, (await elsewhere.send(path, once)).status], path).toEqual([404, 404]);
    }
    await ageSessions(app.ctx.db, "15 minutes");
    expect(location(await owner.get(formOf(id)))).toContain("/dashboard/confirm?");
    await owner.send(formOf(id), fields);
    expect(await signIns()).toHaveLength(before);
    await owner.send("/dashboard/confirm", { password: OWNER.password });
    expect((await owner.post(formOf(id), fields)).status).toBe(303);
    expect(await signIns()).toHaveLength(before + 1);
  });
});

describe("without a mail server", () => {
  beforeAll(() => open(null));
  afterAll(() => app.close());

  test("a sandbox keeps the e-mail, and the page says so", async () => {
    const { id } = await make("test@example.com", {}, app.api);
    const path = `${pageOf(id, app.organization.id)}/portal-link/email`;
    const { text } = await owner.get(path);
    expect(wordsOf(text)).toContain("A sandbox keeps its e-mails and sends none to people.");
    expect((await owner.post(path, actionFieldsOf(text)!)).status).toBe(303);
    await mailOnce(app.ctx);
    expect(await signIns(app.manage)).toMatchObject([{ status: "kept", to: "test@example.com", customerId: id }]);
  });

  test("a live Organization keeps the e-mail, and the page says so", async () => {
    const { id } = await make("kept@example.com");
    const { text } = await owner.get(formOf(id));
    expect(wordsOf(text)).toContain("This server has no mail server, so the e-mail is kept.");
    expect((await owner.post(formOf(id), actionFieldsOf(text)!)).status).toBe(303);
    await mailOnce(app.ctx);
    expect(await signIns()).toMatchObject([{ status: "kept", to: "kept@example.com", customerId: id }]);
  });
});
