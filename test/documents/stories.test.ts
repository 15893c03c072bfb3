import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { pagesOf, textOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = {
  email: "ada@example.com",
  externalId: "ada",
  name: "Ada Lovelace",
  billingAddress: { country: "DE", city: "Köln" },
};

/** A story, with its documents as a reader sees them. */
function tell(clock: string, begin: (story: Story) => Promise<void>) {
  const current = {} as { story: Story };
  beforeAll(async () => {
    current.story = await startStory({ clock: `${clock}T09:00:00Z` });
    await begin(current.story);
  });
  afterAll(() => current.story.close());
  const get = (path: string): Promise<Json> => current.story.ok(current.story.app.manage("GET", path));
  const pdf = async (path: string): Promise<Uint8Array> => {
    const { url, keys } = current.story.app;
    const answer = await fetch(`${url}/manage/v1${path}/pdf`, { headers: { Authorization: `Bearer ${keys.manage}` } });
    expect(answer.status).toBe(200);
    return answer.bytes();
  };
  return {
    current,
    get,
    pdf,
    /** The newest invoice of the Subscription. */
    newest: async (subscriptionId: string): Promise<Json> =>
      (await get(`/invoices?subscriptionId=${subscriptionId}&limit=1`)).data[0],
    /** The rows of a document, with ` | ` between columns. */
    rows: async (path: string): Promise<string[]> =>
      pagesOf(await pdf(path)).flatMap((page) => page.split("\n").map((row) => row.trim().replace(/ {2,}/g, " | "))),
  };
}

describe("discount, tax of two kinds, a balance and a refund", () => {
  let id: string;
  const { current, newest, rows, get } = tell("2026-03-01", async (story) => {
    const rates = [
      { country: "DE", name: "USt", basisPoints: 1900 },
      { country: "JP", name: "消費税", basisPoints: 1000, inclusive: true },
      { country: "AT", name: "USt", basisPoints: 2000, reverseCharge: true },
      { country: "FR", name: "TVA", basisPoints: 2000, inclusive: true, reverseCharge: true },
    ];
    await story.ok(
      story.app.manage("PATCH", "/organization", {
        taxRates: rates,
        timeZone: "Europe/Berlin",
        address: { country: "DE" },
      }),
    );
    await story.ok(
      story.app.manage("POST", "/discounts", {
        code: "LAUNCH",
        type: "percentage",
        basisPoints: 2500,
        duration: "once",
      }),
    );
    const prices = [
      { currency: "eur", amount: 10_000 },
      { currency: "jpy", amount: 1100 },
    ];
    await story.plan("pro", 0, { name: "Pro", prices });
    await story.plan("max", 0, { name: "Max", prices: [{ currency: "eur", amount: 30_000 }] });
    await story.plan("year", 36_500, { name: "Year", interval: "year", group: "years" });
    const months = { code: "HALF3", type: "percentage", basisPoints: 5000, duration: "repeating", months: 3 };
    await story.ok(story.app.manage("POST", "/discounts", months));
  });

  it("2026-03-01: a quarter off, 19 % on top, paid by card", async () => {
    const { story } = current;
    const checkout = { productKey: "pro", currency: "eur", discountCode: "LAUNCH", customer: ADA };
    ({ id } = await story.buy(checkout, CARDS.pays));
    const invoice = await newest(id);
    expect(invoice).toMatchObject({
      subtotalAmount: 10_000,
      discountAmount: 2500,
      taxAmount: 1425,
      totalAmount: 8925,
      amountPaid: 8925,
    });
    const said = await rows(`/invoices/${invoice.id}`);
    expect(said).toEqual(
      expect.arrayContaining([
        "Invoice | Paid on 1 March 2026",
        "Billing period | 1 March 2026 – 1 April 2026",
        "Description | Qty | Unit price | Tax | Amount",
        "Pro | 1 | €100.00 | 19% | €100.00",
        "1 March 2026 – 1 April 2026 · Discount −€25.00",
        "Subtotal | €100.00",
        "Discount | −€25.00",
        "USt 19% on €75.00 | €14.25",
        "Total | €89.25",
        "Amount paid | €89.25",
        "1 March 2026 | Visa •••• 4242 | €89.25",
      ]),
    );
  });

  it("2026-03-16: an upgrade bills a credit, and uses the balance", async () => {
    const { story } = current;
    await story.travel("2026-03-16");
    const { customerId } = await newest(id);
    const gift = { currency: "eur", amount: 5000, reason: "Sorry for the outage" };
    await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, gift));
    await story.change(id, { productKey: "max" });
    const invoice = await newest(id);
    expect(invoice).toMatchObject({ balanceApplied: 5000, amountPaid: invoice.totalAmount - 5000 });
    const said = await rows(`/invoices/${invoice.id}`);
    const amounts = said.filter((row) => /\| −?€/.test(row)).map((row) => row.slice(row.lastIndexOf("|") + 2));
    const euros = (amount: number) => `${amount < 0 ? "−" : ""}€${(Math.abs(amount) / 100).toFixed(2)}`;
    const { subtotalAmount, taxAmount, totalAmount, balanceApplied, amountPaid, lines } = invoice;
    const totals = [subtotalAmount, taxAmount, totalAmount, -balanceApplied, amountPaid, balanceApplied, amountPaid];
    expect(amounts).toEqual([...lines.map((line: Json) => line.amount), ...totals].map(euros));
    expect(said).toEqual(
      expect.arrayContaining([
        "16 March 2026 | Account balance | €50.00",
        expect.stringMatching(/^From the account balance/),
      ]),
    );
  });

  it("2026-03-20: a refund stands on the invoice, and on a credit note of its own", async () => {
    const { story } = current;
    await story.travel("2026-03-20");
    const invoice = await newest(id);
    await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1190 }));
    await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 595, to: "balance" }));
    await story.settle();
    const notes = (await get(`/credit-notes?invoiceId=${invoice.id}`)).data;
    const [toBalance, toCard] = notes[0].totalAmount === 595 ? notes : notes.reverse();
    const said = (await rows(`/invoices/${invoice.id}`)).join("\n");
    expect(said).toContain("Refunded | −€17.85");
    expect(said).toContain(`Refund to Visa •••• 4242 | −€11.90\nCredit note ${toCard.number}\n`);
    expect(said).toContain(`Refund to the account balance | −€5.95\nCredit note ${toBalance.number}\n`);
    const note = await rows(`/credit-notes/${toCard.id}`);
    expect(note).toEqual(
      expect.arrayContaining([
        "Credit note | €11.90 refunded",
        `Credit note number | ${toCard.number}`,
        "Date of issue | 20 March 2026",
        `For invoice | ${invoice.number}`,
        "Subtotal | €10.00",
        "USt 19% on €10.00 | €1.90",
        "Total | €11.90",
        "20 March 2026 | Visa •••• 4242 | €11.90",
      ]),
    );
    expect(await rows(`/credit-notes/${toBalance.id}`)).toContain("20 March 2026 | Account balance | €5.95");
  });

  it("2026-03-20: tax that is inside the price, in yen, stands below the total", async () => {
    const customer = { email: "yamada@example.com", name: "山田太郎", billingAddress: { country: "JP" } };
    const { id: bought } = await current.story.buy({ productKey: "pro", currency: "jpy", customer }, CARDS.pays);
    const said = await rows(`/invoices/${(await newest(bought)).id}`);
    const totals = [
      "Subtotal | JP¥1,100",
      "Total | JP¥1,100",
      "Includes 消費税 10% on JP¥1,000 | JP¥100",
      "Amount paid | JP¥1,100",
    ];
    expect(said.filter((row) => totals.includes(row))).toEqual(totals);
    expect(said).toContain("Pro | 1 | JP¥1,100 | incl. 10% | JP¥1,100");
  });

  it("2026-03-20: a discount for 3 months of a year says so, though the clocks go forward", async () => {
    const customer = { email: "months@example.com", billingAddress: { country: "GB" } };
    const { id: bought } = await current.story.buy({ productKey: "year", discountCode: "HALF3", customer }, CARDS.pays);
    // 92 of 365 days, less an hour.
    const said = await rows(`/invoices/${(await newest(bought)).id}`);
    expect(said).toContain("20 March 2026 – 20 March 2027 · Discount −US$45.98, for 3 of 12 months");
  });

  it("2026-03-20: a buyer that accounts for the tax is told so", async () => {
    const customer = {
      email: "firma@example.com",
      name: "Firma",
      billingAddress: { country: "AT" },
      taxId: { type: "eu_vat", value: "ATU13585627" },
    };
    const { id: bought } = await current.story.buy({ productKey: "pro", currency: "eur", customer }, CARDS.pays);
    const invoice = await newest(bought);
    const said = await rows(`/invoices/${invoice.id}`);
    expect(said).toEqual(
      expect.arrayContaining(["USt, reverse charge, on €100.00 | €0.00", "Total | €100.00", invoice.taxNote]),
    );
    expect(said).toContain("Pro | 1 | €100.00 | Reverse charge | €100.00");
  });

  it("2026-03-20: of a price that contains the tax, a business of another country is billed the net", async () => {
    const customer = {
      email: "firme@example.com",
      name: "Firme",
      billingAddress: { country: "FR" },
      taxId: { type: "eu_vat", value: "FR40303265045" },
    };
    const { id: bought } = await current.story.buy(
      { productKey: "pro", currency: "eur", customer, discountCode: "LAUNCH" },
      CARDS.pays,
    );
    const invoice = await newest(bought);
    expect(invoice.lines[0].taxRate).toEqual({ name: "TVA", basisPoints: 2000, inclusive: false, reverseCharge: true });
    const note = "Prices exclude tax. Reverse charge: the tax is to be accounted for by the recipient.";
    const totals = [
      "Pro | 1 | €83.33 | Reverse charge | €83.33",
      "Subtotal | €83.33",
      "Discount | −€20.83",
      "TVA, reverse charge, on €62.50 | €0.00",
      "Total | €62.50",
    ];
    const said = await rows(`/invoices/${invoice.id}`);
    expect(said).toEqual(expect.arrayContaining([...totals, "Amount paid | €62.50", note]));
    expect(said).toContain("20 March 2026 – 20 April 2026 · Discount −€20.83");
    await current.story.ok(current.story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1000 }));
    await current.story.settle();
    const [refund] = (await get(`/credit-notes?invoiceId=${invoice.id}`)).data;
    expect(await rows(`/credit-notes/${refund.id}`)).toEqual(
      expect.arrayContaining(["TVA, reverse charge, on €10.00 | €0.00", "Total | €10.00", note]),
    );
  });
});

describe("an invoice that is not paid", () => {
  const { current, newest, rows, pdf } = tell("2026-01-31", async (story) => {
    await story.plan("pro", 3000, { name: "Pro" });
  });

  it("shows the amount due, that it was paid elsewhere, or that it is void", async () => {
    const { story } = current;
    const buy = async (name: string) =>
      (await story.buy({ productKey: "pro", customer: { email: `${name}@example.com`, name } }, CARDS.failsLater)).id;
    const [ada, grace] = [await buy("Ada"), await buy("Grace")];
    await story.travel("2026-03-01");
    const [due, lost] = [await newest(ada), await newest(grace)];
    expect(due).toMatchObject({ status: "open", amountDue: 3000 });
    expect(await rows(`/invoices/${due.id}`)).toEqual(
      expect.arrayContaining([
        "Invoice | US$30.00 due",
        "Amount due | US$30.00",
        "The next payment attempt is on 3 March 2026.",
      ]),
    );
    await story.ok(story.app.manage("POST", `/invoices/${due.id}/mark-paid`, { reason: "Bank transfer 4711" }));
    const paid = await rows(`/invoices/${due.id}`);
    expect(paid).toEqual(
      expect.arrayContaining(["Invoice | Paid on 1 March 2026", "1 March 2026 | Paid by other means | US$30.00"]),
    );
    expect(paid.join("\n")).not.toContain("Bank transfer");
    await story.ok(story.app.manage("POST", `/invoices/${lost.id}/void`));
    const gone = await rows(`/invoices/${lost.id}`);
    expect(gone).toEqual(
      expect.arrayContaining([
        "Invoice | Voided on 1 March 2026",
        "Amount due | US$0.00",
        "This invoice is void. No payment is due.",
      ]),
    );
    expect(textOf(await pdf(`/invoices/${lost.id}`))).toContain(`Invoice ${lost.number} (void)`);
  });
});

describe("an invoice of 301 lines", () => {
  const { current, newest, pdf } = tell("2026-03-01", async (story) => {
    await story.plan("pro", 10_000, { name: "Professional" });
    await story.plan("max", 30_000, {
      name: "株式会社プラン — wszystko, co najlepsze dla bardzo dużych zespołów, które mają wiele do zrobienia",
    });
  });

  it("goes over pages that are numbered, each with the table's head, and comes to the total", async () => {
    const { story } = current;
    const { id } = await story.buy({ productKey: "pro", customer: ADA }, CARDS.pays);
    for (let n = 0; n < 150; n += 1) {
      const change = { productKey: n % 2 === 0 ? "max" : "pro", prorationBehavior: "next_invoice" };
      await story.travel(new Date(Date.UTC(2026, 2, 2) + n * 3_600_000).toISOString());
      await story.change(id, change);
    }
    await story.travel("2026-04-01");
    const invoice = await newest(id);
    expect(invoice.lines).toHaveLength(301);
    const pages = pagesOf(await pdf(`/invoices/${invoice.id}`));
    expect(pages.length).toBeGreaterThan(10);
    const isSplit = (page: string) => /\bDescription +Qty +Unit price +Tax +Amount\n/.test(page);
    for (const [n, page] of pages.entries()) {
      expect(page).toMatch(new RegExp(`Invoice ${invoice.number} +Page ${n + 1} of ${pages.length}\n`));
      if (/ {2}−?US\$[\d.,]+\n/.test(page) && !/Subtotal/.test(page)) expect(isSplit(page), `page ${n + 1}`).toBe(true);
    }
    const text = pages.join("\n");
    const cents = (amount: string) => Math.round(Number(amount.replace("−", "-").replaceAll(/[^\d.-]/g, "")) * 100);
    const [table = "", rest = ""] = text.split("Subtotal");
    const listed = [...table.matchAll(/ +(−?US\$[\d.,]+)\n/g)].map(([, amount]) => cents(amount!));
    expect(listed).toEqual(invoice.lines.map((line: Json) => line.amount));
    expect(cents(/Total +(−?US\$[\d.,]+)\n/.exec(rest)![1]!)).toBe(invoice.totalAmount);
  });
});
