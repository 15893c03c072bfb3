import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { openTab } from "../support/cookies.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { sendOn } from "../support/filled-form.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { get, wordsOf } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };
const OPTIONS = [
  { value: "small", label: { en: "Up to 10", de: "Bis zu 10" } },
  { value: "large", label: "More" },
];
const FIELDS = [
  { key: "po", type: "text", label: { en: "PO number", de: "Bestellnummer" }, maxLength: 8 },
  { key: "weight", type: "number", label: "Weight in kg", min: 0, max: 99.5 },
  { key: "size", type: "choice", label: "Team size", required: true, options: OPTIONS },
  { key: "terms", type: "checkbox", label: "I agree", required: true },
];
const VALUES = { po: "4711", weight: 12.5, size: "small", terms: true };

let app: TestApp;
let foreign: { api: TestCall };
let owner: Desk;
let buyers = 0;

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-06-01T09:00:00Z" });
  foreign = await foreignCallersOf(app);
  owner = await openDashboard(app);
  const prices = [{ currency: "usd", amount: 3000 }];
  const products = {
    pro: { interval: "month", prices },
    trial: { interval: "month", prices, trialDays: 14, group: "trials" },
    book: { interval: null, prices },
    free: { interval: "month", prices: [{ currency: "usd", amount: 0 }], group: "free" },
  };
  for (const [key, fields] of Object.entries(products))
    await ok(app.manage("POST", "/products", { key, name: key, ...fields }));
});
afterAll(() => app.close());

async function ok(call: Promise<{ status: number; body: Json }>): Promise<Json> {
  const { status, body } = await call;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

const create = (body: object, headers: Record<string, string> = {}) =>
  app.api("POST", "/checkouts", { productKey: "pro", fields: FIELDS, ...body }, headers);
const named = () => ({ customer: { email: `fields-${++buyers}@example.com` } });
const checkout = (body: object = {}): Promise<Json> => ok(create({ ...named(), ...body }));
const pay = ({ id }: Json, fieldValues: unknown, card: string = CARDS.pays) =>
  app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card, fieldValues });
const eventsOf = async (resourceId: string): Promise<Json[]> => (await read(`/events?resourceId=${resourceId}`)).data;
const read = async (path: string) => (await app.manage("GET", path)).body;

describe("the own fields of a new Checkout (rule C14a)", () => {
  test("are shown with their defaults, and a repeated request makes no second Checkout", async () => {
    const body = { ...named(), fields: FIELDS.slice(0, 2) };
    const key = { "Idempotency-Key": "own-fields" };
    const made = await ok(create(body, key));
    expect(made).toMatchObject({
      fields: [
        { ...FIELDS[0], required: false },
        { ...FIELDS[1], required: false },
      ],
      fieldValues: null,
    });
    expect((await create(body, key)).body).toEqual(made);
    expect(await read(`/checkouts/${made.id}`)).toEqual(made);
    const [text] = (await checkout({ fields: [{ key: "note", type: "text", label: "Note" }] })).fields;
    expect(text).toEqual({ key: "note", type: "text", label: "Note", required: false, maxLength: 200 });
    expect(await checkout({ fields: null })).toMatchObject({ fields: null, fieldValues: null });
  });

  const [po, weight, size] = FIELDS as [object, object, object];
  const six = Array.from({ length: 6 }, (_, n) => ({ ...po, key: `po${n}` }));
  test.each<[string, unknown, string, string]>([
    ["a sixth one", six, "/fields", "too_many"],
    ["an empty list", [], "/fields", "too_few"],
    ["a type", [{ ...po, type: "date" }], "/fields/0/type", "invalid_value"],
    ["a key that begins with a digit", [{ ...po, key: "1st" }], "/fields/0/key", "invalid_format"],
    ["a key of upper case", [{ ...po, key: "PO" }], "/fields/0/key", "invalid_format"],
    ["a key twice", [po, { ...weight, key: "po" }], "/fields/1/key", "duplicate"],
    ["an empty label", [{ ...po, label: " " }], "/fields/0/label", "too_short"],
    ["a label in no language", [{ ...po, label: {} }], "/fields/0/label", "nothing_to_say"],
    ["a text of 501 characters", [{ ...po, maxLength: 501 }], "/fields/0/maxLength", "too_large"],
    ["a limit of another type", [{ ...po, max: 3 }], "/fields/0/max", "unknown_field"],
    ["a maximum below the minimum", [{ ...weight, max: -1 }], "/fields/0/max", "below_minimum"],
    ["a fifth decimal", [{ ...weight, max: 1.00001 }], "/fields/0/max", "too_precise"],
    ["a number that is too large", [{ ...weight, max: 1e11 + 1 }], "/fields/0/max", "too_large"],
    ["a choice of one", [{ ...size, options: OPTIONS.slice(1) }], "/fields/0/options", "too_few"],
    ["a choice without options", [{ ...size, options: undefined }], "/fields/0/options", "required"],
    ["an option twice", [{ ...size, options: [OPTIONS[0], OPTIONS[0]] }], "/fields/0/options/1/value", "duplicate"],
  ])("are refused for %s", async (_, fields, pointer, code) => {
    const { status, body } = await create({ fields });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(body.errors).toMatchObject([{ pointer, code }]);
  });

  test("are for new purchases alone", async () => {
    const { subscriptionId } = await ok(pay(await checkout({ fields: null }), undefined));
    const { status, body } = await create({ subscriptionId, productKey: "book" });
    expect([status, body.errors]).toMatchObject([422, [{ pointer: "/fields", code: "not_with_subscription" }]]);
  });
});

describe("the values at the submission (rules C14b, C14c)", () => {
  test("are on the Checkout, the Subscription, its invoices and the events (rule C14d)", async () => {
    const made = await checkout();
    const paid = await ok(pay(made, { ...VALUES, po: " 4711 " }));
    expect(paid).toMatchObject({ status: "completed", fieldValues: VALUES });
    const { subscriptionId, invoiceId } = paid;
    expect(await read(`/checkouts/${made.id}`)).toMatchObject({ fields: made.fields, fieldValues: VALUES });
    const subscription = (await app.api("GET", `/subscriptions/${subscriptionId}`)).body;
    expect(subscription.fieldValues).toEqual(VALUES);
    expect((await read(`/subscriptions/${subscriptionId}`)).fieldValues).toEqual(VALUES);
    expect((await read(`/invoices/${invoiceId}`)).fieldValues).toEqual(VALUES);
    for (const id of [made.id, subscriptionId, invoiceId]) {
      const shown = (await eventsOf(id)).map(({ data }) => data.fieldValues);
      expect(shown).toContainEqual(VALUES);
    }
    expect((await foreign.api("GET", `/checkouts/${made.id}`)).status).toBe(404);
  });

  test("of a one-time purchase, a trial and a free plan are kept as well", async () => {
    const book = await ok(pay(await checkout({ productKey: "book" }), VALUES));
    expect(await read(`/invoices/${book.invoiceId}`)).toMatchObject({ fieldValues: VALUES });
    for (const productKey of ["trial", "free"]) {
      const sold = await ok(pay(await checkout({ productKey }), VALUES));
      expect(await read(`/subscriptions/${sold.subscriptionId}`)).toMatchObject({ fieldValues: VALUES });
    }
  });

  test("that are left out are no values, and a box that is left alone is false", async () => {
    const fields = [...FIELDS.slice(0, 2), { ...FIELDS[3], required: false }];
    const paid = await ok(pay(await checkout({ fields }), { po: null, weight: null }));
    expect(paid.fieldValues).toEqual({ terms: false });
    expect((await ok(pay(await checkout({ fields: FIELDS.slice(0, 2) }), {}))).fieldValues).toEqual({});
  });

  test.each<[string, object, string, string]>([
    ["a missing choice", { size: undefined }, "/fieldValues/size", "required"],
    ["a box that is not ticked", { terms: false }, "/fieldValues/terms", "required"],
    ["a long text", { po: "123456789" }, "/fieldValues/po", "too_long"],
    ["a text of two lines", { po: "a\nb" }, "/fieldValues/po", "invalid_format"],
    ["a number as text", { weight: "5" }, "/fieldValues/weight", "invalid_number"],
    ["a fifth decimal", { weight: 1.00001 }, "/fieldValues/weight", "invalid_number"],
    ["a small number", { weight: -1 }, "/fieldValues/weight", "too_small"],
    ["a large number", { weight: 99.5001 }, "/fieldValues/weight", "too_large"],
    ["another option", { size: "huge" }, "/fieldValues/size", "invalid_value"],
    ["a box with a text", { terms: "yes" }, "/fieldValues/terms", "invalid_type"],
    ["a text that is a number", { po: 4711 }, "/fieldValues/po", "invalid_type"],
    ["an unknown key", { "a/b": "x" }, "/fieldValues/a~1b", "unknown_field"],
  ])("are refused for %s, and the Checkout stays open", async (_, wrong, pointer, code) => {
    const made = await checkout();
    const { status, body } = await pay(made, { ...VALUES, ...wrong });
    expect([status, body.code, body.errors]).toMatchObject([422, "validation_failed", [{ pointer, code }]]);
    expect(await read(`/checkouts/${made.id}`)).toMatchObject({ status: "open", fieldValues: null });
  });

  test("leave the Checkout after a failed payment", async () => {
    const made = await checkout();
    expect(await ok(pay(made, VALUES, CARDS.declined))).toMatchObject({ status: "open", fieldValues: null });
    expect((await ok(pay(made, { ...VALUES, po: "2" }))).fieldValues).toMatchObject({ po: "2" });
  });
});

describe("the page asks for the own fields without a script", () => {
  const typed = { "own-po": "4711", "own-weight": "12.5", "own-size": "small", "own-terms": "yes" };
  const agreed = { expectedAmount: "3000" };

  test("in the language of the page, and shows each fault at its field with the typed values", async () => {
    const { url } = await checkout({ locale: "de-DE" });
    const tab = openTab();
    const words = wordsOf((await tab.get(url)).text);
    for (const said of ["Bestellnummer", "Weight in kg", "Bis zu 10", "0 bis 99,5", "I agree"])
      expect(words).toContain(said);
    const wrong = { "own-po": "123456789", "own-weight": "1.234", "own-size": "" };
    const { status, text } = await tab.post(url, { ...CARD, ...agreed, ...wrong });
    expect(status).toBe(422);
    for (const said of [
      '<a href="#own-po">„Bestellnummer“: Geben Sie höchstens 8 Zeichen ein.</a>',
      '<a href="#own-weight">Geben Sie bei „Weight in kg“ eine Zahl wie 12,5 ein.</a>',
      '<a href="#own-size">Wählen Sie bei „Team size“ etwas aus.</a>',
      '<a href="#own-terms">Setzen Sie das Häkchen bei „I agree“.</a>',
    ])
      expect(text).toContain(said);
    for (const value of ["123456789", "1.234"]) expect(text).toContain(`value="${value}"`);
  });

  test("keeps them through an update of the amounts and a declined card, and sells", async () => {
    const made = await checkout();
    const tab = openTab();
    await tab.get(made.url);
    const updated = await tab.post(made.url, { ...typed, ...agreed, action: "update" });
    const declined = await tab.post(made.url, { ...CARD, number: CARDS.declined, ...agreed, ...typed });
    expect([updated.status, declined.status]).toEqual([200, 402]);
    // Another browser with the link sees none of them.
    const [again, stranger] = [await tab.get(made.url), await get(made.url)];
    for (const { text } of [updated, declined, again]) {
      expect(text).toMatch(/id="own-po"[^>]*value="4711"/);
      expect(text).toMatch(/id="own-weight"[^>]*value="12.5"/);
      expect(text).toMatch(/<option value="small" selected>/);
      expect(text).toMatch(/id="own-terms"[^>]*checked/);
    }
    expect(stranger.text).not.toMatch(/4711|12\.5"|selected|checked/);
    expect(await tab.post(made.url, { ...CARD, ...agreed, ...typed })).toMatchObject({ status: 303 });
    expect(await read(`/checkouts/${made.id}`)).toMatchObject({ status: "completed", fieldValues: VALUES });
  });

  test("forgets a box that was unticked, and refuses a text that may be a card number", async () => {
    const made = await checkout();
    const tab = openTab();
    await tab.post(made.url, { ...CARD, number: CARDS.declined, ...agreed, ...typed });
    const { "own-terms": _, ...others } = typed;
    const { status, text } = await tab.post(made.url, { ...CARD, ...agreed, ...others });
    expect(status).toBe(422);
    expect(text).not.toMatch(/id="own-terms"[^>]*checked/);
    const fields = [{ ...FIELDS[0], maxLength: 40 }];
    const long = await checkout({ fields });
    const refused = await tab.post(long.url, { ...CARD, ...agreed, "own-po": "9876 5432 1098 7654" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("This looks like a card number. Enter “PO number” here.");
    expect(refused.text).not.toContain("9876");
  });

  test.each([
    ["12,5", 12.5],
    ["１２", 12],
    ["+7", 7],
    ["0.125", 0.125],
    ["1,234", null],
    ["1 000", null],
    ["1e1", null],
    ["0.00001", null],
    ["many", null],
  ])("reads the number %j as %j", async (weight, value) => {
    const made = await checkout({ fields: [FIELDS[1]] });
    const { status, text } = await openTab().post(made.url, { ...CARD, ...agreed, "own-weight": weight });
    expect(status).toBe(value === null ? 422 : 303);
    if (value === null) expect(text).toContain("Enter a number such as 12.5 for “Weight in kg”.");
    expect((await read(`/checkouts/${made.id}`)).fieldValues).toEqual(value === null ? null : { weight: value });
  });
});

describe("the invoice prints the values (rule C14d)", () => {
  test("in its language, on the page, and on each renewal", async () => {
    const customer = { email: "druck@example.com", locale: "de" };
    const { subscriptionId } = await ok(pay(await checkout({ customer }), VALUES));
    await ok(app.manage("POST", "/sandbox/clock/advance", { to: "2026-07-02T09:00:00Z" }));
    const { data } = await read(`/invoices?subscriptionId=${subscriptionId}`);
    expect(data).toHaveLength(2);
    for (const { url, fieldValues } of data) {
      expect(fieldValues).toEqual(VALUES);
      const words = wordsOf((await get(url)).text);
      for (const said of ["Bestellnummer: 4711", "Weight in kg: 12,5", "Team size: Bis zu 10", "I agree: Ja"])
        expect(words).toContain(said);
    }
  });
});

test("a label is named without the mark at its end, and a question is followed by its answer", async () => {
  const terms = { key: "terms", type: "checkbox", label: "I accept the terms.", required: true };
  const heard = { key: "heard", type: "text", label: { en: "How did you hear of us?", ja: "きっかけは？" } };
  const made = await checkout({ fields: [terms, heard, { key: "vat", type: "text", label: "Cost centre:" }] });
  const { text } = await openTab().post(made.url, { ...CARD, expectedAmount: "3000" });
  expect(text).toContain('<a href="#own-terms">Tick “I accept the terms”.</a>');
  const { invoiceId } = await ok(pay(made, { terms: true, heard: "A friend", vat: "7" }));
  const printed = wordsOf((await get((await read(`/invoices/${invoiceId}`)).url)).text);
  for (const line of ["I accept the terms: Yes", "How did you hear of us? A friend", "Cost centre: 7"])
    expect(printed).toContain(line);
});

test("the dashboard shows the values on the Checkout, the Subscription and the invoice", async () => {
  const made = await checkout();
  const home = `/dashboard/${app.organization.id}`;
  const shown = async (path: string) => wordsOf((await owner.get(`${home}/${path}`)).text);
  expect(await shown(`checkouts/${made.id}`)).toContain("Asks for PO number, Weight in kg, Team size, I agree");
  const { customerId, invoiceId } = await ok(pay(made, VALUES));
  expect(await shown(`checkouts/${made.id}`)).toContain("PO number 4711 Weight in kg 12.5 Team size Up to 10");
  const values = ["PO number : 4711", "Weight in kg : 12.5", "Team size : Up to 10", "I agree : Yes"];
  for (const path of [`customers/${customerId}`, `invoices/${invoiceId}`])
    for (const value of values) expect(await shown(path)).toContain(value);
});

test("the dashboard makes a Checkout link with own fields, and shows their faults", async () => {
  const path = `/dashboard/${app.organization.id}/checkouts/new`;
  const { id: productId } = (await read("/products?key=pro")).data[0];
  const first = await sendOn(owner, path, await owner.get(path), { productId, action: "field" });
  expect(first.text).toContain('name="fields.0.key"');
  const size = { "fields.0.label": "Team size", "fields.0.key": "size", "fields.0.type": "choice" };
  const wrong = await sendOn(owner, path, first, size);
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain("Write at least two options, each on its own line.");
  const done = await sendOn(owner, path, wrong, { "fields.0.options": "s = Small\nLarge", "fields.0.required": "yes" });
  const made = await read(`/checkouts/${/chk_\w+/.exec(done.headers.get("Location")!)![0]}`);
  const options = [
    { value: "s", label: "Small" },
    { value: "Large", label: "Large" },
  ];
  expect(made.fields).toEqual([{ type: "choice", key: "size", label: "Team size", required: true, options }]);
  expect(wordsOf((await get(made.url)).text)).toContain("Team size Choose Small Large");
});

test("a deletion blanks the values, except on issued documents (rules C14e, I5m, I5p)", async () => {
  const made = await checkout();
  const { customerId, subscriptionId, invoiceId } = await ok(pay(made, { ...VALUES, po: "SECRET-1" }));
  expect((await app.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
  expect(await read(`/checkouts/${made.id}`)).toMatchObject({ fieldValues: null });
  expect(await read(`/subscriptions/${subscriptionId}`)).toMatchObject({ status: "canceled", fieldValues: null });
  expect(await read(`/invoices/${invoiceId}`)).toMatchObject({ fieldValues: { po: "SECRET-1" } });
  for (const id of [made.id, subscriptionId, invoiceId]) {
    const events = await eventsOf(id);
    expect(events).not.toEqual([]);
    expect(JSON.stringify(events)).not.toContain("SECRET-1");
  }
});
