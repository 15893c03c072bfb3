import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
});
afterAll(() => story.close());

const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
const read = (id: string) => manage("GET", `/customers/${id}`);
let customers = 0;
/** A Customer, and a web client that is signed in to the portal. */
async function visitor(more: object = {}) {
  const body = { email: `details-${(customers += 1)}@example.com`, ...more };
  const { id } = await story.ok(story.app.api("POST", "/customers", body));
  return { id, client: await signInTo(story, id) };
}

const changesOf = async (id: string): Promise<Json[]> =>
  (await manage("GET", `/events?resourceId=${id}&type=customer.updated`)).data;
const invoiceOf = async (id: string): Promise<Json> => (await manage("GET", `/invoices?customerId=${id}`)).data[0];

const FULL = {
  name: "Ada Lovelace",
  companyName: "Analytical Engines GmbH",
  country: "DE",
  line1: "Torstr. 1",
  postalCode: "10119",
  city: "Berlin",
  taxId: "DE811569869",
  language: "",
};

test("a Customer edits their details: the portal, the events and the next invoice show them", async () => {
  const { id, client } = await visitor({ name: "Ada" });
  expect(wordsOf((await client.get(portal)).text)).toContain("Your details Name Ada Billing address Not provided");
  expect(wordsOf((await client.get(`${portal}/details`)).text)).toContain(
    "These details appear on your future invoices.",
  );
  const saved = await client.post(`${portal}/details`, FULL);
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, portal]);
  const address = { country: "DE", line1: "Torstr. 1", line2: null, postalCode: "10119", city: "Berlin", state: null };
  const changed = {
    name: "Ada Lovelace",
    companyName: "Analytical Engines GmbH",
    billingAddress: address,
    taxId: { type: "eu_vat", value: "DE811569869", verification: "format" },
    locale: null,
  };
  expect(await read(id)).toMatchObject(changed);
  expect(await changesOf(id)).toMatchObject([{ data: changed }]);
  expect(wordsOf((await client.get(portal)).text)).toContain(
    "Name Ada Lovelace Company Analytical Engines GmbH Billing address Torstr. 1 10119 Berlin Germany Tax ID " +
      "DE811569869 Language Browser language Edit your details",
  );
  await story.buy({ productKey: "pro", customerId: id }, CARDS.pays);
  expect((await invoiceOf(id)).buyer).toMatchObject({
    name: "Ada Lovelace",
    companyName: "Analytical Engines GmbH",
    address,
    taxId: { type: "eu_vat", value: "DE811569869" },
  });
  await client.post(`${portal}/details`, {
    ...FULL,
    name: "",
    companyName: "",
    country: "",
    line1: "",
    taxId: "",
    postalCode: "",
    city: "",
  });
  expect(await read(id)).toMatchObject({ name: null, companyName: null, billingAddress: null, taxId: null });
  expect((await invoiceOf(id)).buyer).toMatchObject({
    companyName: FULL.companyName,
    address,
  });
});

test("an unchanged page makes no event", async () => {
  const { id, client } = await visitor({ name: "Ada", locale: "de-AT" });
  await client.post(`${portal}/details`, { name: "Ada", language: "de" });
  expect((await read(id)).locale).toBe("de-AT");
  expect(await changesOf(id)).toEqual([]);
});

test.each([
  [null, "fr", "fr"],
  ["de-AT", "es", "es"],
  ["de-AT", "", null],
  ["pt-BR", "", "pt-BR"],
  ["de", "xx", null],
])("the language %j changes by the choice %j to %j", async (locale, language, expected) => {
  const { id, client } = await visitor({ locale });
  expect((await client.post(`${portal}/details`, { language })).status).toBe(303);
  expect((await read(id)).locale).toBe(expected);
});

/** The digits of a card as a Japanese keyboard types them. */
const WIDE_CARD = CARDS.pays.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

test.each<[Record<string, string>, field: string]>([
  [{ name: `Ada ${CARDS.pays}` }, "name"],
  [{ name: "A".repeat(257) }, "name"],
  [{ companyName: CARDS.pays }, "companyName"],
  [{ country: "XX" }, "country"],
  [{ country: "", taxId: "DE811569869" }, "country"],
  [{ country: "DE", taxId: "DE1" }, "taxId"],
  [{ country: "DE", line1: "Torstr. 1" }, "postalCode"],
  [{ country: "DE", line1: "Torstr. 1" }, "city"],
  [{ country: "JP", postalCode: "1" }, "postalCode"],
  [{ country: "US", state: "Bavaria" }, "state"],
  [{ country: "DE", line2: "\u0007" }, "line2"],
  [{ companyName: WIDE_CARD }, "companyName"],
  [{ country: "JP", line2: WIDE_CARD }, "line2"],
  // The country has no form of a postal code. Wide letters become plain ones, up to 18 for one.
  [{ country: "KP", postalCode: WIDE_CARD }, "postalCode"],
  [{ country: "KP", postalCode: "\ufdfa".repeat(32) }, "postalCode"],
])("a fault of %j stands at the field %s, and the Customer is unchanged", async (typed, field) => {
  const { id, client } = await visitor({ name: "Ada" });
  const before = await read(id);
  const { status, text } = await client.post(`${portal}/details`, { name: "Ada", city: "", ...typed });
  expect(status).toBe(422);
  expect(text).toContain(`<p class="fault" id="${field}-fault">`);
  for (const card of [CARDS.pays, WIDE_CARD]) expect(text).not.toContain(card);
  expect(await read(id)).toEqual(before);
});

test("parts of an address that the page does not ask for stay within the country", async () => {
  const billingAddress = { country: "DE", line1: "Torstr. 1", postalCode: "10119", city: "Berlin", state: "Berlin" };
  const { id, client } = await visitor({ billingAddress });
  await client.post(`${portal}/details`, { ...FULL, city: "Bonn" });
  expect((await read(id)).billingAddress).toMatchObject({ city: "Bonn", state: "Berlin" });
  await client.post(`${portal}/details`, { ...FULL, country: "AT", postalCode: "1010", city: "Wien", taxId: "" });
  expect((await read(id)).billingAddress).toMatchObject({ country: "AT", city: "Wien", state: null });
});

test("a Japanese address, whose form has no city, shows and keeps a city that the API stored", async () => {
  const billingAddress = { country: "JP", line1: "渋谷2-1-1", postalCode: "150-0002", city: "渋谷区", state: "東京都" };
  const { id, client } = await visitor({ billingAddress });
  expect((await client.get(`${portal}/details`)).text).toMatch(/name="line1"[^>]*value="渋谷区渋谷2-1-1"/);
  const typed = { country: "JP", line1: "渋谷区渋谷2-1-2", postalCode: "150-0002", state: "東京都", taxId: "" };
  expect((await client.post(`${portal}/details`, { ...FULL, city: "", ...typed })).status).toBe(303);
  expect((await read(id)).billingAddress).toMatchObject({ line1: "渋谷区渋谷2-1-2", city: null, state: "Tokyo" });
});

describe("with tax rates", () => {
  beforeAll(async () => {
    const taxRates = [
      { country: "DE", basisPoints: 1900, name: "USt" },
      { country: "US", region: "ca", basisPoints: 725, name: "Sales tax" },
    ];
    await manage("PATCH", "/organization", { taxRates });
  });
  afterAll(() => manage("PATCH", "/organization", { taxRates: [] }));

  test("a country is required, and the page says that the tax may change", async () => {
    const { id, client } = await visitor({ billingAddress: { country: "DE" } });
    expect(wordsOf((await client.get(`${portal}/details`)).text)).toContain(
      "the tax on your next invoice may change too",
    );
    const { status, text } = await client.post(`${portal}/details`, { name: "Ada", country: "" });
    expect([status, text.includes('id="country-fault"')]).toEqual([422, true]);
    expect((await client.post(`${portal}/details`, { country: "US" })).text).toContain('id="state-fault"');
    expect((await client.post(`${portal}/details`, { country: "US", state: "California" })).status).toBe(303);
    expect((await read(id)).billingAddress).toMatchObject({ country: "US", state: "CA" });
  });
});

test("the page is in the Customer's language", async () => {
  const { client } = await visitor({ locale: "en" });
  const { text } = await client.get(`${portal}/details`);
  for (const language of ["English", "Deutsch", "Français", "Español", "日本語"])
    expect(text).toContain(`>${language}</option>`);
});

test("only the signed-in Customer of this Organization reaches the page", async () => {
  const { id, client } = await visitor({ name: "Ada" });
  const stranger = startWebClient(story.app.url);
  for (const { status, headers } of [
    await stranger.get(`${portal}/details`),
    await stranger.post(`${portal}/details`, FULL),
  ])
    expect([status, headers.get("Location")]).toEqual([303, portal]);
  const other = `/portal/${(await story.app.otherOrganization()).organization.id}`;
  const elsewhere = await client.post(`${other}/details`, FULL);
  expect([elsewhere.status, elsewhere.headers.get("Location")]).toEqual([303, other]);
  expect(await read(id)).toMatchObject({ name: "Ada", companyName: null });
  expect((await client.post(`/portal/org_x/details`, FULL)).status).toBe(404);
});

test("a deletion blanks the company in the Customer and in events, but not on documents", async () => {
  const { id, client } = await visitor();
  await client.post(`${portal}/details`, { ...FULL, companyName: "Gone Forever GmbH" });
  const { id: subscription } = await story.buy({ productKey: "pro", customerId: id }, CARDS.pays);
  await manage("POST", `/subscriptions/${subscription}/cancel-now`, {});
  expect((await story.app.manage("DELETE", `/customers/${id}?forfeitBalance=true`)).status).toBe(204);
  const { data: events } = await manage("GET", "/events?limit=100");
  expect(events.filter(({ data }: Json) => data.id === id || data.customerId === id).length).toBeGreaterThan(3);
  expect(JSON.stringify(events)).not.toContain("Gone Forever");
  expect((await invoiceOf(id)).buyer.companyName).toBe("Gone Forever GmbH");
  expect((await client.get(`${portal}/details`)).headers.get("Location")).toBe(portal);
});

test("a seller can switch the page off", async () => {
  const { id, client } = await visitor({ name: "Ada" });
  await manage("PATCH", "/organization", { portal: { editDetails: false } });
  expect((await client.get(portal)).text).not.toContain("Edit your details");
  expect((await client.get(`${portal}/details`)).status).toBe(403);
  expect((await client.post(`${portal}/details`, FULL)).status).toBe(403);
  expect(await read(id)).toMatchObject({ name: "Ada", companyName: null });
  await manage("PATCH", "/organization", { portal: { editDetails: true } });
});
