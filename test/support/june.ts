import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Json } from "./app.ts";
import { bankOf, type Bank } from "./bank.ts";
import { CARDS, startStory, type Story } from "./story.ts";

const ADA = { email: "ada@example.com", externalId: "ada" };
/** A balance in usd, as the API shows it. */
export const usd = (amount: number, held = 0) => [{ currency: "usd", amount, held, available: amount - held }];

/** Pro for 30.00 a month, bought by card on 1 June 2025 at 0:00. */
export function openJune() {
  const june = {} as { story: Story; bank: Bank; id: string; customerId: string };
  beforeAll(async () => {
    const story = await startStory({ clock: "2025-06-01T00:00:00Z" });
    for (const [key, amount] of Object.entries({ pro: 3000, team: 6000, max: 12_000, plus: 2000, free: 0 }))
      await story.plan(key, amount);
    const { id, customerId } = await story.buy({ productKey: "pro", customer: ADA }, CARDS.pays);
    Object.assign(june, { story, bank: bankOf(story.app), id, customerId });
    await story.news();
    await story.statement();
  });
  afterEach(async () => expect(await june.story.audit()).toEqual([]));
  afterAll(() => june.story.close());
  const get = (path: string) => june.story.ok(june.story.app.manage("GET", path));
  const post = (path: string, body: object = {}) => june.story.app.manage("POST", path, body);
  /** The Subscription's invoices, oldest first. */
  const invoices = async (): Promise<Json[]> =>
    (await get(`/invoices?subscriptionId=${june.id}&limit=100`)).data.toReversed();
  return {
    june,
    get,
    post,
    invoices,
    change: (productKey: string, more: object = {}) => june.story.change(june.id, { productKey, ...more }),
    /** Refunds the n-th invoice, and waits until the refund is settled. */
    async refund(n: number, body: object = {}): Promise<Json> {
      const answer = await post(`/invoices/${(await invoices())[n - 1]!.id}/refunds`, body);
      if (answer.status === 201) await june.story.settle();
      return answer.body;
    },
    /** `refundableToCard` and `refundableToBalance` of each invoice. */
    refundable: async () =>
      (await invoices()).map(({ refundableToCard, refundableToBalance }) => [refundableToCard, refundableToBalance]),
    balance: async () => (await get(`/customers/${june.customerId}/balance`)).data,
    /** The lots that are left: amount, source, and the number of the invoice that the source's charge paid. */
    async lots(): Promise<unknown[][]> {
      const { data } = await get(`/customers/${june.customerId}/balance-entries?limit=100`);
      const numbers = new Map<string, string>();
      for (const { id, number } of await invoices()) {
        for (const payment of (await get(`/payments?invoiceId=${id}`)).data) numbers.set(payment.id, number.slice(-4));
      }
      return data
        .filter(({ remaining }: Json) => remaining !== 0)
        .map(({ remaining, source, paymentId }: Json) => [remaining, source, numbers.get(paymentId) ?? null]);
    },
    async reasons(): Promise<unknown[][]> {
      const { data } = await get(`/customers/${june.customerId}/balance-entries?limit=100`);
      return data.toReversed().map(({ reason, amount }: Json) => [reason, amount]);
    },
    books: async () => {
      const { sandbox } = june.story.app.ctx.payments;
      const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
      const { id } = june.story.app.organization;
      return [sum(await sandbox.listCharges(id)), sum(await sandbox.listRefunds(id))];
    },
  };
}
