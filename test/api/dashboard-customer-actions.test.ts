import { afterAll, beforeAll, expect, test } from "vitest";
import { caller, type Json } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let owner: Desk;
let support: Desk;
let home: string;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  const key = { key: "desktop", type: "license_key", name: "Desktop", properties: { prefix: "ACME" } };
  const { id } = await story.ok(story.app.manage("POST", "/benefits", key));
  await story.plan("pro", 3000, { name: "Pro", benefitIds: [id] });
  home = `/dashboard/${story.app.organization.id}`;
  owner = await openDashboard(story.app);
  support = await joinAs(story.app, "support");
});
afterAll(() => story.close());

const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const customer = (id: string) => story.ok(story.app.manage("GET", `/customers/${id}`));
const make = (email: string, more: object = {}) => story.ok(story.app.api("POST", "/customers", { email, ...more }));
const read = async (path: string, desk = support) => {
  const { status, text } = await desk.get(path);
  return { status, text, words: wordsOf(text) };
};

/** The fields of the form of a Customer, as a browser would send them. */
async function formOf(path: string): Promise<Record<string, string>> {
  const { text } = await support.get(path);
  const [, form] = /<form method="post" class="narrow"[^>]*>(.*?)<\/form>/s.exec(text)!;
  const fields: Record<string, string> = {};
  const decoded = (value: string) => value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  for (const [, name, value] of form!.matchAll(/<input [^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/gs))
    fields[name!] = decoded(value!);
  for (const [, name, value] of form!.matchAll(/<textarea [^>]*?name="([^"]+)"[^>]*>\n?([^<]*)</gs))
    fields[name!] = decoded(value!);
  for (const [, name, options] of form!.matchAll(/<select [^>]*?name="([^"]+)"[^>]*>(.*?)<\/select>/gs))
    fields[name!] = /value="([^"]*)" ?selected/.exec(options!)?.[1] ?? "";
  return fields;
}

const ADA = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  companyName: "Engines",
  externalId: "team_1",
  locale: "de-AT",
  country: "DE",
  line1: "Unter den Linden 1",
  postalCode: "10117",
  city: "Berlin",
  taxId: "DE811569869",
  metadata: 'plan = gold\nseats = 12\ncode = "007"',
};

test("a Customer is made with all data, once", async () => {
  expect((await read(`${home}/customers`)).text).toContain(`href="${home}/customers/new"`);
  const path = `${home}/customers/new`;
  const fields = { ...(await formOf(path)), ...ADA };
  await story.news();
  const made = await support.post(path, fields);
  expect(location(made)).toMatch(/\/customers\/cus_\w+\?done=created$/);
  expect(location(await support.post(path, fields))).toBe(`${home}/customers`);
  expect(await story.news()).toEqual(["customer.created"]);
  const id = /cus_\w+/.exec(location(made)!)![0];
  expect(await customer(id)).toMatchObject({
    email: ADA.email,
    name: ADA.name,
    companyName: ADA.companyName,
    externalId: ADA.externalId,
    locale: "de-AT",
    billingAddress: { country: "DE", line1: ADA.line1, postalCode: ADA.postalCode, city: ADA.city, state: null },
    taxId: { type: "eu_vat", value: ADA.taxId },
    metadata: { plan: "gold", seats: 12, code: "007" },
  });
  expect((await read(location(made)!)).words).toContain(
    "The Customer has been created. Next, create a Checkout link for the Customer.",
  );
  expect((await read(`${location(made)!.split("?")[0]}/checkout`)).words).toContain("Checkout for");
  const taken = await support.post(path, { ...(await formOf(path)), ...ADA });
  expect([taken.status, taken.text.includes('id="externalId-fault"')]).toEqual([409, true]);
});

test("faults stand at their fields, and the country gives the fields of its addresses", async () => {
  const path = `${home}/customers/new`;
  const refuse = async (wrong: Record<string, string>) => support.post(path, { ...(await formOf(path)), ...wrong });
  for (const [wrong, name] of [
    [{ email: "x" }, "email"],
    [{ email: "a@example.com", locale: "!" }, "locale"],
    [{ email: "a@example.com", country: "DE", taxId: "DE1" }, "taxId"],
    [{ email: "a@example.com", city: "Berlin" }, "country"],
    [{ email: "a@example.com", country: "DE", line1: "Here", postalCode: "1" }, "postalCode"],
    [{ email: "a@example.com", metadata: "plan" }, "metadata"],
  ] as const) {
    const { status, text } = await refuse(wrong);
    expect([status, text.includes(`id="${name}-fault"`)], name).toEqual([422, true]);
  }
  const entries = `plan = ${"x".repeat(501)}\n${"y".repeat(41)} = 1\na/b = ${"z".repeat(501)}`;
  const metadata = wordsOf((await refuse({ email: "a@example.com", metadata: entries })).text);
  for (const name of ["plan", "y".repeat(41), "a/b"]) expect(metadata).toContain(`“${name}”: `);
  const japan = await refuse({ email: "jp@example.com", country: "JP", action: "update" });
  expect(japan.status).toBe(200);
  expect(wordsOf(japan.text)).toContain("Prefecture");
  expect(japan.text).toContain('value="jp@example.com"');
});

test("an edit changes the typed fields alone, and not a Customer that has changed meanwhile", async () => {
  const { id } = await make("grace@example.com", { name: "Grace", metadata: { vip: true, code: "1" } });
  const path = `${home}/customers/${id}/edit`;
  const before = await formOf(path);
  const done = await support.post(path, { ...before, name: "Grace Hopper", country: "US", line1: "1 Navy St" });
  // The address of a country with required parts is whole, or has no street.
  expect(done.status).toBe(422);
  const saved = await support.post(path, { ...(await formOf(path)), name: "Grace Hopper", country: "GB" });
  expect(location(saved)).toBe(`${home}/customers/${id}?done=edited`);
  expect(await customer(id)).toMatchObject({
    name: "Grace Hopper",
    billingAddress: { country: "GB" },
    metadata: { vip: true, code: "1" },
  });
  const [entry] = (await story.ok(story.app.manage("GET", "/audit-log?limit=1"))).data;
  expect(entry).toMatchObject({ operation: "updateCustomer", resourceId: id, fields: ["name", "billingAddress"] });
  const stale = await support.post(path, { ...before, name: "Someone else" });
  expect([stale.status, wordsOf(stale.text)]).toEqual([
    409,
    expect.stringContaining("The Customer has changed since you opened this form."),
  ]);
  expect(stale.text).toContain('value="Someone else"');
});

test("a deletion says its consequences, and writes off only the credit to which the person agreed", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: "gone@example.com" } }, CARDS.pays);
  const { customerId: id } = bought;
  const adjust = (amount: number) =>
    story.ok(
      story.app.manage("POST", `/customers/${id}/balance-adjustments`, { currency: "usd", amount, reason: "Gift" }),
    );
  await adjust(500);
  const path = `${home}/customers/${id}/delete`;
  const { words, text } = await read(path);
  expect(words).toContain("Subscriptions that end Pro Access that is lost Desktop");
  expect(words).toContain("Credit that is written off US$5.00");
  const hidden = actionFieldsOf(text)!;
  const without = await support.post(path, hidden);
  expect([without.status, without.text.includes('id="forfeit-fault"')]).toEqual([422, true]);
  await adjust(100);
  const more = await support.post(path, { ...hidden, forfeit: "yes" });
  expect([more.status, wordsOf(more.text)]).toEqual([422, expect.stringContaining("a credit of US$6.00")]);
  await story.news();
  const done = await doAction(support, path, { forfeit: "yes" });
  expect(location(done)).toBe(`${home}/customers/${id}?done=deleted`);
  expect(await story.news()).toEqual(
    expect.arrayContaining(["subscription.canceled", "benefit_grant.revoked", "customer.deleted"]),
  );
  expect((await read(`${home}/customers/${id}?done=deleted`)).words).toContain("The Customer has been deleted.");
  for (const page of ["edit", "delete", "portal-link", "checkout", "subscriptions/new"])
    expect((await support.get(`${home}/customers/${id}/${page}`)).status, page).toBe(404);
});

test("a portal link is shown once, and signs the Customer in", async () => {
  const { id } = await make("portal@example.com");
  const path = `${home}/customers/${id}/portal-link`;
  const fields = actionFieldsOf((await read(path)).text)!;
  const { status, text } = await support.post(path, fields);
  const [, url] = /<code class="factor-key"[^>]*>(http[^<]+\/portal\/[^<]+)<\/code>/.exec(text)!;
  expect([status, (await fetch(url!)).status]).toEqual([200, 200]);
  const again = await support.post(path, fields);
  expect([again.status, location(again)]).toEqual([303, path]);
  expect((await support.send(path, { once: "" })).status).toBe(422);
});

test("a Checkout for a Customer leads to its link", async () => {
  const { id } = await make("checkout@example.com");
  const path = `${home}/customers/${id}/checkout`;
  const products = (await story.ok(story.app.manage("GET", "/products"))).data;
  const fields = { ...(await formOf(path)), productId: products[0].id };
  const refused = await support.post(path, { ...fields, discountCode: "NONE" });
  expect([refused.status, refused.text.includes('id="discountCode-fault"')]).toEqual([422, true]);
  const made = await support.post(path, { ...(await formOf(path)), productId: products[0].id });
  const { text } = await read(location(made)!);
  const [, url] = /href="(http[^"]+\/checkout\/chk_[^"]+)"/.exec(text)!;
  expect((await fetch(url!)).status).toBe(200);
  const readOnly = await joinAs(story.app, "read_only");
  expect((await readOnly.get(location(made)!)).text).not.toContain(url);
});

test("a license key is masked, and shown in full only after the password", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: "keys@example.com" } }, CARDS.pays);
  const page = `${home}/customers/${bought.customerId}`;
  const { data } = await story.ok(story.app.manage("GET", `/benefit-grants?customerId=${bought.customerId}`));
  const [{ id, properties }] = data;
  const readOnly = await joinAs(story.app, "finance");
  for (const desk of [support, readOnly]) {
    const { text, words } = await read(page, desk);
    expect(words).toContain(`••••${properties.key.slice(-4)}`);
    expect(text).not.toContain(properties.key);
    expect(text.includes(`${page}/access/${id}/key`)).toBe(desk === support);
  }
  expect((await read(`${page}/access/${id}/key`)).words).toContain(properties.key);
  await ageSessions(story.app.ctx.db, "15 minutes");
  expect(location(await support.get(`${page}/access/${id}/key`))).toContain("/dashboard/confirm?");
  for (const desk of [support, owner]) await desk.send("/dashboard/confirm", { password: OWNER.password });
  const other = await make("other@example.com");
  expect((await support.get(`${home}/customers/${other.id}/access/${id}/key`)).status).toBe(404);
});

test("a resource that is too old for the Customer's page is found on the page of its list", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: "old@example.com" } }, CARDS.pays);
  const { data } = await story.ok(story.app.manage("GET", `/invoices?customerId=${bought.customerId}`));
  const page = `${home}/customers/${bought.customerId}`;
  const [invoice] = data as [Json];
  expect((await support.get(`${page}?at=${invoice.id}`)).status).toBe(200);
  await story.travel("2027-02-02");
  const led = await support.get(`${page}?at=${invoice.id}`);
  expect(location(led)).toBe(`${page}/invoices?at=${invoice.id}#${invoice.id}`);
  const { text } = await read(`${page}/invoices?at=${invoice.id}`);
  expect(text).toContain(`id="${invoice.id}"`);
  const found = await support.get(`${home}/search?q=${invoice.number}`);
  expect(location(found)).toBe(`${home}/invoices/${invoice.id}`);
  for (const [list, id] of [
    ["subscriptions", bought.id],
    ["access", ""],
    ["cards", ""],
  ])
    expect((await read(`${page}/${list}`)).text, list).toContain(id);
  expect((await support.get(`${page}/cards?at=x`)).status).toBe(404);
});

test("a Customer of another Organization has no actions here", async () => {
  const { keys } = await story.app.otherOrganization();
  const stranger = await story.ok(
    caller(`${story.app.url}/public/v2`, keys.public)("POST", "/customers", { email: "s@example.com" }),
  );
  for (const page of ["edit", "delete", "portal-link", "checkout", "subscriptions/new"]) {
    const path = `${home}/customers/${stranger.id}/${page}`;
    expect([(await owner.get(path)).status, (await owner.send(path)).status], page).toEqual([404, 404]);
  }
});
