import { afterAll, beforeAll, expect, it } from "vitest";
import type { Charge, SaveCard } from "../../src/payments/provider.ts";
import { recognizeCard, SANDBOX_CARDS } from "../../src/payments/sandbox-cards.ts";
import { createSandboxProvider } from "../../src/payments/sandbox.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { createTestDatabase } from "../support/database.ts";
import { challenged, describeProvider, type TestCard } from "./conformance.ts";

const ORIGIN = "https://billing.example";
const RETURN = "https://shop.example/return";
const PAYER = { id: "cus_1", email: "ada@example.com", name: null };
const CVC = "9471";
const typed = { expMonth: 12, expYear: 2999, cvc: CVC };

/** The parts of a challenge's address: Organization and token. */
const partsOf = (url: string) => url.slice(`${ORIGIN}/sandbox/challenge/`.length).split("/") as [string, string];

async function openSandbox() {
  const database = await createTestDatabase();
  const provider = createSandboxProvider({ db: database.db, publicOrigin: ORIGIN });
  const organizationId = "org_test";
  async function accept(number: string) {
    const accepted = await provider.entry.accept(organizationId, { number, ...typed });
    if ("fault" in accepted) throw new Error(accepted.fault.message);
    return accepted.card;
  }
  const card = async (behavior: TestCard) =>
    (await accept(SANDBOX_CARDS.find((each) => each.behavior === behavior)!.number)).ref;
  return {
    ...database,
    async fingerprints() {
      const [once, again, other] = await Promise.all(
        ["4242424242424242", "4242 4242 4242 4242", "4000056655665556"].map(accept),
      );
      return { once: once!.fingerprint, again: again!.fingerprint, other: other!.fingerprint };
    },
    provider,
    organizationId,
    accept,
    card,
    async refuseAccount() {
      const { ref } = await accept("4000 0000 0000 4012");
      await provider.charge({
        ...save(ref),
        organizationId,
        amount: 100,
        currency: "usd",
        presence: "buyer",
        statement: "S",
      });
      return () => provider.takeChargesAgain(organizationId);
    },
    answer: async (url: string, pass: boolean) => void (await provider.answerChallenge(...partsOf(url), pass)),
    book: () => provider.listCharges(organizationId),
    close: () => database.drop(),
  };
}

describeProvider("sandbox", openSandbox);

let sandbox: Awaited<ReturnType<typeof openSandbox>>;
let keys = 0;
beforeAll(async () => void (sandbox = await openSandbox()));
afterAll(() => sandbox.close());

const save = (card: string): SaveCard => ({
  organizationId: sandbox.organizationId,
  key: `pay_${++keys}`,
  card,
  customer: PAYER,
  description: "A test",
  page: null,
  returnUrl: RETURN,
});
const charge = (card: string, presence: Charge["presence"] = "buyer"): Charge => ({
  ...save(card),
  amount: 1000,
  currency: "usd",
  presence,
  statement: "Seller",
});

it("charges the other Organizations of a cluster if the charges of one fail", async () => {
  const db: Database = { ...sandbox.db, isDistributed: () => true };
  const provider = createSandboxProvider({ db, publicOrigin: ORIGIN });
  const pay = async (organizationId: string, amount: number) => {
    const accepted = await provider.entry.accept(organizationId, { number: "4242424242424242", ...typed });
    if ("fault" in accepted) throw new Error(accepted.fault.message);
    return { ...charge(accepted.card.ref), organizationId, amount };
  };
  // The table has no room for such an amount.
  const asked = [await pay("org_failing", 1e20), await pay("org_paying", 1000)];
  const paid = await Promise.allSettled(asked.map((each) => provider.charge(each)));
  expect(paid).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: { status: "succeeded" } }]);
});

// The behaviour of each card number of the contract (§4): saved, charged in the buyer's presence, and charged
// off-session.
it.each([
  ["4242424242424242", "succeeded", "succeeded", "succeeded"],
  ["4000000000000002", "card_declined", "card_declined", "card_declined"],
  ["4000000000009995", "insufficient_funds", "insufficient_funds", "insufficient_funds"],
  ["4000000000000069", "card_expired", "card_expired", "card_expired"],
  ["4000000000000341", "succeeded", "succeeded", "card_declined"],
  ["4000000000003220", "requires_action", "requires_action", "requires_action"],
  ["4000000000000119", "processing_error", "processing_error", "processing_error"],
  ["4000000000000507", "unknown", "unknown", "unknown"],
])("%s: saved %s, charged with the buyer %s, without %s", async (number, ...expected) => {
  const { provider, accept } = sandbox;
  const { ref } = await accept(number);
  const outcomes = [
    provider.saveCard(save(ref)),
    provider.charge(charge(ref)),
    provider.charge(charge(ref, "off_session")),
  ];
  const results = (await Promise.all(outcomes)).map((outcome) => ("code" in outcome ? outcome.code : outcome.status));
  expect(results).toEqual(expected);
});

it("shows brand, last digits and expiry of a card, however its number was typed", async () => {
  for (const number of ["4242424242424242", "4242 4242 4242 4242", " 4242-4242-4242-4242 "]) {
    const { ref, ...card } = await sandbox.accept(number);
    expect(card).toEqual({
      fingerprint: "visa_4242",
      type: "card",
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2999,
    });
    expect(ref).toMatch(/^card_/);
  }
});

it.each([
  [{ number: "4111111111111111" }, "number", "card_number_invalid"],
  [{ number: "" }, "number", "card_number_invalid"],
  [{ expYear: 2020 }, "expiry", "card_expired"],
  [{ expMonth: 0 }, "expiry", "card_expired"],
  [{ expMonth: 13 }, "expiry", "card_expired"],
  [{ expYear: 1e9 }, "expiry", "card_expired"],
  [{ cvc: "12" }, "cvc", "cvc_invalid"],
  [{ cvc: "12345" }, "cvc", "cvc_invalid"],
  [{ cvc: "abc" }, "cvc", "cvc_invalid"],
])("refuses a card with %o", async (wrong, field, code) => {
  const accepted = await sandbox.provider.entry.accept(sandbox.organizationId, {
    number: "4242424242424242",
    ...typed,
    ...wrong,
  });
  expect(accepted).toEqual({ fault: { field, code, message: expect.any(String) } });
});

it("takes a card to the end of its month in the last time zone", () => {
  const card = { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: CVC };
  expect(recognizeCard(card, Date.parse("2030-12-31T23:59:59.999-12:00"))).toHaveProperty("known");
  expect(recognizeCard(card, Date.parse("2031-01-01T00:00:00.000-12:00"))).toHaveProperty("fault");
});

it("answers a challenge once; a second, differing answer changes nothing", async () => {
  const { provider, organizationId, card } = sandbox;
  const request = charge(await card("authenticates"), "off_session");
  const asked = challenged(await provider.charge(request));
  const [organization, token] = partsOf(asked.url);
  expect([organization, token.length]).toEqual([organizationId, 32]);
  const { key } = request;
  const shown = { key, amount: 1000, currency: "usd", last4: "3220", returnUrl: RETURN };
  expect(await provider.challenge(organization, token)).toEqual({ ...shown, status: "pending_action" });

  for (const pass of [false, true, false]) {
    expect(await provider.answerChallenge(organization, token, pass)).toEqual({ key, returnUrl: RETURN });
    expect(await provider.read(organizationId, request.key)).toEqual({
      status: "declined",
      code: "authentication_failed",
    });
    expect(await provider.challenge(organization, token)).toEqual({ ...shown, status: "declined" });
  }
  expect(await provider.challenge("org_other", token)).toBeNull();
  expect(await provider.answerChallenge(organization, "not-a-token", true)).toBeNull();
});

it("asks for authentication when a card is saved", async () => {
  const { provider, organizationId, card, answer } = sandbox;
  const request = save(await card("authenticates"));
  const asked = challenged(await provider.saveCard(request));
  expect(await provider.challenge(...partsOf(asked.url))).toMatchObject({ amount: 0, currency: null });
  await answer(asked.url, true);
  expect(await provider.read(organizationId, request.key)).toEqual({ status: "succeeded" });
});

it("asks a buyer once, however many requests race", async () => {
  const request = charge(await sandbox.card("authenticates"));
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => sandbox.provider.charge(request)));
  expect(new Set(outcomes.map((outcome) => "url" in outcome && outcome.url)).size).toBe(1);
});

it("refuses a key that was used for another card, and a card of another Organization", async () => {
  const { provider, card } = sandbox;
  const request = charge(await card("pays"));
  await provider.charge(request);
  await expect(provider.charge({ ...request, card: await card("pays") })).rejects.toThrow(/used for another charge/);
  await expect(provider.charge({ ...request, organizationId: "org_other" })).rejects.toThrow(/no card/);
  expect(await provider.read("org_other", request.key)).toEqual({ status: "absent" });
});

it("lists charges and refunds in pages, each Organization's its own", async () => {
  const { provider, organizationId, card } = sandbox;
  const request = charge(await card("answer_lost"));
  await provider.charge(request);
  const refund = { organizationId, key: `${request.key}_refund`, chargeKey: request.key, amount: 400 };
  await provider.refund(refund);
  await provider.refund({ ...refund, key: `${request.key}_too_much`, amount: 601 });

  const booked = { organizationId, key: request.key, amount: 1000, currency: "usd", createdAt: expect.any(Number) };
  expect(await provider.listCharges(organizationId)).toContainEqual(booked);
  expect(await provider.listRefunds(organizationId)).toEqual([{ ...booked, ...refund }]);
  expect((await provider.listCharges(organizationId, request.key)).map(({ key }) => key)).not.toContain(request.key);
  expect(await provider.listRefunds(organizationId, refund.key)).toEqual([]);
  expect(await provider.listCharges("org_other")).toEqual([]);
});

it("never gives back more than was charged, however refunds race", async () => {
  const { provider, organizationId, card } = sandbox;
  const request = charge(await card("pays"));
  await provider.charge(request);
  const refunds = [1, 2, 3, 4].map((n) =>
    provider.refund({ organizationId, key: `${request.key}_refund_${n}`, chargeKey: request.key, amount: 400 }),
  );
  expect((await Promise.all(refunds)).filter(({ status }) => status === "succeeded")).toHaveLength(2);
});

it("gives nothing back of a charge that was not made", async () => {
  const { provider, organizationId, card } = sandbox;
  const request = charge(await card("authenticates"));
  await provider.charge(request);
  const refund = { organizationId, key: `${request.key}_refund`, chargeKey: request.key, amount: 1000 };
  expect(await provider.refund(refund)).toMatchObject({ status: "declined" });
  await expect(provider.refund({ ...refund, chargeKey: "pay_never_sent" })).rejects.toThrow(/no charge/);
});

// Runs last: by now the database has seen every flow above.
it("keeps no card number and no CVC", async () => {
  const everything = await dump(sandbox.db);
  expect(everything).toContain('"last4": "4242"');
  const digits = everything.replace(/[\s-]/g, "");
  for (const { number } of SANDBOX_CARDS) expect(digits).not.toContain(number.replaceAll(" ", ""));
  expect(digits).not.toContain("4111111111111111");
  expect(everything).not.toMatch(new RegExp(`(?<![\\w-])${CVC}(?![\\w-])`));
});

/** Every row of every table, as text. */
async function dump(db: Database): Promise<string> {
  const tables = await db.read.query<{ name: string }>(
    sql(
      "test.dumped_tables",
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    ),
  );
  const rowsOf = (table: string) => sql(`test.dump.${table}`, `SELECT to_jsonb(t)::text AS row FROM "${table}" AS t`);
  const rows = await Promise.all(tables.map(({ name }) => db.read.query<{ row: string }>(rowsOf(name))));
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}
