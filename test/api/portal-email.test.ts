import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { caller, type Json } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { wordsOf } from "../support/pages.ts";
import { addressesOf, emailSteps, linksIn, rowsOfChanges, type EmailSteps } from "../support/portal-email.ts";
import { age, signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let server: MailServer;
let portal: string;
let steps: EmailSteps;
let names = 0;

beforeAll(async () => {
  server = await startMailServer();
  ({ story, portal } = await startPortalStory({ smtpUrl: server.url }));
  steps = emailSteps(story, server);
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
  await server.close();
});
beforeEach(async () => {
  await steps.mails();
  await story.news();
});

/** An address that was not used before. */
const fresh = (name: string) => `${name}-${(names += 1)}@example.com`;
const newClient = () => startWebClient(story.app.url);
const patch = (id: string, body: object) => story.app.manage("PATCH", `/customers/${id}`, body);
const rowsOf = (id: string) => rowsOfChanges(story, id);
const isSignedIn = async (there: WebClient) => (await there.get(`${portal}/email`)).status === 200;

describe("a change of the e-mail address", () => {
  test("is asked for, confirmed by the new address, and told to the old one", async () => {
    const [old, next] = [fresh("Ada"), fresh("Ada.New")];
    const { id, there } = await steps.join(old, { name: "Ada" });
    await story.news();
    expect((await there.get(portal)).text).toContain(`href="${portal}/email"`);
    expect(wordsOf((await there.get(`${portal}/email`)).text)).toContain(`Your current address is ${old}`);
    const sent = await steps.ask(there, `  ${next} `);
    expect([sent.status, wordsOf(sent.text)]).toEqual([200, expect.stringContaining(`sending a link to ${next}`)]);

    const [mail, ...others] = await steps.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: "[Sandbox] Confirm your e-mail address for Test" });
    // A mistyped address belongs to a stranger.
    expect(mail!.to).toEqual([{ address: next, name: "" }]);
    for (const secret of [old, "Hello"]) expect(mail!.raw).not.toContain(secret);
    const [confirm] = linksIn(mail!);
    const elsewhere = newClient();
    for (let n = 0; n < 3; n += 1) {
      const page = await elsewhere.get(confirm!);
      expect([page.status, wordsOf(page.text).includes(`will use ${next} for signing in`)]).toEqual([200, true]);
      expect(wordsOf(page.text)).not.toContain(old);
    }
    expect(await steps.customer(id)).toMatchObject({ email: old });
    expect(await story.news()).toEqual([]);

    const confirmed = await elsewhere.post(confirm!);
    expect([confirmed.status, wordsOf(confirmed.text)]).toEqual([
      200,
      expect.stringContaining("Your e-mail address was changed"),
    ]);
    expect(await steps.customer(id)).toMatchObject({ email: next, name: "Ada" });
    expect(await story.news()).toEqual(["customer.updated"]);
    expect(await isSignedIn(there)).toBe(false);

    const [warning, ...more] = await steps.mails();
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ subject: "[Sandbox] Your e-mail address at Test was changed" });
    expect(warning!.to).toEqual([{ address: old, name: "Ada" }]);
    expect(warning!.text).toContain("now uses the address A•••@example.com.");
    expect(warning!.text).toContain("undo the change within 7 days");
    expect(warning!.raw).not.toContain(next);
    expect(linksIn(warning!)).toEqual([expect.stringContaining("/email/undo/")]);
  });

  test("is undone by the old address: every session, link and request of the Customer ends", async () => {
    const [old, next] = [fresh("owner"), fresh("thief")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, next);
    const thief = await signInTo(story, id);
    const { url } = await story.ok(story.app.manage("POST", `/customers/${id}/portal-sessions`, {}));
    const third = await steps.confirmLink(thief, fresh("third"));
    await story.news();

    const owner = newClient();
    for (let n = 0; n < 3; n += 1) {
      const page = await owner.get(undo);
      expect([page.status, wordsOf(page.text).includes(`will use ${old} again`)]).toEqual([200, true]);
      expect(wordsOf(page.text)).not.toContain(next);
    }
    expect(await steps.customer(id)).toMatchObject({ email: next });
    const undone = await owner.post(undo);
    expect([undone.status, wordsOf(undone.text)]).toEqual([
      200,
      expect.stringContaining("Your previous e-mail address is back"),
    ]);
    expect(await steps.customer(id)).toMatchObject({ email: old });
    expect(await story.news()).toEqual(["customer.updated"]);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await newClient().post(new URL(url).pathname)).status).toBe(410);
    expect((await newClient().post(third)).status).toBe(410);
    expect(await steps.mails()).toEqual([]);
    for (const again of [await owner.get(undo), await owner.post(undo)]) {
      expect([again.status, wordsOf(again.text).includes("The change has already been undone")]).toEqual([410, true]);
    }
    for (const row of await rowsOf(id)) expect(row).not.toContain(next);
  });

  test("twice can't outrun the first address: its undo ends the undo of the second", async () => {
    const [old, second, third] = [fresh("first"), fresh("second"), fresh("third")];
    const { id, there } = await steps.join(old);
    const undoFirst = await steps.change(there, second);
    const undoSecond = await steps.change(await signInTo(story, id), third);
    expect((await newClient().post(undoSecond)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: second });
    const undoThird = await steps.change(await signInTo(story, id), third);
    expect((await newClient().post(undoFirst)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: old });
    for (const link of [undoSecond, undoThird]) expect((await newClient().post(link)).status).toBe(410);
    expect(await steps.customer(id)).toMatchObject({ email: old });
  });

  test("there and back is undone to the first address without a change of the Customer", async () => {
    const [old, next] = [fresh("there"), fresh("back")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, next);
    const undoBack = await steps.change(await signInTo(story, id), old);
    const signedIn = await signInTo(story, id);
    await story.news();
    expect((await newClient().post(undo)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: old });
    expect(await story.news()).toEqual([]);
    expect(await isSignedIn(signedIn)).toBe(false);
    expect((await newClient().post(undoBack)).status).toBe(410);
  });

  test("ends with the seller's own change of the address", async () => {
    const { id, there } = await steps.join(fresh("patched"));
    const undo = await steps.change(there, fresh("portal"));
    const asked = await steps.confirmLink(await signInTo(story, id), fresh("asked"));
    expect((await patch(id, { name: "No change of the address" })).status).toBe(200);
    expect((await newClient().get(undo)).status).toBe(200);
    const byApi = fresh("api");
    expect((await patch(id, { email: byApi })).status).toBe(200);
    for (const link of [undo, asked]) expect((await newClient().post(link)).status).toBe(410);
    expect(await steps.customer(id)).toMatchObject({ email: byApi });
  });
});

describe("a link", () => {
  test("confirms once, for an hour", async () => {
    const { id, there } = await steps.join(fresh("hour"));
    const next = fresh("hour-new");
    const link = await steps.confirmLink(there, next);
    await age(story.app.ctx.db, "59 minutes");
    expect((await newClient().get(link)).status).toBe(200);
    await age(story.app.ctx.db, "1 minute");
    for (const page of [await newClient().get(link), await newClient().post(link)]) {
      expect([page.status, wordsOf(page.text).includes("This link no longer works")]).toEqual([410, true]);
    }
    expect(await steps.customer(id)).not.toMatchObject({ email: next });
    expect((await newClient().post(await steps.confirmLink(there, next))).status).toBe(200);
  });

  test("confirms once, also for two clicks at the same moment", async () => {
    const { id, there } = await steps.join(fresh("clicks"));
    const next = fresh("clicks-new");
    const link = await steps.confirmLink(there, next);
    await story.news();
    const answers = await Promise.all([1, 2, 3].map(() => newClient().post(link)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await story.news()).toEqual(["customer.updated"]);
    expect(await steps.mails()).toHaveLength(1);
    expect(wordsOf((await newClient().get(link)).text)).toContain("Your e-mail address was changed");
    expect(await steps.customer(id)).toMatchObject({ email: next });
  });

  test("undoes for seven days, once", async () => {
    const { id, there } = await steps.join(fresh("week"));
    const next = fresh("week-new");
    const undo = await steps.change(there, next);
    await age(story.app.ctx.db, "6 days 23 hours 59 minutes");
    expect((await newClient().get(undo)).status).toBe(200);
    await age(story.app.ctx.db, "1 minute");
    for (const page of [await newClient().get(undo), await newClient().post(undo)]) expect(page.status).toBe(410);
    expect(await steps.customer(id)).toMatchObject({ email: next });
    const again = await steps.change(await signInTo(story, id), fresh("week-newer"));
    const answers = await Promise.all([1, 2, 3].map(() => newClient().post(again)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    expect(await steps.customer(id)).toMatchObject({ email: next });
  });

  test("to confirm a later change, and one to undo the change before, work in some order", async () => {
    const [old, second, third] = [fresh("race"), fresh("race-2"), fresh("race-3")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, second);
    const confirm = await steps.confirmLink(await signInTo(story, id), third);
    const [confirmed, undone] = await Promise.all([newClient().post(confirm), newClient().post(undo)]);
    expect(undone.status).toBe(200);
    expect([200, 410]).toContain(confirmed.status);
    expect(await steps.customer(id)).toMatchObject({ email: old });
    for (const mail of await steps.mails())
      for (const link of linksIn(mail)) expect((await newClient().post(link)).status).toBe(410);
    expect(await steps.customer(id)).toMatchObject({ email: old });
  });

  test("that is altered, of another step, or of another Organization, does not work", async () => {
    const { id, there } = await steps.join(fresh("altered"));
    const next = fresh("altered-new");
    const confirm = await steps.confirmLink(there, next);
    const other = (await story.app.otherOrganization()).organization.id;
    const wrong = (link: string, step: string, otherStep: string) => [
      `${link.slice(0, -1)}${link.endsWith("A") ? "E" : "A"}`,
      link.slice(0, -1),
      `${link}A`,
      link.replace(/[^/]+$/, "x"),
      link.replace(`/${step}/`, `/${otherStep}/`),
      link.replace(story.app.organization.id, other),
    ];
    for (const path of wrong(confirm, "confirm", "undo")) {
      expect([(await newClient().get(path)).status, (await newClient().post(path)).status], path).toEqual([410, 410]);
    }
    for (const none of ["org_01h455vb4pex5vsknk084sn02q", "org_x"]) {
      expect((await newClient().get(confirm.replace(story.app.organization.id, none))).status).toBe(404);
    }
    expect((await newClient().post(confirm)).status).toBe(200);
    const undo = linksIn((await steps.mails())[0]!)[0]!;
    for (const path of wrong(undo, "undo", "confirm")) {
      expect([(await newClient().get(path)).status, (await newClient().post(path)).status], path).toEqual([410, 410]);
    }
    expect(await steps.customer(id)).toMatchObject({ email: next });
  });

  test("is not kept: neither in the database, nor in the e-mails of a live Organization", async () => {
    const { id, there } = await steps.join(fresh("kept"));
    const undo = await steps.change(there, fresh("kept-new"));
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(1);
    const secret = undo.split("/").at(-1)!;
    expect(rows[0]).not.toContain(secret);
    expect(rows[0]).not.toContain(secret.slice(26));
    const { organization, keys } = await story.app.otherOrganization({ mode: "live" });
    const [api, manage] = [
      caller(`${story.app.url}/public/v2`, keys.public),
      caller(`${story.app.url}/manage/v1`, keys.manage),
    ];
    const { id: liveId } = await story.ok(api("POST", "/customers", { email: "live@example.com" }));
    const { url } = await story.ok(manage("POST", `/customers/${liveId}/portal-sessions`, {}));
    const live = newClient();
    await live.post(new URL(url).pathname);
    expect((await live.post(`/portal/${organization.id}/email`, { email: "live.new@example.com" })).status).toBe(200);
    const [mail] = await steps.mails();
    expect((await newClient().post(linksIn(mail!)[0]!)).status).toBe(200);
    await steps.mails();
    const { data } = await story.ok(manage("GET", "/emails"));
    expect(data.map(({ kind, to, status }: Json) => [kind, to, status])).toEqual([
      ["portal_email_changed", "live@example.com", "sent"],
      ["portal_email_confirm", "live.new@example.com", "sent"],
    ]);
    for (const { id: emailId } of data)
      expect(await story.ok(manage("GET", `/emails/${emailId}`))).toMatchObject({ text: null, html: null });
  });
});

describe("a request for another address", () => {
  test.each(["", "ada", "ada@", "a b@example.com", `${"a".repeat(400)}@example.com`])("422 for %j", async (email) => {
    const { there } = await steps.join(fresh("typo"));
    const answer = await steps.ask(there, email);
    expect([answer.status, answer.text.includes('id="email-fault"')]).toEqual([422, true]);
    expect(wordsOf(answer.text)).toMatch(/Enter (your e-mail address|an e-mail address like)/);
    expect(await steps.mails()).toEqual([]);
  });

  test("is refused for the present address, in any case", async () => {
    const old = fresh("same");
    const { there } = await steps.join(old);
    const answer = await steps.ask(there, old.toUpperCase());
    expect([answer.status, wordsOf(answer.text).includes("already uses this address")]).toEqual([422, true]);
  });

  test("needs a Customer that is signed in", async () => {
    for (const page of [await newClient().get(`${portal}/email`), await steps.ask(newClient(), fresh("stranger"))]) {
      expect([page.status, page.headers.get("Location")]).toEqual([303, portal]);
    }
    expect(await steps.mails()).toEqual([]);
  });

  test("sent twice at once sends one e-mail; a later one for the same address leaves the first link", async () => {
    const { there } = await steps.join(fresh("double"));
    const next = fresh("double-new");
    const both = await Promise.all([steps.ask(there, next), steps.ask(there, next)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const received = await steps.mails();
    expect(received).toHaveLength(1);
    await age(story.app.ctx.db, "2 minutes");
    const second = await steps.confirmLink(there, next);
    expect((await newClient().get(linksIn(received[0]!)[0]!)).status).toBe(200);
    expect((await newClient().post(second)).status).toBe(200);
    expect((await newClient().post(linksIn(received[0]!)[0]!)).status).toBe(410);
  });

  test("for another address ends the earlier one", async () => {
    const { id, there } = await steps.join(fresh("mind"));
    const first = await steps.confirmLink(there, fresh("mind-1"));
    const next = fresh("mind-2");
    const second = await steps.confirmLink(there, next);
    expect((await newClient().post(first)).status).toBe(410);
    expect((await newClient().post(second)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: next });
  });

  test("is possible five times an hour for a Customer, and for an address", async () => {
    const { id, there } = await steps.join(fresh("eager"));
    for (let n = 0; n < 5; n += 1) expect((await steps.ask(there, fresh("eager-new"))).status).toBe(200);
    const sixth = await steps.ask(there, fresh("eager-new"));
    expect([sixth.status, wordsOf(sixth.text).includes("Too many requests")]).toEqual([429, true]);
    expect(await steps.mails()).toHaveLength(1);
    await age(story.app.ctx.db, "1 hour");
    expect((await steps.ask(await signInTo(story, id), fresh("eager-new"))).status).toBe(200);

    const victim = fresh("victim");
    const mailsFor = async () => {
      const one = await steps.join(fresh("spammer"));
      expect((await steps.ask(one.there, victim)).status).toBe(200);
      return (await steps.mails()).filter((mail) => addressesOf(mail).includes(victim)).length;
    };
    for (let n = 1; n <= 6; n += 1) expect(await mailsFor()).toBe(n <= 5 ? 1 : 0);
  });

  test("is limited to five a minute for an address by one client", async () => {
    const { there } = await steps.join(fresh("client"));
    const next = fresh("client-new");
    for (let n = 0; n < 5; n += 1) expect((await steps.ask(there, next)).status).toBe(200);
    expect((await steps.ask(there, next.toUpperCase())).status).toBe(429);
  });
});
