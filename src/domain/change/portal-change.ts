import type { CustomerBilling } from "../billing/customer-billing.ts";
import { isAgreed, type Agreed } from "../model/agreement.ts";
import type { PortalFigures } from "./portal-quote.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import { scheduledEnd, type Subscription } from "../model/subscription.ts";
import type { Submitted } from "../checkout/attempt.ts";
import { decideSubmitted, reckoned } from "./change-decision.ts";
import { cardNeed, dueToday, type Checkout } from "../model/checkout.ts";
import { draftInPortal, type AskedInPortal } from "./portal-draft.ts";
import { recordCheckout } from "../checkout/record.ts";
import { Refused } from "../checkout/refusal.ts";
import { submitOpenChange } from "./submit-change.ts";
import { Refusal } from "../refusal.ts";

/**
 * The page on which the Customer clicked. `cardId` null: the page named no card. `endsAt`: the scheduled end that the
 * change undoes, as the page said. `effectiveAt` null: the change is made at once.
 */
export type AgreedInPortal = Agreed<PortalFigures>;

/** The card that the page has to name: a card that it did not name is charged nothing now. */
function cardFor({ figures }: AgreedInPortal, due: Checkout, card: { id: string } | null): string | null {
  const isNeedless = figures.cardId === null && cardNeed(due) === "none";
  return isNeedless ? null : (card?.id ?? null);
}

/**
 * Changes the Product for a Customer in the portal (rules P11c, P11d, P11f, P11g). The change is a Checkout that is
 * submitted at once with the card on file. If a card is needed and there is none that may be charged, the Checkout is
 * left to its page. If the page said something else than what holds now, `amount_changed` is thrown: the Customer has
 * to agree again.
 * @throws Refused; Refusal 409, 422
 */
export function changeInPortal(
  billing: CustomerBilling,
  subscription: Subscription,
  asked: AskedInPortal,
  agreed: AgreedInPortal,
): Submitted | { page: Checkout } {
  const endsAt = scheduledEnd(subscription);
  if (endsAt !== agreed.figures.endsAt) throw new Refused({ refused: "amount_changed" });
  const draft = draftInPortal(billing, subscription, asked);
  const { plan } = decideSubmitted(billing, subscription, draft, agreed.shownAt);
  const due = reckoned(billing, subscription, draft, plan);
  const card = unhinderedCardOf(billing, subscription);
  // A request that only undoes the end keeps a change that is pending already.
  const effectiveAt = { ...subscription, ...plan.set }.pendingChange?.effectiveAt ?? null;
  const cardId = cardFor(agreed, due, card);
  const { amount: price, quantity } = due;
  const figures = { amountDue: dueToday(due), price, quantity, effectiveAt, endsAt, cardId };
  if (!isAgreed(figures, agreed)) throw new Refused({ refused: "amount_changed" });
  const isLeft = cardNeed(due) !== "none" && card === null;
  if (isLeft && !billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
  const opened = recordCheckout(billing, draft, "checkout.created", billing.now);
  if (isLeft) return { page: opened };
  const said = {
    billing: null,
    locale: null,
    agreed: { figures: { amountDue: figures.amountDue }, shownAt: agreed.shownAt },
  };
  return submitOpenChange(billing, subscription, opened, said, card);
}
