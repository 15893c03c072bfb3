import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Card } from "../../src/domain/model/payment-outcome.ts";
import type { Charge, SaveCard } from "../../src/payments/provider.ts";
import { challenged, type ProviderUnderTest, type TestCard } from "./conformance.ts";

/** A provider in its test mode that takes cards on a page of its own. */
export type HostedProviderUnderTest = Pick<ProviderUnderTest, "provider" | "organizationId" | "book" | "close"> & {
  /**
   * Types a new card of this behaviour on the page at the `url` of a `requires_action`, and sends the form, even if the
   * page is over. With `authenticates`, the buyer also answers the bank: `pass`, by default yes.
   */
  payHosted(url: string, behavior: TestCard, pass?: boolean): Promise<void>;
  /** Ends the time of the page at the `url`. */
  expireHosted(url: string): Promise<void>;
};

const CARD: Card = {
  ref: expect.any(String) as string,
  fingerprint: expect.any(String) as string,
  type: "card",
  brand: expect.any(String) as string,
  last4: expect.stringMatching(/^\d{4}$/) as string,
  expMonth: expect.any(Number) as number,
  expYear: expect.any(Number) as number,
};
const PAID = { status: "succeeded", card: CARD };
const CANCELED = { status: "declined", code: "canceled" };

/**
 * The behaviour that Billow relies on if buyers give their cards on the provider's page (rules C1, D1, D2), in addition
 * to `describeProvider`.
 */
export function describeHostedEntry(name: string, open: () => Promise<HostedProviderUnderTest>): void {
  describe(`the hosted entry of the ${name} provider`, () => {
    let world: HostedProviderUnderTest;
    let keys = 0;
    beforeAll(async () => void (world = await open()));
    afterAll(() => world.close());

    const save = (): SaveCard => ({
      organizationId: world.organizationId,
      key: `pay_hosted_${++keys}`,
      card: null,
      customer: { id: "cus_conformance", email: "ada@example.com", name: null },
      description: "A test",
      page: null,
      returnUrl: "https://shop.example/return",
    });
    const request = (parts: Partial<Charge> = {}): Charge => ({
      ...save(),
      amount: 1000,
      currency: "usd",
      presence: "buyer",
      statement: "Seller",
      ...parts,
    });
    const read = ({ key }: SaveCard) => world.provider.read(world.organizationId, key);
    const booked = async ({ key }: SaveCard) => (await world.book()).filter((each) => each.key === key);

    it("leads the buyer to a page, always the same one", async () => {
      const charge = request();
      const asked = challenged(await world.provider.charge(charge));
      expect(URL.canParse(asked.url)).toBe(true);
      expect(await world.provider.charge(charge)).toEqual(asked);
      expect(await read(charge)).toEqual(asked);
      expect(await booked(charge)).toEqual([]);
    });

    it("makes one page of concurrent requests with one key", async () => {
      const charge = request();
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => world.provider.charge(charge)));
      const urls = outcomes.flatMap((outcome) => (outcome.status === "requires_action" ? [outcome.url] : []));
      expect(new Set(urls).size).toBe(1);
      for (const { status } of outcomes) expect(["requires_action", "unknown"]).toContain(status);
    });

    it("refuses a key that was used for another amount", async () => {
      const charge = request();
      await world.provider.charge(charge);
      await expect(world.provider.charge({ ...charge, amount: 2000 })).rejects.toThrow();
    });

    it("is paid on the page, once, and tells the card", async () => {
      const charge = request();
      const { url } = challenged(await world.provider.charge(charge));
      await world.payHosted(url, "pays");
      expect(await read(charge)).toEqual(PAID);
      expect(await world.provider.charge(charge)).toEqual(PAID);
      await world.payHosted(url, "pays");
      expect(await booked(charge)).toMatchObject([{ amount: 1000, currency: "usd" }]);
    });

    it("can charge the card again without the buyer", async () => {
      const charge = request();
      await world.payHosted(challenged(await world.provider.charge(charge)).url, "pays");
      const paid = await read(charge);
      const card = paid.status === "succeeded" ? paid.card!.ref : "";
      const renewal = request({ card, presence: "off_session" });
      expect(await world.provider.charge(renewal)).toEqual({ status: "succeeded" });
      expect(await booked(renewal)).toHaveLength(1);
    });

    it("saves a card without charging it, and can charge it later", async () => {
      const saving = save();
      await world.payHosted(challenged(await world.provider.saveCard(saving)).url, "pays");
      const saved = await read(saving);
      expect(saved).toEqual(PAID);
      expect(await booked(saving)).toEqual([]);
      const card = saved.status === "succeeded" ? saved.card!.ref : "";
      expect(await world.provider.charge(request({ card, presence: "off_session" }))).toEqual({ status: "succeeded" });
    });

    it("waits for another card after a declined one", async () => {
      const charge = request();
      const asked = challenged(await world.provider.charge(charge));
      await world.payHosted(asked.url, "card_declined");
      expect(await read(charge)).toEqual(asked);
      await world.payHosted(asked.url, "pays");
      expect(await read(charge)).toEqual(PAID);
      expect(await booked(charge)).toHaveLength(1);
    });

    it("waits for another card after a challenge that was refused, and is paid by a passed one", async () => {
      const charge = request();
      const asked = challenged(await world.provider.charge(charge));
      await world.payHosted(asked.url, "authenticates", false);
      expect(await read(charge)).toEqual(asked);
      expect(await booked(charge)).toEqual([]);
      await world.payHosted(asked.url, "authenticates");
      expect(await read(charge)).toEqual(PAID);
      expect(await booked(charge)).toHaveLength(1);
    });

    it("can be canceled before the buyer pays, for good", async () => {
      const charge = request();
      const { url } = challenged(await world.provider.charge(charge));
      expect(await world.provider.cancel(charge)).toEqual(CANCELED);
      await world.payHosted(url, "pays");
      expect(await read(charge)).toEqual(CANCELED);
      expect(await world.provider.charge(charge)).toEqual(CANCELED);
      expect(await booked(charge)).toEqual([]);
    });

    it("answers with the payment when it is too late to cancel", async () => {
      const charge = request();
      await world.payHosted(challenged(await world.provider.charge(charge)).url, "pays");
      expect(await world.provider.cancel(charge)).toEqual(PAID);
      expect(await booked(charge)).toHaveLength(1);
    });

    it("refuses a request that was canceled before it arrived", async () => {
      const charge = request();
      expect(await world.provider.cancel(charge)).toEqual(CANCELED);
      expect(await world.provider.charge(charge)).toEqual(CANCELED);
    });

    it("is canceled at the end of the page's time", async () => {
      const charge = request();
      const { url } = challenged(await world.provider.charge(charge));
      await world.expireHosted(url);
      await world.payHosted(url, "pays");
      expect(await read(charge)).toEqual(CANCELED);
      expect(await world.provider.charge(charge)).toEqual(CANCELED);
      expect(await world.provider.cancel(charge)).toEqual(CANCELED);
      expect(await booked(charge)).toEqual([]);
    });

    it("can be refunded", async () => {
      const charge = request();
      await world.payHosted(challenged(await world.provider.charge(charge)).url, "pays");
      const { organizationId, key } = charge;
      const refund = (amount: number) =>
        world.provider.refund({ organizationId, key: `${key}_${amount}`, chargeKey: key, amount });
      expect(await refund(400)).toEqual({ status: "succeeded" });
      expect(await refund(601)).toMatchObject({ status: "declined" });
    });
  });
}
