import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { cardOf } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import { decideAgreed, figuresOf, type ChangeFigures } from "./agreed-change.ts";
import type { AskedProduct } from "./change-target.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { previewDecided } from "./preview.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * A change as a page shows it before the click: the preview (null: a card is missing), and the figures to which the
 * click agrees. `hasEffect`: false if the Subscription has this plan already. `at`: the instant of the figures.
 */
export type ChangeView = {
  hasEffect: boolean;
  preview: ChangePreview | null;
  figures: ChangeFigures;
  card: PaymentMethod | null;
  at: Instant;
};

/** As `previewProduct`, with the figures for a page. @throws Refusal 409, 422 */
export function viewChange(billing: CustomerBilling, subscription: Subscription, params: AskedProduct): ChangeView {
  const { at, decided, plan } = decideAgreed(billing, subscription, params, null);
  const figures = figuresOf(billing, subscription, { plan, target: decided.target });
  const card = cardOf(billing, subscription);
  return { hasEffect: plan !== null, figures, card, at, preview: previewDecided(billing, subscription, decided) };
}
