import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2026-01-31T00:00:00Z" });
});
afterAll(() => story.close());

/** An Organization of its own for each test, because a catalogue names all that is left. */
let manage: TestCall;
let publicKey: string;
beforeEach(async () => {
  const { keys } = await story.app.otherOrganization();
  manage = caller(`${story.app.url}/manage/v1`, keys.manage);
  publicKey = keys.public;
});

const eur = (amount: number) => [{ currency: "eur", amount }];
const NOTES = {
  benefits: [
    { key: "export", type: "feature", name: "Export" },
    { key: "members", type: "feature", name: "Members", properties: { value: 10 } },
    { key: "desktop", type: "license_key", name: "Desktop", properties: { prefix: "NOTES", activationLimit: 3 } },
  ],
  products: [
    {
      key: "notes",
      name: "Notes",
      interval: "month",
      prices: eur(1200),
      trialDays: 14,
      benefits: ["export", "desktop"],
    },
    { key: "book", name: "Book", prices: eur(900), quantity: { maximum: 5 } },
  ],
  discounts: [{ code: "LAUNCH", type: "percentage", basisPoints: 2500, duration: "once", products: ["notes"] }],
};

async function push(catalogue: object, path = "/catalogue"): Promise<Json> {
  const answer = await manage(path === "/catalogue" ? "PUT" : "POST", path, catalogue);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
}
const preview = (catalogue: object) => push(catalogue, "/catalogue/preview");
const pull = async (): Promise<Json> => (await manage("GET", "/catalogue")).body;
const actions = ({ changes }: Json): string[] => changes.map((each: Json) => `${each.kind} ${each.key} ${each.action}`);
const faults = ({ status, body }: Json): unknown => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer, code }: Json) => `${pointer} ${code}`),
];

const CREATED = [
  "benefit export create",
  "benefit members create",
  "benefit desktop create",
  "product notes create",
  "product book create",
  "discount LAUNCH create",
];

describe("a catalogue", () => {
  test("is previewed without a change, made at once, and then unchanged", async () => {
    expect(actions(await preview(NOTES))).toEqual(CREATED);
    expect(await pull()).toEqual({ benefits: [], products: [], discounts: [] });
    expect((await manage("GET", "/events")).body.data).toEqual([]);
    expect((await manage("GET", "/audit-log")).body.data).toEqual([]);

    expect(actions(await push(NOTES))).toEqual(CREATED);
    expect(actions(await push(NOTES))).toEqual(CREATED.map((line) => line.replace("create", "unchanged")));
    const products = (await manage("GET", "/products")).body.data;
    expect(products).toMatchObject([
      { key: "book", interval: null, group: null, quantity: { minimum: 1, maximum: 5 } },
      {
        key: "notes",
        group: "plans",
        intervalCount: 1,
        trialDays: 14,
        benefitIds: [expect.anything(), expect.anything()],
      },
    ]);
    expect((await manage("GET", "/discounts")).body.data).toMatchObject([{ productIds: [products[1].id] }]);
    const entries = (await manage("GET", "/audit-log")).body.data;
    expect(entries.map(({ operation }: Json) => operation)).toEqual(["pushCatalogue", "pushCatalogue"]);
    const events = (await manage("GET", "/events")).body.data;
    expect(events.map(({ type }: Json) => type)).toEqual(["product.created", "product.created"]);
  });

  test("changes the fields that differ, and shows their earlier values", async () => {
    await push(NOTES);
    const [notes, book] = NOTES.products;
    const next = {
      benefits: [{ ...NOTES.benefits[1], name: "Seats", properties: { value: 20 } }],
      products: [
        { ...notes, prices: eur(1500), benefits: ["export", "members"] },
        { ...book, archived: true },
      ],
      discounts: [{ ...NOTES.discounts[0], code: "launch", maxRedemptions: 5 }],
    };
    const result = await push(next);
    expect(result.changes).toEqual([
      {
        kind: "benefit",
        key: "members",
        action: "change",
        subscriptions: 0,
        fields: [
          { name: "name", from: "Members", to: "Seats" },
          { name: "properties", from: { feature: "members", value: 10 }, to: { feature: "members", value: 20 } },
        ],
      },
      {
        kind: "product",
        key: "notes",
        action: "change",
        subscriptions: 0,
        fields: [
          { name: "prices", from: eur(1200), to: eur(1500) },
          { name: "benefits", from: ["export", "desktop"], to: ["export", "members"] },
        ],
      },
      expect.objectContaining({ key: "book", action: "archive", fields: [{ name: "archived", from: null, to: true }] }),
      expect.objectContaining({
        key: "launch",
        action: "change",
        fields: [
          { name: "code", from: "LAUNCH", to: "launch" },
          { name: "maxRedemptions", from: null, to: 5 },
        ],
      }),
    ]);
    expect(result.left).toEqual([
      { kind: "benefit", key: "export" },
      { kind: "benefit", key: "desktop" },
    ]);
    expect(actions(await push({ products: [{ ...book }] }))).toEqual(["product book restore"]);
  });

  test("counts the Subscriptions of a changed Product, which keep their price", async () => {
    await push({ ...NOTES, discounts: [] });
    const api = caller(`${story.app.url}/public/v2`, publicKey);
    const params = { productKey: "notes", customer: { email: "ada@example.com" } };
    const { id } = (await api("POST", "/checkouts", params)).body;
    const paid = (await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays })).body;
    const before = (await api("GET", `/subscriptions/${paid.subscriptionId}`)).body;
    const [notes] = NOTES.products;
    const { changes } = await push({ products: [{ ...notes, prices: eur(2000) }] });
    expect(changes).toMatchObject([{ key: "notes", subscriptions: 1 }]);
    expect((await api("GET", `/subscriptions/${paid.subscriptionId}`)).body).toEqual(before);
  });

  test("that is refused in one row changes no row, and names the place", async () => {
    await push(NOTES);
    const [notes] = NOTES.products;
    const fresh = { key: "fresh", type: "feature", name: "Fresh" };
    const refused = async (catalogue: object) => faults(await manage("PUT", "/catalogue", catalogue));
    const wrong = { benefits: [fresh], products: [{ ...notes, interval: "year" }] };
    expect(await refused(wrong)).toEqual([422, "validation_failed", "/products/0/interval fixed"]);
    expect(faults(await manage("POST", "/catalogue/preview", wrong))).toEqual(await refused(wrong));
    expect(await refused({ products: [{ ...notes, benefits: ["export", "exprt"] }] })).toEqual([
      422,
      "validation_failed",
      "/products/0/benefits/1 not_found",
    ]);
    expect(
      await refused({ benefits: [fresh], discounts: [{ ...NOTES.discounts[0], products: ["notes", "no"] }] }),
    ).toEqual([422, "validation_failed", "/discounts/0/products/1 not_found"]);
    const file = { key: "file", type: "download", name: "File", properties: { files: [{ path: "no.zip" }] } };
    expect(await refused({ benefits: [fresh, file] })).toEqual([
      422,
      "validation_failed",
      "/benefits/1/properties/files/0/path file_missing",
    ]);
    expect(await refused({ benefits: [{ type: "feature", name: "No key" }], products: [notes, notes] })).toEqual([
      422,
      "validation_failed",
      "/benefits/0/key missing",
      "/products/1/key duplicate",
    ]);
    const { id: exportId } = (await manage("GET", "/benefits?key=export")).body.data[0];
    for (const again of ["export", exportId])
      expect(await refused({ products: [{ ...notes, benefits: ["export", "desktop", again] }] })).toEqual([
        422,
        "validation_failed",
        "/products/0/benefits/2 duplicate",
      ]);
    // One code, as codes are compared.
    const codes = ["STRASSE", "straße"].map((code) => ({ ...NOTES.discounts[0], code }));
    expect(await refused({ discounts: codes })).toEqual([422, "validation_failed", "/discounts/1/code duplicate"]);
    const members = (await manage("GET", "/benefits?key=members")).body.data[0].id;
    await manage("DELETE", `/benefits/${members}`);
    const again = await manage("PUT", "/catalogue", { benefits: [fresh, NOTES.benefits[1]] });
    expect(faults(again)).toEqual([409, "key_taken", "/benefits/1/key taken"]);
    expect((await pull()).benefits.map(({ key }: Json) => key)).toEqual(["export", "desktop"]);
  });

  test("names the Products of a Discount in any order", async () => {
    const discount = { ...NOTES.discounts[0], products: ["notes", "book"] };
    await push({ ...NOTES, discounts: [discount] });
    expect(actions(await push({ discounts: [{ ...discount, products: ["book", "notes"] }] }))).toEqual([
      "discount LAUNCH unchanged",
    ]);
    const other = await manage("PUT", "/catalogue", { discounts: [{ ...discount, products: ["book"] }] });
    expect(faults(other)).toEqual([422, "validation_failed", "/discounts/0/products fixed"]);
  });

  test("of another Organization stays out of sight", async () => {
    await push(NOTES);
    const { keys } = await story.app.otherOrganization();
    const other = caller(`${story.app.url}/manage/v1`, keys.manage);
    expect((await other("GET", "/catalogue")).body).toEqual({ benefits: [], products: [], discounts: [] });
    const answer = await other("PUT", "/catalogue", { products: [NOTES.products[0]] });
    expect(faults(answer)).toEqual([422, "validation_failed", "/products/0/benefits/0 not_found"]);
  });

  test("can be pushed twice at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => manage("PUT", "/catalogue", NOTES)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await pull()).products).toHaveLength(2);
  });
});

const name = fc.constantFrom("a", "b", "c", "d");
const metadata = fc.option(fc.constantFrom({ rank: 1 }, { note: "x" }), { nil: undefined });
const anyBenefit = fc.oneof(
  fc.record({ type: fc.constant("feature"), value: fc.oneof(fc.boolean(), fc.integer(), fc.constant("gold")) }),
  fc.record({ type: fc.constant("custom"), note: fc.option(fc.constant("Hello")) }),
  fc.record({ type: fc.constant("license_key"), activationLimit: fc.option(fc.integer({ min: 1, max: 9 })) }),
);
const anyProduct = fc.record({
  interval: fc.constantFrom("month", "year", null),
  group: fc.constantFrom(undefined, null, "plans", "addons"),
  trialDays: fc.constantFrom(null, 7),
  quantity: fc.constantFrom(undefined, {}, { maximum: 4 }, { minimum: 2 }),
  amounts: fc.uniqueArray(fc.constantFrom("usd", "eur", "jpy"), { minLength: 1 }),
  benefits: fc.uniqueArray(name),
  description: fc.constantFrom(undefined, null, "A plan."),
  archived: fc.boolean(),
  metadata,
});
const anyDiscount = fc.record({
  duration: fc.constantFrom("once", "repeating", "forever"),
  isFixed: fc.boolean(),
  products: fc.option(fc.uniqueArray(name, { minLength: 1 })),
  endsAt: fc.constantFrom(null, "2027-01-01T00:00:00.000Z"),
});

/** Rows named a, b, c, d, of which a Product or a Discount names only earlier ones. */
const anyCatalogue = fc
  .tuple(...[anyBenefit, anyProduct, anyDiscount].map((each) => fc.array(each as fc.Arbitrary<Json>, { maxLength: 4 })))
  .map(([benefits = [], products = [], discounts = []]) => {
    const keys = "abcd";
    const within = (names: string[], count: number) => names.filter((each) => keys.indexOf(each) < count);
    return {
      benefits: benefits.map(({ type, ...properties }, n) => ({
        key: keys[n],
        type,
        name: `Benefit ${n}`,
        properties,
      })),
      products: products.map(({ amounts, ...row }, n) => ({
        ...row,
        key: keys[n],
        name: `Product ${n}`,
        ...(row.interval === null && { group: null, trialDays: null }),
        prices: amounts.map((currency: string) => ({ currency, amount: 5000 })),
        benefits: within(row.benefits, benefits.length),
      })),
      discounts: discounts.map(({ isFixed, products: names, ...row }, n) => ({
        ...row,
        code: keys[n],
        ...(isFixed ? { type: "fixed", amount: 100, currency: "usd" } : { type: "percentage", basisPoints: 1000 }),
        months: row.duration === "repeating" ? 3 : null,
        products: names && within(names, products.length).length > 0 ? within(names, products.length) : null,
      })),
    };
  });

test("a pulled catalogue has no changes, here and after a push elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(anyCatalogue, async (catalogue) => {
      const [here, there] = [await story.app.otherOrganization(), await story.app.otherOrganization()];
      manage = caller(`${story.app.url}/manage/v1`, here.keys.manage);
      await push(catalogue);
      const pulled = await pull();
      const unchanged = actions(await preview(pulled)).filter((line) => !line.endsWith(" unchanged"));
      expect(unchanged).toEqual([]);
      expect(actions(await preview(catalogue)).filter((line) => !line.endsWith(" unchanged"))).toEqual([]);
      manage = caller(`${story.app.url}/manage/v1`, there.keys.manage);
      await push(pulled);
      expect(await pull()).toEqual(pulled);
    }),
    { numRuns: 20 },
  );
});
