import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { EMAIL_KINDS } from "../../src/domain/model/email.ts";
import type { Role } from "../../src/domain/team/role.ts";
import { OrganizationResource, UpdateOrganizationParams } from "../../src/resources/organization.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { FIELD_TABS, TABS } from "../../src/web/dashboard/settings/tabs.ts";
import type { Json } from "../support/app.ts";
import { connect } from "../support/connections.ts";
import { ageSessions, OWNER, signInAt, type Desk } from "../support/dashboard.ts";
import { faultAt, location, outcome, startSettings, type SettingsDesk } from "../support/dashboard-settings.ts";
import { fieldsOf, submit } from "../support/filled-form.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS } from "../support/story.ts";

let at: SettingsDesk;
beforeAll(async () => void (at = await startSettings()));
afterAll(() => at.story.close());
beforeEach(() => at.reset());

const BUYER = { customer: { email: "paused@example.com" } };
const saved = (tab: string) => [303, `${at.settings}${tab}?done=saved`];

describe("the places of the fields", () => {
  test("each field of the Organization has a tab", () => {
    expect(Object.keys(FIELD_TABS).sort()).toEqual(Object.keys(OrganizationResource.shape).sort());
  });

  test("each field that can be changed has inputs on its tab, and on no other tab", async () => {
    const pages = new Map<string, string[]>();
    for (const { name, path } of TABS) {
      const { text } = await at.owner.get(at.settings + path + (name === "payments" ? "/details" : ""));
      pages.set(
        name,
        [...text.matchAll(/name="([\w.]+)"/g)].map(([, field]) => field!.split(".")[0]!),
      );
    }
    for (const field of Object.keys(UpdateOrganizationParams.shape)) {
      const tabs = [...pages].filter(([, fields]) => fields.includes(field)).map(([name]) => name);
      expect(tabs, field).toEqual([FIELD_TABS[field as keyof typeof FIELD_TABS]]);
    }
  });
});

describe("a form of the settings", () => {
  test("changes what buyers see, and the audit log names the changed fields alone", async () => {
    const answer = await at.save("", {
      legalName: "Kestrel Ltd",
      supportEmail: "help@kestrel.example",
      "address.country": "IE",
      "address.city": "Dublin",
    });
    expect(outcome(answer)).toEqual(saved(""));
    expect(wordsOf((await at.owner.get(location(answer)!)).text)).toContain("The settings are saved.");
    expect(await at.checkoutPage()).toContain("mailto:help@kestrel.example");
    const bought = await at.story.buy({ productKey: "pro", customer: { email: "grace@example.com" } }, CARDS.pays);
    const { data } = await at.story.ok(at.story.app.manage("GET", `/invoices?customerId=${bought.customerId}`));
    expect(data[0].seller).toMatchObject({ name: "Kestrel Ltd", address: { country: "IE", city: "Dublin" } });
    const entry = (await at.entries()).find(({ operation }: Json) => operation === "updateOrganization");
    expect(entry.fields.sort()).toEqual(["address", "legalName", "supportEmail"]);
    expect(entry).toMatchObject({ actor: { type: "user" }, resourceId: at.story.app.organization.id });
  });

  test("that changes no value makes no entry", async () => {
    const before = (await at.entries()).length;
    for (const tab of ["", "/branding", "/emails", "/taxes", "/dunning", "/portal"])
      expect(outcome(await at.save(tab)), tab).toEqual(saved(tab));
    expect(await at.entries()).toHaveLength(before);
  });

  test("shows each fault at its field, and keeps the typed values", async () => {
    const { status, text } = await at.save("", {
      name: " ",
      timeZone: "Mars/Olympus",
      supportUrl: "http://plain.example",
      "taxId.type": "eu_vat",
      "taxId.value": "DE1",
      "address.city": "Nowhere",
    });
    expect(status).toBe(422);
    expect(faultAt(text, "address.country")).toBe("Choose the country of the address.");
    expect(faultAt(text, "name")).toBe("This must not be empty.");
    expect(faultAt(text, "timeZone")).toBe("This is not an IANA time zone.");
    expect(faultAt(text, "supportUrl")).toContain("not an absolute https URL");
    expect(faultAt(text, "taxId.value")).toContain("not a valid number of the type eu_vat");
    expect(text).toContain('value="Mars/Olympus"');
    expect((await at.organization()).timeZone).toBe("UTC");
  });

  test("is saved once if it is sent twice, and refused if its values differ", async () => {
    const fields = fieldsOf((await at.owner.get(at.settings)).text);
    fields.set("name", "Twice");
    const before = (await at.entries()).length;
    const answers = await Promise.all([at.owner.post(at.settings, fields), at.owner.post(at.settings, fields)]);
    // The second one waits for the first one, or is told to look at the result.
    expect(answers.map(({ status }) => status).filter((status) => status === 303).length).toBeGreaterThan(0);
    expect(outcome(await at.owner.post(at.settings, fields))).toEqual(saved(""));
    expect((await at.entries()).length - before).toBe(1);
    fields.set("name", "Thrice");
    const other = await at.owner.post(at.settings, fields);
    expect([other.status, wordsOf(other.text)]).toEqual([
      409,
      expect.stringContaining("sent before with other values"),
    ]);
    expect((await at.organization()).name).toBe("Twice");
  });

  test("that is older than another change is not saved at once", async () => {
    const fields = fieldsOf((await at.owner.get(at.settings)).text);
    await at.change({ supportEmail: "new@example.com" });
    fields.set("name", "Late");
    fields.set("timeZone", "nowhere");
    const wrong = await at.owner.post(at.settings, fields);
    expect([wrong.status, faultAt(wrong.text, "timeZone")]).toEqual([422, "This is not an IANA time zone."]);
    const corrected = fieldsOf(wrong.text);
    corrected.set("timeZone", "UTC");
    const stale = await at.owner.post(at.settings, corrected);
    expect([stale.status, wordsOf(stale.text)]).toEqual([
      409,
      expect.stringContaining("have changed since you opened"),
    ]);
    expect((await at.organization()).name).toBe("Test");
    const again = await at.owner.post(at.settings, fieldsOf(stale.text));
    expect(outcome(again)).toEqual(saved(""));
    expect(await at.organization()).toMatchObject({ name: "Late", supportEmail: null });
  });
});

describe("branding", () => {
  const preview = (name: string, fields: Record<string, string>) =>
    at.owner.get(`${at.settings}/branding/${name}?${new URLSearchParams(fields)}`);

  test("is previewed by the real Checkout and the real e-mail, and then has the same parts on a Checkout", async () => {
    const typed = { "branding.displayName": "Kestrel & Co", "branding.accentColor": "#B04F10" };
    const [checkout, email] = [await preview("checkout", typed), await preview("email", typed)];
    expect(checkout.text).toContain("/static/accent-b04f10.css");
    expect(wordsOf(checkout.text)).toContain("Kestrel & Co Atlas Pro");
    expect(checkout.headers.get("Content-Security-Policy")).toMatch(/script-src 'none'.*sandbox allow-same-origin$/);
    expect(email.text).toContain("4px solid #b04f10");
    expect(email.text).toContain("Kestrel &amp; Co");
    expect(await at.checkoutPage()).not.toContain("accent-b04f10");
    expect(outcome(await at.save("/branding", typed))).toEqual(saved("/branding"));
    const page = await at.checkoutPage();
    expect(page).toContain("/static/accent-b04f10.css");
    // Apart from the sale, the preview has the markup of the page.
    const shape = (text: string) => [...text.matchAll(/<(?:main|section|h1|fieldset|label)\b[^>]*>/g)].map(String);
    expect(shape(page)).toEqual(shape(checkout.text));
  });

  test("without a script, the button Preview shows the typed values and saves no value", async () => {
    const { status, text } = await at.save("/branding", { "branding.accentColor": "#ffee00", action: "preview" });
    expect(status).toBe(200);
    expect(text).toContain("checkout?branding.displayName=&amp;branding.accentColor=%23ffee00");
    expect(wordsOf(text)).toContain(
      "White text has a contrast of 1.2 : 1, and 4.5 : 1 is needed. So the text is black.",
    );
    expect(wordsOf(text)).toContain("So a darker shade is used: #");
    expect((await at.organization()).branding.accentColor).toBeNull();
  });

  test("refuses a value that is no colour, and says why", async () => {
    const { status, text } = await at.save("/branding", {
      "branding.accentColor": "blue",
      "branding.logoUrl": "http://plain.example/logo.png",
    });
    expect(status).toBe(422);
    expect(faultAt(text, "branding.accentColor")).toBe("Write the colour as #rrggbb.");
    expect(faultAt(text, "branding.logoUrl")).toContain("https");
    expect(wordsOf(text)).toContain("This is not a colour. Write a colour as # and six digits");
    expect((await preview("checkout", { "branding.accentColor": "blue" })).status).toBe(200);
  });
});

describe("e-mails", () => {
  test("each kind has a preview in each language, by the real composition", async () => {
    await at.change({ branding: { displayName: "Kestrel", accentColor: "#b04f10", logoUrl: null } });
    const { text } = await at.owner.get(`${at.settings}/emails`);
    const links = [...text.matchAll(/href="([^"]*\/emails\/(\w+))"/g)].map(([, href, kind]) => [href!, kind!]);
    expect(links).toHaveLength(EMAIL_KINDS.length);
    for (const [href, kind] of links) {
      const page = await at.owner.get(href!);
      expect([page.status, page.headers.get("Content-Security-Policy")], kind).toEqual([
        200,
        expect.stringContaining("frame-src 'self'"),
      ]);
      const isForBuyers = page.text.includes('aria-label="Language"');
      for (const language of isForBuyers ? ["en", "de", "fr", "es", "ja"] : ["de"]) {
        const message = await at.owner.get(`${href}/html?language=${language}`);
        expect([message.status, message.text.includes("#b04f10")], `${kind} ${language}`).toEqual([200, true]);
        const spoken = isForBuyers ? language : "en";
        expect(message.text).toMatch(new RegExp(`<html lang="${spoken}["-]`));
      }
    }
    const receipt = wordsOf((await at.owner.get(`${at.settings}/emails/receipt/html?language=de`)).text);
    expect(receipt).toContain("Atlas Pro");
    expect((await at.owner.get(`${at.settings}/emails/unknown`)).status).toBe(404);
    expect((await at.owner.get(`${at.settings}/emails/unknown/html`)).status).toBe(404);
  });

  test("a kind that is switched off is not sent any more", async () => {
    expect(outcome(await at.save("/emails", { "emails.canceled": null }))).toEqual(saved("/emails"));
    expect((await at.organization()).emails).toEqual({ ...at.initial.emails, canceled: false });
    expect(wordsOf((await at.owner.get(`${at.settings}/emails/canceled`)).text)).toContain(
      "This e-mail is switched off.",
    );
    const bought = await at.story.buy({ productKey: "pro", customer: { email: "off@example.com" } }, CARDS.pays);
    await at.story.ok(at.story.app.manage("POST", `/subscriptions/${bought.id}/cancel-now`, {}));
    const { data } = await at.story.ok(at.story.app.manage("GET", `/emails?customerId=${bought.customerId}`));
    expect(data.map(({ kind }: Json) => kind)).not.toContain("canceled");
  });
});

describe("dunning", () => {
  test("is drawn as a time line, previewed, and saved", async () => {
    const { text } = await at.owner.get(`${at.settings}/dunning`);
    expect(text).toContain(
      'aria-label="Day 0: The charge fails, and the Subscription is past due. Day 3: Retry 1 of 4.',
    );
    const typed = { "dunning.retryDays": "2 5, 30", "dunning.graceDays": "10" };
    const preview = await at.save("/dunning", { ...typed, action: "preview" });
    expect([preview.status, wordsOf(preview.text)]).toEqual([200, expect.stringContaining("not saved yet")]);
    expect(wordsOf(preview.text)).toContain(
      "5 Retry 2 of 3 10 The access ends, until the invoices are paid 30 Retry 3 of 3",
    );
    expect((await at.organization()).dunning).toEqual(at.initial.dunning);
    expect(outcome(await at.save("/dunning", typed))).toEqual(saved("/dunning"));
    expect((await at.organization()).dunning).toEqual({ retryDays: [2, 5, 30], graceDays: 10 });
    const failing = await at.story.buy({ productKey: "pro", customer: { email: "due@example.com" } }, CARDS.failsLater);
    await at.story.travel("2026-04-01");
    const { data } = (await at.story.app.manage("GET", `/invoices?customerId=${failing.customerId}&status=open`)).body;
    expect(data[0].nextAttemptAt).toBe("2026-04-03T09:00:00.000Z");
  });

  test("with wrong days is refused at its field", async () => {
    for (const [days, fault] of [
      ["soon", "Enter the days in their order"],
      ["7, 3", "Each day must be later than the one before."],
      ["3, 400", "at most 365"],
      ["", "at least 1 entry"],
    ] as const) {
      const { status, text } = await at.save("/dunning", { "dunning.retryDays": days });
      expect([status, faultAt(text, "dunning.retryDays")], days).toEqual([422, expect.stringContaining(fault)]);
    }
    const { text } = await at.save("/dunning", { "dunning.graceDays": "-1" });
    expect(faultAt(text, "dunning.graceDays")).toBe("Enter a number of days, such as 7.");
  });
});

describe("the portal", () => {
  test("has the actions and the Products that are allowed", async () => {
    const there = await signInTo(at.story, at.subscription.customerId);
    const cancel = `${at.portal}/subscriptions/${at.subscription.id}/cancel`;
    expect((await there.get(at.portal)).text).toContain(cancel);
    const { data } = (await at.story.app.manage("GET", "/products")).body;
    const answer = await at.save("/portal", {
      "portal.cancel": null,
      "portal.choice": "some",
      "portal.products": [data[0].id],
    });
    expect(outcome(answer)).toEqual(saved("/portal"));
    expect((await there.get(at.portal)).text).not.toContain(cancel);
    expect((await at.organization()).portal).toEqual({ ...at.initial.portal, cancel: false, products: [data[0].id] });
    expect(outcome(await at.save("/portal", { "portal.choice": "all", "portal.cancel": "yes" }))).toEqual(
      saved("/portal"),
    );
    expect((await at.organization()).portal).toEqual(at.initial.portal);
  });

  test("has the pauses that a Customer may make", async () => {
    const pause = { longestMonths: 6, perYear: 2, access: "keep" };
    const typed = {
      "portal.pausing": "yes",
      "portal.pause.longestMonths": "6",
      "portal.pause.perYear": "2",
      "portal.pause.access": "keep",
    };
    expect(outcome(await at.save("/portal", typed))).toEqual(saved("/portal"));
    expect((await at.organization()).portal).toEqual({ ...at.initial.portal, pause });
    // The form has the saved values, so a second save changes nothing.
    expect(outcome(await at.save("/portal", {}))).toEqual(saved("/portal"));
    expect((await at.organization()).portal).toEqual({ ...at.initial.portal, pause });
    for (const [name, value] of [
      ["portal.pause.longestMonths", "13"],
      ["portal.pause.longestMonths", ""],
      ["portal.pause.perYear", "0"],
      ["portal.pause.perYear", "once"],
      ["portal.pause.access", "half"],
    ] as const) {
      const { status, text } = await at.save("/portal", { [name]: value });
      expect([status, faultAt(text, name)], `${name}: ${value}`).toEqual([422, expect.any(String)]);
    }
    expect(outcome(await at.save("/portal", { "portal.pausing": null }))).toEqual(saved("/portal"));
    expect((await at.organization()).portal).toEqual(at.initial.portal);
  });

  test("refuses a list without a Product, and an unknown Product", async () => {
    const none = await at.save("/portal", { "portal.choice": "some", "portal.products": null });
    expect([none.status, wordsOf(none.text)]).toEqual([422, expect.stringContaining("at least 1 entry")]);
    const unknown = `prd_${"0".repeat(26)}`;
    const other = await at.save("/portal", { "portal.choice": "some", "portal.products": [unknown] });
    expect([other.status, wordsOf(other.text)]).toEqual([422, expect.stringContaining("There is no such Product.")]);
  });
});

/** Signs in a person with a role in an Organization. */
async function signInAs(role: Role, organizationId: string): Promise<Desk> {
  const email = `${role}@example.com`;
  const user = await draftUser({ email, name: role, password: OWNER.password });
  await at.story.app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    insertMembership(tx, organizationId, user.id, role);
  });
  return signInAt(at.story.app.url, { email, password: OWNER.password });
}

test("finance has an entry for the tax rates, and no other tab", async () => {
  const finance = await signInAs("finance", at.story.app.organization.id);
  const { text } = await finance.get(`${at.settings}/taxes`);
  const links = [...text.matchAll(/href="[^"]*(\/(?:settings|team)[^"]*)"/g)].map(([, path]) => path);
  expect([...new Set(links)].filter((path) => !path!.endsWith(".css"))).toEqual(["/settings/taxes"]);
  const rate = { "taxRates.0.country": "DE", "taxRates.0.basisPoints": "19", "taxRates.0.name": "USt" };
  expect(outcome(await submit(finance, `${at.settings}/taxes`, rate))).toEqual(saved("/taxes"));
  expect((await at.organization()).taxRates).toHaveLength(1);
});

describe("the payment provider", () => {
  test("is shown with its accounts and the way to connect one, without a secret", async () => {
    const payments = `${at.settings}/payments`;
    expect(wordsOf((await at.owner.get(payments)).text)).toContain(
      "The built-in provider takes new payments, with test cards.",
    );
    await connect(at.story.app.ctx.db, {
      organizationId: at.story.app.organization.id,
      account: "acct_1Kestrel",
      secret: "a secret of a test that is long enough",
      key: "rk_test_hidden",
    });
    const { text } = await at.owner.get(payments);
    expect(wordsOf(text)).toContain("stripe acct_1Kestrel For earlier payments Test");
    expect(text).toContain("/docs/operating/payments#connect");
    expect(text).not.toContain("rk_test_hidden");
  });

  test("is missing in a new live Organization, which has no test cards", async () => {
    const { organization } = await at.story.app.otherOrganization({ mode: "live" });
    const live = await signInAs("owner", organization.id);
    const payments = `/dashboard/${organization.id}/settings/payments`;
    expect(wordsOf((await live.get(payments)).text)).toContain("This Organization takes no payments yet.");
    const answer = await submit(live, `${payments}/details`, { contactEmail: "a@b.example", sandboxEntry: "hosted" });
    expect(outcome(answer)).toEqual([303, `${payments}?done=saved`]);
    expect((await live.get(`${payments}/details`)).text).not.toContain("sandboxEntry");
  });

  test("that refuses all charges is shown with the reason", async () => {
    const { id } = await at.story.ok(at.story.app.api("POST", "/checkouts", { productKey: "pro", ...BUYER }));
    await at.story.ok(at.story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.refusesAccount }));
    const words = wordsOf((await at.owner.get(`${at.settings}/payments`)).text);
    expect(words).toMatch(/The provider refuses all charges since .* The provider has restricted the account\./);
    at.story.app.ctx.payments.sandbox.takeChargesAgain(at.story.app.organization.id);
  });

  test("has details that ask for the password again", async () => {
    const details = `${at.settings}/payments/details`;
    const wrong = await submit(at.owner, details, { contactEmail: "nobody" });
    expect([wrong.status, faultAt(wrong.text, "contactEmail")]).toEqual([422, "This is not an e-mail address."]);
    const answer = await submit(at.owner, details, { contactEmail: "seller@kestrel.example", sandboxEntry: "hosted" });
    expect(outcome(answer)).toEqual(saved("/payments"));
    expect(await at.organization()).toMatchObject({ contactEmail: "seller@kestrel.example", sandboxEntry: "hosted" });
    await at.change({ sandboxEntry: "typed" });
    await ageSessions(at.story.app.ctx.db, "15 minutes");
    expect(location(await at.owner.get(details))).toContain("/dashboard/confirm?");
    expect((await at.owner.get(at.settings)).status).toBe(200);
    await at.owner.send("/dashboard/confirm", { password: OWNER.password });
  });
});
