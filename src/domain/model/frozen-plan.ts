import type { Instant } from "../calendar.ts";
import type { ChangeTarget } from "./plan-change.ts";
import type { AskedChange } from "./checkout.ts";
import type { LineDraft, Totals } from "./invoice.ts";
import type { PaymentRequest } from "./payment.ts";
import type { Subscription } from "./subscription.ts";

/**
 * The frozen plan of a change that waits for its charge. The plan is applied whole as of `decidedAt`, or dropped
 * (rule P1).
 */
export type FrozenPlan = {
  set: Partial<Subscription>;
  lines: LineDraft[];
  bill: "now" | "wait" | "none";
  restarted: boolean;
  totals: Totals;
  currency: string;
  /** The options that were asked for, so that a page can repeat them. */
  asked: AskedChange;
  target: ChangeTarget;
};

export type Change = {
  organizationId: string;
  id: string;
  subscriptionId: string;
  customerId: string;
  /** The Checkout that pays for the change; null: the card on file is charged. */
  checkoutId: string | null;
  /** The page on which a buyer can finish the change after it was dropped. */
  pageId: string | null;
  status: "pending" | "applied" | "dropped";
  plan: FrozenPlan;
  groupKey: string | null;
  decidedAt: Instant;
  settledAt: Instant | null;
  /** Null: a Checkout asked for the change. */
  requestId: string | null;
  idempotency: PaymentRequest["idempotency"] | null;
  createdAt: Instant;
};
