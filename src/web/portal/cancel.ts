import { html } from "hono/html";
import { updateSubscription } from "../../actions/subscription/change.ts";
import { readRestart } from "../../actions/subscription/restart.ts";
import { ownOrigin } from "../../actions/origin.ts";
import type { Context } from "../../context.ts";
import { formatDate } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { CANCELLATION_REASONS, type Subscription } from "../../domain/subscription/subscription.ts";
import { AppError } from "../../errors.ts";
import { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { ENGLISH } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { messagePage } from "../components/message.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import type { Portal } from "./visit.ts";

type Reason = (typeof CANCELLATION_REASONS)[number];

const WORDS: Record<Reason, string> = {
  too_expensive: "It is too expensive",
  missing_features: "It lacks something that I need",
  switched_service: "I use something else now",
  unused: "I don't use it enough",
  customer_service: "The support was not good enough",
  low_quality: "It does not work well enough",
  too_complex: "It is too complicated",
  other: "Something else",
};

const choice = (reason: Reason) =>
  html`<label class="choice-line"><input type="radio" name="reason" value="${reason}"> ${WORDS[reason]}</label>`;

/** The effect of the cancellation, in words. `isOver`: the period is over, so the end comes at once (rule D8b). */
function effectOf({ status, currentPeriodEnd }: Subscription, { timeZone }: Organization, isOver: boolean): string {
  if (isOver) return "It ends at once. Your open invoices become void, and you can't change your mind.";
  const day = formatDate(currentPeriodEnd, timeZone);
  const mind = "You can change your mind until that day.";
  return status === "trialing"
    ? `Your free trial goes on until ${day}, and you are not charged then. ${mind}`
    : `It ends on ${day} and does not renew. Until then, you keep the access that you paid for. ${mind}`;
}

/** Asks for a confirmation and for the reason. */
export async function cancelPage(
  ctx: Context,
  { organization, self }: Portal,
  { subscription, product }: Holding,
): Promise<Html> {
  const isOver = (await readRestart(ctx, subscription)) !== null;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>Cancel <bdi>${product}</bdi>?</h1>
<p>${effectOf(subscription, organization, isOver)}</p>
<form method="post" data-once>
<fieldset>
<legend>Why are you canceling? <span class="optional">optional</span></legend>
${CANCELLATION_REASONS.map(choice)}
</fieldset>
<button class="button" type="submit">${isOver ? "Cancel now" : "Cancel at the end of the period"}</button>
</form>
<a class="button other" href="${self}">Keep it</a>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words: ENGLISH, organization, title: `Cancel ${product}`, head, body });
}

/** The page for a change that is not possible now: another change is being paid, or an operator has to act first. */
export function busyPage(ctx: Context, { organization, self }: Portal): Html {
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    icon: "late",
    title: "Not possible right now",
    text:
      "Another action on this subscription is in progress. Your subscription was not changed. " +
      "Try again in a few minutes.",
    more: html`<a class="button" href="${self}">Back to your account</a>`,
  });
}

/**
 * Changes the visitor's own Subscription, as a PATCH does. Returns whether the change was possible now. A Subscription
 * that has ended meanwhile stays ended, and the result is true.
 */
async function change(ctx: Context, holding: Holding, body: object): Promise<boolean> {
  const { organizationId, id } = holding.subscription;
  try {
    await updateSubscription(ctx, ownOrigin(organizationId), id, UpdateSubscriptionParams.parse(body));
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error;
    return error.code === "subscription_canceled";
  }
}

export function scheduleEnd(ctx: Context, holding: Holding, typed: string | null): Promise<boolean> {
  const reason = CANCELLATION_REASONS.find((each) => each === typed);
  return change(ctx, holding, { cancelAtPeriodEnd: true, ...(reason && { cancellationReason: reason }) });
}

export function keep(ctx: Context, holding: Holding): Promise<boolean> {
  return change(ctx, holding, { cancelAtPeriodEnd: false });
}
