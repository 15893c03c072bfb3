import { html } from "hono/html";
import { updateSubscription } from "../../actions/subscription/change.ts";
import { readLastCharge } from "../../actions/subscription/outlook.ts";
import { ownOrigin } from "../../actions/origin.ts";
import type { Context } from "../../context.ts";
import { lostWith } from "../../domain/benefit/loss.ts";
import { cancellationEffect } from "../../domain/subscription/cancellation-effect.ts";
import { CANCELLATION_REASONS } from "../../domain/model/subscription.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { cancellationInWords } from "../../texts/cancellation.ts";
import { benefitName } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { messagePage } from "../components/message.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { listBenefits, type Holding } from "./account.ts";
import type { Portal, PortalRequest } from "./request.ts";
import { monthsOffered } from "./pause.ts";
import { undoPause } from "./resume.ts";

type Reason = (typeof CANCELLATION_REASONS)[number];

const choice = ({ portalCancel }: Words, reason: Reason) =>
  html`<label class="choice-line"><input type="radio" name="reason" value="${reason}"> ${portalCancel[reason]}</label>`;

/** The period is over, so the end comes at once (rules D8b, S8f). */
const isOver = ({ outlook, subscription }: Holding) => outlook?.restart != null || subscription.status === "paused";

/** Whether a pause is planned, which the cancellation undoes (rule S8k). */
const willPause = ({ subscription: { pause, status } }: Holding) => pause !== null && status !== "paused";

/** The effect of the cancellation, in words. */
function effectOf(words: Words, zone: string, holding: Holding, lastCharge: number): Html {
  const { subscription, outlook } = holding;
  const { currency, currentPeriodEnd: at } = subscription;
  const product = html`<bdi>${holding.product}</bdi>`;
  if (isOver(holding)) return words.portalCancel.now.markup({ product });
  const effect = cancellationEffect(subscription, outlook, lastCharge);
  return cancellationInWords(words, effect, { at, zone, currency }).markup(product);
}

function lossesOf(words: Words, lost: readonly BenefitGrantResource[]): Html | "" {
  if (lost.length === 0) return "";
  const names = lost.map(({ benefit: { name }, properties }) => benefitName(words, { name, properties }));
  return html`<p id="lose">${words.portalCancel.lose}</p>
<ul class="losses" aria-labelledby="lose">${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`;
}

/** `lastCharge`: the charge at the end (rule S4), in minor units; 0: there is none. */
type Cancellation = { holding: Holding; grants: readonly BenefitGrantResource[]; lastCharge: number };

export async function readCancellation(ctx: Context, request: PortalRequest, holding: Holding): Promise<Cancellation> {
  const [grants, lastCharge] = await Promise.all([
    listBenefits(ctx, request),
    readLastCharge(ctx, holding.subscription),
  ]);
  return { holding, grants, lastCharge };
}

const insteadLink = ({ self, words }: PortalRequest, { subscription: { id } }: Holding) =>
  html`<a class="button other" href="${self}/subscriptions/${id}/pause">${words.portalPause.instead}</a>`;

/** Asks for a confirmation and for the reason. */
export function cancelPage(ctx: Context, request: PortalRequest, { holding, grants, lastCharge }: Cancellation): Html {
  const { organization, self, words } = request;
  const { portalCancel, frame, nearDay } = words;
  const { subscription, product: name, outlook } = holding;
  const zone = organization.timeZone;
  const product = html`<bdi>${name}</bdi>`;
  const over = isOver(holding);
  const day = nearDay(subscription.currentPeriodEnd, zone, outlook!.now);
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${portalCancel.title.markup({ product })}</h1>
<p>${effectOf(words, zone, holding, lastCharge)}</p>
${willPause(holding) ? html`<p>${words.portalPause.cancelToo}</p>` : ""}
${over ? "" : lossesOf(words, lostWith(subscription.id, grants))}
${over ? "" : html`<p>${portalCancel.undo}</p>`}
<form method="post" data-once>
<fieldset>
<legend>${portalCancel.why} <span class="optional">${frame.optional}</span></legend>
${CANCELLATION_REASONS.map((reason) => choice(words, reason))}
</fieldset>
<button class="button ends" type="submit">${over ? portalCancel.submitNow : portalCancel.submit({ day })}</button>
</form>
${monthsOffered(request, holding) > 0 ? insteadLink(request, holding) : ""}
<a class="button keep" href="${self}">${portalCancel.keep.markup({ product })}</a>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: portalCancel.title({ product: name }), head, body });
}

/** The page for a change that is not possible now: another change is being paid, or an operator has to act first. */
export function busyPage(ctx: Context, { organization, self, words }: Portal): Html {
  const { portal, portalCancel } = words;
  return messagePage(ctx, {
    words,
    organization,
    icon: "late",
    title: portalCancel.busyTitle,
    text: portalCancel.busy,
    more: html`<a class="button" href="${self}">${portal.toAccount}</a>`,
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
    if (!(error instanceof Refusal) || error.code === "not_found") throw error;
    return error.code === "subscription_canceled";
  }
}

export async function scheduleEnd(ctx: Context, holding: Holding, typed: string | null): Promise<boolean> {
  const reason = CANCELLATION_REASONS.find((each) => each === typed);
  // A pause that has begun meanwhile need not be undone: the period is over, so the end comes at once (rule S8f).
  if (willPause(holding) && (await undoPause(ctx, holding, true)) === "busy") return false;
  return change(ctx, holding, { cancelAtPeriodEnd: true, ...(reason && { cancellationReason: reason }) });
}

export function undoCancellation(ctx: Context, holding: Holding): Promise<boolean> {
  return change(ctx, holding, { cancelAtPeriodEnd: false });
}
