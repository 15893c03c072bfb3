import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addSecondFactor, codeOfApp, newFactorKey } from "../../src/actions/team/second-factor.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import type { User } from "../../src/domain/team/user.ts";
import { sql } from "../../src/store/driver/db.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { openDashboard, OWNER, signInAt } from "../support/dashboard.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";

let app: TestApp;
let mails: MailServer;
let live: string;
let liveKey: string;
beforeAll(async () => {
  mails = await startMailServer();
  app = await startTestApp({ trustedProxies: ["127.0.0.1"], smtpUrl: mails.url });
  const other = await app.otherOrganization({ mode: "live" });
  [live, liveKey] = [other.organization.id, other.keys.manage];
  await openDashboard(app);
});
afterAll(async () => {
  await app.close();
  await mails.close();
});
beforeEach(async () => {
  await mailOnce(app.ctx);
  mails.received = [];
});

const FORGOTTEN = "/dashboard/forgotten-password";
const NEW = "another long password";
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const ask = (email: string, there = startWebClient(app.url)) => there.post(FORGOTTEN, { email });

/** A person of Organizations. */
async function newUser(
  name: string,
  organizationIds = [live],
  password: string | null = OWNER.password,
): Promise<User> {
  const own = { email: `${name}@example.com`, name, password: password ?? OWNER.password };
  const drafted = await draftUser(own);
  const user = password === null ? { ...drafted, passwordHash: null } : drafted;
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    for (const organizationId of organizationIds) insertMembership(tx, organizationId, user.id, "owner");
  });
  return user;
}
const linkIn = (text: string) => new URL(/(http:\S+\/dashboard\/new-password\/\S+)/.exec(text)![1]!).pathname;
/** Asks for a link, and answers its path from the e-mail. */
async function linkOf({ email }: User): Promise<string> {
  await mailOnce(app.ctx);
  mails.received = [];
  expect((await ask(email)).status).toBe(200);
  await mailOnce(app.ctx);
  expect(mails.received.map(({ to }) => to![0]!.address)).toEqual([email]);
  return linkIn(mails.received[0]!.text!);
}

test("the sign-in leads to the page, which checks the address", async () => {
  const there = startWebClient(app.url);
  expect((await there.get("/dashboard/sign-in")).text).toContain(`href="${FORGOTTEN}"`);
  expect(wordsOf((await there.get(FORGOTTEN)).text)).toContain("Billow sends you an e-mail");
  for (const email of ["", "olga@", "a\u0000@example.com", `${"x".repeat(400)}@example.com`])
    expect((await ask(email, there)).status, email).toBe(422);
});

describe("an e-mail", () => {
  test("has a link that works once, and ends every session", async () => {
    const user = await newUser("ada");
    const there = await signInAt(app.url, { email: user.email, password: OWNER.password });
    const path = await linkOf(user);
    const [mail] = mails.received;
    expect(mail!.subject).toBe("A new password for the billing dashboard");
    expect(mail!.text).toContain("someone entered this address on the sign-in page");
    const here = startWebClient(app.url);
    expect(wordsOf((await here.get(path)).text)).toContain("Setting the password signs you out");
    expect((await here.post(path, { newPassword: "short" })).status).toBe(422);
    expect(location(await here.post(path, { newPassword: NEW }))).toBe("/dashboard");
    expect((await here.get(`/dashboard/${live}`)).status).toBe(200);
    expect(location(await there.get(`/dashboard/${live}`))).toContain("/dashboard/sign-in");
    const late = await here.get(path);
    expect([late.status, late.text.includes(`href="${FORGOTTEN}"`)]).toEqual([410, true]);
    await signInAt(app.url, { email: user.email, password: NEW });
    const log = await caller(`${app.url}/manage/v1`, liveKey)("GET", "/audit-log?limit=1");
    expect(log.body.data[0]).toMatchObject({ operation: "changePassword", resourceId: user.id });
  });

  test("removes the second factor, and a further e-mail says so", async () => {
    const user = await newUser("factor");
    const key = newFactorKey();
    expect(await addSecondFactor(app.ctx, user, key, codeOfApp(key, Date.now()), "198.18.0.1")).toBe(true);
    const path = await linkOf(user);
    const here = startWebClient(app.url);
    expect(location(await here.post(path, { newPassword: NEW }))).toBe("/dashboard");
    expect((await here.get(`/dashboard/${live}`)).status).toBe(200);
    expect(await users.find(app.ctx.db.read, user.id)).toMatchObject({ totpSealed: null, totpStep: null });
    mails.received = [];
    await mailOnce(app.ctx);
    const [mail] = mails.received;
    expect(mail!.to).toMatchObject([{ address: user.email }]);
    expect(mail!.text).toContain("Second factor: was removed");
    expect(mail!.text).toContain("OpenID account: there was none");
  });

  test("to a person without a password leads to the sign-in", async () => {
    const user = await newUser("openid", [live], null);
    await ask(user.email);
    await mailOnce(app.ctx);
    const [mail] = mails.received;
    expect(mail!.text).toContain(`${app.url}/dashboard/sign-in`);
    expect(mail!.text).not.toContain("new-password");
  });

  test("stores its link nowhere, in a sandbox neither, and is sent from there too", async () => {
    const user = await newUser("sandboxed", [app.organization.id]);
    const secret = (await linkOf(user)).slice(-43);
    const [email] = (await app.manage("GET", "/emails?kind=team_password&limit=1")).body.data;
    expect(email).toMatchObject({ to: user.email, status: "sent", customerId: null });
    const { body } = await app.manage("GET", `/emails/${email.id}`);
    expect([body.text, body.html]).toEqual([null, null]);
    const stored = sql("test.emails_text", "SELECT row_to_json(e)::text AS text FROM emails e");
    const rows = await app.ctx.db.read.query<{ text: string }>(stored);
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  test("comes from a live Organization rather than from a sandbox", async () => {
    const user = await newUser("both", [app.organization.id, live]);
    await linkOf(user);
    const found = await caller(`${app.url}/manage/v1`, liveKey)("GET", "/emails?kind=team_password&limit=100");
    expect(found.body.data.map(({ to }: { to: string }) => to)).toContain(user.email);
  });

  test("that could not be sent for half an hour is not sent", async () => {
    const user = await newUser("late");
    await ask(user.email);
    const age = sql(
      "test.queued_emails_age",
      "UPDATE emails SET queued_at = queued_at - $1::interval WHERE status = 'queued'",
    );
    await app.ctx.db.tx((tx) => tx.query(age, ["30 minutes"]));
    await mailOnce(app.ctx);
    expect(mails.received).toEqual([]);
  });

  test("is a file in the data directory without a mail server", async () => {
    const user = await newUser("files", [app.organization.id]);
    const { mailer } = app.ctx;
    app.ctx.mailer = null;
    try {
      expect(wordsOf((await ask(user.email)).text)).toContain("This server sends no e-mails");
      await mailOnce(app.ctx);
    } finally {
      app.ctx.mailer = mailer;
    }
    const names = await readdir(app.ctx.config.dataDir, { recursive: true });
    const texts = await Promise.all(
      names.filter((name) => name.endsWith(".eml")).map((name) => readFile(join(app.ctx.config.dataDir, name), "utf8")),
    );
    const file = texts.find((text) => text.includes("files@example.com"))!;
    const path = linkIn(file.replaceAll("=\r\n", "").replaceAll("=3D", "="));
    expect(location(await startWebClient(app.url).post(path, { newPassword: NEW }))).toBe("/dashboard");
    const [email] = (await app.manage("GET", "/emails?kind=team_password&limit=1")).body.data;
    expect(email).toMatchObject({ to: user.email, status: "kept" });
    expect((await app.manage("GET", `/emails/${email.id}`)).body.text).toBeNull();
  });
});

describe("the answer", () => {
  test("is the same for an unknown address and for a person without an Organization", async () => {
    await newUser("nowhere", []);
    const pageAfter = async (email: string) => {
      const { status, text } = await ask(email);
      return [status, text.replaceAll(email, "")];
    };
    const known = await pageAfter((await newUser("known")).email);
    expect(await pageAfter("unknown@example.com")).toEqual(known);
    expect(await pageAfter("nowhere@example.com")).toEqual(known);
    await mailOnce(app.ctx);
    expect(mails.received.map(({ to }) => to![0]!.address)).toEqual(["known@example.com"]);
  });

  test("stays the same after three e-mails an hour, but no further one is sent", async () => {
    const { email } = await newUser("bombed");
    for (let n = 0; n < 5; n += 1) expect((await ask(email.toUpperCase())).status).toBe(200);
    await mailOnce(app.ctx);
    expect(mails.received).toHaveLength(3);
  });

  test("to a client that asks for many addresses is a refusal", async () => {
    const there = startWebClient(app.url);
    for (let n = 0; n < 10; n += 1) expect((await ask(`n${n}@example.com`, there)).status).toBe(200);
    const refused = await ask("n10@example.com", there);
    expect([refused.status, wordsOf(refused.text)]).toEqual([429, expect.stringContaining("too many requests")]);
  });
});
