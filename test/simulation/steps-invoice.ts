import { payOnPage } from "../../src/actions/invoice/page.ts";
import { readRestart } from "../../src/actions/subscription/restart.ts";
import type { Context } from "../../src/context.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import type { Json } from "../support/app.ts";
import { Died } from "./faults.ts";
import type { StepOf } from "./history.ts";
import { answerOf, invoicesOf, list, ok } from "./look.ts";
import { stepRunOf, write, type Play } from "./play.ts";

/** Refunds a paid invoice, whole or in part. */
export async function refund(play: Play, step: StepOf<"refund">, customerId: string): Promise<string> {
  const invoices = await invoicesOf(play.world, customerId);
  const invoice = invoices.at(step.invoice % invoices.length);
  if (!invoice) return "nobody";
  const { amountPaid, totalAmount, refundedAmount } = invoice;
  const base = Math.max(step.to === "card" ? Math.min(amountPaid, totalAmount) : totalAmount - refundedAmount, 0);
  const amount = step.part === null ? {} : { amount: Math.max(Math.floor(base * step.part), 1) };
  const body = { ...amount, to: step.to, ...(step.revoke && { revokeGrants: true }) };
  const reply = await write(play, step, "POST", `/manage/v1/invoices/${invoice.id}/refunds`, body);
  return reply.status === 201 ? `201 ${reply.body.amount} with tax of ${reply.body.taxAmount}` : answerOf(reply);
}

/** Pays credit out to the cards that paid for it. */
export async function payOut(play: Play, step: StepOf<"payout">, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}`;
  const { data: balances } = await ok(play.world.call({ method: "GET", path: `${path}/balance` }));
  const available: number = balances.find(({ currency }: Json) => currency === step.currency)?.available ?? 0;
  const amount = step.part === null ? {} : { amount: Math.max(Math.floor(Math.max(available, 0) * step.part), 1) };
  const reply = await write(play, step, "POST", `${path}/balance-refunds`, { currency: step.currency, ...amount });
  if (reply.status !== 201) return answerOf(reply);
  return `201 ${reply.body.data.map(({ amount: paid }: Json) => paid).join("+")}`;
}

/**
 * Pays as the page of an invoice does when its form is sent. After a lost answer the buyer looks at the invoice
 * before sending the form again. If the page is `stale` after a fault of the provider, the form is sent again, too.
 */
export async function page(play: Play, step: StepOf<"page">, customerId: string): Promise<string> {
  const { world, side } = play;
  const open = (await invoicesOf(world, customerId)).filter(({ status }) => status === "open");
  const invoice = open[step.invoice % open.length];
  if (!invoice) return "nobody";
  const attempts = (): Promise<Json[]> => list(world, `/manage/v1/payments?invoiceId=${invoice.id}`);
  const before = await attempts();
  const ref = { organizationId: world.organizationId, id: invoice.id };
  const goOn = async () => {
    await side.payAtProvider(world, invoice.id, step.card);
    await world.settle();
  };
  const click = async (by: Context) => {
    const waiting = (await attempts()).find(({ status }) => status === "requires_action");
    const subscription = await subscriptions.find(world.ctx.db.read, world.organizationId, invoice.subscriptionId);
    const restart = await readRestart(world.ctx, subscription!);
    const asked = { forPeriod: restart?.amountDue ?? 0, asksFor: restart?.asksFor ?? null };
    const shown = { instead: waiting?.id ?? null, ...asked };
    const paid = await payOnPage(by, ref, side.cardOnPage(step.card), shown);
    await goOn();
    return "refused" in paid ? paid.refused : null;
  };
  const outcome = async () => {
    const after = await attempts();
    return after.length > before.length ? (after[0].status as string) : null;
  };
  const { request } = step.faults;
  const refused = await side.underFault(request, click).catch(async (error: unknown) => {
    if (!(error instanceof Died)) throw error;
    await world.settle();
    await goOn();
    return (await outcome()) ?? click(world.ctx);
  });
  const again = request && refused === "stale" ? await click(world.ctx) : refused;
  return again ?? (await outcome())!;
}

/** Pays or voids an open invoice by hand, or marks it as paid. */
export async function settleByHand(
  play: Play,
  step: StepOf<"pay" | "void" | "markPaid">,
  customerId: string,
): Promise<string> {
  const invoices = await invoicesOf(play.world, customerId);
  const open = invoices.filter(({ status }) => status === "open");
  const invoice = open[step.invoice % open.length] ?? invoices.at(-1);
  if (!invoice) return "nobody";
  const verb = step.do === "markPaid" ? "mark-paid" : step.do;
  return answerOf(await write(play, step, "POST", `/manage/v1/invoices/${invoice.id}/${verb}`));
}

/** Chooses among the charges of the Customer's invoices, in the order of the invoices. */
export async function dispute(play: Play, step: StepOf<"dispute">, customerId: string): Promise<string> {
  const payments = await list(play.world, `/manage/v1/payments?customerId=${customerId}&status=succeeded`);
  const invoices = await invoicesOf(play.world, customerId);
  const paid = invoices.flatMap(({ id }) => payments.filter(({ invoiceId }) => invoiceId === id));
  const payment = paid.at(step.invoice % paid.length);
  if (!payment) return "nobody";
  return play.side.dispute(stepRunOf(play, step), payment);
}

/** A refund to a card fails. */
export async function failRefund(play: Play, step: StepOf<"failRefund">, customerId: string): Promise<string> {
  const made = await list(play.world, `/manage/v1/refunds?customerId=${customerId}&to=card&status=succeeded`);
  const chosen = made.reverse()[step.refund % made.length];
  if (!chosen) return "nobody";
  return play.side.failRefund(stepRunOf(play, step), chosen);
}

/**
 * Refunds one of the charges at the provider, unless a Checkout or a change waits for the bank. A Checkout that only
 * saves a card waits, too, and the list of payments does not show this attempt.
 */
export async function refundOutside(play: Play, step: StepOf<"refundOutside">, customerId: string): Promise<string> {
  const { world, side } = play;
  const challenges = await world.challenges(customerId);
  if (challenges.some(({ sourceId }) => !sourceId.startsWith("inv_"))) return "waits";
  const payments = await list(world, `/manage/v1/payments?customerId=${customerId}&status=succeeded`);
  const invoices = await invoicesOf(world, customerId);
  const paid = invoices.flatMap(({ id }) => payments.filter(({ invoiceId }) => invoiceId === id));
  const payment = paid.at(step.invoice % paid.length);
  if (!payment) return "nobody";
  const back = await list(world, `/manage/v1/refunds?paymentId=${payment.id}`);
  const disputes = await list(world, `/manage/v1/disputes?paymentId=${payment.id}`);
  const sum = (rows: Json[]) => rows.reduce((total, { amount }) => total + amount, 0);
  const given = sum(back.filter(({ status }) => status !== "failed"));
  const disputed = sum(disputes.filter(({ status }) => status !== "won"));
  if (disputed > 0 && !side.traits.refundsDisputed) return "waits";
  const left = payment.amount - given - disputed;
  const amount = step.part === null ? null : Math.max(Math.floor(left * step.part), 1);
  return side.refundOutside(stepRunOf(play, step), payment, amount);
}

/** Decides one of the open disputes, which are numbered from the oldest. */
export async function decide(play: Play, step: StepOf<"win" | "lose">, customerId: string): Promise<string> {
  const open = (await list(play.world, `/manage/v1/disputes?customerId=${customerId}&status=open`)).reverse();
  const chosen = open[step.dispute % open.length];
  if (!chosen) return "nobody";
  const outcome = step.do === "win" ? "won" : "lost";
  return play.side.decide(stepRunOf(play, step), chosen, outcome);
}
