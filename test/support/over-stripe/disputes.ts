import { reportDispute } from "../../../src/actions/dispute/report.ts";
import type { Context } from "../../../src/context.ts";
import { DAY } from "../../../src/domain/calendar.ts";
import type { DisputeReason } from "../../../src/domain/model/dispute.ts";
import { SANDBOX } from "../../../src/domain/model/payment-outcome.ts";
import { toStripe } from "../../../src/payments/stripe/money.ts";
import { CloseDisputeParams, DisputePaymentParams } from "../../../src/resources/dispute.ts";
import { disputes } from "../../../src/store/disputes.ts";
import { payments } from "../../../src/store/payments.ts";
import type { Charge, Dispute as StripeDispute } from "../../payments/stripe/objects.ts";
import { intentOf } from "./cards.ts";
import { learn } from "./facts.ts";
import type { OverStripe } from "./provider.ts";
import type { Site } from "./site.ts";

type Answer = { status: number; headers: Headers; body: ReturnType<typeof JSON.parse> };
/** A call of the management API. */
export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
/** The sandbox with the played bank. `ask`: calls the management API. */
type Bank = { ctx: Context; provider: OverStripe; organizationId: string; ask: Call };

/** The fee and the deadline of the sandbox's bank. */
const FEE = 1500;
const EVIDENCE_DAYS = 7;

/** Stripe's reasons, from which the adapter makes ours. */
const REASONS: Record<DisputeReason, string> = {
  duplicate: "duplicate",
  fraudulent: "fraudulent",
  not_as_described: "product_unacceptable",
  not_received: "product_not_received",
  other: "general",
  refund_not_received: "credit_not_processed",
  subscription_canceled: "subscription_canceled",
  unrecognized: "unrecognized",
};

/** Reports an operation of the bank to Billow as the adapter has learned of it. */
async function report(bank: Bank, site: Site, operation: () => StripeDispute): Promise<void> {
  const { ctx, provider, organizationId } = bank;
  const { adapter } = await provider.at(organizationId);
  const fact = (await learn(site, adapter, organizationId, operation)).at(-1);
  if (fact?.kind !== "dispute") throw new Error("the adapter learns of no dispute");
  const account = { provider: SANDBOX, providerAccount: SANDBOX };
  const reported = await reportDispute(ctx, organizationId, account, fact.dispute);
  if (reported !== "taken") throw new Error(`the dispute ${fact.dispute.ref} is a ${reported} to Billow`);
}

const isOver = ({ status }: StripeDispute) => ["won", "lost", "warning_closed", "prevented"].includes(status);

/** The charge of a payment that a bank can dispute now; null: the charge is disputed already, or not there. */
function disputableOf(site: Site, key: string): Charge | null {
  const { book } = site.stripe;
  const charge = book.charges.get(intentOf(site, key)?.latest_charge ?? "");
  if (charge?.status !== "succeeded" || charge.amount_refunded === charge.amount) return null;
  const stands = (each: StripeDispute) => each.charge === charge.id && (!isOver(each) || each.status === "lost");
  return [...book.disputes.values()].some(stands) ? null : charge;
}

/** The buyer objects at the bank. Null: the bank can't dispute this charge. */
async function dispute(bank: Bank, paymentId: string, body: unknown): Promise<Answer | null> {
  const { ctx, provider, organizationId, ask } = bank;
  const { data: params } = DisputePaymentParams.safeParse(body ?? {});
  const payment = await payments.find(ctx.db.read, organizationId, paymentId);
  const { site } = await provider.at(organizationId);
  const charge = payment && disputableOf(site, payment.providerKey);
  if (!params || !charge) return null;
  const { now } = (await ask("GET", "/sandbox/clock")).body;
  const rest = charge.amount - charge.amount_refunded;
  const wanted = params.amount === null ? rest : toStripe(params.amount, charge.currency);
  await report(bank, site, () =>
    site.stripe.operations.dispute(charge.id, {
      amount: Math.min(wanted, rest),
      reason: REASONS[params.reason],
      status: params.inquiry ? "warning_needs_response" : "needs_response",
      dueBy: Math.floor((Date.parse(now) + EVIDENCE_DAYS * DAY) / 1000),
      fee: FEE,
    }),
  );
  const [made] = (await ask("GET", `/disputes?paymentId=${paymentId}`)).body.data;
  return { ...(await ask("GET", `/disputes/${made.id}`)), status: 201 };
}

/** The operation of a bank with its own dispute; null: the bank can't do it. */
function operationWith({ stripe: { operations } }: Site, { id, status }: StripeDispute, name: string, body: unknown) {
  const isInquiry = status === "warning_needs_response";
  if (name === "escalate") return isInquiry ? () => operations.escalateDispute(id, FEE) : null;
  const { data } = CloseDisputeParams.safeParse(body);
  if (!data || isInquiry !== (data.outcome === "closed")) return null;
  const { outcome } = data;
  return () => operations.closeDispute(id, outcome === "closed" ? "warning_closed" : outcome);
}

/** The bank takes the money of an inquiry, or decides. Null: the bank can't do this with the dispute. */
async function goOn(bank: Bank, id: string, name: string, body: unknown): Promise<Answer | null> {
  const { ctx, provider, organizationId, ask } = bank;
  const { site } = await provider.at(organizationId);
  const ref = (await disputes.find(ctx.db.read, organizationId, id))?.providerRef;
  const known = site.stripe.book.disputes.get(ref ?? "");
  const operation = known && !isOver(known) ? operationWith(site, known, name, body) : null;
  if (!known || !operation) return null;
  await report(bank, site, () => {
    operation();
    return known;
  });
  return ask("GET", `/disputes/${id}`);
}

const TOOL = /^\/sandbox\/(?:payments|disputes)\/(\w+)\/(dispute|escalate|close)$/;

/**
 * The management API, whose tools for disputes act at Stripe. Billow then learns of the bank's operation by the
 * adapter. An operation that the bank can't do goes to Billow's own tool, which must refuse the operation.
 */
export function withBank(ctx: Context, organizationId: string, ask: Call): Call {
  return async (method, path, body, headers) => {
    const [, id, name] = (method === "POST" && TOOL.exec(path)) || [];
    if (id === undefined || name === undefined) return ask(method, path, body, headers);
    const bank = { ctx, provider: ctx.payments.sandbox as OverStripe, organizationId, ask };
    const played = name === "dispute" ? await dispute(bank, id, body) : await goOn(bank, id, name, body);
    if (played) return played;
    const refused = await ask(method, path, body, headers);
    if (refused.status < 400) throw new Error(`Billow has carried out ${path}, but the bank can't`);
    return refused;
  };
}
