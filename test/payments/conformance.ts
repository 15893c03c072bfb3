import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import type { ProviderCharge, Charge, PaymentProvider } from "../../src/payments/provider.ts";
import { until } from "../support/until.ts";

/**
 * The behaviour of a card in the provider's test mode. `answer_lost`: a charge or its refund is made, but the answer
 * gets lost. `charge_refused`: the provider refuses the amount. `processing`: the provider has no outcome at first.
 */
export type TestCard =
  | "pays"
  | "card_declined"
  | "fails_later"
  | "authenticates"
  | "answer_lost"
  | "charge_refused"
  | "processing";

/** A provider in its test mode, with the means of its outside world that the suite needs. */
export type ProviderUnderTest = {
  provider: PaymentProvider;
  organizationId: string;
  /** Makes a new card known to the provider and gives its `ref`. */
  card(behavior: TestCard): Promise<string>;
  /** Gives the provider one card twice and another one once. Returns their fingerprints. */
  fingerprints(): Promise<{ once: string; again: string; other: string }>;
  /**
   * Makes the provider refuse all requests of the account, as with a bad key, until the returned function is called.
   */
  refuseAccount(): Promise<() => Promise<void>>;
  /** Answers the challenge at the `url` of a `requires_action` as a buyer would, even if the challenge is over. */
  answer(url: string, pass: boolean): Promise<void>;
  /** Every charge that succeeded, as the provider's own book has it. */
  book(): Promise<ProviderCharge[]>;
  close(): Promise<void>;
};

/** The outcome of a request that the buyer has to authenticate. */
export function challenged(outcome: Outcome): Extract<Outcome, { status: "requires_action" }> {
  if (outcome.status !== "requires_action") throw new Error(`the buyer is not asked: ${outcome.status}`);
  return outcome;
}

/**
 * The behaviour that Billow relies on in any payment provider (rules D1, D2). A new adapter has to pass this suite
 * first.
 */
export function describeProvider(
  name: string,
  open: () => Promise<ProviderUnderTest>,
  lacks: readonly TestCard[] = [],
): void {
  describe(`the ${name} provider`, () => {
    let world: ProviderUnderTest;
    let keys = 0;
    // A provider remembers the keys of earlier runs.
    const run = randomBytes(6).toString("hex");
    beforeAll(async () => void (world = await open()));
    afterAll(() => world.close());

    async function request(behavior: TestCard, parts: Partial<Charge> = {}): Promise<Charge> {
      return {
        organizationId: world.organizationId,
        key: `pay_${run}_${++keys}`,
        card: parts.card ?? (await world.card(behavior)),
        amount: 1000,
        currency: "usd",
        presence: "buyer",
        customer: { id: "cus_conformance", email: "ada@example.com", name: null },
        description: "A test",
        page: null,
        statement: "Seller",
        returnUrl: "https://shop.example/return",
        ...parts,
      };
    }
    const booked = async ({ key }: Charge) =>
      (await world.book()).filter((each) => each.key === key).map(({ amount, currency }) => ({ amount, currency }));

    it("knows a card again that is given twice", async () => {
      const { once, again, other } = await world.fingerprints();
      expect(once).not.toBe("");
      expect(again).toBe(once);
      expect(other).not.toBe(once);
    });

    it("knows nothing of a key it never got", async () => {
      expect(await world.provider.read(world.organizationId, `pay_${run}_never_sent`)).toEqual({ status: "absent" });
    });

    it.each(["buyer", "off_session"] as const)(
      "charges a card (%s), and tells so again when asked",
      async (presence) => {
        const charge = await request("pays", { presence });
        expect(await world.provider.charge(charge)).toEqual({ status: "succeeded" });
        expect(await world.provider.read(world.organizationId, charge.key)).toEqual({ status: "succeeded" });
        expect(await booked(charge)).toEqual([{ amount: 1000, currency: "usd" }]);
      },
    );

    it("makes one charge of two requests with one key", async () => {
      const charge = await request("pays");
      const outcomes = [await world.provider.charge(charge), await world.provider.charge(charge)];
      expect(outcomes).toEqual([{ status: "succeeded" }, { status: "succeeded" }]);
      expect(await booked(charge)).toHaveLength(1);
    });

    it("makes one charge of concurrent requests with one key", async () => {
      const charge = await request("pays");
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => world.provider.charge(charge)));
      // A provider may answer `unknown` while the first request is still under way.
      expect(outcomes).toContainEqual({ status: "succeeded" });
      for (const { status } of outcomes) expect(["succeeded", "unknown"]).toContain(status);
      expect(await booked(charge)).toHaveLength(1);
    });

    it("refuses a key that was used for another amount", async () => {
      const charge = await request("pays");
      await world.provider.charge(charge);
      await expect(world.provider.charge({ ...charge, amount: 2000 })).rejects.toThrow();
      expect(await booked(charge)).toEqual([{ amount: 1000, currency: "usd" }]);
    });

    it("declines for good under one key, and takes another key", async () => {
      const charge = await request("card_declined");
      const declined = { status: "declined", code: "card_declined" };
      expect(await world.provider.charge(charge)).toEqual(declined);
      expect(await world.provider.charge(charge)).toEqual(declined);
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual(declined);
      expect(await booked(charge)).toEqual([]);
      expect(await world.provider.charge(await request("pays"))).toEqual({ status: "succeeded" });
    });

    it("saves a card without charging it", async () => {
      const { amount: _, currency: __, presence: ___, statement: ____, ...save } = await request("pays");
      expect(await world.provider.saveCard(save)).toEqual({ status: "succeeded" });
      expect(await world.provider.saveCard(save)).toEqual({ status: "succeeded" });
      expect(await world.provider.read(world.organizationId, save.key)).toEqual({ status: "succeeded" });
      const renewal = await request("pays", { card: save.card, presence: "off_session" });
      expect(await world.provider.charge(renewal)).toEqual({ status: "succeeded" });
      expect((await world.book()).map(({ key }) => key)).not.toContain(save.key);
    });

    it("declines later charges of a card that was saved", async () => {
      const { amount: _, currency: __, presence: ___, statement: ____, ...save } = await request("fails_later");
      expect(await world.provider.saveCard(save)).toEqual({ status: "succeeded" });
      const renewal = await request("fails_later", { card: save.card, presence: "off_session" });
      expect(await world.provider.charge(renewal)).toMatchObject({ status: "declined" });
    });

    it.each([
      [true, { status: "succeeded" }, 1],
      [false, { status: "declined", code: "authentication_failed" }, 0],
    ])("waits for the buyer's answer to a challenge (passed: %s)", async (pass, settled, charges) => {
      const charge = await request("authenticates");
      const asked = challenged(await world.provider.charge(charge));
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual(asked);
      expect(await booked(charge)).toEqual([]);

      await world.answer(asked.url, pass);
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual(settled);
      expect(await booked(charge)).toHaveLength(charges);
    });

    it("ignores an answer to the challenge of a charge that was given up", async () => {
      const charge = await request("authenticates");
      const asked = challenged(await world.provider.charge(charge));
      const givenUp = { status: "declined", code: "authentication_failed" };
      expect(await world.provider.cancel(charge)).toEqual(givenUp);
      await world.answer(asked.url, true);
      expect(await world.provider.cancel(charge)).toEqual(givenUp);
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual(givenUp);
      expect(await booked(charge)).toEqual([]);
    });

    it("answers with the buyer's payment when it is too late to give up", async () => {
      const charge = await request("authenticates");
      const asked = challenged(await world.provider.charge(charge));
      await world.answer(asked.url, true);
      expect(await world.provider.cancel(charge)).toEqual({ status: "succeeded" });
      expect(await booked(charge)).toHaveLength(1);
    });

    it("refuses a charge that was given up before it arrived", async () => {
      const charge = await request("pays");
      expect(await world.provider.cancel(charge)).toEqual({ status: "declined", code: "canceled" });
      expect(await world.provider.charge(charge)).toEqual({ status: "declined", code: "canceled" });
      expect(await booked(charge)).toEqual([]);
    });

    it("does not give up a charge that was made, though its answer was lost", async () => {
      const charge = await request("answer_lost");
      await world.provider.charge(charge);
      expect(await world.provider.cancel(charge)).toEqual({ status: "succeeded" });
      expect(await booked(charge)).toHaveLength(1);
    });

    it("tells of a charge with a lost answer", async () => {
      const charge = await request("answer_lost");
      expect(await world.provider.charge(charge)).toEqual({ status: "unknown" });
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual({ status: "succeeded" });
      await world.provider.charge(charge);
      expect(await booked(charge)).toHaveLength(1);
    });

    const having = (behavior: TestCard) => (lacks.includes(behavior) ? [] : [behavior]);

    it.each(having("charge_refused"))("refuses a charge for good under one key (%s)", async (behavior) => {
      const charge = await request(behavior);
      const refused = { status: "refused", scope: "charge" };
      expect(await world.provider.charge(charge)).toMatchObject(refused);
      expect(await world.provider.charge(charge)).toMatchObject(refused);
      expect(await booked(charge)).toEqual([]);
    });

    it.each(having("processing"))(
      "has no outcome of a charge that is processed, then one, and makes one charge (%s)",
      async (behavior) => {
        const charge = await request(behavior);
        expect(await world.provider.charge(charge)).toEqual({ status: "processing" });
        await until(async () => (await world.provider.read(world.organizationId, charge.key)).status === "succeeded");
        expect(await booked(charge)).toHaveLength(1);
      },
    );

    it("refuses all requests of a refused account, and makes one charge once the account is good again", async () => {
      const [charge, paid] = [await request("pays"), await request("pays")];
      await world.provider.charge(paid);
      const repair = await world.refuseAccount();
      const refused = { status: "refused", scope: "account" };
      expect(await world.provider.charge(charge)).toMatchObject(refused);
      // A provider may know an outcome without asking anew.
      expect([refused.status, "succeeded"]).toContain(
        (await world.provider.read(paid.organizationId, paid.key)).status,
      );
      const { organizationId, key: chargeKey } = paid;
      const refund = { organizationId, key: `${chargeKey}_refund`, chargeKey, amount: 400 };
      expect(await world.provider.refund(refund)).toMatchObject(refused);
      await repair();
      expect(await world.provider.read(world.organizationId, charge.key)).toEqual({ status: "absent" });
      expect(await booked(charge)).toEqual([]);
      expect(await world.provider.charge(charge)).toEqual({ status: "succeeded" });
      expect(await world.provider.refund(refund)).toEqual({ status: "succeeded" });
      expect(await booked(charge)).toHaveLength(1);
    });

    it("tells of a refund with a lost answer", async () => {
      const charge = await request("answer_lost");
      await world.provider.charge(charge);
      const refund = {
        organizationId: world.organizationId,
        key: `${charge.key}_refund`,
        chargeKey: charge.key,
        amount: 400,
      };
      expect(await world.provider.read(world.organizationId, refund.key)).toEqual({ status: "absent" });
      expect(await world.provider.refund(refund)).toEqual({ status: "unknown" });
      expect(await world.provider.read(world.organizationId, refund.key)).toEqual({ status: "succeeded" });
    });

    it("gives back the charged amount, once a key and never more", async () => {
      const charge = await request("pays");
      await world.provider.charge(charge);
      const refund = (key: string, amount: number) =>
        world.provider.refund({
          organizationId: world.organizationId,
          key: `${charge.key}_${key}`,
          chargeKey: charge.key,
          amount,
        });
      expect(await refund("first", 600)).toEqual({ status: "succeeded" });
      expect(await refund("first", 600)).toEqual({ status: "succeeded" });
      expect(await refund("second", 401)).toMatchObject({ status: "declined" });
      expect(await refund("third", 400)).toEqual({ status: "succeeded" });
      expect(await refund("fourth", 1)).toMatchObject({ status: "declined" });
      expect(await world.provider.read(world.organizationId, `${charge.key}_first`)).toEqual({ status: "succeeded" });
      expect(await world.provider.read(world.organizationId, `${charge.key}_second`)).toMatchObject({
        status: "declined",
      });
    });
  });
}
