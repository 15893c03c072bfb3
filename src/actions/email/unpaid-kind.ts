import { kindToSend, type BuyerEmailKind } from "../../domain/model/email.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { isSuperseded } from "../../store/emails.ts";
import { liveAttempt } from "../../store/payments.ts";
import type { EmailContext, Skip } from "./email-context.ts";

/**
 * The kind under which an e-mail about an open invoice is sent now, or the reason to skip the e-mail. A challenge that
 * can't be answered any more counts as a failed payment. While another attempt is under way, such an e-mail is skipped,
 * because the other attempt leads to an e-mail of its own (rule E4c).
 */
export async function unpaidKind(
  { ctx, email, organization }: EmailContext,
  payment: Payment | null,
): Promise<BuyerEmailKind | Skip> {
  const isOver = email.kind === "authentication_required" && !nextActionOf(payment!);
  if (isOver && (await liveAttempt(ctx.db.read, organization.id, email.invoiceId!))) return { skip: "no_longer_asked" };
  const kind = kindToSend(isOver ? "payment_failed" : email.kind, organization.emailsOff);
  if (kind === null) return { skip: isOver ? "no_longer_asked" : "switched_off" };
  return (await isSuperseded(ctx.db.read, email)) ? { skip: "superseded" } : (kind as BuyerEmailKind);
}
