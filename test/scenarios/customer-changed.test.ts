import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("a Customer that is changed, and a balance that is adjusted", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  const manage = (method: string, path: string, body?: object) => story.ok(story.app.manage(method, path, body));
  const newest = async (): Promise<Json> => (await manage("GET", "/invoices?limit=1")).data[0];
  const adjust = (amount: number) =>
    manage("POST", `/customers/${customerId}/balance-adjustments`, { currency: "usd", amount, reason: "Goodwill" });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
    const customer = { email: "ada@example.com", name: "Ada", billingAddress: { country: "GB" } };
    ({ id, customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-01-20: is shown as changed from now on; issued invoices stay as they were (rule I2)", async () => {
    await story.travel("2025-01-20");
    await manage("PATCH", `/customers/${customerId}`, {
      name: "Ada Lovelace",
      billingAddress: { country: "FR", city: "Paris" },
    });
    expect(await story.news()).toEqual(["customer.updated"]);
    expect((await newest()).buyer).toMatchObject({ name: "Ada", address: { country: "GB", city: null } });
    await story.travel("2025-02-10");
    expect((await newest()).buyer).toMatchObject({ name: "Ada Lovelace", address: { country: "FR", city: "Paris" } });
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2025-02-10 → 2025-03-10"]);
  });

  it("2025-03-10: a renewal uses the amount that was given (rule M4)", async () => {
    await adjust(1000);
    await story.travel("2025-03-10");
    expect((await story.statement())[0]).toBe("0003 renewal paid 3000 (balance 1000)");
    expect(await story.balance(customerId)).toBe(0);
    const entries = (await manage("GET", `/customers/${customerId}/balance-entries`)).data;
    expect(entries).toMatchObject([
      { amount: -1000, reason: "invoice", note: null, invoiceId: (await newest()).id },
      { amount: 1000, reason: "adjustment", note: "Goodwill", invoiceId: null },
    ]);
  });

  it("2025-04-10: a renewal collects the amount that was taken", async () => {
    await adjust(-500);
    await story.travel("2025-04-10");
    expect((await story.statement())[0]).toBe("0004 renewal paid 3000 (balance -500)");
    expect(await story.balance(customerId)).toBe(0);
  });

  it("2025-04-12, 2025-04-13: due work comes first, with Customer and balance as they were (rule T3)", async () => {
    await story.travel("2025-04-12");
    await story.endPeriod(id);
    await manage("PATCH", `/customers/${customerId}`, { name: "Augusta" });
    expect((await newest()).buyer).toMatchObject({ name: "Ada Lovelace" });
    await story.settle();
    await story.travel("2025-04-13");
    await story.endPeriod(id);
    await adjust(700);
    expect(await newest()).toMatchObject({ balanceApplied: 0, buyer: { name: "Augusta" } });
    await story.settle();
    expect(await story.balance(customerId)).toBe(700);
    expect(await story.audit()).toEqual([]);
  });
});
