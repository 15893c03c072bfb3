import { unbrokenCardName } from "../../domain/model/card-name.ts";
import type { UnpaidFacts } from "../../mail/payment.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { payments } from "../../store/payments.ts";
import { accessSentence, unpaidReason } from "../../texts/unpaid-notice.ts";
import { invoiceUrl } from "../links.ts";
import { readCardOnFile } from "../payment/card-on-file.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";
import { unpaidKind } from "./unpaid-kind.ts";

/** The facts of an open invoice, if its Subscription has not ended (rule E4b). */
export async function loadUnpaid(occasion: EmailContext): Promise<LoadedFacts<UnpaidFacts> | Skip> {
  const { ctx, email, organization, customer, subscription, words } = occasion;
  const db = ctx.db.read;
  const [invoice, lines, payment] = await Promise.all([
    invoices.find(db, organization.id, email.invoiceId!),
    linesOf(db, organization.id, email.invoiceId!),
    email.paymentId === null ? null : payments.find(db, organization.id, email.paymentId),
  ]);
  if (invoice!.status !== "open") return { skip: invoice!.status === "paid" ? "invoice_paid" : "invoice_void" };
  if (subscription!.status === "canceled") return { skip: "subscription_ended" };
  const kind = await unpaidKind(occasion, payment);
  if (typeof kind === "object") return kind;
  const onFile = await readCardOnFile(ctx, customer, subscription!);
  const { nextRetryAt } = subscription!;
  const facts = {
    amount: words.money(invoice!.amountDue, invoice!.currency),
    product: lines.at(-1)!.productName ?? lines.at(-1)!.description,
    card: payment?.method ? unbrokenCardName(payment.method) : null,
    reason: unpaidReason(words, payment),
    isDisputed: payment?.failureCode === "card_disputed",
    retryOn: onFile && nextRetryAt !== null ? words.day(nextRetryAt, organization.timeZone) : null,
    access: accessSentence(words, subscription!, organization.timeZone),
    url: invoiceUrl(ctx, invoice!),
  };
  return { facts, kind };
}
