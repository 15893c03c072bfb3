import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { cancellationEffect } from "../../domain/subscription/cancellation-effect.ts";
import type { Outlook } from "../../domain/subscription/outlook.ts";
import type { NextCharge } from "../../mail/next-charge.ts";
import { products } from "../../store/products.ts";
import { cancellationInWords } from "../../texts/cancellation.ts";
import { chargeOfPeriodEnd } from "../../texts/charge.ts";
import { readProspects } from "../subscription/outlook.ts";
import type { EmailContext } from "./email-context.ts";

/** The next charge of a Subscription that goes on, and the way to cancel. */
export function goingOn({ organization, subscription, words }: EmailContext, outlook: Outlook | null): NextCharge {
  const { currentPeriodEnd } = subscription!;
  const day = words.day(currentPeriodEnd, organization.timeZone);
  const row = outlook && chargeOfPeriodEnd(words, organization.timeZone, subscription!, outlook);
  const cancel = portalAllows(organization, "cancel")
    ? words.mailSubscription.cancel({ day })
    : words.seller.cancelBySeller({ seller: displayName(organization) });
  return { rows: row === null ? [] : [row], text: cancel };
}

/** The effect of a scheduled cancellation, in the words of its page in the portal. */
export function effectInWords(
  { organization, subscription, words }: EmailContext,
  outlook: Outlook | null,
  product: string,
): string {
  const { cancelAt, currency } = subscription!;
  const end = outlook?.end;
  const effect = cancellationEffect(subscription!, outlook, end?.paidBy === "charge" ? end.amountDue : 0);
  return cancellationInWords(words, effect, { at: cancelAt!, zone: organization.timeZone, currency }).plain(product);
}

/**
 * The next charge of the Subscription of a paid invoice, as the portal shows it, or that there is none. Null for a
 * one-time purchase, and for an e-mail from an earlier period or from before the end, because the present state is then
 * not that of the invoice.
 */
export async function readNextCharge(context: EmailContext): Promise<NextCharge | null> {
  const { ctx, email, organization, customer, subscription, words } = context;
  if (!subscription || email.createdAt < subscription.currentPeriodStart) return null;
  const { id, status, endedAt, cancelAtPeriodEnd, productId } = subscription;
  const product = (await products.find(ctx.db.read, organization.id, productId))?.name ?? "";
  if (status === "canceled")
    return endedAt! > email.createdAt ? null : { rows: [], text: words.mailReceipt.noFurtherCharge({ product }) };
  const outlook = (await readProspects(ctx, organization.id, customer.id, [id])).outlooks.get(id) ?? null;
  return cancelAtPeriodEnd ? { rows: [], text: effectInWords(context, outlook, product) } : goingOn(context, outlook);
}
