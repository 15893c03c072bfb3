import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("a bank asks about a charge, and takes it back later", () => {
  let story: Story;
  let subscriptionId: string;
  let payment: Json;
  let inquiry: Json;
  const post = (path: string, body?: object) => story.app.manage("POST", path, body);

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 10_000);
    ({ id: subscriptionId } = await story.buy(
      { productKey: "ten", customer: { email: "ada@example.com" } },
      CARDS.pays,
    ));
    [payment] = (await story.ok(story.app.manage("GET", "/payments"))).data;
    await story.news();
  });
  afterEach(async () => expect(await story.audit()).toEqual([]));
  afterAll(() => story.close());

  it("2025-06-10: the bank asks, and no money moves", async () => {
    await story.travel("2025-06-10T09:00:00Z");
    const made = await post(`/sandbox/payments/${payment.id}/dispute`, { inquiry: true, amount: 6000 });
    inquiry = made.body;
    expect(made.status).toBe(201);
    expect(inquiry).toMatchObject({
      status: "inquiry",
      amount: 6000,
      evidenceDueAt: "2025-06-17T09:00:00.000Z",
      fee: null,
      closedAt: null,
    });
    expect(await story.news()).toEqual(["dispute.created"]);
  });

  it("2025-06-10: a second inquiry of the same charge is refused, and so is a decision", async () => {
    const again = await post(`/sandbox/payments/${payment.id}/dispute`, { inquiry: true });
    expect([again.status, again.body.code]).toEqual([409, "already_disputed"]);
    const decided = await post(`/sandbox/disputes/${inquiry.id}/close`, { outcome: "won" });
    expect([decided.status, decided.body.code]).toEqual([409, "dispute_outcome_mismatch"]);
  });

  it("2025-06-11: a part of the charge is refunded as usual", async () => {
    await story.travel("2025-06-11T09:00:00Z");
    await story.ok(post(`/invoices/${payment.invoiceId}/refunds`, { amount: 5000 }));
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
  });

  it("2025-06-15: the bank takes the rest of the charge, not more", async () => {
    await story.travel("2025-06-15T09:00:00Z");
    const open = await story.ok(post(`/sandbox/disputes/${inquiry.id}/escalate`));
    expect(open).toMatchObject({ id: inquiry.id, status: "open", amount: 5000, fee: 1500, feeCurrency: "usd" });
    expect(await story.news()).toEqual(["dispute.updated"]);
    const twice = await post(`/sandbox/disputes/${inquiry.id}/escalate`);
    expect([twice.status, twice.body.code]).toEqual([409, "dispute_not_inquiry"]);
  });

  it("2025-06-20: the seller wins, and the money is back", async () => {
    await story.travel("2025-06-20T09:00:00Z");
    expect(await story.ok(post(`/sandbox/disputes/${inquiry.id}/close`, { outcome: "won" }))).toMatchObject({
      status: "won",
      closedAt: "2025-06-20T09:00:00.000Z",
    });
    expect(await story.news()).toEqual(["dispute.closed"]);
  });

  it("2025-06-21: another inquiry ends, and the renewal charges the card as before", async () => {
    await story.travel("2025-06-21T09:00:00Z");
    const { id } = await story.ok(post(`/sandbox/payments/${payment.id}/dispute`, { inquiry: true }));
    expect(await story.ok(post(`/sandbox/disputes/${id}/close`, { outcome: "closed" }))).toMatchObject({
      status: "closed",
    });
    expect(await story.news()).toEqual(["dispute.created", "dispute.closed"]);
    await story.travel("2025-07-02");
    expect(await story.subscription(subscriptionId)).toMatchObject({ status: "active" });
    expect(await story.news()).toContain("subscription.renewed");
  });
});
