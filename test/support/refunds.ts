import { expect } from "vitest";
import type { Json, TestAnswer } from "./app.ts";
import { bankOf, type Bank } from "./bank.ts";
import { CARDS, startStory, type Story } from "./story.ts";

/**
 * A sandbox on 1 June 2025 with a bank of its own. It sells `pro` and `max` by the month and `book` once. Germans pay
 * 19 % on top.
 */
export type RefundShop = {
  story: Story;
  bank: Bank;
  manage: Story["app"]["manage"];
  /** The body of a GET of the management API, which must succeed. */
  read(path: string): Promise<Json>;
  listed(path: string): Promise<Json[]>;
  refund(invoiceId: string, body?: object, headers?: Record<string, string>): Promise<TestAnswer>;
  /** The data of a new Customer. */
  someone(country?: string): { email: string; externalId: string; billingAddress: object };
  /** A paid invoice of this Product. */
  sell(productKey: string, card?: string, customer?: object): Promise<Json>;
  /** The invoice of a Subscription's next period, once its charge is settled. */
  renewal(subscriptionId: string): Promise<Json>;
  /** Lets the cards decide again, settles everything, and expects the books to agree. */
  expectToAgree(): Promise<void>;
};

export async function openRefundShop(): Promise<RefundShop> {
  const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const bank = bankOf(story.app);
  const { manage } = story.app;
  await story.plan("pro", 1000);
  await story.plan("max", 3000);
  await story.plan("book", 900, { interval: null });
  const taxRates = [{ country: "DE", basisPoints: 1900, name: "VAT" }];
  await story.ok(manage("PATCH", "/organization", { taxRates, legalName: "Shop GmbH" }));

  let buyers = 0;
  const read = (path: string) => story.ok(manage("GET", path));
  const listed = async (path: string): Promise<Json[]> => (await read(path)).data;
  const someone = (country = "GB") => {
    buyers += 1;
    return { email: `buyer-${buyers}@example.com`, externalId: `buyer-${buyers}`, billingAddress: { country } };
  };
  return {
    story,
    bank,
    manage,
    read,
    listed,
    someone,
    refund: (invoiceId, body, headers) => manage("POST", `/invoices/${invoiceId}/refunds`, body, headers),
    async sell(productKey, card = CARDS.pays, customer = someone()) {
      const open = await story.ok(story.app.api("POST", "/checkouts", { productKey, customer }));
      await story.ok(manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card }));
      await story.settle();
      const { invoiceId } = await story.ok(story.app.api("GET", `/checkouts/${open.id}`));
      return read(`/invoices/${invoiceId}`);
    },
    async renewal(subscriptionId) {
      await story.travel((await story.subscription(subscriptionId)).currentPeriodEnd);
      return (await listed(`/invoices?subscriptionId=${subscriptionId}`))[0];
    },
    async expectToAgree() {
      bank.says(null);
      await story.settle();
      expect(await story.audit()).toEqual([]);
    },
  };
}

/** The status and the code of a refusal, with the first fault of the request. */
export const refused = ({ status, body }: TestAnswer) => [
  status,
  body.code,
  body.errors?.[0]?.pointer,
  body.errors?.[0]?.code,
];
