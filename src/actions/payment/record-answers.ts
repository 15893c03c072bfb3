import type { Context } from "../../context.ts";
import type { Answered } from "../../domain/billing/customer-billing.ts";
import type { Tx } from "../../store/driver/db.ts";
import type { Outcome } from "../views.ts";
import { changeRefusal, handRefusal } from "./refusal.ts";

function outcomeOf(ctx: Context, answered: Answered, externalCustomerId: string | null): Outcome {
  const { requestId } = answered;
  switch (answered.outcome) {
    case "changed":
      return { kind: "subscription", subscription: answered.subscription, externalCustomerId };
    case "change_refused":
      return { kind: "refused", error: changeRefusal(ctx, answered.payment, answered.change), requestId };
    case "paid":
      return { kind: "invoice", ...answered.bill };
    case "not_paid":
      return { kind: "refused", error: handRefusal(ctx, answered.payment), requestId };
  }
}

/**
 * Stores the answers to the requests whose charges were settled, so that a repeated request gets its answer even after
 * a crash.
 */
export function recordAnswers(ctx: Context, tx: Tx, all: readonly Answered[], externalCustomerId: string | null): void {
  for (const answered of all)
    ctx.answers.record(ctx, tx, answered.idempotency, outcomeOf(ctx, answered, externalCustomerId));
}
