import { instant } from "../../domain/calendar.ts";
import type { DisputeReport } from "../../domain/model/dispute-report.ts";
import type { EarlierReport } from "../../domain/model/earlier-report.ts";
import type { RefundFailureCode } from "../../domain/model/refund-failure.ts";
import type { RefundReport } from "../../domain/model/refund-report.ts";
import type { ProviderReport, EventRef } from "../provider.ts";
import { StripeFault } from "./client.ts";
import { fromStripe } from "./money.ts";
import type { Charge, Dispute, Intent, PaymentMethod, Refund, Session } from "./objects.ts";
import { cardOf } from "./sessions.ts";
import { isLive, keyIn } from "./settings.ts";
import type { Work } from "./work.ts";

type Found = ProviderReport[] | "unmatched";

/** The key of the charge with this intent: from our table, or from the metadata if our table lost the row. */
async function chargeKeyOf(work: Work, organizationId: string, intent: string | null): Promise<string | null> {
  if (intent === null) return null;
  const row = await work.requests.findByObject(organizationId, intent);
  if (row) return row.key;
  const { metadata } = await work.api.get<Intent>(`/v1/payment_intents/${intent}`);
  return keyIn(work.settings, organizationId, metadata);
}

type Unkeyed = Pick<Refund | Dispute, "id" | "charge" | "amount" | "currency">;
type State<T = EarlierReport> = T extends EarlierReport
  ? Pick<T, "kind" | "status" | "reason" | "evidenceDueAt">
  : never;

/** A refund or a dispute of a charge without a key: other software may have charged a Customer of ours. */
async function earlier(work: Work, organizationId: string, found: Unkeyed, state: State): Promise<Found> {
  const { id: ref, charge, amount, currency } = found;
  if (charge === null) return "unmatched";
  const { customer, metadata } = await work.api.get<Charge>(`/v1/charges/${charge}`);
  const owner = customer === null ? null : await work.customers.ownerOf(organizationId, customer);
  // A charge with our metadata belongs to a copy of this database, or to a neighbour.
  if (owner === null || metadata?.["billow_installation"] === work.settings.installation) return "unmatched";
  const common = { ref, chargeRef: charge, customerId: owner, amount: fromStripe(amount, currency), currency };
  return [{ kind: "earlier", earlier: { ...common, ...state } }];
}

/** The entry of the book behind an intent that has succeeded. */
function chargeOf({ status, latest_charge: ref, amount = 0, currency = "", created }: Intent, key: string) {
  if (status !== "succeeded" || !ref) return null;
  const money = { amount: fromStripe(amount, currency), currency };
  return { kind: "charge", ref, key, chargeKey: null, ...money, createdAt: instant(created * 1000) } as const;
}

async function payment(work: Work, organizationId: string, path: string): Promise<Found> {
  const found = await work.api.get<Intent | Session>(path);
  const key = keyIn(work.settings, organizationId, found.metadata);
  if (key === null || found.livemode !== isLive(work.settings.key)) return "unmatched";
  return [{ kind: "payment", key, charge: found.object === "payment_intent" ? chargeOf(found, key) : null }];
}

/** `requires_action` belongs to other methods than cards; the money has not arrived then either. */
const REFUND_STATUSES = new Map<string | null, RefundReport["status"]>(
  Object.entries({
    pending: "processing",
    requires_action: "processing",
    succeeded: "succeeded",
    failed: "failed",
    canceled: "failed",
  } as const),
);

const refundStatus = (status: string | null) => REFUND_STATUSES.get(status) ?? "processing";

/** Stripe's reasons of a failed refund, with ours. */
const FAILURES = new Map<string, RefundFailureCode>(
  Object.entries({
    declined: "declined",
    expired_or_canceled_card: "card_gone",
    charge_for_pending_refund_disputed: "disputed",
    insufficient_funds: "insufficient_funds",
    lost_or_stolen_card: "card_lost",
    merchant_request: "canceled",
  } as const),
);

async function refund(work: Work, organizationId: string, ref: string): Promise<Found> {
  const found = await work.api.get<Refund>(`/v1/refunds/${ref}`);
  const { amount, currency, created, metadata, status, failure_reason: reason } = found;
  const chargeKey = await chargeKeyOf(work, organizationId, found.payment_intent);
  if (chargeKey === null) {
    const now = refundStatus(status);
    const state = { kind: "refund", status: now === "processing" ? "pending" : now } as const;
    return earlier(work, organizationId, found, { ...state, reason: null, evidenceDueAt: null });
  }
  const code = status === "canceled" ? "canceled" : reason ? (FAILURES.get(reason) ?? "unknown") : null;
  return [
    {
      kind: "refund",
      refund: {
        ref,
        key: keyIn(work.settings, organizationId, metadata),
        chargeKey,
        status: refundStatus(status),
        amount: fromStripe(amount, currency),
        currency,
        failureCode: code,
        createdAt: instant(created * 1000),
      },
    },
  ];
}

/**
 * A status that Stripe adds later counts as open: the money has moved, and the end is not known. Some preventions give
 * the money back to the buyer through the card's network.
 */
function disputeStatus({ status, balance_transactions: moves }: Dispute): DisputeReport["status"] {
  if (status === "warning_needs_response" || status === "warning_under_review") return "inquiry";
  const hasLeft = moves.reduce((sum, { amount }) => sum + amount, 0) < 0;
  if (status === "warning_closed" || status === "prevented") return hasLeft ? "lost" : "closed";
  return status === "won" || status === "lost" ? status : "open";
}

const REASONS = new Map<string, DisputeReport["reason"]>(
  Object.entries({
    credit_not_processed: "refund_not_received",
    duplicate: "duplicate",
    fraudulent: "fraudulent",
    product_not_received: "not_received",
    product_unacceptable: "not_as_described",
    subscription_canceled: "subscription_canceled",
    unrecognized: "unrecognized",
  } as const),
);

async function dispute(work: Work, organizationId: string, ref: string): Promise<Found> {
  const found = await work.api.get<Dispute>(`/v1/disputes/${ref}`);
  const { amount, currency, livemode, reason, balance_transactions: moves } = found;
  const chargeKey = await chargeKeyOf(work, organizationId, found.payment_intent);
  if (livemode !== isLive(work.settings.key)) return "unmatched";
  const due = found.evidence_details.due_by || null;
  const evidenceDueAt = due === null ? null : instant(due * 1000);
  const state = { status: disputeStatus(found), reason: REASONS.get(reason) ?? "other", evidenceDueAt } as const;
  if (chargeKey === null) return earlier(work, organizationId, found, { kind: "dispute", ...state });
  // Stripe takes the fee in the currency of the account's balance.
  const feeCurrency = moves[0]?.currency ?? null;
  const fee = moves.reduce((sum, move) => sum + move.fee, 0);
  return [
    {
      kind: "dispute",
      dispute: {
        ref,
        chargeKey,
        ...state,
        amount: fromStripe(amount, currency),
        currency,
        fee: feeCurrency === null ? null : fromStripe(fee, feeCurrency),
        feeCurrency,
      },
    },
  ];
}

/** A detached card names no Customer any more, so the caller decides by the card's id. */
async function card(work: Work, organizationId: string, ref: string): Promise<Found> {
  const found = await work.api.get<PaymentMethod>(`/v1/payment_methods/${ref}`);
  if (found.livemode !== isLive(work.settings.key)) return "unmatched";
  if (found.customer === null) return [{ kind: "card", ref, card: null }];
  const now = cardOf(found);
  const owner = now && (await work.customers.ownerOf(organizationId, found.customer));
  return owner ? [{ kind: "card", ref, card: now }] : "unmatched";
}

const READERS: readonly [prefix: string, read: (work: Work, organizationId: string, id: string) => Promise<Found>][] = [
  ["pi_", (work, organization, id) => payment(work, organization, `/v1/payment_intents/${id}`)],
  ["seti_", (work, organization, id) => payment(work, organization, `/v1/setup_intents/${id}`)],
  ["cs_", (work, organization, id) => payment(work, organization, `/v1/checkout/sessions/${id}`)],
  ["re_", refund],
  ["pyr_", refund],
  ["dp_", dispute],
  ["du_", dispute],
  ["pm_", card],
  ["card_", card],
];

/** Reads the object behind a reference. An object that this key can't find is a stranger, too. */
export async function reportsOf(work: Work, organizationId: string, { object }: EventRef): Promise<Found> {
  const [, read] = READERS.find(([prefix]) => object.startsWith(prefix)) ?? [];
  // The id becomes a part of a path, and came from outside.
  if (!read || !/^\w+$/.test(object)) return "unmatched";
  try {
    return await read(work, organizationId, object);
  } catch (error) {
    if (error instanceof StripeFault && error.status === 404) return "unmatched";
    throw error;
  }
}
