import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitationUrl } from "../../src/actions/links.ts";
import { addSecondFactor, codeOfApp, newFactorKey } from "../../src/actions/team/second-factor.ts";
import { draftUser, firstRunUrl } from "../../src/actions/team/set-up.ts";
import { STEP_MILLISECONDS } from "../../src/domain/team/totp.ts";
import { findUserByIdentity } from "../../src/store/user-identities.ts";
import { findUserByEmail } from "../../src/store/users.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { ageSessions, OWNER, signInAt, tokenOf } from "../support/dashboard.ts";
import { inviteTo } from "../support/invite.ts";
import { startOpenIdProvider, type Fault, type OpenIdProvider } from "../support/open-id-provider.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { startWebClient, type WebClient } from "../support/portal.ts";

let app: TestApp;
let provider: OpenIdProvider;
let home: string;
beforeAll(async () => {
  [app, provider] = await Promise.all([startTestApp({ trustedProxies: ["127.0.0.1"] }), startOpenIdProvider()]);
  app.ctx.config.openId = provider.settings;
  home = `/dashboard/${app.organization.id}`;
});
afterAll(async () => {
  app.ctx.config.openId = null;
  await Promise.all([app.close(), provider.close()]);
});
beforeEach(() => void Object.assign(provider, { fault: null, account: { sub: "nobody" } }));

const OPEN_ID = "/dashboard/open-id";
const CONNECTION = "/dashboard/account/open-id";
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const newClient = () => startWebClient(app.url);
const now = () => Math.floor(Date.now() / 1000);

/** Goes to the provider, agrees there, and comes back. */
async function through(there: WebClient, start: string): Promise<Page> {
  const leaving = await there.get(start);
  expect(leaving.status, wordsOf(leaving.text)).toBe(303);
  const back = await provider.agree(location(leaving)!);
  return there.get(back.slice(app.url.length));
}
/** A problem in words, with the status of its page. */
const problem = ({ status, text }: Page) => [status, wordsOf(text)];
const saying = (text: string) => [422, expect.stringContaining(text)];

let people = 0;
/** Another owner, with a password. */
async function newUser(): Promise<{ id: string; email: string }> {
  people += 1;
  const email = `person${people}@example.com`;
  const user = await draftUser({ email, name: `Person ${people}`, password: OWNER.password });
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    insertMembership(tx, app.organization.id, user.id, "owner");
  });
  return user;
}
async function invited(email: string): Promise<string> {
  const invitation = await inviteTo(app.ctx, app.organization.id, { email, role: "support", invitedBy: "Olga" });
  return new URL(invitationUrl(app.ctx, invitation, "handed")).pathname;
}
const joining = (path: string) => path.replace("/dashboard/invitations", `${OPEN_ID}/invitations`);

/** Connects the person with an account at the provider. Answers the browser. */
async function connected(email: string, sub: string) {
  const desk = await signInAt(app.url, { email, password: OWNER.password });
  provider.account = { sub };
  const { text } = await desk.get(CONNECTION);
  const answer = await through(desk, `${OPEN_ID}/connect?token=${tokenIn(text)}`);
  expect(location(answer)).toBe("/dashboard/account?done=connected");
  return desk;
}
const tokenIn = (text: string) => /connect\?token=([\w-]+)/.exec(text)![1]!;

describe("before there is a user", () => {
  test("the first-run link makes one with a verified e-mail address, once", async () => {
    const path = new URL((await firstRunUrl(app.ctx))!).pathname;
    const start = path.replace("/dashboard/set-up", `${OPEN_ID}/set-up`);
    expect((await newClient().get(path)).text).toContain(`href="${start}"`);
    provider.account = { sub: "first", email: "first@example.com", email_verified: false };
    expect(problem(await through(newClient(), start))).toEqual(saying("does not say that your e-mail address"));
    provider.account = { sub: "first", email: "First@example.com", email_verified: true, name: "Fi\u0000rst\n" };
    const there = newClient();
    expect(location(await through(there, start))).toBe("/dashboard");
    expect(wordsOf((await there.get("/dashboard/account")).text)).toContain("Name First E-mail First@example.com");
    expect((await there.get(home)).status).toBe(200);
    provider.account = { sub: "second", email: "second@example.com", email_verified: true };
    expect(problem(await through(newClient(), start))).toEqual(saying("The link or your session has expired"));
  });
});

describe("a request for a sign-in", () => {
  test("has PKCE, state and nonce, and its cookie is closed to scripts and to people", async () => {
    const there = newClient();
    const answer = await there.get(`${OPEN_ID}?next=${encodeURIComponent(home)}`);
    const asked = new URL(location(answer)!).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: "billow",
      redirect_uri: `${app.url}${OPEN_ID}/callback`,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    for (const name of ["code_challenge", "state", "nonce"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.has("max_age")).toBe(false);
    const cookie = answer.headers.get("Set-Cookie")!;
    expect(cookie).toMatch(/^billow_open_id=v1\.\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(asked.get("state"));
  });

  test("of an account that is not connected opens no session, whatever its e-mail address", async () => {
    const { email } = await newUser();
    provider.account = { sub: "stranger", email, email_verified: true };
    const there = newClient();
    expect(problem(await through(there, OPEN_ID))).toEqual(saying("is not connected to an account of this dashboard"));
    expect(location(await there.get(home))).toContain("/dashboard/sign-in");
  });

  test.each<[Fault, string]>([
    ["refuses", "did not sign you in"],
    ["nonce", "it began in another browser"],
    ["signature", "it began in another browser"],
    ["audience", "it began in another browser"],
  ])("%s: opens no session and says why", async (fault, words) => {
    const { email } = await newUser();
    await connected(email, `wrong-${fault}`);
    provider.fault = fault;
    const there = newClient();
    expect(problem(await through(there, OPEN_ID))).toEqual(saying(words));
    expect(location(await there.get(home))).toContain("/dashboard/sign-in");
  });

  test("that comes back with another state, twice, or to another browser opens no session", async () => {
    const { email } = await newUser();
    await connected(email, "replays");
    const there = newClient();
    const back = new URL(await provider.agree(location(await there.get(OPEN_ID))!));
    const [cookie, path] = [there.cookie, back.pathname + back.search];
    const altered = path.replace(/state=[\w-]/, (text) => (text.endsWith("A") ? "state=B" : "state=A"));
    expect(problem(await there.get(altered))).toEqual(saying("it began in another browser"));
    expect(problem(await newClient().get(path))).toEqual(saying("it began in another browser"));
    const first = startWebClient(app.url, cookie);
    expect(location(await first.get(path))).toBe("/dashboard");
    expect(problem(await startWebClient(app.url, cookie).get(path))).toEqual(saying("it began in another browser"));
    for (const query of ["", "?code=x", "?error=access_denied", "?state=x&code=%00"])
      expect((await startWebClient(app.url, cookie).get(`${OPEN_ID}/callback${query}`)).status, query).toBe(422);
  });

  test("while the provider is down is told so, before and after the provider's page", async () => {
    const { email } = await newUser();
    await connected(email, "down");
    const there = newClient();
    const back = await provider.agree(location(await there.get(OPEN_ID))!);
    provider.fault = "down";
    expect(problem(await there.get(back.slice(app.url.length)))).toEqual(saying("can't be reached"));
    const { settings } = provider;
    app.ctx.config.openId = { ...settings, clientId: "another" };
    try {
      expect(problem(await newClient().get(OPEN_ID))).toEqual(saying("can't be reached"));
      app.ctx.config.openId = { ...settings, issuer: "http://127.0.0.1:1" };
      expect(problem(await newClient().get(OPEN_ID))).toEqual(saying("can't be reached"));
      app.ctx.config.openId = null;
      expect(problem(await newClient().get(OPEN_ID))).toEqual(saying("has no OpenID provider"));
      expect((await newClient().get("/dashboard/sign-in")).text).not.toContain(OPEN_ID);
    } finally {
      app.ctx.config.openId = settings;
    }
    provider.fault = null;
    expect(location(await through(newClient(), OPEN_ID))).toBe("/dashboard");
  });
});

describe("an invitation", () => {
  test("binds issuer and subject with a verified e-mail address; later the subject alone counts", async () => {
    const path = await invited("Nina@example.com");
    expect((await newClient().get(path)).text).toContain(`href="${joining(path)}"`);
    provider.account = { sub: "nina", email: "nina@example.com", email_verified: false };
    expect(problem(await through(newClient(), joining(path)))).toEqual(saying("does not say that your e-mail address"));
    provider.account = { sub: "nina", email: "eve@example.com", email_verified: true };
    expect(problem(await through(newClient(), joining(path)))).toEqual(saying("another e-mail address"));
    provider.account = { sub: "nina", email: "nina@EXAMPLE.com", email_verified: true, name: "Nina" };
    provider.fault = "thin";
    expect(location(await through(newClient(), joining(path)))).toBe(home);
    expect(await findUserByEmail(app.ctx.db.read, "nina@example.com")).toMatchObject({
      name: "Nina",
      email: "Nina@example.com",
      passwordHash: null,
    });
    expect((await newClient().get(path)).status).toBe(410);
    expect(problem(await through(newClient(), joining(path)))).toEqual(saying("The link or your session has expired"));

    provider.account = { sub: "nina", email: "new@example.com", email_verified: false };
    const there = newClient();
    expect(location(await through(there, `${OPEN_ID}?next=${encodeURIComponent(home)}`))).toBe(home);
    expect((await there.get(home)).text).toContain("<bdi>Nina</bdi>");
    // The account has no password that could be guessed.
    const guess = await newClient().post("/dashboard/sign-in", { email: "nina@example.com", password: "null" });
    expect(guess.status).toBe(422);
  });

  test("does not bind an account that is connected, or an address with an account", async () => {
    const user = await newUser();
    await connected(user.email, "double");
    provider.account = { sub: "double", email: "other@example.com", email_verified: true };
    const other = await invited("other@example.com");
    expect(problem(await through(newClient(), joining(other)))).toEqual(saying("is connected already"));
    const member = await newUser();
    const { organization } = await app.otherOrganization();
    const wanted = { email: member.email, role: "owner", invitedBy: "Olga" } as const;
    const invitation = await inviteTo(app.ctx, organization.id, wanted);
    const path = new URL(invitationUrl(app.ctx, invitation, "handed")).pathname;
    expect((await newClient().get(path)).text).not.toContain(OPEN_ID);
    provider.account = { sub: "thief", email: member.email, email_verified: true };
    expect(problem(await through(newClient(), joining(path)))).toEqual(saying("The link or your session has expired"));
    const thief = { issuer: provider.settings.issuer, subject: "thief" };
    expect(await findUserByIdentity(app.ctx.db.read, thief)).toBeNull();
  });
});

describe("a person with a password", () => {
  test("connects an account after the password, signs in with it, and disconnects it", async () => {
    const { id, email } = await newUser();
    const desk = await signInAt(app.url, { email, password: OWNER.password });
    await ageSessions(app.ctx.db, "15 minutes");
    expect(location(await desk.get(CONNECTION))).toContain("/dashboard/confirm?");
    await desk.send("/dashboard/confirm", { password: OWNER.password });
    provider.account = { sub: "own" };
    const token = tokenIn((await desk.get(CONNECTION)).text);
    expect((await desk.get(`${OPEN_ID}/connect`)).status).toBe(403);
    expect((await desk.get(`${OPEN_ID}/connect?token=${"x".repeat(43)}`)).status).toBe(403);
    expect(location(await through(desk, `${OPEN_ID}/connect?token=${token}`))).toBe(
      "/dashboard/account?done=connected",
    );
    const { host } = new URL(provider.settings.issuer);
    expect(wordsOf((await desk.get("/dashboard/account")).text)).toContain(`E-mail and password, or ${host}`);
    const there = newClient();
    expect(location(await through(there, OPEN_ID))).toBe("/dashboard");
    expect(location(await desk.send(CONNECTION))).toBe("/dashboard/account?done=disconnected");
    expect(problem(await through(newClient(), OPEN_ID))).toEqual(saying("is not connected"));
    const entries = (await app.manage("GET", `/audit-log?limit=100`)).body.data;
    const own = entries.filter(({ actor }: { actor: { id: string } }) => actor.id === id);
    expect(own.map(({ operation }: { operation: string }) => operation)).toEqual(["disconnectOpenId", "connectOpenId"]);
  });

  test("can't take the account of another person", async () => {
    const [one, other] = [await newUser(), await newUser()];
    await connected(one.email, "shared");
    const desk = await signInAt(app.url, { email: other.email, password: OWNER.password });
    const token = tokenIn((await desk.get(CONNECTION)).text);
    expect(problem(await through(desk, `${OPEN_ID}/connect?token=${token}`))).toEqual(saying("is connected already"));
  });

  test("with a second factor is asked for its code after the provider too", async () => {
    const user = await newUser();
    await connected(user.email, "factor");
    const key = newFactorKey();
    const row = (await users.find(app.ctx.db.read, user.id))!;
    expect(await addSecondFactor(app.ctx, row, key, codeOfApp(key, Date.now()), "198.18.0.1")).toBe(true);
    const there = newClient();
    const answer = await through(there, `${OPEN_ID}?next=${encodeURIComponent(home)}`);
    expect(location(answer)).toBe(`/dashboard/sign-in/code?next=${encodeURIComponent(home)}`);
    expect(location(await there.get(home))).toContain("/dashboard/sign-in");
    const { totpStep } = (await users.find(app.ctx.db.read, user.id))!;
    const code = codeOfApp(key, (totpStep! + 1) * STEP_MILLISECONDS);
    expect(location(await there.post("/dashboard/sign-in/code", { next: home, code }))).toBe(home);
    // The provider did not say when it had asked for the password, so this session is not confirmed.
    expect(location(await there.get(`${home}/team/invite`))).toContain("/dashboard/confirm?");
  });
});

describe("a person without a password", () => {
  const PROTECTED = "/dashboard/account/second-factor";
  async function join(sub: string): Promise<WebClient> {
    const email = `${sub}@example.com`;
    provider.account = { sub, email, email_verified: true };
    const there = newClient();
    expect(location(await through(there, joining(await invited(email))))).toBe(home);
    return there;
  }

  test("gives it at the provider again for a protected step, and only a fresh sign-in there counts", async () => {
    const there = await join("again");
    expect(location(await there.get(PROTECTED))).toContain("/dashboard/confirm?");
    const { text } = await there.get(`/dashboard/confirm?next=${encodeURIComponent(PROTECTED)}`);
    const start = `${OPEN_ID}/confirm?next=${encodeURIComponent(PROTECTED)}`;
    expect(text).toContain(`href="${start.replaceAll("&", "&amp;")}"`);
    expect(text).not.toContain('type="password"');
    for (const authTime of [undefined, now() - 3600]) {
      provider.account = { sub: "again", auth_time: authTime };
      expect(problem(await through(there, start))).toEqual(saying("did not confirm that it asked for your password"));
    }
    expect(Object.fromEntries(provider.asked)).toMatchObject({ prompt: "login", max_age: "0" });
    provider.account = { sub: "somebody else", auth_time: now() };
    expect(problem(await through(there, start))).toEqual(saying("with another account"));
    expect(location(await there.get(PROTECTED))).toContain("/dashboard/confirm?");
    provider.account = { sub: "again", auth_time: now() };
    expect(location(await through(there, start))).toBe(PROTECTED);
    expect((await there.get(PROTECTED)).status).toBe(200);
    await ageSessions(app.ctx.db, "15 minutes");
    expect(location(await there.get(PROTECTED))).toContain("/dashboard/confirm?");
  });

  test("is confirmed at once if the provider has just asked for the password", async () => {
    await join("fresh");
    provider.account = { sub: "fresh", auth_time: now() };
    const there = newClient();
    await through(there, OPEN_ID);
    expect((await there.get(PROTECTED)).status).toBe(200);
  });

  test("can't disconnect the account before a password is set", async () => {
    await join("sets");
    provider.account = { sub: "sets", auth_time: now() };
    const there = newClient();
    await through(there, OPEN_ID);
    const { text } = await there.get(CONNECTION);
    expect(problem(await there.post(CONNECTION, { token: tokenOf(text) }))).toEqual(saying("You have no password"));
    await ageSessions(app.ctx.db, "15 minutes");
    const path = "/dashboard/account/password";
    expect(location(await there.get(path))).toBe(`/dashboard/confirm?next=${encodeURIComponent(path)}`);
    const unconfirmed = await there.post(path, { token: tokenOf(text), newPassword: OWNER.password });
    expect(location(unconfirmed)).toBe(`/dashboard/confirm?next=${encodeURIComponent(path)}`);
    provider.account = { sub: "sets", auth_time: now() };
    expect(location(await through(there, `${OPEN_ID}/confirm?next=${path}`))).toBe(path);
    const page = await there.get(path);
    expect(page.text).not.toContain('name="password"');
    const set = await there.post(path, { token: tokenOf(page.text), newPassword: OWNER.password });
    expect(location(set)).toBe("/dashboard/account?done=password");
    await signInAt(app.url, { email: "sets@example.com", password: OWNER.password });
    const after = tokenOf((await there.get(CONNECTION)).text);
    expect(location(await there.post(CONNECTION, { token: after }))).toBe("/dashboard/account?done=disconnected");
  });

  test("without a provider is led to the operator", async () => {
    const there = await join("alone");
    app.ctx.config.openId = null;
    try {
      const words = wordsOf((await there.get("/dashboard/confirm")).text);
      expect(words).toContain("The operator of this server can make a link for a password");
    } finally {
      app.ctx.config.openId = provider.settings;
    }
  });
});
