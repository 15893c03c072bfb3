import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { removeOldEmailFiles } from "../../src/actions/email/email-files.ts";
import { emailsUrl } from "../../src/actions/links.ts";
import { sql } from "../../src/store/driver/db.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { get, wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";

// A link that signs a person in, sets a password or accepts an invitation is for its recipient alone: no row, no answer
// of the API and no page has the link. In a sandbox, the Customers are test data, and their portal's links can be read.

type Access = { id: string; manage: TestCall; api: TestCall };
let app: TestApp;
let mails: MailServer;
let owner: Desk;
let sandbox: Access;
let live: Access;
beforeAll(async () => {
  mails = await startMailServer();
  app = await startTestApp({ trustedProxies: ["127.0.0.1"], smtpUrl: mails.url });
  const { organization, keys } = await app.otherOrganization({ mode: "live" });
  sandbox = { id: app.organization.id, manage: app.manage, api: app.api };
  live = {
    id: organization.id,
    manage: caller(`${app.url}/manage/v1`, keys.manage),
    api: caller(`${app.url}/public/v2`, keys.public),
  };
  owner = await openDashboard(app);
});
afterAll(async () => {
  await app.close();
  await mails.close();
});
beforeEach(() => void (mails.received = []));

const rowsStatement = sql("test.rows_of_emails", "SELECT row_to_json(e)::text AS text FROM emails e");
const SECRET = /\/(?:invitations|new-password|sign-in|email\/confirm|email\/undo)\/\S*([\w-]{43})/g;
const secretsIn = (text: string) => [...text.matchAll(SECRET)].map(([, secret]) => secret!);

async function filesOf({ id }: Access): Promise<{ name: string; text: string }[]> {
  const folder = join(app.ctx.config.dataDir, "emails", id);
  const names = await readdir(folder).catch(() => []);
  const read = async (name: string) => (await readFile(join(folder, name), "utf8")).replaceAll("=\r\n", "");
  return Promise.all(names.map(async (name) => ({ name, text: (await read(name)).replaceAll("=3D", "=") })));
}

/** Without a mail server, as an installation begins. */
async function withoutMail(work: () => Promise<void>): Promise<void> {
  const { mailer } = app.ctx;
  app.ctx.mailer = null;
  try {
    await work();
  } finally {
    app.ctx.mailer = mailer;
  }
}

async function post(): Promise<void> {
  await app.runDue();
  await mailOnce(app.ctx);
}

async function newestOf({ manage }: Access, kind: string): Promise<Json> {
  const [{ id }] = (await manage("GET", `/emails?kind=${kind}&limit=1`)).body.data;
  return (await manage("GET", `/emails/${id}`)).body;
}

/** The secrets are in no row, and the message of the kind is neither in the API nor on the page of a sandbox. */
async function expectHidden(access: Access, kind: string, secrets: string[]): Promise<void> {
  expect(secrets.length).toBeGreaterThan(0);
  const rows = await app.ctx.db.read.query<{ text: string }>(rowsStatement);
  expect(rows.filter(({ text }) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  const email = await newestOf(access, kind);
  expect([email.text, email.html]).toEqual([null, null]);
  if (access !== sandbox) return;
  const page = emailsUrl(app.ctx, access.id, email.id);
  expect(secretsIn((await get(page)).text)).toEqual([]);
  expect((await get(`${page}/html`)).status).toBe(404);
}

test.each([
  ["a sandbox", () => sandbox],
  ["a live Organization", () => live],
])("the link of an invitation of %s is in the mailbox alone", async (name, accessOf) => {
  const access = accessOf();
  const email = `${name.replaceAll(" ", "-")}@example.com`;
  await owner.sendOnce(`/dashboard/${access.id}/team/invite`, { email, role: "support" });
  await post();
  const mail = mails.received.find(({ to }) => to![0]!.address === email)!;
  expect(mail.subject).toBe("Olga Owner invites you to Test in Billow");
  await expectHidden(access, "team_invitation", secretsIn(mail.text!));
  const team = await owner.get(`/dashboard/${access.id}/team`);
  expect(team.text).toContain(email);
  expect(secretsIn(team.text)).toEqual([]);
});

test("without a mail server, the link of an invitation is in the file of the operator alone", async () => {
  await withoutMail(async () => {
    for (const access of [sandbox, live]) {
      const page = `/dashboard/${access.id}/team`;
      const notice = "This server sends no e-mails yet. The operator of the server finds the e-mail with the link";
      expect(wordsOf((await owner.get(`${page}/invite`)).text)).toContain(notice);
      await owner.sendOnce(`${page}/invite`, { email: "filed@example.com", role: "support" });
      await post();
      const shown = (await owner.get(`${page}?done=invited`)).text;
      expect(wordsOf(shown)).toContain(`The invitation has been created. ${notice}`);
      expect(secretsIn(shown)).toEqual([]);
      const email = await newestOf(access, "team_invitation");
      const file = (await filesOf(access)).find((each) => each.name === `${email.id}.eml`)!;
      await expectHidden(access, "team_invitation", secretsIn(file.text));
      const path = /\/dashboard\/invitations\/[\w-]+/.exec(file.text)![0];
      expect((await startWebClient(app.url).get(path)).status).toBe(200);
    }
  });
});

test("without a mail server, the links of a live portal are in files alone, which go with the Customer", async () => {
  await withoutMail(async () => {
    const { id } = (await live.api("POST", "/customers", { email: "ada@example.com" })).body;
    const there = startWebClient(app.url);
    expect((await there.post(`/portal/${live.id}`, { email: "ada@example.com" })).status).toBe(200);
    await post();
    const email = await newestOf(live, "portal_sign_in");
    const isOurs = ({ name }: { name: string }) => name === `${email.id}.eml`;
    const file = (await filesOf(live)).find(isOurs)!;
    await expectHidden(live, "portal_sign_in", secretsIn(file.text));
    const never = new AbortController().signal;
    await removeOldEmailFiles(app.ctx, never);
    expect((await filesOf(live)).filter(isOurs)).toHaveLength(1);
    const path = /\/portal\/\S+?\/sign-in\/[\w-]{43}/.exec(file.text)![0];
    expect((await there.post(path)).status).toBe(303);
    expect(wordsOf((await there.get(`/portal/${live.id}`)).text)).toContain("Your account");
    await there.post(`/portal/${live.id}/email`, { email: "new@example.com" });
    await post();
    const confirm = await newestOf(live, "portal_email_confirm");
    const mail = (await filesOf(live)).find(({ name }) => name === `${confirm.id}.eml`)!;
    await expectHidden(live, "portal_email_confirm", secretsIn(mail.text));
    expect((await live.manage("DELETE", `/customers/${id}`)).status).toBeLessThan(300);
    await removeOldEmailFiles(app.ctx, never);
    expect((await filesOf(live)).filter(isOurs)).toEqual([]);
  });
});

test("the links of a sandbox's portal can be read, so that a seller can try them", async () => {
  await sandbox.api("POST", "/customers", { email: "eve@example.com" });
  await startWebClient(app.url).post(`/portal/${sandbox.id}`, { email: "eve@example.com" });
  await post();
  const email = await newestOf(sandbox, "portal_sign_in");
  const [path] = /\/portal\/\S+?\/sign-in\/[\w-]{43}/.exec(email.text)!;
  expect((await startWebClient(app.url).post(path!)).status).toBe(303);
});
