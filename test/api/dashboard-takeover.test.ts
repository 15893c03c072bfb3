import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitationUrl } from "../../src/actions/links.ts";
import { acceptAs } from "../../src/actions/team/accept.ts";
import type { Invited } from "../../src/actions/team/invite.ts";
import { openInvitation } from "../../src/actions/team/open-invitation.ts";
import { newPasswordUrl } from "../../src/actions/team/new-password.ts";
import { codeOfApp } from "../../src/actions/team/second-factor.ts";
import { listMembers } from "../../src/store/memberships.ts";
import { findUserByEmail } from "../../src/store/users.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { openDashboard, signInAt, tokenOf, type Desk } from "../support/dashboard.ts";
import { inviteTo } from "../support/invite.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/open-id-provider.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { startWebClient, type WebClient } from "../support/portal.ts";

// A stranger with a sandbox, or with a link that an operator gave away, makes an account in the name of a person. The
// person is invited to a live Organization later. The stranger must be out then.

let app: TestApp;
let mails: MailServer;
let provider: OpenIdProvider;
let owner: Desk;
let live: string;
let liveKey: string;
beforeAll(async () => {
  [mails, provider] = await Promise.all([startMailServer(), startOpenIdProvider()]);
  app = await startTestApp({ trustedProxies: ["127.0.0.1"], smtpUrl: mails.url });
  app.ctx.config.openId = provider.settings;
  const other = await app.otherOrganization({ mode: "live" });
  [live, liveKey] = [other.organization.id, other.keys.manage];
  owner = await openDashboard(app);
});
afterAll(async () => {
  app.ctx.config.openId = null;
  await app.close();
  await Promise.all([mails.close(), provider.close()]);
});
beforeEach(() => void (mails.received = []));

const HIS = "the stranger's password";
const HERS = "the person's own password";
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const hostOf = () => new URL(provider.settings.issuer).host;
const pathIn = (text: string, page: "invitations" | "new-password") =>
  new URL(new RegExp(`(http:\\S+/dashboard/${page}/\\S+)`).exec(text)![1]!).pathname;
const mailTo = (email: string) => mails.received.findLast(({ to }) => to![0]!.address === email)!;

let people = 0;
const newAddress = () => `victim${(people += 1)}@example.com`;

const inSandbox = (email: string): Promise<Invited> =>
  inviteTo(app.ctx, app.organization.id, { email, role: "support", invitedBy: "Mallory" });
/** The link as an operator gets it from the command. */
const handedPath = (invitation: Invited) => new URL(invitationUrl(app.ctx, invitation, "handed")).pathname;

/** Invites by the page of a live Organization, and answers the path of the link in the e-mail. */
async function mailedPath(email: string): Promise<string> {
  const answer = await owner.sendOnce(`/dashboard/${live}/team/invite`, { email, role: "finance" });
  expect(location(answer)).toBe(`/dashboard/${live}/team?done=invited`);
  await mailOnce(app.ctx);
  return pathIn(mailTo(email).text!, "invitations");
}

async function through(there: WebClient, start: string): Promise<Page> {
  const back = await provider.agree(location(await there.get(start))!);
  return there.get(back.slice(app.url.length));
}

type Stranger = { email: string; sub: string; desk: Desk; key: string };

/** A stranger accepts in the victim's name, connects an account at the provider, and adds a second factor. */
async function takeOver(email = newAddress()): Promise<Stranger> {
  const path = handedPath(await inSandbox(email));
  expect((await startWebClient(app.url).post(path, { name: "Victim", password: HIS })).status).toBe(303);
  const desk = await signInAt(app.url, { email, password: HIS });
  const sub = `mallory-${email}`;
  provider.account = { sub, email: "mallory@example.com", email_verified: true };
  const [, token] = /connect\?token=([\w-]+)/.exec((await desk.get("/dashboard/account/open-id")).text)!;
  expect(location(await through(desk, `/dashboard/open-id/connect?token=${token}`))).toContain("done=connected");
  const page = (await desk.get("/dashboard/account/second-factor")).text;
  const [, key] = /name="key" value="(\w+)"/.exec(page)!;
  const code = codeOfApp(key!, Date.now());
  const on = await desk.post("/dashboard/account/second-factor", { token: tokenOf(page), key: key!, code });
  expect(location(on)).toContain("done=on");
  return { email, sub, desk, key: key! };
}

/** Every way in that the stranger had leads nowhere. */
async function expectOut({ email, sub, desk }: Stranger): Promise<void> {
  for (const page of ["/dashboard", `/dashboard/${live}`, `/dashboard/${app.organization.id}`])
    expect(location(await desk.get(page)), page).toContain("/dashboard/sign-in");
  expect((await startWebClient(app.url).post("/dashboard/sign-in", { email, password: HIS })).status).toBe(422);
  provider.account = { sub, email: "mallory@example.com", email_verified: true };
  expect(wordsOf((await through(startWebClient(app.url), "/dashboard/open-id")).text)).toContain("is not connected");
  expect((await findUserByEmail(app.ctx.db.read, email))!.totpSealed).toBeNull();
}

function expectMailed(email: string): void {
  const mail = mailTo(email);
  expect(mail.subject).toBe("The access to your account of the billing dashboard was set anew");
  expect(mail.text).toContain("Second factor: was removed");
  expect(mail.text).toContain(`OpenID account: mallory@example.com at ${hostOf()} was disconnected`);
  expect(mail.text).toContain(`${app.url}/dashboard/forgotten-password`);
}

const isMember = async (email: string) =>
  (await listMembers(app.ctx.db.read, live)).some((each) => each.email === email);

describe("an account that a stranger made by an invitation of a sandbox", () => {
  test("goes to the reader of the first live invitation, and the stranger is out", async () => {
    const stranger = await takeOver();
    const { email } = stranger;
    const path = await mailedPath(email);
    // The stranger's session is no proof of the mailbox, whatever link the stranger has.
    const { invitation } = (await openInvitation(app.ctx, path.split("/").at(-1)!))!;
    const user = (await findUserByEmail(app.ctx.db.read, email))!;
    expect(await acceptAs(app.ctx, invitation, user, "198.18.0.1")).toBe(false);
    expect((await stranger.desk.send(path)).status).toBe(422);
    expect(await isMember(email)).toBe(false);

    const victim = startWebClient(app.url);
    const words = wordsOf((await victim.get(path)).text);
    expect(words).toContain("has an account of a sandbox already");
    expect((await victim.post(path, { name: "", password: "short" })).status).toBe(422);
    mails.received = [];
    expect(location(await victim.post(path, { name: "Vera", password: HERS }))).toBe(`/dashboard/${live}`);
    await expectOut(stranger);
    await mailOnce(app.ctx);
    expectMailed(email);
    const desk = await signInAt(app.url, { email, password: HERS });
    expect((await desk.get(`/dashboard/${live}`)).text).toContain("<bdi>Vera</bdi>");
    expect((await victim.get(path)).status).toBe(410);
    const log = (await caller(`${app.url}/manage/v1`, liveKey)("GET", "/audit-log?limit=1")).body.data;
    expect(log[0]).toMatchObject({ operation: "joinTeam", actor: { id: user.id } });
  });

  test("goes to one of two readers at the same moment", async () => {
    const { email } = await takeOver();
    const path = await mailedPath(email);
    const answers = await Promise.all(
      [HERS, `${HERS} again`].map((password) => startWebClient(app.url).post(path, { name: "Vera", password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  test("goes to the person through the OpenID provider, which has verified the address", async () => {
    const stranger = await takeOver();
    const path = await mailedPath(stranger.email);
    const start = path.replace("/dashboard/invitations", "/dashboard/open-id/invitations");
    expect((await startWebClient(app.url).get(path)).text).toContain(`href="${start}"`);
    provider.account = { sub: stranger.sub, email: "mallory@example.com", email_verified: true };
    expect(wordsOf((await through(startWebClient(app.url), start)).text)).toContain("another e-mail address");
    provider.account = { sub: "vera", email: stranger.email, email_verified: true, name: "Vera" };
    const victim = startWebClient(app.url);
    expect(location(await through(victim, start))).toBe(`/dashboard/${live}`);
    expect((await victim.get(`/dashboard/${live}`)).text).toContain("<bdi>Vera</bdi>");
    await expectOut(stranger);
    expect((await findUserByEmail(app.ctx.db.read, stranger.email))!.passwordHash).toBeNull();
  });

  test("is the person's own after a reset by e-mail, and the person then signs in to accept", async () => {
    const stranger = await takeOver();
    const { email } = stranger;
    await startWebClient(app.url).post("/dashboard/forgotten-password", { email });
    await mailOnce(app.ctx);
    const reset = pathIn(mailTo(email).text!, "new-password");
    mails.received = [];
    const victim = startWebClient(app.url);
    expect(wordsOf((await victim.get(reset)).text)).toContain(
      "removes a second factor, and disconnects an OpenID account",
    );
    expect(location(await victim.post(reset, { newPassword: HERS }))).toBe("/dashboard");
    await expectOut(stranger);
    await mailOnce(app.ctx);
    expectMailed(email);
    const log = (await app.manage("GET", "/audit-log?limit=3")).body.data;
    expect(log.map(({ operation }: { operation: string }) => operation).sort()).toEqual([
      "changePassword",
      "disconnectOpenId",
      "removeSecondFactor",
    ]);
    const path = await mailedPath(email);
    expect(wordsOf((await startWebClient(app.url).get(path)).text)).toContain("Sign in to accept");
    const desk = await signInAt(app.url, { email, password: HERS });
    expect(location(await desk.send(path))).toBe(`/dashboard/${live}`);
  });

  test("loses the stranger by a link of the operator too, which proves no mailbox", async () => {
    const stranger = await takeOver();
    const { email } = stranger;
    const reset = new URL((await newPasswordUrl(app.ctx, email))!).pathname;
    expect(location(await startWebClient(app.url).post(reset, { newPassword: HERS }))).toBe("/dashboard");
    await expectOut(stranger);
    await mailOnce(app.ctx);
    expectMailed(email);
    expect(wordsOf((await startWebClient(app.url).get(await mailedPath(email))).text)).toContain(
      "Choose your access anew",
    );
  });

  test("of a person who read the e-mail of the sandbox stays: the mailbox is proven", async () => {
    const email = newAddress();
    await owner.sendOnce(`/dashboard/${app.organization.id}/team/invite`, { email, role: "developer" });
    await mailOnce(app.ctx);
    const path = pathIn(mailTo(email).text!, "invitations");
    expect(mailTo(email).text).toContain("a sandbox for tests");
    expect((await startWebClient(app.url).post(path, { name: "Kim", password: HERS })).status).toBe(303);
    const desk = await signInAt(app.url, { email, password: HERS });
    expect(location(await desk.send(await mailedPath(email)))).toBe(`/dashboard/${live}`);
  });
});
