import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { textOf } from "../support/pdf.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const FIELDS = [
  { key: "po", type: "text", label: { en: "PO number", de: "Bestellnummer" }, required: true },
  { key: "weight", type: "number", label: "Weight in kg", min: 0 },
  {
    key: "size",
    type: "choice",
    label: "Team size",
    options: [
      { value: "small", label: { en: "Up to 10", de: "Bis zu 10" } },
      { value: "large", label: "More" },
    ],
  },
  { key: "terms", type: "checkbox", label: "I agree", required: true },
];
const VALUES = { po: "4711", weight: 12.5, size: "small", terms: true };
const IN_ENGLISH = ["PO number: 4711", "Weight in kg: 12.5", "Team size: Up to 10", "I agree: Yes"];
const IN_GERMAN = ["Bestellnummer: 4711", "Weight in kg: 12,5", "Team size: Bis zu 10", "I agree: Ja"];
const BOUGHT = ["customer.created", "subscription.created", "payment.succeeded", "invoice.created", "invoice.paid"];

/** A German buyer types an e-mail and the values, is moved to another plan, and leaves (rule C14). */
describe("the own fields of a sale", () => {
  let story: Story;
  let sold: Json;
  let customerId: string;

  const manage = (method: string, path: string, body?: object): Promise<Json> =>
    story.ok(story.app.manage(method, path, body));
  const invoices = async (): Promise<Json[]> => (await manage("GET", `/invoices?customerId=${customerId}`)).data;
  const pdfOf = async ({ url }: Json) => textOf(await (await fetch(`${url}/pdf`)).bytes());
  /** The values of the events since the last look that have any, by type. */
  let seen = 0;
  const valuesTold = async (): Promise<[string, unknown][]> => {
    const events = await story.events();
    const fresh = events.slice(seen);
    seen = events.length;
    return fresh
      .filter(({ data }) => data.fieldValues != null)
      .map(({ type, data }) => [type as string, data.fieldValues as unknown]);
  };

  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-31T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    await story.plan("pro", 3000, { name: "Pro" });
    await story.plan("max", 6000, { name: "Max" });
    await story.plan("book", 4900, { name: "Book", interval: null });
    await story.news();
    await valuesTold();
  });
  afterAll(() => story.close());

  it("2026-01-31: a declined card leaves no value, and the sale has them all", async () => {
    const made = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "pro", fields: FIELDS, locale: "de-DE" }),
    );
    const buyer = { email: "ada@example.com", billingAddress: { country: "DE" }, fieldValues: VALUES };
    const pay = (card: string) => manage("POST", `/sandbox/checkouts/${made.id}/pay`, { ...buyer, card });
    expect(await pay(CARDS.declined)).toMatchObject({ status: "open", fieldValues: null });
    sold = await pay(CARDS.pays);
    ({ customerId } = sold);
    expect(sold).toMatchObject({ status: "completed", fieldValues: VALUES });
    expect(await story.news()).toEqual(expect.arrayContaining([...BOUGHT, "checkout.completed"]));
    const types = (await valuesTold()).map(([type, values]) => [type, JSON.stringify(values)]);
    const said = JSON.stringify(VALUES);
    expect(types).toEqual([
      ["subscription.created", said],
      ["invoice.created", said],
      ["invoice.paid", said],
      ["checkout.completed", said],
    ]);
    expect(await story.statement()).toEqual(["0001 checkout paid 3000", "     Pro 3000 2026-01-31 → 2026-02-28"]);
  });

  it("2026-02-28: the renewal repeats them, on the last day of a short month", async () => {
    await manage("PATCH", `/customers/${customerId}`, { locale: "de" });
    await story.travel("2026-02-28");
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     Pro 3000 2026-02-28 → 2026-03-31"]);
    const types = new Set((await valuesTold()).map(([type]) => type));
    expect([...types]).toEqual(expect.arrayContaining(["invoice.created", "invoice.paid", "subscription.renewed"]));
    for (const invoice of await invoices()) expect(invoice.fieldValues).toEqual(VALUES);
  });

  it("2026-03-10: the invoice of a change has them, and a purchase beside has none", async () => {
    await story.travel("2026-03-10");
    await story.change(sold.subscriptionId, { productKey: "max" });
    await story.buy({ productKey: "book", customerId }, CARDS.pays);
    const [book, change] = await invoices();
    expect([change!.reason, change!.fieldValues, book!.fieldValues]).toEqual(["product_change", VALUES, null]);
    expect(await pdfOf(book!)).not.toContain("4711");
    expect(await story.statement()).toEqual([
      "0003 product_change paid 2033",
      "     Pro, unused rest of the period -2032 2026-03-10 → 2026-03-31",
      "     Max, rest of the period 4065 2026-03-10 → 2026-03-31",
      "0004 checkout paid 4900",
      "     Book 4900",
    ]);
  });

  it("prints label and value once into each PDF, in the language of the document", async () => {
    const [first, ...later] = (await invoices()).filter(({ fieldValues }) => fieldValues !== null).reverse();
    expect(later).toHaveLength(2);
    for (const [invoice, lines] of [
      [first!, IN_ENGLISH],
      ...later.map((each) => [each, IN_GERMAN] as const),
    ] as const) {
      const text = await pdfOf(invoice);
      for (const line of lines) expect(text.split(line), `${invoice.number}: ${line}`).toHaveLength(2);
    }
  });

  it("shows them to the buyer in the portal, in the buyer's language", async () => {
    const there = await signInTo(story, customerId);
    const words = wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text);
    expect(words).toContain("Bestellnummer 4711 Weight in kg 12,5 Team size Bis zu 10 I agree Ja");
  });

  it("gives them out with the Customer's data, and keeps them out of the audit log", async () => {
    const data = await manage("GET", `/customers/${customerId}/export`);
    for (const list of ["checkouts", "subscriptions", "invoices"])
      expect(data[list], list).toContainEqual(expect.objectContaining({ fieldValues: VALUES }));
    const log = await manage("GET", "/audit-log?operation=paySandboxCheckout");
    expect(log.data.length).toBeGreaterThan(0);
    expect(JSON.stringify(log)).not.toMatch(/12\.5|4711|small/);
    expect(JSON.stringify(log)).toContain('"fieldValues"');
  });

  it("2026-03-20: a deletion blanks them everywhere but on the documents (rules C14e, I5m)", async () => {
    await story.travel("2026-03-20");
    expect((await story.app.manage("DELETE", `/customers/${customerId}?forfeitBalance=true`)).status).toBe(204);
    expect((await manage("GET", `/checkouts/${sold.id}`)).fieldValues).toBeNull();
    expect((await manage("GET", `/subscriptions/${sold.subscriptionId}`)).fieldValues).toBeNull();
    expect(JSON.stringify(await story.events())).not.toContain("4711");
    expect(await manage("GET", `/invoices/${sold.invoiceId}`)).toMatchObject({ fieldValues: VALUES });
    await story.settle();
    const { paid, captured } = await story.books();
    expect(captured).toEqual(paid);
    expect(await story.audit()).toEqual([]);
  });
});
