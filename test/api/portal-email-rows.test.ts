import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetChanges } from "../../src/store/email-changes.ts";
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

describe("an address of another Customer", () => {
  test("is answered like any other address, and can't be taken", async () => {
    const [old, theirs] = [fresh("one"), fresh("two")];
    const [one, two] = [await steps.join(old), await steps.join(theirs)];
    const unknown = await steps.ask((await steps.join(fresh("three"))).there, fresh("unknown"));
    await steps.mails();
    const asked = await steps.ask(one.there, theirs);
    const bare = (text: string) => wordsOf(text).replace(/\S+@example\.com/g, "address");
    expect([asked.status, bare(asked.text)]).toEqual([unknown.status, bare(unknown.text)]);
    const [mail] = await steps.mails();
    expect(addressesOf(mail!)).toEqual([theirs]);
    const [link] = linksIn(mail!);
    await story.news();
    for (let n = 0; n < 2; n += 1) {
      const taken = await newClient().post(link!);
      expect([taken.status, wordsOf(taken.text).includes("This address can’t be used")]).toEqual([409, true]);
      expect(wordsOf(taken.text)).not.toContain(old);
    }
    expect(await story.news()).toEqual([]);
    expect([(await steps.customer(one.id)).email, (await steps.customer(two.id)).email]).toEqual([old, theirs]);
    expect(await isSignedIn(one.there)).toBe(true);
    expect(await steps.mails()).toEqual([]);
  });

  test("can be shared by a Customer with an externalId, as by PATCH", async () => {
    const theirs = fresh("shared");
    const two = await steps.join(theirs);
    const one = await steps.join(fresh("named"), { externalId: fresh("id") });
    const undo = await steps.change(one.there, theirs);
    expect([(await steps.customer(one.id)).email, (await steps.customer(two.id)).email]).toEqual([theirs, theirs]);
    expect((await newClient().post(undo)).status).toBe(200);
  });

  test("is kept for the Customer that can still get it back", async () => {
    const [old, next] = [fresh("keeper"), fresh("keeper-new")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, next);
    const made = await story.app.api("POST", "/customers", { email: old.toUpperCase() });
    expect([made.status, made.body.code, made.body.customerId]).toEqual([409, "customer_exists", id]);
    const other = await steps.join(fresh("keeper-other"));
    const patched = await patch(other.id, { email: old });
    expect([patched.status, patched.body.code, patched.body.customerId]).toEqual([409, "customer_exists", id]);
    const link = await steps.confirmLink(other.there, old);
    expect((await newClient().post(link)).status).toBe(409);
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email: old } }),
    );
    expect(checkout.customerId).toBe(id);
    const named = await story.ok(story.app.api("POST", "/customers", { email: old, externalId: fresh("id") }));
    expect(named.id).not.toBe(id);
    expect((await newClient().post(undo)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: old });
  });

  test("is free again seven days later, or once the seller changes the address", async () => {
    const [one, two] = [fresh("free"), fresh("free")];
    const [waits, moves] = [await steps.join(one), await steps.join(two)];
    await steps.change(waits.there, fresh("free-new"));
    await steps.change(moves.there, fresh("free-new"));
    expect((await patch(moves.id, { email: fresh("free-api") })).status).toBe(200);
    expect((await story.app.api("POST", "/customers", { email: two })).status).toBe(201);
    expect((await story.app.api("POST", "/customers", { email: one })).status).toBe(409);
    await age(story.app.ctx.db, "7 days");
    expect((await story.app.api("POST", "/customers", { email: one })).status).toBe(201);
  });
});

describe("the seller", () => {
  const allow = (changeEmail: boolean) =>
    story.ok(story.app.manage("PATCH", "/organization", { portal: { changeEmail } }));

  test("can switch the change off; an undo stays possible", async () => {
    const [old, next] = [fresh("limit"), fresh("limit-new")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, next);
    const again = await signInTo(story, id);
    const confirm = await steps.confirmLink(again, fresh("limit-newer"));
    await allow(false);
    expect((await again.get(portal)).text).not.toContain(`${portal}/email`);
    for (const page of [
      await again.get(`${portal}/email`),
      await steps.ask(again, fresh("limit")),
      await newClient().get(confirm),
      await newClient().post(confirm),
    ]) {
      expect([page.status, wordsOf(page.text).includes("Not available here")]).toEqual([403, true]);
    }
    expect(await steps.mails()).toEqual([]);
    expect((await newClient().post(undo)).status).toBe(200);
    expect(await steps.customer(id)).toMatchObject({ email: old });
    await allow(true);
  });

  test("who deletes the Customer leaves neither an address nor a link", async () => {
    const [old, next, third] = [fresh("gone"), fresh("gone-new"), fresh("gone-newer")];
    const { id, there } = await steps.join(old);
    const undo = await steps.change(there, next);
    const confirm = await steps.confirmLink(await signInTo(story, id), third);
    await steps.ask(await signInTo(story, id), fresh("gone-last"));
    expect((await story.app.manage("DELETE", `/customers/${id}`)).status).toBe(204);
    expect(await rowsOf(id)).toEqual([]);
    expect(await steps.mails()).toEqual([]);
    for (const link of [undo, confirm]) expect((await newClient().post(link)).status).toBe(410);
    const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${id}`));
    expect(data).toHaveLength(4);
    for (const { to, subject } of data) expect([to, subject]).toEqual([null, null]);
    expect((await story.app.api("POST", "/customers", { email: old })).status).toBe(201);
  });
});

describe("a row of a change", () => {
  test("is deleted once its link has expired", async () => {
    const asks = await steps.join(fresh("old"));
    await steps.confirmLink(asks.there, fresh("old-new"));
    const changes = await steps.join(fresh("old"));
    await steps.change(changes.there, fresh("old-new"));
    const { db } = story.app.ctx;
    const counts = async () => {
      await forgetChanges(db, 1000);
      return [(await rowsOf(asks.id)).length, (await rowsOf(changes.id)).length];
    };
    expect(await counts()).toEqual([1, 1]);
    await age(db, "1 hour 1 second");
    expect(await counts()).toEqual([0, 1]);
    await age(db, "7 days");
    expect(await counts()).toEqual([0, 0]);
  });
});

describe("the language", () => {
  test.each([
    ["de", "Bestätigen Sie Ihre E\u2011Mail-Adresse für Test", "Ihre E\u2011Mail-Adresse bei Test wurde geändert"],
    ["fr", "Confirmez votre adresse e-mail pour Test", "Votre adresse e-mail chez Test a été modifiée"],
    ["es", "Confirme su correo electrónico para Test", "Se ha cambiado su correo electrónico en Test"],
    ["ja", "Test：メールアドレスの確認", "Test：メールアドレスが変更されました"],
  ])("of pages and e-mails is the Customer's: %s", async (locale, confirmSubject, changedSubject) => {
    const { there } = await steps.join(fresh("speaks"), { locale });
    const next = fresh("speaks-new");
    const page = await steps.ask(there, next);
    expect(page.text).toContain(`<html lang="${locale}">`);
    const [mail] = await steps.mails();
    expect(mail!.subject).toBe(`[Sandbox] ${confirmSubject}`);
    const confirm = await newClient().get(linksIn(mail!)[0]!);
    expect(confirm.text).toContain(`<html lang="${locale}">`);
    await newClient().post(linksIn(mail!)[0]!);
    const [warning] = await steps.mails();
    expect(warning!.subject).toBe(`[Sandbox] ${changedSubject}`);
    expect((await newClient().get(linksIn(warning!)[0]!)).text).toContain(`<html lang="${locale}">`);
  });
});
