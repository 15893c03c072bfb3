import { html } from "hono/html";
import type { PortalCardRefusal } from "../../actions/customer/portal-card.ts";
import type { Entry } from "../../actions/provider.ts";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { isHosted, type Payment } from "../../domain/model/payment.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { unpaidReason } from "../../texts/unpaid-notice.ts";
import type { Words } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { CARD_FIELDS, cardFields, type CardFaults, type CardField } from "../components/card-fields.ts";
import { hostedLine } from "../components/hosted-page.ts";
import { safeUrl } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { formNotice } from "../components/notice.ts";
import { RELOAD } from "../components/progress.ts";
import { contactLink } from "../components/seller-footer.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { requestOf } from "./account.ts";
import { plansOfCard } from "./card-plans.ts";
import { owedInWords, type CardUse } from "./card-use.ts";
import { comeBack } from "./overdue-section.ts";
import type { Portal, PortalRequest } from "./request.ts";

/** The form's action that abandons a card that waits for the buyer. */
export const GIVE_UP = "give-up";

/** `plan`: the one Subscription that the card is for; null: the card is for all of them. */
export type CardInput = {
  expiry: string;
  plan: string | null;
  emptied?: readonly CardField[];
  faults: CardFaults;
  problem: { title: string; text: string } | null;
};
const NO_INPUT: CardInput = { expiry: "", plan: null, faults: {}, problem: null };

const back = ({ self, words }: Portal) => html`<a class="button other" href="${self}">${words.portal.toAccount}</a>`;

/** The charges to the card that is given. */
function chargesInWords(words: Words, use: CardUse): string {
  const { noteOwed, noteLater, noteUnused } = words.portalCard;
  const amount = owedInWords(words, use);
  if (amount !== null) return noteOwed({ amount });
  return use.isPlanned ? noteLater : noteUnused;
}

/**
 * Asks for another card. The page names the account: a stranger may have led the browser into the stranger's own
 * account.
 */
export function cardPage(
  ctx: Context,
  request: PortalRequest,
  { hosted }: Entry,
  use: CardUse,
  input = NO_INPUT,
): Html {
  const { organization, visitor, words } = request;
  const { portalCard: texts, card, frame } = words;
  const sandbox = organization.mode === "sandbox";
  const zone = organization.timeZone;
  const form = hosted
    ? hostedLine(words, hosted, "enteredAt")
    : cardFields({ words, legend: card.legend, without: null, ...input, sandbox });
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${texts.title}</h1>
<p>${texts.account.markup({ person: html`<bdi>${requestOf(words, visitor.customer)}</bdi>` })}</p>
<p>${chargesInWords(words, use)}</p>
${use.asking.flatMap((each) => comeBack(words, zone, each)).map((sentence) => html`<p>${sentence}</p>`)}
<form method="post" novalidate data-once>
${formNotice(words, CARD_FIELDS, input)}
${plansOfCard(request, use, input.plan)}
${form}
<button class="button" type="submit">${hosted ? card.toCard : texts.save}</button>
<p class="status" role="status" data-busy="${texts.saving}"></p>
<p class="consent">${texts.consent.markup({ seller: html`<bdi>${displayName(organization)}</bdi>` })}</p>
</form>
${back(request)}
</div>
</main>`;
  const isWrong = input.problem !== null || Object.keys(input.faults).length > 0;
  const title = isWrong ? frame.errorTitle({ title: texts.title }) : texts.title;
  return layout(ctx, { words, organization, title, head: stylesheet(portalStylesPath(ctx)), body });
}

/** No card can be given now, because the seller takes no payments. */
export function closedPage(ctx: Context, portal: Portal, closed: NonNullable<Entry["closed"]>): Html {
  const { organization, words } = portal;
  const { portalCard: texts } = words;
  const [title, text] = [texts.impossibleTitle, texts[closed]];
  const more = html`${closed === "no_provider" ? contactLink(words, organization) : ""}${back(portal)}`;
  return messagePage(ctx, { words, organization, icon: "late", title, text, more });
}

/** The card waits for the buyer on the provider's page or at the bank, or for the provider's answer. */
export function waitingPage(ctx: Context, portal: Portal, payment: Payment, use: CardUse): Html {
  const { organization, words } = portal;
  const { portalCard: texts, card, outcome, frame } = words;
  const onward = payment.status === "requires_action" ? safeUrl(nextActionOf(payment)?.url ?? null) : null;
  const common = { words, organization, icon: "waiting", head: RELOAD } as const;
  const amount = owedInWords(words, use);
  const saving = amount === null ? texts.waiting : texts.waitingOwed({ amount });
  if (!onward) return messagePage(ctx, { ...common, title: frame.oneMoment, text: saving, more: back(portal) });
  const isPage = isHosted(payment);
  const label = isPage ? card.toCard : outcome.toBank;
  const more = html`<a class="button" href="${onward.href}" rel="noreferrer">${label}</a>
<form method="post"><button class="button other" name="action" value="${GIVE_UP}">${outcome.cancel}</button></form>`;
  const title = isPage ? outcome.cardAwaited : outcome.confirmCardTitle;
  return messagePage(ctx, { ...common, title, text: isPage ? texts.hosted : texts.confirm, more });
}

/** The problem to be shown above the form. */
export function problemOf(words: Words, refusal: PortalCardRefusal | { payment: Payment }): CardInput["problem"] {
  const { portalCard: texts } = words;
  if ("payment" in refusal) return { title: texts.failedTitle, text: unpaidReason(words, refusal.payment) };
  if (refusal.refused === "too_many_attempts") return { title: texts.tooManyTitle, text: texts.tooMany };
  if (refusal.refused === "plans_changed") return { title: texts.changedTitle, text: texts.changed };
  if (refusal.refused === "card") return null;
  return { title: texts.failedTitle, text: texts.otherWaits };
}
