import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitationUrl } from "../../src/actions/links.ts";
import { refundLimitOf, type Role } from "../../src/domain/team/role.ts";
import { listInvitations } from "../../src/store/invitations.ts";
import { listMembers } from "../../src/store/memberships.ts";
import { organizations } from "../../src/store/organizations.ts";
import { sql } from "../../src/store/driver/db.ts";
import { newOnce } from "../../src/web/dashboard/form-action.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { caller, startOwnTestApp, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { openDashboard, OWNER, signInAt, type Desk } from "../support/dashboard.ts";
import { inviteTo } from "../support/invite.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";
import { moved } from "../support/sql-instants.ts";

let app: TestApp;
let mails: MailServer;
let owner: Desk;
let live: string;
let team: string;
let liveKey: string;
beforeAll(async () => {
  mails = await startMailServer();
  app = await startTestApp({ trustedProxies: ["127.0.0.1"], smtpUrl: mails.url });
  const other = await app.otherOrganization({ mode: "live" });
  [live, liveKey] = [other.organization.id, other.keys.manage];
  owner = await openDashboard(app);
  team = `/dashboard/${live}/team`;
});
afterAll(async () => {
  await app.close();
  await mails.close();
});
beforeEach(() => void (mails.received = []));

const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const PASSWORD = "another long password";
const members = async () => (await listMembers(app.ctx.db.read, live)).map(({ email, role }) => [email, role]);
const idOf = async (email: string) =>
  (await listMembers(app.ctx.db.read, live)).find((each) => each.email === email)!.id;

/** Invites by the page, and answers the path of the link in the e-mail. */
async function invited(email: string, role: Role): Promise<string> {
  const answer = await owner.sendOnce(`${team}/invite`, { email, role });
  expect([answer.status, location(answer)]).toEqual([303, `${team}?done=invited`]);
  await mailOnce(app.ctx);
  const mail = mails.received.find(({ to }) => to![0]!.address === email)!;
  const [, url] = /(http:\S+\/dashboard\/invitations\/\S+)/.exec(mail.text!)!;
  return new URL(url!).pathname;
}
/** Joins as a new person, and answers the browser. */
async function joined(email: string, role: Role): Promise<Desk> {
  const path = await invited(email, role);
  expect((await startWebClient(app.url).post(path, { name: "New Person", password: PASSWORD })).status).toBe(303);
  return signInAt(app.url, { email, password: PASSWORD });
}

describe("an invitation", () => {
  test("goes by e-mail, and makes an account and a member, once", async () => {
    const path = await invited("Nina@example.com", "support");
    const [mail] = mails.received;
    expect(mail!.subject).toBe("Olga Owner invites you to Test in Billow");
    expect(mail!.text).toContain("Your role will be “Support”.");
    expect(mail!.text).toContain("entered this address for an invitation to Test");
    const there = startWebClient(app.url);
    expect(wordsOf((await there.get(path)).text)).toContain("Olga Owner invites Nina@example.com");
    for (const [fields, fault] of [
      [{ name: "", password: PASSWORD }, "Enter your name"],
      [{ name: "Nina", password: "nina@example.com" }, "other than your name or e-mail address"],
    ] as const) {
      const refused = await there.post(path, fields);
      expect([refused.status, wordsOf(refused.text)]).toEqual([422, expect.stringContaining(fault)]);
    }
    const answers = await Promise.all(
      [there, startWebClient(app.url)].map((client) =>
        client.post(path, { name: "Nina", password: PASSWORD, email: "eve@example.com", role: "owner" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    expect(await members()).toContainEqual(["Nina@example.com", "support"]);
    expect([(await there.get(path)).status, (await there.post(path)).status]).toEqual([410, 410]);
    await signInAt(app.url, { email: "nina@example.com", password: PASSWORD });
  });

  test("with an unknown role or without one is refused at the field", async () => {
    for (const role of [{ role: "emperor" }, {}]) {
      const { status, text } = await owner.sendOnce(`${team}/invite`, { email: "emperor@example.com", ...role });
      expect([status, /id="role-fault">([^<]*)</.exec(text)?.[1]]).toEqual([422, "Choose a role."]);
    }
    expect(wordsOf((await owner.get(team)).text)).not.toContain("emperor@example.com");
  });

  test("without a mail server says where the link is", async () => {
    const own = await startOwnTestApp({ trustedProxies: ["127.0.0.1"] });
    const desk = await openDashboard(own);
    const page = `/dashboard/${own.organization.id}/team`;
    const kept = "This server sends no e-mails yet.";
    expect(wordsOf((await desk.get(`${page}/invite`)).text)).toContain(kept);
    await desk.sendOnce(`${page}/invite`, { email: "kim@example.com", role: "support" });
    await mailOnce(own.ctx);
    const { text } = await desk.get(`${page}?done=invited`);
    expect(wordsOf(text)).toContain(`The invitation has been created. ${kept}`);
    await own.close();
  });

  test("keeps its link from the API and the database of a live Organization", async () => {
    const path = await invited("secret@example.com", "owner");
    const manage = caller(`${app.url}/manage/v1`, liveKey);
    const [email] = (await manage("GET", "/emails?kind=team_invitation&limit=1")).body.data;
    expect(email).toMatchObject({ to: "secret@example.com", customerId: null, status: "sent" });
    const { body } = await manage("GET", `/emails/${email.id}`);
    expect([body.text, body.html]).toEqual([null, null]);
    const stored = sql("test.invitations_text", "SELECT row_to_json(i)::text AS text FROM invitations i");
    const secret = path.split("/").at(-1)!.slice(-43);
    const rows = await app.ctx.db.read.query<{ text: string }>(stored);
    expect(rows.some(({ text }) => text.includes(secret))).toBe(false);
  });

  test("of a person with an account needs this very person to be signed in", async () => {
    const { organization } = await app.otherOrganization();
    const wanted = { email: OWNER.email.toUpperCase(), role: "finance", invitedBy: "An operator" } as const;
    const invitation = await inviteTo(app.ctx, organization.id, wanted);
    const path = new URL(invitationUrl(app.ctx, invitation, "handed")).pathname;
    const stranger = startWebClient(app.url);
    const page = await stranger.get(path);
    expect(page.text).toContain(`/dashboard/sign-in?next=${encodeURIComponent(path)}`);
    expect(page.text).not.toContain("New password");
    expect(location(await stranger.post(path, { name: "Eve", password: PASSWORD }))).toBe(path);
    const eve = await joined("eve@example.com", "read_only");
    expect(wordsOf((await eve.get(path)).text)).toContain("You are signed in as eve@example.com");
    expect((await eve.send(path)).status).toBe(422);
    expect(wordsOf((await owner.get(path)).text)).toContain("invites OLGA@EXAMPLE.COM");
    expect((await owner.post(path)).status).toBe(403);
    expect(location(await owner.send(path))).toBe(`/dashboard/${organization.id}`);
    expect((await owner.get(`/dashboard/${organization.id}`)).text).toContain("Finance");
  });

  test("is over once it is withdrawn, sent anew, altered or a week old", async () => {
    const first = await invited("late@example.com", "support");
    mails.received = [];
    const second = await invited("late@example.com", "finance");
    const altered = second.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
    for (const path of [first, altered, "/dashboard/invitations/x"])
      expect((await startWebClient(app.url).get(path)).status, path).toBe(410);
    const open = await listInvitations(app.ctx.db.read, live);
    const { id } = open.find(({ email }) => email === "late@example.com")!;
    const withdrawal = `${team}/invitations/${id}`;
    expect(wordsOf((await owner.get(withdrawal)).text)).toContain("late@example.com will stop working");
    expect(location(await owner.sendOnce(withdrawal))).toBe(`${team}?done=withdrawn`);
    expect((await startWebClient(app.url).post(second, { name: "Late", password: PASSWORD })).status).toBe(410);
    mails.received = [];
    const third = await invited("late@example.com", "finance");
    const age = sql(
      "test.invitations_age",
      `UPDATE invitations SET expires_at = ${moved("expires_at", "- interval '7 days'")}`,
    );
    await app.ctx.db.tx((tx) => tx.query(age));
    expect((await startWebClient(app.url).get(third)).status).toBe(410);
  });

  test("that is withdrawn before it is sent is not sent", async () => {
    await owner.sendOnce(`${team}/invite`, { email: "unsent@example.com", role: "support" });
    const open = await listInvitations(app.ctx.db.read, live);
    await owner.sendOnce(`${team}/invitations/${open.find(({ email }) => email === "unsent@example.com")!.id}`);
    await mailOnce(app.ctx);
    expect(mails.received).toEqual([]);
  });

  test("whose form is sent twice is made once, and an invitation is withdrawn once", async () => {
    const made = { email: "twice@example.com", role: "support", once: newOnce() };
    for (const _ of [1, 2]) expect(location(await owner.sendOnce(`${team}/invite`, made))).toBe(`${team}?done=invited`);
    const invitations = (await listInvitations(app.ctx.db.read, live)).filter(({ email }) => email === made.email);
    expect(invitations).toHaveLength(1);
    const { id } = invitations[0]!;
    for (const _ of [1, 2])
      expect(location(await owner.sendOnce(`${team}/invitations/${id}`))).toBe(`${team}?done=withdrawn`);
    const { data } = (await caller(`${app.url}/manage/v1`, liveKey)("GET", "/audit-log?limit=20")).body;
    const entries: Json[] = data.filter(({ resourceId }: Json) => resourceId === id);
    expect(entries.map(({ operation }) => operation)).toEqual(["withdrawInvitation", "inviteMember"]);
  });

  test("of a member, or to no address, is refused", async () => {
    for (const [email, fault] of [
      [OWNER.email, "is already a member"],
      ["x", "Enter an e-mail address"],
    ]) {
      const answer = await owner.sendOnce(`${team}/invite`, { email: email!, role: "support" });
      expect([answer.status, wordsOf(answer.text)]).toEqual([422, expect.stringContaining(fault!)]);
    }
  });
});

describe("a member", () => {
  test("has a new role, and is removed, from the next click on", async () => {
    const there = await joined("changed@example.com", "support");
    const path = `${team}/members/${await idOf("changed@example.com")}`;
    expect((await there.get(team)).status).toBe(403);
    expect(location(await owner.sendOnce(path, { operation: "role", role: "owner" }))).toBe(`${team}?done=role`);
    expect((await there.get(team)).status).toBe(200);
    expect((await owner.sendOnce(path, { operation: "role", role: "emperor" })).status).toBe(422);
    const removal = { operation: "remove", once: newOnce() };
    for (const _ of [1, 2]) expect(location(await owner.send(path, removal))).toBe(`${team}?done=removed`);
    expect([(await there.get(`/dashboard/${live}`)).status, (await there.get(team)).status]).toEqual([404, 404]);
    expect((await owner.sendOnce(path, { operation: "remove" })).status).toBe(404);
    expect(wordsOf((await there.get("/dashboard")).text)).toContain("You are not a member of any Organization");
  });

  test("who is the last owner stays; of two owners who remove each other, one stays", async () => {
    const own = `${team}/members/${await idOf(OWNER.email)}`;
    for (const fields of [{ operation: "remove" }, { operation: "role", role: "finance" }]) {
      const answer = await owner.sendOnce(own, fields);
      expect([answer.status, wordsOf(answer.text)]).toEqual([422, expect.stringContaining("This is the last owner")]);
    }
    const second = await joined("second@example.com", "owner");
    const other = `${team}/members/${await idOf("second@example.com")}`;
    await Promise.all([owner.sendOnce(other, { operation: "remove" }), second.sendOnce(own, { operation: "remove" })]);
    expect((await members()).filter(([, role]) => role === "owner")).toHaveLength(1);
  });
});

test("an owner limits the refunds of support", async () => {
  const home = `/dashboard/${app.organization.id}/team`;
  const read = async () => (await organizations.find(app.ctx.db.read, app.organization.id))!;
  expect(refundLimitOf("support", await read(), "usd")).toBe(0);
  expect((await owner.sendOnce(`${home}/refund-limit`, { limit: "fifty" })).status).toBe(422);
  expect(location(await owner.sendOnce(`${home}/refund-limit`, { limit: "50.00" }))).toBe(`${home}?done=limit`);
  expect(wordsOf((await owner.get(home)).text)).toContain("refunds of up to US$50.00 for each invoice");
  const now = await read();
  const limits = (["owner", "finance", "support", "developer", "read_only"] as const).map((role) =>
    refundLimitOf(role, now, "usd"),
  );
  expect(limits).toEqual([null, null, 5000, 0, 0]);
  expect(refundLimitOf("support", now, "eur")).toBe(0);
});
