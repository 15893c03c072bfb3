import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const YEAR = { interval: "year" };
const line = ({ description, amount }: Json) => `${description} ${amount}`;

/** The worked examples of rule P. Dates mean 9:00, so dates are whole days apart. */
describe("a change at once, as the rules work it out", () => {
  const examples: {
    what: string;
    from: [amount: number, more?: object];
    to: [amount: number, more?: object];
    bought: string;
    changed: string;
    lines: string[];
    charge: number;
    end: string;
  }[] = [
    {
      what: "half of a month is left",
      from: [10_000],
      to: [30_000],
      bought: "2025-06-01",
      changed: "2025-06-16",
      lines: ["old, unused rest of the period -5000", "new, rest of the period 15000"],
      charge: 10_000,
      end: "2025-07-01",
    },
    {
      what: "two thirds of a month are left",
      from: [10_000],
      to: [30_000],
      bought: "2025-06-01",
      changed: "2025-06-11",
      lines: ["old, unused rest of the period -6667", "new, rest of the period 20000"],
      charge: 13_333,
      end: "2025-07-01",
    },
    {
      what: "from a month to a year",
      from: [10_000],
      to: [100_000, YEAR],
      bought: "2025-06-01",
      changed: "2025-06-16",
      lines: ["old, unused rest of the period -5000", "new 100000"],
      charge: 95_000,
      end: "2026-06-16",
    },
    {
      what: "two months into a year",
      from: [100_000, YEAR],
      to: [300_000, YEAR],
      bought: "2024-08-01",
      changed: "2024-10-01",
      lines: ["old, unused rest of the period -83288", "new, rest of the period 249863"],
      charge: 166_575,
      end: "2025-08-01",
    },
    {
      what: "in the first instant",
      from: [1000],
      to: [2000],
      bought: "2025-06-01",
      changed: "2025-06-01",
      lines: ["old, unused rest of the period -1000", "new, rest of the period 2000"],
      charge: 1000,
      end: "2025-07-01",
    },
    {
      what: "amounts that don't divide",
      from: [999],
      to: [1999],
      bought: "2025-06-01",
      changed: "2025-06-11",
      lines: ["old, unused rest of the period -666", "new, rest of the period 1333"],
      charge: 667,
      end: "2025-07-01",
    },
    {
      what: "each line is rounded alone (rule M2)",
      from: [501],
      to: [601],
      bought: "2025-06-01",
      changed: "2025-06-16",
      lines: ["old, unused rest of the period -251", "new, rest of the period 301"],
      charge: 50,
      end: "2025-07-01",
    },
  ];

  test.each(examples)("$what: $charge", async ({ from, to, bought, changed, lines, charge, end }) => {
    const story = await startStory({ clock: `${bought}T09:00:00Z` });
    try {
      await story.plan("old", ...from);
      await story.plan("new", ...to);
      const { id } = await story.buy(
        { productKey: "old", customer: { email: "ada@example.com", externalId: "ada" } },
        CARDS.pays,
      );
      await story.travel(changed);
      const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "new" }));
      await story.news();
      await story.statement();
      expect(await story.change(id, { productKey: "new" })).toMatchObject({
        amount: to[0],
        currentPeriodEnd: `${end}T09:00:00.000Z`,
      });
      expect(await story.news()).toEqual([
        "payment.succeeded",
        "subscription.updated",
        "invoice.created",
        "invoice.paid",
      ]);
      const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data;
      expect(invoice).toMatchObject({
        reason: "product_change",
        status: "paid",
        totalAmount: charge,
        amountPaid: charge,
        balanceApplied: 0,
      });
      expect(invoice.lines.map(line)).toEqual(lines);
      expect(preview).toMatchObject({
        chargeAmount: charge,
        balanceChange: 0,
        nextInvoice: { date: `${end}T09:00:00.000Z`, totalAmount: to[0] },
      });
      expect(invoice.lines).toMatchObject(preview.lines);
      await story.travel(end);
      expect((await story.statement()).at(-2)).toMatch(new RegExp(` renewal paid ${to[0]}$`));
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });
});

/** Every `prorationBehavior`, one after the other on one Subscription. */
describe("a Customer that changes often", () => {
  let story: Story;
  let id: string;
  let customer: string;
  const change = (productKey: string, prorationBehavior: string) => story.change(id, { productKey, prorationBehavior });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 1000);
    await story.plan("twenty", 2000);
    await story.plan("sixty", 6000);
    await story.plan("year", 60_000, YEAR);
    ({ id, customerId: customer } = await story.buy(
      { productKey: "ten", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.pays,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-11: `none` changes the Product and bills nothing", async () => {
    await story.travel("2025-06-11");
    expect(await change("twenty", "none")).toMatchObject({
      amount: 2000,
      currentPeriodEnd: "2025-07-01T09:00:00.000Z",
    });
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(await story.statement()).toEqual([]);
  });

  it("2025-06-21: back at once; the credit is of the paid rate, so that both sides are even (rule P3)", async () => {
    await story.travel("2025-06-21");
    expect(await change("ten", "invoice_now")).toMatchObject({ amount: 1000 });
    expect(await story.news()).toEqual(["subscription.updated", "invoice.created", "invoice.paid"]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid 0",
      "     twenty, unused rest of the period -333 2025-06-21 → 2025-07-01",
      "     ten, rest of the period 333 2025-06-21 → 2025-07-01",
    ]);
    expect(await story.balance(customer)).toBe(0);
  });

  it("2025-07-11, 2025-07-21: `next_invoice` twice; all four lines wait", async () => {
    await story.travel("2025-07-01");
    expect(await story.statement()).toEqual(["0003 renewal paid 1000", "     ten 1000 2025-07-01 → 2025-08-01"]);
    await story.news();
    await story.travel("2025-07-11T21:00:00Z"); // 20.5 of 31 days are left: 661 and 1323
    await change("twenty", "next_invoice");
    await story.travel("2025-07-21T21:00:00Z"); // 10.5 of 31 days: 677 and 2032
    await change("sixty", "next_invoice");
    expect(await story.news()).toEqual(["subscription.updated", "subscription.updated"]);
    expect(await story.statement()).toEqual([]);
  });

  it("2025-08-01: the next invoice takes them in before the new period", async () => {
    await story.travel("2025-08-01");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual([
      "0004 renewal paid 8017",
      "     ten, unused rest of the period -661 2025-07-11 → 2025-08-01",
      "     twenty, rest of the period 1323 2025-07-11 → 2025-08-01",
      "     twenty, unused rest of the period -677 2025-07-21 → 2025-08-01",
      "     sixty, rest of the period 2032 2025-07-21 → 2025-08-01",
      "     sixty 6000 2025-08-01 → 2025-09-01",
    ]);
  });

  it("2025-08-16: a downgrade at once becomes balance, and no card is refunded (rule P2)", async () => {
    await story.travel("2025-08-16T21:00:00Z"); // half of 31 days
    await change("ten", "invoice_now");
    expect(await story.statement()).toEqual([
      "0005 product_change paid -2500 (balance -2500)",
      "     sixty, unused rest of the period -3000 2025-08-16 → 2025-09-01",
      "     ten, rest of the period 500 2025-08-16 → 2025-09-01",
    ]);
    expect(await story.balance(customer)).toBe(2500);
    await story.news();
  });

  it("2025-09-01 to 2025-11-01: renewals use the balance up, then the card again", async () => {
    await story.travel("2025-10-05");
    const renewal = ["subscription.renewed", "invoice.created", "invoice.paid"];
    expect(await story.news()).toEqual([...renewal, ...renewal]);
    expect(await story.balance(customer)).toBe(500);
    await story.travel("2025-11-01");
    expect(await story.statement()).toEqual([
      "0006 renewal paid 1000 (balance 1000)",
      "     ten 1000 2025-09-01 → 2025-10-01",
      "0007 renewal paid 1000 (balance 1000)",
      "     ten 1000 2025-10-01 → 2025-11-01",
      "0008 renewal paid 1000 (balance 500)",
      "     ten 1000 2025-11-01 → 2025-12-01",
    ]);
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.balance(customer)).toBe(0);
  });

  it("2025-11-16: an invoice at once takes in the waiting lines (rule S4)", async () => {
    await story.travel("2025-11-11");
    await change("twenty", "next_invoice");
    await story.travel("2025-11-16");
    await change("sixty", "invoice_now");
    expect(await story.statement()).toEqual([
      "0009 product_change paid 2666",
      "     ten, unused rest of the period -667 2025-11-11 → 2025-12-01",
      "     twenty, rest of the period 1333 2025-11-11 → 2025-12-01",
      "     twenty, unused rest of the period -1000 2025-11-16 → 2025-12-01",
      "     sixty, rest of the period 3000 2025-11-16 → 2025-12-01",
    ]);
  });

  it("2025-12-16: over to years with `next_invoice`, which is billed at once, as a new period begins", async () => {
    await story.travel("2025-12-16T21:00:00Z");
    expect(await story.statement()).toEqual(["0010 renewal paid 6000", "     sixty 6000 2025-12-01 → 2026-01-01"]);
    expect(await change("year", "next_invoice")).toMatchObject({
      currentPeriodStart: "2025-12-16T21:00:00.000Z",
      currentPeriodEnd: "2026-12-16T21:00:00.000Z",
    });
    expect(await story.statement()).toEqual([
      "0011 product_change paid 57000",
      "     sixty, unused rest of the period -3000 2025-12-16 → 2026-01-01",
      "     year 60000 2025-12-16 → 2026-12-16",
    ]);
  });

  it("2026-05-11: back to months; the rest of the year pays for them", async () => {
    await story.travel("2026-05-11T21:00:00Z"); // 219 of 365 days are left
    await change("sixty", "invoice_now");
    expect(await story.statement()).toEqual([
      "0012 product_change paid -30000 (balance -30000)",
      "     year, unused rest of the period -36000 2026-05-11 → 2026-12-16",
      "     sixty 6000 2026-05-11 → 2026-06-11",
    ]);
    expect(await story.balance(customer)).toBe(30_000);
    await story.travel("2026-10-11T21:00:00Z");
    expect(await story.balance(customer)).toBe(0);
    expect((await story.statement()).filter((entry) => !entry.startsWith(" "))).toEqual([
      "0013 renewal paid 6000 (balance 6000)",
      "0014 renewal paid 6000 (balance 6000)",
      "0015 renewal paid 6000 (balance 6000)",
      "0016 renewal paid 6000 (balance 6000)",
      "0017 renewal paid 6000 (balance 6000)",
    ]);
  });

  it("2026-10-26: to a year with `none`: the new period in full, and no credit", async () => {
    await story.travel("2026-10-26T21:00:00Z");
    expect(await change("year", "none")).toMatchObject({
      amount: 60_000,
      currentPeriodEnd: "2027-10-26T21:00:00.000Z",
    });
    expect(await story.statement()).toEqual([
      "0018 product_change paid 60000",
      "     year 60000 2026-10-26 → 2027-10-26",
    ]);
  });

  it("2027-10-26: everything is paid, and the provider's book says the same", async () => {
    await story.travel("2027-10-26T20:59:59Z");
    expect(await story.statement()).toEqual([]);
    const { paid, captured } = await story.books();
    expect(captured).toEqual([500, 1000, 1000, 2666, 6000, 8017, 57_000, 60_000]);
    expect(paid).toEqual(captured);
    expect(await story.audit()).toEqual([]);
  });
});

describe("amounts too small to charge (rule M5)", () => {
  let story: Story;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 1000);
    await story.plan("more", 1040);
    await story.plan("thirty", 2960);
  });
  afterAll(() => story.close());

  it("2025-06-16: a change that comes to 20 is paid, and the 20 are owed to the next invoice", async () => {
    const { id, customerId } = await story.buy(
      { productKey: "ten", customer: { email: "ada@example.com" } },
      CARDS.pays,
    );
    await story.travel("2025-06-16");
    await story.news();
    await story.change(id, { productKey: "more" });
    expect(await story.news()).toEqual(["subscription.updated", "invoice.created", "invoice.paid"]);
    expect((await story.statement()).at(-3)).toBe("0002 product_change paid 20 (balance 20)");
    expect(await story.balance(customerId)).toBe(-20);
    await story.travel("2025-07-01");
    expect(await story.statement()).toEqual([
      "0003 renewal paid 1040 (balance -20)",
      "     more 1040 2025-07-01 → 2025-08-01",
    ]);
    expect(await story.balance(customerId)).toBe(0);
    expect((await story.books()).captured).toEqual([1000, 1060]);
    await story.change(id, { cancelAtPeriodEnd: true });
  });

  it("2025-09-01: a renewal of which the balance leaves 20 is paid, and the 20 are owed to the next", async () => {
    await story.travel("2025-08-01");
    const { id, customerId } = await story.buy(
      { productKey: "thirty", customer: { email: "grace@example.com" } },
      CARDS.pays,
    );
    await story.travel("2025-08-16T21:00:00Z");
    await story.change(id, { productKey: "ten" });
    expect(await story.balance(customerId)).toBe(980);
    await story.statement();
    await story.travel("2025-09-01");
    expect(await story.statement()).toEqual([
      "0003 renewal paid 1000 (balance 1000)",
      "     ten 1000 2025-09-01 → 2025-10-01",
    ]);
    expect(await story.balance(customerId)).toBe(-20);
    await story.travel("2025-10-01");
    expect(await story.statement()).toEqual([
      "0004 renewal paid 1000 (balance -20)",
      "     ten 1000 2025-10-01 → 2025-11-01",
    ]);
    expect((await story.books()).captured).toEqual([1000, 1020, 1060, 2960]);
    expect(await story.audit()).toEqual([]);
  });
});
