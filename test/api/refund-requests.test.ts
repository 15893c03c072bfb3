import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { keepsSilent } from "../support/bank.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { openRefundShop, refused, type RefundShop } from "../support/refunds.ts";
import { CARDS, type Story } from "../support/story.ts";

let shop: RefundShop;
let story: Story;
let foreign: Awaited<ReturnType<typeof foreignCallersOf>>;
beforeAll(async () => {
  shop = await openRefundShop();
  ({ story } = shop);
  foreign = await foreignCallersOf(story.app);
});
afterAll(async () => {
  await shop.expectToAgree();
  await story.close();
});

describe("a refused request", () => {
  let invoice: Json;
  beforeAll(async () => {
    invoice = await shop.sell("pro");
  });

  test.each<[what: object | string, pointer: string, code: string]>([
    [{ amount: 0 }, "/amount", "too_small"],
    [{ amount: -1 }, "/amount", "too_small"],
    [{ amount: 1.5 }, "/amount", "invalid_type"],
    [{ amount: "100" }, "/amount", "invalid_type"],
    [{ amount: 1001 }, "/amount", "too_large"],
    [{ amount: 2 ** 53 }, "/amount", "number_out_of_range"],
    [{ to: "cash" }, "/to", "invalid_value"],
    [{ to: null }, "/to", "invalid_value"],
    [{ reason: "x".repeat(1001) }, "/reason", "too_long"],
    [{ revokeGrants: "yes" }, "/revokeGrants", "invalid_type"],
    [{ revokeGrants: true }, "/revokeGrants", "not_one_time"],
    [{ currency: "usd" }, "/currency", "unknown_field"],
  ])("422 for %j", async (body, pointer, code) => {
    const answer = await shop.refund(invoice.id, body as object);
    expect(refused(answer)).toEqual([422, "validation_failed", pointer, code]);
  });

  test("404 for an unknown invoice, refund or credit note, and for another Organization's", async () => {
    const { id, creditNoteId } = await story.ok(shop.refund(invoice.id, { amount: 1, to: "balance" }));
    for (const path of [`/refunds/${id}`, `/credit-notes/${creditNoteId}`]) {
      expect((await shop.manage("GET", path)).status).toBe(200);
      expect(await foreign.manage("GET", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    for (const path of [`/refunds/${newId("rfd")}`, `/credit-notes/${newId("crn")}`, "/refunds/rfd_x"]) {
      expect(await shop.manage("GET", path)).toMatchObject({ status: 404 });
    }
    expect(await foreign.manage("POST", `/invoices/${invoice.id}/refunds`, {})).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await shop.refund(newId("inv"))).toMatchObject({ status: 404 });
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: 1 });
  });

  test("405 names the methods of the path, and a public key is 403", async () => {
    for (const [method, path, allow] of [
      ["GET", `/invoices/${invoice.id}/refunds`, "POST, OPTIONS"],
      ["POST", "/refunds", "GET, HEAD, OPTIONS"],
      ["DELETE", `/credit-notes/${newId("crn")}`, "GET, HEAD, OPTIONS"],
    ] as const) {
      const answer = await shop.manage(method, path);
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allow]);
    }
    const { keys } = story.app;
    const answer = await shop.refund(invoice.id, {}, { Authorization: `Bearer ${keys.public}` });
    expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  test("409 for an invoice that is open, being paid, or void", async () => {
    const { subscriptionId } = await shop.sell("pro", CARDS.failsLater);
    const open = await shop.renewal(subscriptionId);
    expect(refused(await shop.refund(open.id))).toEqual([409, "invoice_not_paid", undefined, undefined]);
    shop.bank.says(keepsSilent);
    const paying = await shop.manage("POST", `/invoices/${open.id}/pay`);
    expect(paying.status).toBe(503);
    expect(refused(await shop.refund(open.id))).toEqual([409, "payment_unknown", undefined, undefined]);
    shop.bank.says(null);
    await story.settle();
    await story.ok(shop.manage("POST", `/invoices/${open.id}/void`));
    expect(refused(await shop.refund(open.id))).toEqual([409, "invoice_not_paid", undefined, undefined]);
  });

  test("409 for an invoice that cost nothing, and 422 to the card for one that the balance paid whole", async () => {
    await story.plan("free", 0, { group: null });
    const free = await shop.sell("free", CARDS.pays);
    expect(refused(await shop.refund(free.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
    const paid = await shop.sell("pro");
    await story.ok(shop.refund(paid.id, { to: "balance" }));
    const next = await shop.renewal(paid.subscriptionId);
    expect(next).toMatchObject({ status: "paid", amountPaid: 0 });
    expect(refused(await shop.refund(next.id))).toEqual([422, "validation_failed", "/to", "not_paid_by_card"]);
    expect(await shop.refund(next.id, { to: "balance" })).toMatchObject({ status: 201, body: { amount: 1000 } });
    expect(refused(await shop.refund(next.id))).toEqual([409, "nothing_to_refund", undefined, undefined]);
  });

  test("409 while a change with a decided credit is being paid", async () => {
    const paid = await shop.sell("pro");
    shop.bank.says(keepsSilent);
    const change = await story.app.api("PATCH", `/subscriptions/${paid.subscriptionId}`, { productKey: "max" });
    expect(change.status).toBe(503);
    const answer = await shop.refund(paid.id, { amount: 100 });
    expect(refused(answer)).toEqual([409, "change_in_progress", undefined, undefined]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    shop.bank.says(null);
    await story.settle();
    expect(await shop.refund(paid.id, { amount: 100 })).toMatchObject({
      status: 409,
      body: { code: "credit_spent", available: 0 },
    });
  });
});

describe("sent again", () => {
  /** The answer as text. `replayed`: the answer to a repeated request. */
  async function send(invoiceId: string, body: string, key: string) {
    const { url, keys } = story.app;
    const headers = {
      Authorization: `Bearer ${keys.manage}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    };
    const answer = await fetch(`${url}/manage/v1/invoices/${invoiceId}/refunds`, { method: "POST", headers, body });
    return { status: answer.status, replayed: answer.headers.has("Idempotency-Replayed"), text: await answer.text() };
  }

  it("with its Idempotency-Key, a refund is made once and answered with the same bytes, also later", async () => {
    const invoice = await shop.sell("pro");
    const first = await send(invoice.id, '{"amount":100}', "once");
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(await send(invoice.id, '{"amount":100}', "once")).toEqual({ ...first, replayed: true });
    await story.app.runDue();
    expect(await send(invoice.id, '{"amount":100}', "once")).toEqual({ ...first, replayed: true });
    expect(await send(invoice.id, '{"amount":101}', "once")).toMatchObject({ status: 422 });
    expect(await shop.listed(`/refunds?invoiceId=${invoice.id}`)).toHaveLength(1);
  });

  it("many times at once with one key, it is one", async () => {
    const invoice = await shop.sell("pro");
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(invoice.id, "{}", "at-once")));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("a refusal leaves the key free", async () => {
    const invoice = await shop.sell("pro");
    expect(await send(invoice.id, '{"amount":1001}', "refused")).toMatchObject({ status: 422 });
    expect(await send(invoice.id, '{"amount":1000}', "refused")).toMatchObject({ status: 201, replayed: false });
  });
});

describe("many at once", () => {
  it("never give back more than was paid, and their credit notes have no gaps", async () => {
    const invoice = await shop.sell("pro");
    const wanted = Array.from({ length: 12 }, (_, n) => ({ amount: 150, to: n % 2 === 0 ? "card" : "balance" }));
    const answering = wanted.map((body) => shop.refund(invoice.id, body));
    // The worker settles some refunds while others are still being asked for.
    for (let round = 0; round < 3; round += 1) {
      await turn();
      await Promise.all([story.app.runDue(), story.app.runDue()]);
    }
    const answers = await Promise.all(answering);
    await story.settle();
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    const sum = (amounts: number[]) => amounts.reduce((running, amount) => running + amount, 0);
    const sales = made.map(({ amount, fromBalance }) => amount - fromBalance).filter((amount) => amount > 0);
    expect(await shop.read(`/invoices/${invoice.id}`)).toMatchObject({ refundedAmount: sum(sales) });
    // A refund to the card may take credit off the balance that a refund to the balance has given.
    const toCard = sum(made.filter(({ to }) => to === "card").map(({ amount }) => amount));
    expect(toCard + (await story.balance(invoice.customerId))).toBe(sum(sales));
    expect(sum(sales)).toBeLessThanOrEqual(1000);
    expect(sum(sales)).toBeGreaterThan(850);
    const notes = await shop.listed(`/credit-notes?invoiceId=${invoice.id}`);
    expect(notes.map((note) => note.number.slice(-6)).sort()).toEqual(
      Array.from({ length: sales.length }, (_, n) => `CN${String(n + 1).padStart(4, "0")}`),
    );
    expect(notes.map((note) => note.totalAmount).sort()).toEqual(sales.sort());
  });
});
