import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstRunUrl } from "../../src/actions/team/set-up.ts";
import { createKeyring, sign } from "../../src/keyring.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { hasUser, users } from "../../src/store/users.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, signInAt, tokenOf, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";

const SIGN_IN = "/dashboard/sign-in";
const location = (answer: { headers: Headers }) => answer.headers.get("Location");

describe("the first run", () => {
  let app: TestApp;
  beforeAll(async () => void (app = await startTestApp({ trustedProxies: ["127.0.0.1"] })));
  afterAll(() => app.close());
  const newClient = () => startWebClient(app.url);
  const linkOf = async () => new URL((await firstRunUrl(app.ctx))!).pathname;

  test("without a user, the sign-in leads to the guide about the first link", async () => {
    const answer = await newClient().get(SIGN_IN);
    expect(wordsOf(answer.text)).toContain("The operator of this server can make a link for the first user");
    expect(answer.text).toContain('href="/docs/operating/team#the-first-user"');
  });

  test("an altered, late or foreign link opens no form", async () => {
    const link = await linkOf();
    const [, signature] = link.split(".");
    const late = Math.floor(Date.now() / 1000) - 1;
    const early = Math.floor(Date.now() / 1000) + 60;
    const foreign = sign(createKeyring("another secret of at least 32 characters"), `dashboard-set-up:${early}`);
    const wrong = [
      `/dashboard/set-up/${early}.${signature}`,
      `/dashboard/set-up/${late}.${sign(app.ctx.keyring, `dashboard-set-up:${late}`)}`,
      `/dashboard/set-up/${early}.${foreign}`,
      "/dashboard/set-up/x",
    ];
    for (const path of wrong) {
      const answers = [await newClient().get(path), await newClient().post(path, OWNER)];
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual([410, 410]);
    }
    expect(await hasUser(app.ctx.db.read)).toBe(false);
  });

  test.each([
    [{ name: " " }, "Enter your name"],
    [{ email: "olga@" }, "Enter an e-mail address"],
    [{ password: "short" }, "at least 12 characters"],
    [{ password: "a".repeat(300) }, "at most 256 characters"],
    [{ password: "abababababab" }, "more different characters"],
    [{ password: "Olga@Example.com" }, "other than your name or e-mail address"],
  ])("%j is refused, and the other fields stay", async (field, words) => {
    const answer = await newClient().post(await linkOf(), { ...OWNER, ...field });
    expect(answer.status).toBe(422);
    expect(wordsOf(answer.text)).toContain(words);
    expect(answer.text).not.toContain(OWNER.password);
  });

  test("a link makes one user, also for two clients at the same moment; then no link works", async () => {
    const [one, other] = [await linkOf(), await linkOf()];
    const eve = { ...OWNER, email: "e@example.com" };
    const answers = await Promise.all([newClient().post(one, OWNER), newClient().post(other, eve)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    expect(await firstRunUrl(app.ctx)).toBeNull();
    expect((await newClient().get(one)).status).toBe(410);
  });
});

describe("a person", () => {
  let app: TestApp;
  let desk: Desk;
  let home: string;
  beforeAll(async () => {
    app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
    desk = await openDashboard(app);
    home = `/dashboard/${app.organization.id}`;
  });
  afterAll(() => app.close());

  test("signs in with a cookie that no script reads, and goes on to the page that was asked for", async () => {
    const there = startWebClient(app.url);
    const asked = await there.get(`${home}?a=b%20c`);
    expect(asked.status).toBe(303);
    const next = new URL(location(asked)!, app.url).searchParams.get("next")!;
    const answer = await there.post(SIGN_IN, { ...OWNER, email: ` ${OWNER.email.toUpperCase()}`, next });
    expect([answer.status, location(answer)]).toEqual([303, `${home}?a=b%20c`]);
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^billow_dashboard=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await there.get(home)).status).toBe(200);
  });

  test.each([
    "https://evil.example/dashboard",
    "//evil.example/dashboard",
    "/dashboard/../../evil",
    "/dashboard/%2e%2e/evil",
    "/dashboard/.%2e/evil",
    "/dashboard//evil.example",
    "/\\evil.example",
    "/dashboard\\@evil.example",
    "/dashboard\nx",
    "/checkout/x",
    "",
  ])("the sign-in leads to no other place: %j", async (next) => {
    const answer = await startWebClient(app.url).post(SIGN_IN, { ...OWNER, next });
    const to = new URL(location(answer)!, app.url);
    expect([to.origin, to.pathname]).toEqual([app.url, "/dashboard"]);
  });

  test("one refusal for a wrong password and for an unknown account", async () => {
    const [wrong, unknown] = [
      await startWebClient(app.url).post(SIGN_IN, { email: OWNER.email, password: "another password" }),
      await startWebClient(app.url).post(SIGN_IN, { email: "eve@example.com", password: "another password" }),
    ];
    expect([wrong.status, unknown.status]).toEqual([422, 422]);
    expect(wordsOf(unknown.text)).toBe(wordsOf(wrong.text));
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  test("a session ends with the sign-out, in the database too, and after 12 hours", async () => {
    const there = await signInAt(app.url, OWNER);
    const copy = startWebClient(app.url, there.cookie);
    expect((await copy.get(home)).status).toBe(200);
    const out = await there.send("/dashboard/sign-out");
    expect([out.status, location(out), there.cookie]).toEqual([303, SIGN_IN, null]);
    expect(location(await copy.get(home))).toContain(SIGN_IN);
    const late = await signInAt(app.url, OWNER);
    await ageSessions(app.ctx.db, "11 hours 59 minutes");
    expect((await late.get(home)).status).toBe(200);
    await ageSessions(app.ctx.db, "1 minute");
    expect((await late.get(home)).status).toBe(303);
    desk = await signInAt(app.url, OWNER);
  });

  test("a second sign-in in the same browser ends the first session", async () => {
    const there = await signInAt(app.url, OWNER);
    const former = startWebClient(app.url, there.cookie);
    await there.post(SIGN_IN, OWNER);
    expect([(await there.get(home)).status, (await former.get(home)).status]).toEqual([200, 303]);
  });

  test("a cookie opens no API, and a key opens no page", async () => {
    const { cookie } = desk;
    const api = await fetch(`${app.url}/manage/v1/customers`, { headers: { Cookie: cookie! } });
    expect(api.status).toBe(401);
    const headers = { Authorization: `Bearer ${app.keys.manage}`, Accept: "text/html" };
    const page = await fetch(app.url + home, { headers, redirect: "manual" });
    expect([page.status, page.headers.get("Location")]).toEqual([303, `${SIGN_IN}?next=${encodeURIComponent(home)}`]);
  });

  test("a form of another site, without a token, or with another session's token does nothing", async () => {
    const other = await signInAt(app.url, OWNER);
    const foreign = tokenOf((await other.get("/dashboard/confirm")).text);
    for (const fields of [{}, { token: "x" }, { token: foreign }] as Record<string, string>[]) {
      const answer = await desk.post("/dashboard/sign-out", fields);
      expect(answer.status).toBe(403);
    }
    const request = {
      method: "POST",
      headers: { Cookie: desk.cookie!, "Sec-Fetch-Site": "cross-site" },
      body: new URLSearchParams({ token: tokenOf((await desk.get(home)).text) }),
    };
    expect((await fetch(`${app.url}/dashboard/sign-out`, request)).status).toBe(403);
    expect((await desk.get(home)).status).toBe(200);
  });

  test("an Organization of others is not found, and neither is one that does not exist", async () => {
    const other = await app.otherOrganization();
    for (const id of [other.organization.id, "org_01h455vb4pex5vsknk084sn02q", "x"])
      expect((await desk.get(`/dashboard/${id}`)).status, id).toBe(404);
  });

  test("with several Organizations, the person chooses and switches", async () => {
    expect(location(await desk.get("/dashboard"))).toBe(home);
    const { organization } = await app.otherOrganization({ mode: "live" });
    const user = await draftUser({ email: "two@example.com", name: "Two", password: OWNER.password });
    await app.ctx.db.tx(async (tx) => {
      users.insert(tx, user);
      insertMembership(tx, app.organization.id, user.id, "support");
      insertMembership(tx, organization.id, user.id, "finance");
    });
    const there = await signInAt(app.url, { email: user.email, password: OWNER.password });
    const choice = wordsOf((await there.get("/dashboard")).text);
    expect(choice).toMatch(/Test Sandbox · Support Test Live · Finance/);
    expect((await there.get(home)).text).toContain(`href="/dashboard/${organization.id}"`);
  });
});

describe("guesses", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
    await openDashboard(app);
  });
  afterAll(() => app.close());
  const guess = (client = startWebClient(app.url), email = OWNER.email, password = "not the password") =>
    client.post(SIGN_IN, { email, password }).then(({ status }) => status);

  test("five of one client at one account, also at the same moment; the owner still signs in", async () => {
    const eve = startWebClient(app.url);
    const statuses = await Promise.all(Array.from({ length: 7 }, () => guess(eve)));
    expect(statuses.sort()).toEqual([422, 422, 422, 422, 422, 429, 429]);
    expect(await guess(eve, OWNER.email, OWNER.password)).toBe(429);
    expect(await guess(startWebClient(app.url), OWNER.email, OWNER.password)).toBe(303);
  });

  test("twenty of one client", async () => {
    const eve = startWebClient(app.url);
    for (let n = 0; n < 20; n += 1) expect(await guess(eve, `${n}@example.com`)).toBe(422);
    expect(await guess(eve, "another@example.com")).toBe(429);
  });

  test("fifty at one account", async () => {
    const clients = Array.from({ length: 10 }, () => startWebClient(app.url));
    for (const client of clients)
      for (let n = 0; n < 5; n += 1) expect(await guess(client, "mallory@example.com")).toBe(422);
    expect(await guess(startWebClient(app.url), "mallory@example.com")).toBe(429);
  });

  test("a right password does not count", async () => {
    const there = startWebClient(app.url);
    for (let n = 0; n < 8; n += 1) expect(await guess(there, OWNER.email, OWNER.password)).toBe(303);
  });
});
