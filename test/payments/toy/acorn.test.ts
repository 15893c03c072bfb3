import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { realNow } from "../../../src/clock.ts";
import { instant } from "../../../src/domain/calendar.ts";
import type { Card, Outcome } from "../../../src/domain/model/payment-outcome.ts";
import { ProviderBusy } from "../../../src/payments/limits.ts";
import type { Charge, HistoryEntry, PaymentProvider } from "../../../src/payments/provider.ts";
import { challenged, describeProvider, type TestCard } from "../conformance.ts";
import { createAcornProvider } from "./acorn.ts";
import type { Behavior } from "./bank.ts";
import { startAcorn, type Acorn, type Fate } from "./server.ts";
import { amountsOf, fromDecimal, toDecimal } from "./translate.ts";

const ORGANIZATION = "org_test";
const BEHAVIOURS: Record<TestCard, Behavior> = {
  pays: "pays",
  card_declined: "declines",
  fails_later: "fails_later",
  authenticates: "asks",
  answer_lost: "answer_lost",
  charge_refused: "too_large",
  processing: "slow",
};
const RETURN = "https://shop.example/return";

let keys = 0;
function chargeOf(card: string | null, parts: Partial<Charge> = {}): Charge {
  return {
    organizationId: ORGANIZATION,
    key: `pay_acorn_${++keys}`,
    card,
    amount: 1000,
    currency: "usd",
    presence: "buyer",
    customer: { id: "cus_1", email: "ada@example.com", name: null },
    description: "A test",
    page: null,
    statement: "Seller",
    returnUrl: RETURN,
    ...parts,
  };
}

const providerOf = ({ url, account, key, bank }: Acorn): PaymentProvider =>
  createAcornProvider({ url, account, key, secrets: [bank.secret] });

/** The card of a buyer that pays on Acorn's page. */
async function payOnPage(acorn: Acorn, provider: PaymentProvider, number: string): Promise<Card> {
  const charge = chargeOf(null);
  await acorn.answer(challenged(await provider.charge(charge)).url, { number });
  const outcome = await provider.read(ORGANIZATION, charge.key);
  if (outcome.status !== "succeeded" || !outcome.card) throw new Error(`not paid: ${outcome.status}`);
  return outcome.card;
}

describeProvider("Acorn", async () => {
  const acorn = await startAcorn();
  const { bank } = acorn;
  const provider = providerOf(acorn);
  const fingerprint = async (number: string) => (await payOnPage(acorn, provider, number)).fingerprint;
  return {
    provider,
    organizationId: ORGANIZATION,
    card: async (behavior) => bank.card(BEHAVIOURS[behavior]).id,
    fingerprints: async () => ({
      once: await fingerprint("9000 0000 0001"),
      again: await fingerprint("9000 0000 0001"),
      other: await fingerprint("9000 0000 0002"),
    }),
    async refuseAccount() {
      acorn.lock(true);
      return async () => acorn.lock(false);
    },
    answer: async (url, pass) => void (await acorn.answer(url, { pass: pass ? "yes" : "no" })),
    book: async () =>
      bank.charges().map(({ reference, shop, amount, currency, createdAt }) => ({
        organizationId: shop!,
        key: reference!,
        amount: fromDecimal(amount!, currency!),
        currency: currency!,
        createdAt: instant(Date.parse(createdAt)),
      })),
    close: () => acorn.close(),
  };
});

describe("the adapter for Acorn", () => {
  let acorn: Acorn;
  let provider: PaymentProvider;
  beforeAll(async () => {
    acorn = await startAcorn();
    provider = providerOf(acorn);
  });
  afterAll(() => acorn.close());

  const read = ({ key }: Charge) => provider.read(ORGANIZATION, key);
  const pays = () => chargeOf(acorn.bank.card("pays").id);
  const booked = ({ key }: Charge) => acorn.bank.charges().filter(({ reference }) => reference === key).length;

  it.each<[string, Fate, Outcome, number]>([
    ["a request that is lost", "before", { status: "unknown" }, 0],
    ["an answer that is lost", "after", { status: "unknown" }, 1],
    ["an answer that can't be read", "garbled", { status: "unknown" }, 1],
    ["a fault of Acorn", { status: 500 }, { status: "unknown" }, 0],
    ["a wrong key", { status: 401 }, { status: "refused", scope: "account", reason: "key_invalid" }, 0],
    ["a key of few rights", { status: 403 }, { status: "refused", scope: "account", reason: "permission_missing" }, 0],
    [
      "a suspended account",
      { status: 403, error: "suspended" },
      { status: "refused", scope: "account", reason: "account_restricted" },
      0,
    ],
    [
      "a large amount",
      { status: 422, error: "too_large" },
      { status: "refused", scope: "charge", reason: "amount_too_large" },
      0,
    ],
    ["an unknown fault", { status: 422 }, { status: "refused", scope: "charge", reason: "request_invalid" }, 0],
  ])("answers %s, and charges once in the end", async (_, fate, outcome, charges) => {
    const charge = pays();
    acorn.next(fate);
    expect(await provider.charge(charge)).toEqual(outcome);
    expect(booked(charge)).toBe(charges);
    expect(await provider.charge(charge)).toEqual({ status: "succeeded" });
    expect(booked(charge)).toBe(1);
  });

  it("passes on that Acorn is busy", async () => {
    acorn.next({ status: 429 });
    await expect(provider.charge(pays())).rejects.toThrow(ProviderBusy);
  });

  it("reads unclear answers as unknown, never as absent", async () => {
    const charge = pays();
    await provider.charge(charge);
    for (const fate of ["before", "garbled", { status: 500 }] as const) {
      acorn.next(fate);
      expect(await read(charge)).toEqual({ status: "unknown" });
    }
    expect(await read(charge)).toEqual({ status: "succeeded" });
  });

  it("takes a card on Acorn's page, also after a declined one, and charges the card later", async () => {
    const charge = chargeOf(null);
    const { url } = challenged(await provider.charge(charge));
    await acorn.answer(url, { number: "9000 0000 0003" });
    expect(await read(charge)).toEqual({ status: "requires_action", url });
    const back = await acorn.answer(url, { number: "9000 0000 0001" });
    expect(back.headers.get("Location")).toMatch(`${RETURN}?acorn=ch_`);
    const paid = (await read(charge)) as Extract<Outcome, { status: "succeeded" }>;
    expect(paid).toMatchObject({ status: "succeeded", card: { brand: "acorn", last4: "0001", expYear: 2999 } });
    const renewal = chargeOf(paid.card!.ref, { presence: "off_session" });
    expect(await provider.charge(renewal)).toEqual({ status: "succeeded" });
  });

  it("ends a page after 30 minutes, and at a cancellation", async () => {
    const [late, canceled] = [chargeOf(null), chargeOf(null)];
    await provider.charge(late);
    acorn.bank.skipped += 30 * 60_000;
    expect(await read(late)).toEqual({ status: "declined", code: "canceled" });
    const { url } = challenged(await provider.charge(canceled));
    expect(await provider.cancel(canceled)).toEqual({ status: "declined", code: "canceled" });
    await acorn.answer(url, { number: "9000 0000 0001" });
    expect([await read(canceled), booked(canceled)]).toEqual([{ status: "declined", code: "canceled" }, 0]);
  });

  it("forgets a Customer, as often as asked", async () => {
    const card = acorn.bank.card("pays").id;
    const customer = { id: "cus_gone", email: null, name: null };
    await provider.charge(chargeOf(card, { customer }));
    await provider.forget(ORGANIZATION, "cus_gone");
    await provider.forget(ORGANIZATION, "cus_gone");
    const later = chargeOf(card, { customer, presence: "off_session" });
    expect(await provider.charge(later)).toEqual({ status: "declined", code: "card_gone" });
  });

  it("lists its book in pages: charges and refunds, also those that Billow did not make", async () => {
    // The charges of the tests before are older than the list, also within one millisecond.
    acorn.bank.skipped += 1_000;
    const from = instant(realNow() + acorn.bank.skipped);
    const charge = pays();
    await provider.charge(charge);
    await provider.refund({ organizationId: ORGANIZATION, key: `${charge.key}_r`, chargeKey: charge.key, amount: 400 });
    acorn.bank.refund(null, acorn.bank.find(charge.key).id, "1.00");
    await provider.charge({ ...pays(), organizationId: "org_other" });

    const found: HistoryEntry[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const to = instant(from + 60_000);
      const page = await provider.history({ organizationId: ORGANIZATION, from, to, cursor: cursor ?? null });
      found.push(...page.entries);
      cursor = page.next;
    }
    expect(found.map(({ kind, key, chargeKey, amount }) => [kind, key, chargeKey, amount])).toEqual([
      ["charge", charge.key, null, 1000],
      ["refund", `${charge.key}_r`, charge.key, 400],
      ["refund", null, charge.key, 100],
      ["charge", null, null, 1000],
    ]);
  });
});

describe("the notices of Acorn", () => {
  let acorn: Acorn;
  let provider: PaymentProvider;
  beforeAll(async () => {
    acorn = await startAcorn();
    provider = providerOf(acorn);
  });
  afterAll(() => acorn.close());

  const verify = (sent: { headers: object; body: string }, body = sent.body) => {
    const headers = new Map(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value as string]));
    return provider.notices!.verify(headers, Buffer.from(body));
  };

  it("are verified by their signature, with two secrets while one is replaced", () => {
    const { bank } = acorn;
    const events = [{ id: "ev_1", type: "charge.changed", object: "ch_1" }];
    const at = (offset: number) => bank.notice(events, { seconds: Math.floor(realNow() / 1000) + offset });
    expect(verify(at(0))).toEqual(events);
    expect(verify(at(-290))).toEqual(events);
    expect(verify(at(-310))).toBeNull();
    expect(verify(at(310))).toBeNull();
    expect(verify(at(0), JSON.stringify({ events: [] }))).toBeNull();
    expect(verify({ ...at(0), headers: {} })).toBeNull();
    expect(verify(bank.notice(events, { secret: "new" }))).toBeNull();
    provider = createAcornProvider({ ...acorn, secrets: ["new", bank.secret] });
    expect([verify(at(0)), verify(bank.notice(events, { secret: "new" }))]).toEqual([events, events]);
    provider = createAcornProvider({ ...acorn, secrets: [] });
    expect(verify(at(0))).toBeNull();
    provider = providerOf(acorn);
  });

  /** Acorn forgets no events, so the adapter never asks for the cards on file. */
  const noCards = () => Promise.reject(new Error("no cards are asked for"));

  it("are also listed after a cursor, and lead to facts", async () => {
    const { bank } = acorn;
    const { since, look } = provider.notices!;
    const { refs: before, cursor } = await since(ORGANIZATION, null, noCards);
    expect(before).toEqual([]);
    const card = bank.card("pays").id;
    const charge = chargeOf(card);
    await provider.charge(charge);
    bank.dispute(charge.key, { status: "question", fee: { amount: "15.00", currency: "usd" } });
    bank.changeCard(card, { last4: "7777" });
    bank.changeCard(card, { ended: true });
    const { refs, cursor: next } = await since(ORGANIZATION, cursor, noCards);
    expect(refs.map(({ type }) => type)).toEqual(["charge.changed", "dispute.changed", "card.changed", "card.changed"]);
    expect(await since(ORGANIZATION, next, noCards)).toEqual({ refs: [], cursor: next, more: false });
    const facts = [];
    for (const ref of refs) facts.push(await look(ORGANIZATION, ref));
    expect(facts).toMatchObject([
      [{ kind: "payment", key: charge.key, charge: null }],
      [{ kind: "dispute", dispute: { chargeKey: charge.key, status: "inquiry", reason: "fraudulent", fee: 1500 } }],
      // Both notices show the present card.
      [{ kind: "card", ref: card, card: null }],
      [{ kind: "card", ref: card, card: null }],
    ]);
    for (const ref of refs) expect(await look("org_other", ref)).toBe("unmatched");
  });

  it("tell of refunds that fail late, and of refunds that were made in Acorn's dashboard", async () => {
    const { bank } = acorn;
    const charge = chargeOf(bank.card("pays").id);
    await provider.charge(charge);
    const refund = { organizationId: ORGANIZATION, key: "ref_1", chargeKey: charge.key, amount: 400 };
    expect(await provider.refund(refund)).toEqual({ status: "succeeded" });
    bank.failRefund("ref_1", "closed");
    const outside = bank.refund(null, bank.find(charge.key).id, "1.00");
    const facts = await Promise.all(
      [bank.findRefund("ref_1").id, outside.id].map((object) =>
        provider.notices!.look(ORGANIZATION, { id: "", type: "", object }),
      ),
    );
    expect(facts.flat()).toMatchObject([
      { refund: { key: "ref_1", chargeKey: charge.key, status: "failed", failureCode: "card_gone", amount: 400 } },
      { refund: { key: null, chargeKey: charge.key, status: "succeeded", amount: 100, currency: "usd" } },
    ]);
  });
});

test("amounts keep their size in each currency", () => {
  expect([toDecimal(5, "usd"), toDecimal(1250, "usd"), toDecimal(1250, "jpy")]).toEqual(["0.05", "12.50", "1250"]);
  expect([fromDecimal("0.05", "usd"), fromDecimal("1250", "jpy")]).toEqual([5, 1250]);
  for (const wrong of ["12.5", "1250", "12.500", "", "-1.00"])
    expect(() => fromDecimal(wrong, "usd")).toThrow(/amount/);
  expect([amountsOf("usd"), amountsOf("chf")]).toEqual([{ least: 50, most: 99_999_999, step: 1 }, null]);
});
