import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { caller, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { textOf } from "../support/pdf.ts";
import { CARDS, ok as done } from "../support/story.ts";
import { card, checkoutsOf, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, invoice } = checkoutsOf(() => app);

beforeAll(async () => {
  [app, browser] = await Promise.all([startCatalogueApp(), launchBrowser()]);
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

/** The folded part of the form also has company and tax ID if no rate is for the chosen country. */
const FOLDED = /^Add (a full billing address|company, address or tax ID) for the invoice$/;
const unfold = (page: Page) => page.getByText(FOLDED).click();
/** The names of the street's fields in their order. */
const visibleFields = (page: Page) =>
  page
    .locator('[data-part="street"]')
    .locator("input:not([type=hidden]), select")
    .evaluateAll((fields) => fields.map((field) => field.id));

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  /** With scripts, the fields and the total update by themselves. */
  const updated = async (page: Page, button = "Update total") => {
    if (!options.javaScriptEnabled) await press(page, button);
  };

  test("the fields follow the country, and all that was typed stays", async () => {
    const page = await openPage(browser, options);
    await page.goto((await checkout("pro")).url);
    await page.getByLabel("E-mail").fill(newBuyer());
    if (options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await unfold(page);
    expect(await page.getByLabel("Country").inputValue()).toBe("GB");
    expect(await visibleFields(page)).toEqual(["line1", "line2", "city", "postalCode"]);
    await page.getByLabel("Street address").fill("1 Main St");
    await page.getByLabel("Town or city").fill("Springfield");
    await page.getByLabel("Postcode").fill("62701");
    await page.getByLabel("Country").selectOption("United States");
    await updated(page);
    await page.getByLabel("ZIP code").waitFor();
    expect(await visibleFields(page)).toEqual(["line1", "line2", "city", "postalCode"]);
    expect(await page.getByLabel("State").locator("option").count()).toBe(63);
    await page.getByLabel("State").selectOption("New York");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$31.20" }).waitFor();
    await page.getByLabel("Country").selectOption("Hong Kong SAR China");
    await updated(page);
    await page.getByLabel("Area").waitFor();
    expect(await visibleFields(page)).toEqual(["line1", "line2", "city", "state"]);
    await page.getByLabel("Country").selectOption("Japan");
    await updated(page);
    await page.getByLabel("Prefecture").waitFor();
    expect(await visibleFields(page)).toEqual(["line1", "line2", "state", "postalCode"]);
    expect(await page.getByLabel("Town and street address").inputValue()).toBe("1 Main St");
    await page.getByLabel("Country").selectOption("United States");
    await updated(page);
    await page.getByLabel("ZIP code").waitFor();
    expect(await page.getByLabel("ZIP code").inputValue()).toBe("62701");
    expect(await page.getByLabel("City").inputValue()).toBe("Springfield");
    await page.getByLabel("State").selectOption("New York");
    await updated(page);
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    expect(await page.getByLabel("State").count()).toBe(0);
    await page.getByLabel("Country").selectOption("United States");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$31.20" }).waitFor();
    expect(await page.getByLabel("State").inputValue()).toBe("NY");
    if (options.javaScriptEnabled)
      expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
  });

  test("company, address and tax ID are on the invoice and its PDF", async () => {
    const made = await checkout("pro");
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill("ada@engines.example");
    await page.getByLabel("Name", { exact: false }).first().fill("Ada Lovelace");
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    await page.getByLabel("Company").fill("Analytical Engines GmbH");
    await page.getByLabel("Tax ID").fill("DE811569869");
    await unfold(page);
    await page.getByLabel("Street address").fill("Torstraße 1");
    await page.getByLabel("Postal code").fill("1011");
    await page.getByLabel("City").fill("Berlin");
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByRole("alert").getByText("Enter a valid postal code, such as 26133.").waitFor();
    expect(await page.getByLabel("Street address").isVisible()).toBe(true);
    expect(await page.getByLabel("Company").inputValue()).toBe("Analytical Engines GmbH");
    await page.getByLabel("Postal code").fill("D-10119");
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    const address = {
      country: "DE",
      line1: "Torstraße 1",
      line2: null,
      postalCode: "10119",
      city: "Berlin",
      state: null,
    };
    const billed = await invoice(made);
    expect(billed.buyer).toEqual({
      name: "Ada Lovelace",
      companyName: "Analytical Engines GmbH",
      email: "ada@engines.example",
      address,
      taxId: { type: "eu_vat", value: "DE811569869" },
    });
    const lines = [
      "Analytical Engines GmbH",
      "Ada Lovelace",
      "ada@engines.example",
      "Torstraße 1",
      "10119 Berlin",
      "Germany",
    ];
    expect(wordsOf((await get(billed.url)).text)).toContain(lines.join(" "));
    const pdf = textOf(new Uint8Array(await (await fetch(`${billed.url}/pdf`)).arrayBuffer()));
    expect(pdf).toContain(lines.join("\n"));
    expect(pdf).toContain("DE811569869");
    expect(await ok("GET", `/customers/${billed.customerId}`)).toMatchObject({
      companyName: "Analytical Engines GmbH",
      billingAddress: address,
      taxId: { value: "DE811569869" },
    });
    await ok("DELETE", `/customers/${billed.customerId}`);
  });
});

describe("a seller without tax rates", () => {
  let url: (productKey?: string) => Promise<string>;
  let manage: (method: string, path: string, body?: object) => Promise<Json>;
  beforeAll(async () => {
    const { keys } = await app.otherOrganization({ clock: "2026-02-01T09:00:00Z" });
    const api = caller(`${app.url}/public/v2`, keys.public);
    const managed = caller(`${app.url}/manage/v1`, keys.manage);
    manage = (method, path, body) => done(managed(method, path, body));
    const prices = [{ currency: "usd", amount: 3000 }];
    await manage("POST", "/products", { key: "pro", name: "Pro", interval: null, prices });
    await manage("POST", "/products", {
      key: "free",
      name: "Free",
      interval: null,
      prices: [{ currency: "usd", amount: 0 }],
    });
    url = async (productKey = "pro") => (await done(api("POST", "/checkouts", { productKey }))).url;
  });

  const pay = (fields: Record<string, string>) => ({ ...card, email: newBuyer(), expectedAmount: "3000", ...fields });
  const newest = async () => (await manage("GET", "/invoices?limit=1")).data[0];

  test("asks for no country, and takes the address that a buyer gives", async () => {
    const page = await openPage(browser);
    await page.goto(await url());
    expect(await page.getByLabel("Country").isVisible()).toBe(false);
    await unfold(page);
    await page.getByLabel("Company").fill("Acme Ltd");
    await typeCard(page, CARDS.pays);
    await page.getByLabel("Country").selectOption("United Kingdom");
    await page.getByLabel("Postcode").waitFor();
    await page.getByLabel("Street address").fill("1 The Mall");
    await page.getByLabel("Town or city").fill("London");
    await page.getByLabel("Postcode").fill("sw1a 1aa");
    await page.getByLabel("E-mail").fill(newBuyer());
    await press(page, "Pay US$30.00");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect((await newest()).buyer).toMatchObject({
      companyName: "Acme Ltd",
      address: { country: "GB", line1: "1 The Mall", city: "London", postalCode: "SW1A 1AA", state: null },
    });
  });

  test("takes a payment without an address, and one with a company alone", async () => {
    expect(await post(await url(), pay({}))).toMatchObject({ status: 303 });
    expect((await newest()).buyer).toMatchObject({ companyName: null, address: null });
    expect(await post(await url(), pay({ companyName: "Acme Ltd" }))).toMatchObject({ status: 303 });
    expect((await newest()).buyer).toMatchObject({ companyName: "Acme Ltd", address: null });
  });

  test("forgets an address that the buyer takes back", async () => {
    const page = await url();
    expect((await post(page, pay({ country: "DE", city: "Berlin", action: "update" }))).text).toContain(
      'value="Berlin"',
    );
    expect(await post(page, pay({ country: "", city: "" }))).toMatchObject({ status: 303 });
    expect((await newest()).buyer.address).toBeNull();
  });

  test.each<[Record<string, string>, field: string, said: string]>([
    [{ taxId: "DE811569869" }, "country", "Choose a country to go with your tax ID."],
    [{ city: "Berlin" }, "country", "Choose your country."],
    [{ country: "XX" }, "country", "Choose your country."],
    [{ country: "DE", line1: "Torstr. 1", city: "Berlin" }, "postalCode", "Postal code: complete the address"],
    [{ country: "US", line1: "1 Main St", city: "Reno", postalCode: "89501" }, "state", "State: complete the address"],
    [{ country: "US", postalCode: "SW1A 1AA" }, "postalCode", "Enter a valid postal code, such as 95014."],
    [{ country: "CA", state: "CA" }, "state", "Province: choose an entry from the list."],
    [{ country: "DE", line1: CARDS.pays }, "line1", "Street address: this looks like a card number."],
    [{ companyName: `Acme ${CARDS.pays}` }, "companyName", "Company: this looks like a card number."],
    [{ companyName: "A".repeat(257) }, "companyName", "Company: enter at most 256 characters."],
    [{ country: "DE", city: "A".repeat(129) }, "city", "City: enter at most 128 characters."],
    [{ country: "DE", taxId: "anything" }, "taxId", "This tax ID is not valid."],
  ])("names the fault of %j at the field, and keeps the rest", async (typed, field, said) => {
    const page = await url();
    const { status, text } = await post(page, pay({ name: "Ada", ...typed }));
    expect(status).toBe(422);
    expect(text).toContain(`<p class="fault" id="${field}-fault">`);
    expect(wordsOf(text)).toContain(said);
    expect(text).toMatch(/<details class="group more"\s+open/);
    expect(text).toContain('value="Ada"');
    expect(text.replaceAll(/<code>.*?<\/code>/g, "")).not.toContain(CARDS.pays);
    expect(text).toContain("Pay US$30.00");
  });

  test("asks for no address where there is no payment", async () => {
    expect((await get(await url("free"))).text).not.toContain('name="country"');
  });

  test.each([
    [
      "de",
      "Firma, Adresse oder USt-IdNr. für die Rechnung angeben",
      "Geben Sie eine gültige Postleitzahl wie 26133 ein.",
    ],
    [
      "fr",
      "Ajouter une société, une adresse ou un numéro de TVA à la facture",
      "Saisissez un code postal valide, par exemple 26133.",
    ],
    [
      "es",
      "Añadir empresa, dirección o número de identificación fiscal a la factura",
      "Introduzca un código postal válido, como 26133.",
    ],
    ["ja", "請求書に記載する会社名・住所・税務登録番号を入力する", "正しい郵便番号を入力してください（例：26133）。"],
  ])("is shown in the buyer's language: %s", async (language, full, said) => {
    const page = await url();
    const headers = { "Accept-Language": language };
    const { text } = await post(page, pay({ country: "DE", postalCode: "1" }), headers);
    expect(wordsOf(text)).toContain(full);
    expect(wordsOf(text)).toContain(said);
  });
});

test("a named Customer's address is shown in the order of its country, and is not asked for", async () => {
  const billingAddress = { country: "US", line1: "1 Main St", city: "Reno", state: "NV", postalCode: "89501" };
  const customer = { email: newBuyer(), name: "Ada Lovelace", companyName: "Engines Inc", billingAddress };
  const page = await openPage(browser);
  await page.goto((await checkout("pro", { customer })).url);
  const known = page.getByRole("region", { name: "Billing address" });
  expect((await known.innerText()).split(/\n+/)).toEqual([
    "Billing address",
    "Engines Inc",
    "Ada Lovelace",
    "1 Main St",
    "Reno, NV 89501",
    "United States",
  ]);
  expect(await page.getByLabel("Country").count()).toBe(0);
});

test("a typed address of a named Customer without one becomes the Customer's", async () => {
  const { id } = await done(app.api("POST", "/customers", { email: newBuyer() }));
  const { url } = await checkout("pro", { customerId: id });
  const typed = {
    ...card,
    country: "FR",
    companyName: "Moteurs SA",
    line1: "1 rue A",
    city: "Paris",
    postalCode: "75001",
  };
  expect(await post(url, { ...typed, expectedAmount: "3000" })).toMatchObject({ status: 303 });
  expect(await ok("GET", `/customers/${id}`)).toMatchObject({
    companyName: "Moteurs SA",
    billingAddress: { country: "FR", line1: "1 rue A", city: "Paris", postalCode: "75001" },
  });
});

test("a typed address of an e-mail that is known counts for this purchase alone", async () => {
  const known = { email: newBuyer(), companyName: "Engines Inc", billingAddress: { country: "FR", city: "Paris" } };
  const { id } = await done(app.api("POST", "/customers", known));
  const made = await checkout("pro");
  const typed = { ...card, email: known.email, country: "DE", companyName: "Other GmbH", city: "Bonn" };
  expect(await post(made.url, { ...typed, expectedAmount: "3570" })).toMatchObject({ status: 303 });
  expect(await invoice(made)).toMatchObject({
    customerId: id,
    buyer: { companyName: "Other GmbH", address: { country: "DE", city: "Bonn" } },
  });
  expect(await ok("GET", `/customers/${id}`)).toMatchObject({
    companyName: "Engines Inc",
    billingAddress: { city: "Paris" },
  });
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no form has a fault that a machine can find", async () => {
    const page = await openPage(browser, { viewport });
    await page.goto((await checkout("pro")).url);
    await unfold(page);
    await inspect(page);
    await page.getByLabel("Country").selectOption("United States");
    await page.getByLabel("ZIP code").waitFor();
    await page.getByLabel("E-mail").fill(newBuyer());
    await typeCard(page, CARDS.pays);
    await page.getByLabel("State").selectOption("Nevada");
    await page.getByLabel("Street address").fill("1 Main St");
    await press(page, /^Pay/);
    await page.getByText("ZIP code: complete the address").first().waitFor();
    await inspect(page);
    const billingAddress = { country: "GB", line1: "1 The Mall", city: "London", postalCode: "SW1A 1AA" };
    await page.goto((await checkout("pro", { customer: { email: newBuyer(), billingAddress } })).url);
    await page.getByRole("region", { name: "Billing address" }).waitFor();
    await inspect(page);
  });
});
