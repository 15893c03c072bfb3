import { saveCard } from "../../src/actions/sandbox/set-card.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { customers } from "../../src/store/customers.ts";
import { readBook } from "../support/audit.ts";
import { keepForOne } from "./card-for-one.ts";
import { calling, Countdown, databaseWith } from "./faults.ts";
import { CARDS, type Fault } from "./history.ts";
import { answerOf } from "./look.ts";
import { answerOutside, type OpenSide } from "./provider-side.ts";
import { BUILT_IN } from "./reference-provider.ts";

/**
 * The same process with a fault. `die` counts the calls to database and provider, `lose` only those to the provider.
 */
function withFault(ctx: Context, fault: Fault): Context {
  const { counted, guarded } = new Countdown(fault);
  const { db, payments } = ctx;
  const { sandbox } = payments;
  return {
    ...ctx,
    db: databaseWith(db, fault.kind === "die" ? counted : guarded),
    payments: {
      ...payments,
      sandbox: {
        ...sandbox,
        entry: { kind: "typed", accept: calling(guarded, sandbox.entry.accept) },
        saveCard: calling(counted, sandbox.saveCard),
        charge: calling(counted, sandbox.charge),
        read: calling(counted, sandbox.read),
        cancel: calling(counted, sandbox.cancel),
        refund: calling(counted, sandbox.refund),
      },
    },
  };
}

async function moneyOf({ db, payments }: Context, organizationId: string): Promise<Map<string, number>> {
  const captured = new Map<string, number>();
  const add = (currency: string, amount: number) => captured.set(currency, (captured.get(currency) ?? 0) + amount);
  for (const { currency, amount } of await readBook(db, organizationId)) add(currency, amount);
  for (const author of ["billow", "dashboard"] as const) {
    const refundsAfter = (key: string) => payments.sandbox.listRefunds(organizationId, key, author);
    for (let page = await refundsAfter(""); page.length > 0; page = await refundsAfter(page.at(-1)!.key))
      for (const { currency, amount } of page) add(currency, -amount);
  }
  return captured;
}

/** The built-in provider of a sandbox. Banks and operators act by the sandbox's own endpoints. */
export const openSandboxSide: OpenSide = async (ctx, organizationId) => ({
  ctx,
  traits: BUILT_IN,
  underFault: (fault, work) => work(fault ? withFault(ctx, fault) : ctx),
  arrive: async () => false,
  cardOnPage: (card) => ({ number: CARDS[card], expMonth: 12, expYear: 2999, cvc: "123" }),
  payAtProvider: async () => undefined,
  async answer({ url }, { pass }) {
    await ctx.payments.sandbox.answerChallenge(organizationId, url.split("/").at(-1)!, pass);
  },
  async giveCard({ post, world }, customerId, card, subscriptionId) {
    const path = `/manage/v1/sandbox/customers/${customerId}/card`;
    if (subscriptionId === null) return answerOf(await post(path, { card: CARDS[card] }));
    if (card === "declined") return "402 payment_failed";
    const customer = (await customers.find(ctx.db.read, organizationId, customerId))!;
    await keepForOne(ctx, customer, subscriptionId, await saveCard(ctx, customer, newId("pm"), CARDS[card]));
    await world.settle();
    return "200";
  },
  // Billow may have heard of the end before a fault lost the answer.
  async detach({ post, fault }, card) {
    const reply = await post(`/manage/v1/sandbox/payment-methods/${card.id}/detach`);
    return fault && reply.body.code === "payment_method_detached" ? "200" : answerOf(reply);
  },
  async dispute({ post }, payment) {
    const reply = await post(`/manage/v1/sandbox/payments/${payment.id}/dispute`, {});
    return reply.status === 201 ? `201 ${reply.body.amount}` : answerOf(reply);
  },
  decide: async ({ post }, dispute, outcome) =>
    answerOf(await post(`/manage/v1/sandbox/disputes/${dispute.id}/close`, { outcome })),
  // Billow may have heard of the failure before a fault lost the answer.
  async failRefund({ post, fault }, refund) {
    const reply = await post(`/manage/v1/sandbox/refunds/${refund.id}/fail`, {});
    return fault && reply.body.code === "refund_not_failable" ? "200" : answerOf(reply);
  },
  async refundOutside({ post }, payment, amount) {
    const body = amount === null ? {} : { amount };
    const reply = await post(`/manage/v1/sandbox/payments/${payment.id}/refund`, body);
    return reply.status === 201 ? answerOutside(reply.body) : answerOf(reply);
  },
  money: () => moneyOf(ctx, organizationId),
  // The comparison of the built-in provider's book is a part of `billow verify`.
  differences: async () => [],
  close: async () => undefined,
});
