import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { previewNextInvoice, type NextInvoicePreview } from "../../domain/subscription/preview-next-invoice.ts";
import { extendTrial } from "../../domain/subscription/trial.ts";
import { readCustomerBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";
import { decided } from "./decided.ts";

/** `POST /subscriptions/{id}/trial` (rule S9). @throws Refusal 404, 409, 412, 422 */
export const extendSubscriptionTrial = (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  end: Instant,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> =>
  decided(ctx, origin, id, (billing, subscription) => extendTrial(billing, subscription, end), checkVersion);

/** The next invoice before and after a longer trial, by the same decision (rule P8). @throws Refusal 404, 409, 422 */
export const previewTrial = (
  ctx: Context,
  organizationId: string,
  id: string,
  end: Instant,
): Promise<NextInvoicePreview> =>
  readCustomerBilling(
    ctx,
    { by: "subscription", organizationId, id },
    (billing) => previewNextInvoice(billing, id, (each, subscription) => extendTrial(each, subscription, end)),
    { deleted: true },
  );
