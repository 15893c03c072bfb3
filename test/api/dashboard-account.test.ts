import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newPasswordUrl } from "../../src/actions/team/new-password.ts";
import {
  addSecondFactor,
  codeOfApp,
  factorStates,
  newFactorKey,
  rotateFactors,
} from "../../src/actions/team/second-factor.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { STEP_MILLISECONDS } from "../../src/domain/team/totp.ts";
import type { User } from "../../src/domain/team/user.ts";
import { createKeyring } from "../../src/keyring.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, signInAt } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";

let app: TestApp;
let home: string;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  await openDashboard(app);
  home = `/dashboard/${app.organization.id}`;
});
afterAll(() => app.close());

const SIGN_IN = "/dashboard/sign-in";
const CODE = `${SIGN_IN}/code`;
const FACTOR = "/dashboard/account/second-factor";
const PASSWORD = OWNER.password;
const CLIENT = "198.18.0.1";
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const now = () => Date.now();

/** Another owner of the Organization. */
async function newUser(name: string): Promise<User> {
  const user = await draftUser({ email: `${name}@example.com`, name, password: PASSWORD });
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    insertMembership(tx, app.organization.id, user.id, "owner");
  });
  return user;
}
const enter = ({ email }: User, password = PASSWORD) => signInAt(app.url, { email, password });
const read = async ({ id }: User) => (await users.find(app.ctx.db.read, id))!;
const keyIn = (text: string) => /name="key" value="([A-Z2-7]{32})"/.exec(text)![1]!;

describe("a new password", () => {
  const page = "/dashboard/account/password";
  test("ends every other session, and the former password", async () => {
    const user = await newUser("changes");
    const [here, there] = [await enter(user), await enter(user)];
    const before = startWebClient(app.url, here.cookie);
    const answer = await here.send(page, { password: PASSWORD, newPassword: "another long password" });
    expect([answer.status, location(answer)]).toEqual([303, "/dashboard/account?done=password"]);
    expect(wordsOf((await here.get(location(answer)!)).text)).toContain("Your password has been changed");
    expect((await here.get("/dashboard/account?done=constructor")).text).not.toContain("native code");
    expect([(await there.get(home)).status, (await before.get(home)).status]).toEqual([303, 303]);
    expect((await startWebClient(app.url).post(SIGN_IN, { email: user.email, password: PASSWORD })).status).toBe(422);
    await enter(user, "another long password");
  });

  test("needs the present one, and has to be good", async () => {
    const user = await newUser("refused");
    const here = await enter(user);
    const wrong = await here.send(page, { password: "not this one", newPassword: "another long password" });
    expect([wrong.status, wordsOf(wrong.text)]).toEqual([422, expect.stringContaining("This is not your password")]);
    const weak = await here.send(page, { password: PASSWORD, newPassword: "short" });
    expect([weak.status, wordsOf(weak.text)]).toEqual([422, expect.stringContaining("at least 12 characters")]);
    for (let n = 0; n < 4; n += 1) await here.send(page, { password: `guess ${n}`, newPassword: "another password" });
    const late = await here.send(page, { password: PASSWORD, newPassword: "another long password" });
    expect([late.status, wordsOf(late.text)]).toEqual([429, expect.stringContaining("too many attempts")]);
    expect((await read(user)).passwordHash).toBe(user.passwordHash);
  });

  test("a link of an operator sets one once, and removes the second factor", async () => {
    const user = await newUser("forgot");
    await addSecondFactor(app.ctx, user, ...keyAndCode(), CLIENT);
    const path = new URL((await newPasswordUrl(app.ctx, user.email.toUpperCase()))!).pathname;
    expect(await newPasswordUrl(app.ctx, "unknown@example.com")).toBeNull();
    const altered = path.replace(/\.\d+\./, (seconds) => `.${Number(seconds.slice(1, -1)) + 1}.`);
    for (const wrong of [altered, `${path}x`, "/dashboard/new-password/x"])
      expect((await startWebClient(app.url).post(wrong, { newPassword: "another long password" })).status).toBe(410);
    const there = startWebClient(app.url);
    expect(wordsOf((await there.get(path)).text)).toContain(user.email);
    expect((await there.post(path, { newPassword: user.email })).status).toBe(422);
    expect((await there.post(path, { newPassword: "another long password" })).status).toBe(303);
    expect((await there.get(home)).status).toBe(200);
    expect((await read(user)).totpSealed).toBeNull();
    expect((await startWebClient(app.url).get(path)).status).toBe(410);
  });
});

/** A key of an app, and its present code. */
function keyAndCode(): [key: string, code: string] {
  const key = newFactorKey();
  return [key, codeOfApp(key, now())];
}

/** The code of the step after the last one that was used. */
const nextCode = async (user: User, key: string) =>
  codeOfApp(key, ((await read(user)).totpStep! + 1) * STEP_MILLISECONDS);

describe("a second factor", () => {
  test("is turned on with a code of the app, after the password; each sign-in then asks for a code", async () => {
    const user = await newUser("factor");
    const here = await enter(user);
    await ageSessions(app.ctx.db, "15 minutes");
    const asked = await here.get(FACTOR);
    expect(location(asked)).toBe(`/dashboard/confirm?next=${encodeURIComponent(FACTOR)}`);
    expect(location(await here.send("/dashboard/confirm", { password: PASSWORD, next: FACTOR }))).toBe(FACTOR);
    const page = await here.get(FACTOR);
    const key = keyIn(page.text);
    expect(page.text).toContain(`otpauth://totp/Billow%3A${encodeURIComponent(user.email)}?secret=${key}`);
    const wrong = await here.send(FACTOR, { key, code: "000000" === codeOfApp(key, now()) ? "000001" : "000000" });
    expect([wrong.status, keyIn(wrong.text)]).toEqual([422, key]);
    expect(location(await here.send(FACTOR, { key, code: codeOfApp(key, now()) }))).toBe("/dashboard/account?done=on");
    const stored = await read(user);
    expect(stored.totpSealed).not.toContain(key);

    const there = startWebClient(app.url);
    const answer = await there.post(SIGN_IN, { email: user.email, password: PASSWORD, next: home });
    expect(location(answer)).toBe(`${CODE}?next=${encodeURIComponent(home)}`);
    // The password alone opens no page and sends no form.
    for (const path of [home, "/dashboard", "/dashboard/account", FACTOR])
      expect(location(await there.get(path)), path).toContain(SIGN_IN);
    expect((await there.get(CODE)).status).toBe(200);
    const half = there.cookie;
    // The code that turned the second factor on is used up. The app's next code is good.
    const used = await there.post(CODE, { next: home, code: codeOfApp(key, stored.totpStep! * STEP_MILLISECONDS) });
    expect([used.status, wordsOf(used.text)]).toEqual([422, expect.stringContaining("was used before")]);
    const next = await nextCode(user, key);
    const good = await there.post(CODE, { next: home, code: `${next.slice(0, 3)} ${next.slice(3)}` });
    expect([good.status, location(good)]).toEqual([303, home]);
    expect(there.cookie).not.toBe(half);
    expect((await there.get(home)).status).toBe(200);
    expect(location(await startWebClient(app.url, half).get(CODE))).toContain(SIGN_IN);
  });

  test("without the password there is no page for a code, and codes are not to be guessed", async () => {
    expect(location(await startWebClient(app.url).get(CODE))).toContain(SIGN_IN);
    expect(location(await startWebClient(app.url).post(CODE, { code: "123456" }))).toContain(SIGN_IN);
    const user = await newUser("guessed");
    const [key, code] = keyAndCode();
    expect(await addSecondFactor(app.ctx, user, key, code, CLIENT)).toBe(true);
    const there = startWebClient(app.url);
    await there.post(SIGN_IN, { email: user.email, password: PASSWORD });
    for (let n = 0; n < 5; n += 1) expect((await there.post(CODE, { code: "12345" })).status).toBe(422);
    expect((await there.post(CODE, { code: await nextCode(user, key) })).status).toBe(429);
  });

  test("a code works for one of two clients at the same moment", async () => {
    const user = await newUser("twice");
    const [key, code] = keyAndCode();
    await addSecondFactor(app.ctx, user, key, code, CLIENT);
    const clients = [startWebClient(app.url), startWebClient(app.url)];
    for (const client of clients) await client.post(SIGN_IN, { email: user.email, password: PASSWORD });
    const next = await nextCode(user, key);
    const answers = await Promise.all(clients.map((client) => client.post(CODE, { code: next })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test("is removed, and then the password is enough", async () => {
    const user = await newUser("removes");
    const here = await enter(user);
    await addSecondFactor(app.ctx, user, ...keyAndCode(), CLIENT);
    expect(wordsOf((await here.get(FACTOR)).text)).toContain("Remove the second factor?");
    expect(location(await here.send(FACTOR))).toBe("/dashboard/account?done=off");
    await enter(user);
  });

  test("goes on after a rotation of the secret", async () => {
    const user = await newUser("rotates");
    await addSecondFactor(app.ctx, user, ...keyAndCode(), CLIENT);
    const { db, config } = app.ctx;
    const next = createKeyring("a new secret of at least 32 characters", [config.secret!]);
    const rotated = await rotateFactors({ db, keyring: next });
    expect([rotated.reencrypted >= 1, rotated.unopened]).toEqual([true, []]);
    expect(await rotateFactors({ db, keyring: next })).toEqual({
      ...rotated,
      reencrypted: 0,
      kept: rotated.reencrypted,
    });
    const lost = await rotateFactors({ db, keyring: app.ctx.keyring });
    expect(lost.unopened).toContainEqual({ userId: user.id, state: "unknown_key" });
    expect(await factorStates(app.ctx)).toContain("unknown_key");

    // The person learns of the operator's ways out, and is not told of a fault of ours.
    const there = startWebClient(app.url);

    await there.post("/dashboard/sign-in", { email: user.email, password: OWNER.password });
    const page = await there.get(CODE);
    expect([page.status, wordsOf(page.text)]).toEqual([
      409,
      expect.stringContaining("has changed. No code can be right"),
    ]);
    expect(page.text).toContain('href="/docs/operating/team#sessions-and-passwords"');
    expect(page.text).toContain("BILLOW_SECRET_PREVIOUS");
    const typed = await there.post(CODE, { code: "123456", next: "/dashboard" });
    expect([typed.status, typed.headers.get("Location")]).toEqual([303, CODE]);
    const link = new URL((await newPasswordUrl(app.ctx, user.email))!).pathname;
    expect((await there.post(link, { newPassword: "a password after the loss" })).status).toBe(303);
    expect((await there.get(`/dashboard/${app.organization.id}`)).status).toBe(200);
  });
});
