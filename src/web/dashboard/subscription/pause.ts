import { html } from "hono/html";
import { pauseSubscription, resumeSubscription } from "../../../actions/subscription/pause.ts";
import { readResumeQuote } from "../../../actions/subscription/portal-resume.ts";
import type { SubscriptionView } from "../../../actions/views.ts";
import { formatInstant } from "../../../domain/calendar.ts";
import { cardName } from "../../../domain/model/card-name.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import type { RenewalPreview } from "../../../domain/subscription/preview-renewal.ts";
import { PauseSubscriptionParams } from "../../../resources/subscription.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { besidePage } from "../customer/part.ts";
import { dateField, OPTIONAL, selectField } from "../fields.ts";
import { formPages, together } from "../form-action.ts";
import { originOf, parsed, refusalNotice, requireSeen, typed, versionField, type Sent } from "../sent-form.ts";
import { typedDay } from "../typed-values.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";

const ACCESS = [
  ["revoke", "No access during the pause"],
  ["keep", "The access stays"],
] as const;

const checkSeen =
  (sent: Sent) =>
  ({ subscription }: SubscriptionView) =>
    requireSeen(subscription, sent);

const originFor = (sent: Sent, { id: resourceId, customerId }: Subscription, operation: string, body: object) =>
  originOf<SubscriptionView>(sent, { operation, resourceId, customerId, body });

/** The begin of the pause, and the effect of a pause on billing. */
function pausePage(held: Held, sent: Sent): Html {
  const { product, subscription, zone } = held;
  const { pause, currentPeriodEnd, status } = subscription;
  const facts: Definition[] = [
    [status === "paused" ? "Paused since" : "Begins", time(currentPeriodEnd, zone)],
    ["Invoices", "None during the pause"],
  ];
  const resumes = pause?.resumesAt ?? null;
  const hint = resumes === null ? "Empty: until you or the Customer resume it." : `Now: ${formatInstant(resumes)}`;
  return besidePage(
    held,
    `Pause: ${product.name}`,
    html`${refusalNotice(sent, ["access", "resumesAt"])}
${confirmPanel(sent, {
  hidden: versionField(subscription),
  effect: definitions(facts),
  fields: html`${selectField(sent, "access", { label: "Access", options: ACCESS, known: pause?.access ?? null })}
${dateField(sent, "resumesAt", { label: "Resumes on", mark: OPTIONAL, hint })}`,
  label: pause === null ? "Pause" : "Change the pause",
  isDangerous: false,
  back: held.self,
})}`,
  );
}

const pausing = formPages<Held, PauseSubscriptionParams>({
  path: `${SUBSCRIPTION}/pause`,
  permission: "subscriptions",
  load: heldOf,
  page: pausePage,
  read(_, sent) {
    const day = typedDay(sent, "resumesAt");
    return parsed(PauseSubscriptionParams, { access: typed(sent, "access"), resumesAt: day && formatInstant(day) });
  },
  async act({ ctx, subscription }, body, sent) {
    const origin = originFor(sent, subscription, "pauseSubscription", body);
    await pauseSubscription(ctx, origin, subscription.id, body, checkSeen(sent));
  },
  after: (held) => afterOperation(held, "paused"),
});

function resumeFacts({ zone }: Held, quote: RenewalPreview | null): Definition[] {
  if (quote === null) return [["Charge", "None: the pause has not begun, and is undone"]];
  const { next, amountDue, card } = quote;
  const charge = moneyText(amountDue, next.currency);
  const paid = card ? `${charge}, charged to ${cardName(card)}` : `${charge}. There is no card, so dunning begins`;
  return [
    ["New period", html`until ${time(next.currentPeriodEnd, zone)}`],
    ["Due now", amountDue > 0 ? paid : "No charge"],
  ];
}

type Resume = { quote: RenewalPreview | null };

function resumePage(held: Held, sent: Sent, shown: Resume | null): Html {
  const { product, subscription } = held;
  const title = `Resume: ${product.name}`;
  if (subscription.pause === null)
    return besidePage(held, title, html`${refusalNotice(sent)}${notice("hint", "No pause is scheduled.")}`);
  return besidePage(
    held,
    title,
    html`${refusalNotice(sent)}
${confirmPanel(sent, {
  hidden: versionField(subscription),
  effect: definitions(resumeFacts(held, shown?.quote ?? null)),
  label: subscription.status === "paused" ? "Resume now" : "Undo the pause",
  isDangerous: false,
  back: held.self,
})}`,
  );
}

const resuming = formPages<Held, undefined, Resume>({
  path: `${SUBSCRIPTION}/resume`,
  permission: "subscriptions",
  load: heldOf,
  effect: async ({ ctx, subscription }) => ({ quote: await readResumeQuote(ctx, subscription) }),
  page: resumePage,
  async act({ ctx, subscription }, _, sent) {
    const origin = originFor(sent, subscription, "resumeSubscription", {});
    await resumeSubscription(ctx, origin, subscription.id, checkSeen(sent));
  },
  after: (held) => afterOperation(held, "unpaused"),
});

/** The forms that pause a Subscription, and that undo or end a pause (rule S8). */
export const pausePages = together(pausing, resuming);
