import type { PageRef } from "../../actions/links.ts";
import { readCardOnFile } from "../../actions/payment/card-on-file.ts";
import { carryOutPayment } from "../../actions/payment/carry-out.ts";
import { entryOf, type Entry } from "../../actions/provider.ts";
import { readRestart } from "../../actions/subscription/restart.ts";
import { MAX_FAILED_ATTEMPTS } from "../../domain/model/checkout.ts";
import type { Context } from "../../context.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Payment, PaymentMethod } from "../../domain/model/payment.ts";
import type { RestartPreview } from "../../domain/collection/restart.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { customers } from "../../store/customers.ts";
import { invoices } from "../../store/invoices.ts";
import { organizations } from "../../store/organizations.ts";
import { failedOnPage, lastAttempt, liveAttempt } from "../../store/payments.ts";
import { subscriptions } from "../../store/subscriptions.ts";

/** An open invoice of a Subscription that goes on, with the state of its payment. */
export type Due = Pick<Entry, "hosted"> & {
  organization: Organization;
  invoice: Invoice;
  subscription: Subscription;
  /**
   * `paying`: the outcome of a charge is pending; `challenged`: the bank asks the buyer, or the provider's page waits
   * for the buyer; `waiting`: an earlier invoice is charged first; `owed`: only a retry or the buyer can pay the
   * invoice.
   */
  state: "paying" | "challenged" | "waiting" | "owed";
  /** The newest attempt; null: there was no card to charge. */
  attempt: Payment | null;
  /** The card of the next retry; null: there is no card that may be charged. */
  onFile: PaymentMethod | null;
  /** The new period that begins with the payment; null: the period in progress is not over (rule D8). */
  restart: RestartPreview | null;
  /** Why the page takes no card, regardless of the buyer's input. */
  obstacle: Entry["closed"] | "too_many_attempts";
};

/**
 * Queries the provider for the payment's status at once, so that a buyer back from the bank need not wait for a worker.
 */
async function openInvoice(
  ctx: Context,
  { organizationId, id }: PageRef,
): Promise<{ invoice: Invoice; live: Payment | null } | null> {
  const db = ctx.db.read;
  const live = await liveAttempt(db, organizationId, id);
  const asked = live?.status === "requires_action" ? await carryOutPayment(ctx, organizationId, live.id) : live;
  const invoice = await invoices.find(db, organizationId, id);
  return invoice?.status === "open" ? { invoice, live: asked?.settledAt === null ? asked : null } : null;
}

function stateOf({ status }: Subscription, { heldReason }: Invoice, live: Payment | null): Due["state"] {
  if (live) return nextActionOf(live) ? "challenged" : "paying";
  return status === "past_due" || heldReason !== null ? "owed" : "waiting";
}

/** Null for an invoice that needs no payment (any more). The page of such an invoice shows only the document. */
export async function findDue(ctx: Context, page: PageRef): Promise<Due | null> {
  const { organizationId, id } = page;
  const db = ctx.db.read;
  const open = await openInvoice(ctx, page);
  if (!open || open.invoice.subscriptionId === null) return null;
  const { invoice, live } = open;
  const [organization, customer, subscription, last, failed] = await Promise.all([
    organizations.find(db, organizationId),
    customers.find(db, organizationId, invoice.customerId),
    subscriptions.find(db, organizationId, invoice.subscriptionId!),
    lastAttempt(db, organizationId, id),
    failedOnPage(db, organizationId, id),
  ]);
  if (!organization || !customer || !subscription || subscription.status === "canceled") return null;
  const onFile = await readCardOnFile(ctx, customer, subscription);
  const restart = await readRestart(ctx, subscription, id);
  const { hosted, closed } = await entryOf(ctx, organization);
  const obstacle = closed ?? (failed >= MAX_FAILED_ATTEMPTS ? "too_many_attempts" : null);
  return {
    organization,
    invoice,
    subscription,
    state: stateOf(subscription, invoice, live),
    attempt: live ?? last,
    onFile,
    restart,
    hosted,
    obstacle,
  };
}

/** The state of the payment as a text. If the text changes, the page reloads. */
export function progressOf(due: Due | null): string {
  return due ? `${due.state} ${due.attempt?.status ?? ""} ${due.obstacle ?? ""}`.trim() : "settled";
}
