import { html } from "hono/html";
import { extendSubscriptionTrial, previewTrial } from "../../../actions/subscription/trial.ts";
import type { SubscriptionView } from "../../../actions/views.ts";
import { formatInstant } from "../../../domain/calendar.ts";
import type { NextInvoicePreview } from "../../../domain/subscription/preview-next-invoice.ts";
import { ExtendTrialParams } from "../../../resources/subscription.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { effectPanel } from "../components/confirm-panel.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { askingForm } from "../customer/money/effect.ts";
import { besidePage } from "../customer/part.ts";
import { dateField } from "../fields.ts";
import { formPages } from "../form-action.ts";
import { originOf, parsed, refusalNotice, refusedField, requireSeen, type Sent } from "../sent-form.ts";
import { typedDay } from "../typed-values.ts";
import { nextInvoiceEffect } from "./effect.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";

/** @throws AppError 422 */
function read(_: Held, sent: Sent): ExtendTrialParams {
  const day = typedDay(sent, "trialEnd");
  if (day === null) throw refusedField("trialEnd", "required", "Enter the day on which the trial ends.");
  return parsed(ExtendTrialParams, { trialEnd: formatInstant(day) });
}

function body(held: Held, sent: Sent, shown: NextInvoicePreview | null): Html {
  const { subscription, zone, self } = held;
  const { currentPeriodEnd, currency, version, cancelAtPeriodEnd, status } = subscription;
  if (status !== "trialing") return notice("hint", "The Subscription is in no trial.");
  const present: Definition = ["The trial ends", time(currentPeriodEnd, zone)];
  if (shown === null) {
    const hint = "The first paid period begins when this day begins.";
    return html`${definitions([present])}
${askingForm(sent, dateField(sent, "trialEnd", { label: "New end of the trial", hint }))}`;
  }
  const planned: Definition[] = cancelAtPeriodEnd ? [["Cancellation", "The planned end moves along"]] : [];
  const end: Definition = ["New end", time(read(held, sent).trialEnd, zone)];
  return effectPanel(sent, {
    values: { version: String(version) },
    effect: nextInvoiceEffect(shown, { currency, zone }, [present, end, ...planned]),
    label: "Lengthen the trial",
    back: self,
  });
}

/** `…/subscriptions/{id}/trial`: a later end of the trial (rule S9). */
export const trialPages = formPages<Held, ExtendTrialParams, NextInvoicePreview>({
  path: `${SUBSCRIPTION}/trial`,
  permission: "subscriptions",
  load: heldOf,
  read,
  preview: ({ ctx, subscription: { organizationId, id } }, { trialEnd }) =>
    previewTrial(ctx, organizationId, id, trialEnd),
  page: (held, sent, shown) =>
    besidePage(
      held,
      `Trial: ${held.product.name}`,
      html`${refusalNotice(sent, ["trialEnd"])}${body(held, sent, shown)}`,
    ),
  async act({ ctx, subscription: { id, customerId } }, { trialEnd }, sent) {
    const asked = { body: { trialEnd: formatInstant(trialEnd) }, resourceId: id, customerId };
    const origin = originOf<SubscriptionView>(sent, { operation: "extendSubscriptionTrial", ...asked });
    await extendSubscriptionTrial(ctx, origin, id, trialEnd, ({ subscription }) => requireSeen(subscription, sent));
  },
  after: (held) => afterOperation(held, "lengthened"),
});
