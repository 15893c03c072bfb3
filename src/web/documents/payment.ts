import { html } from "hono/html";
import { displayName } from "../../domain/model/organization.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { isHosted, type Payment } from "../../domain/model/payment.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { sentences } from "../../texts/phrases.ts";
import { accessSentence, unpaidReason } from "../../texts/unpaid-notice.ts";
import type { Words } from "../../texts/words.ts";
import { CARD_FIELDS, cardFields, type CardFaults, type CardField } from "../components/card-fields.ts";
import { hostedLine, hostedPage } from "../components/hosted-page.ts";
import { safeUrl } from "../components/link.ts";
import { formNotice } from "../components/notice.ts";
import { contactLink } from "../components/seller-footer.ts";
import { lookAgain } from "../components/progress.ts";
import { merchantName, type Html } from "../layout.ts";
import { progressOf, type Due } from "./due.ts";

/**
 * The buyer's last input: the expiry, which may be shown again, the card's faults, and the problem to be shown above
 * the form.
 */
export type CardInput = {
  expiry: string;
  emptied?: readonly CardField[];
  faults: CardFaults;
  problem: { title: string; text: string } | null;
};

/** As `why`, if the last attempt was to be made on the provider's page. Without a success, that attempt has no card. */
function whyHosted(words: Words, { state, hosted, organization }: Due, attempt: Payment, amount: string): string {
  const { invoicePage, outcome, card, day } = words;
  const provider = hosted?.name ?? card.theProvider;
  if (state === "challenged") return outcome.hostedPay({ amount, provider });
  if (state === "paying")
    return attempt.actionUrl === null ? outcome.preparing : invoicePage.resultAwaited({ provider });
  if (attempt.failureCode !== "canceled") return unpaidReason(words, attempt);
  const tried = day(attempt.settledAt ?? attempt.createdAt, organization.timeZone);
  return invoicePage.notCompleted({ day: tried, provider });
}

/** Why the invoice is open, in plain words. */
function why(words: Words, due: Due): Html | string {
  const { state, attempt, invoice, organization } = due;
  const { invoicePage, money, day } = words;
  const amount = money(invoice.amountDue, invoice.currency);
  const card = attempt?.method ? cardName(attempt.method) : invoicePage.yourCard;
  if (attempt && isHosted(attempt)) return whyHosted(words, due, attempt, amount);
  if (state === "challenged") return invoicePage.confirm({ amount, card });
  if (state === "waiting") return invoicePage.earlierFirst;
  if (state === "paying")
    return (attempt?.processing ? invoicePage.processing : invoicePage.charging)({ amount, card });
  if (!attempt) return unpaidReason(words, null);
  const tried = { amount, card, day: day(attempt.settledAt ?? attempt.createdAt, organization.timeZone) };
  const failed = (attempt.failureCode === "card_disputed" ? invoicePage.notCharged : invoicePage.failed)(tried);
  return sentences(words, failed, unpaidReason(words, attempt));
}

/** The day of the next retry, and the day until which access stays. */
function prospects(words: Words, { state, invoice, subscription, onFile, organization }: Due): string[] {
  const { timeZone } = organization;
  const { nextRetryAt } = subscription;
  const access = accessSentence(words, subscription, timeZone);
  const isRetried = takesCard(state) && invoice.heldReason === null && onFile !== null && nextRetryAt !== null;
  const again = isRetried
    ? words.invoicePage.retry({ card: cardName(onFile), day: words.day(nextRetryAt, timeZone) })
    : null;
  return [again, access].filter((sentence) => sentence !== null);
}

/** The amount to pay: the invoice, or all that brings a Subscription back whose period is over (rule D8f). */
function amountOf({ invoice, restart }: Due): number {
  return restart ? restart.owed + restart.amountDue : invoice.amountDue;
}

/** The parts of the amount if a new period begins with the payment. */
function restartInWords({ invoicePage, money, day }: Words, { invoice: { currency }, restart, organization }: Due) {
  if (!restart) return [];
  const { owed, amountDue, next, productName: product } = restart;
  const until = day(next.currentPeriodEnd, organization.timeZone);
  return [
    invoicePage.restart({ owed: money(owed, currency), amount: money(amountDue, currency), product, day: until }),
  ];
}

const takesCard = (state: Due["state"]) => state === "owed" || state === "challenged";

const obstacleIn = ({ invoicePage, obstacle }: Words, found: NonNullable<Due["obstacle"]>) =>
  ({
    no_provider: invoicePage.noProvider,
    payments_paused: obstacle.payments_paused,
    too_many_attempts: invoicePage.tooManyCards,
  })[found];

/** The new period that the page shows, so that a click agrees to no other one (rules D8f, N6). */
const restartFields = ({ restart }: Due) => html`<input type="hidden" name="period" value="${restart?.amountDue ?? 0}">
<input type="hidden" name="price" value="${restart?.asksFor ?? ""}">`;

/** The form that pays with a card. With a hosted entry, the form leads to the provider's page. */
function cardForm(words: Words, due: Due, input: CardInput): Html {
  const { organization, state, hosted } = due;
  const { invoicePage, outcome } = words;
  const legend = state === "challenged" ? invoicePage.payWithOther : invoicePage.payWithCard;
  const card = hosted
    ? hostedLine(words, hosted, "paidAt")
    : cardFields({ words, legend, without: null, ...input, sandbox: organization.mode === "sandbox" });
  const amount = words.money(amountOf(due), due.invoice.currency);
  const toPage = state === "challenged" ? outcome.otherWay : words.card.toPayment;
  const label = hosted ? toPage : invoicePage.pay({ amount });
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  return html`<form method="post" novalidate data-once>
${formNotice(words, CARD_FIELDS, input)}
<input type="hidden" name="instead" value="${state === "challenged" ? due.attempt!.id : ""}">
${restartFields(due)}
${card}
<button class="button ${state === "challenged" ? "other" : ""}" type="submit">${label}</button>
<p class="status" role="status" data-busy="${invoicePage.busy}"></p>
<p class="consent">${(hosted ? invoicePage.consentHosted : invoicePage.consent).markup({ seller })}</p>
</form>`;
}

/** The form's action that abandons a payment that waits on the provider's page. */
export const GIVE_UP = "give-up";

/** The form's action that agrees to the price of the new period, before the buyer goes to the bank. */
export const AGREE = "agree";

/** The way to the bank. The bank's page names no new period, so a consent that is missing is asked for before. */
function bankWay({ outcome, portalPrice }: Words, due: Due, href: string): Html {
  if (!due.restart?.asksFor) return html`<a class="button" href="${href}" rel="noreferrer">${outcome.toBank}</a>`;
  return html`<form method="post">
${restartFields(due)}
<button class="button" name="action" value="${AGREE}">${portalPrice.agree}</button>
</form>`;
}

/** The way on to the provider's page that waits for the buyer, and the way back. */
const onward = ({ card, outcome }: Words, page: URL, attempt: Payment) => html`<div>
<a class="button" href="${page.href}" rel="noreferrer">${card.toPayment}</a>
<form method="post">
<input type="hidden" name="instead" value="${attempt.id}">
<button class="button other" name="action" value="${GIVE_UP}">${outcome.otherWay}</button>
</form>
</div>`;

const NO_INPUT: CardInput = { expiry: "", faults: {}, problem: null };

/**
 * The section above an open invoice: the amount due, the reason, and the ways to pay. `self`: the page's own path.
 */
export function paymentSection(words: Words, due: Due, self: string, input: CardInput = NO_INPUT): Html {
  const { organization, invoice, state, obstacle } = due;
  const page = state === "challenged" ? hostedPage(due.attempt) : null;
  const bank = state === "challenged" && !page ? safeUrl(nextActionOf(due.attempt!)?.url ?? null) : null;
  const isPayable = takesCard(state);
  const isAsked = isPayable && obstacle === null;
  const form = page ? onward(words, page, due.attempt!) : isAsked ? cardForm(words, due, input) : null;
  const isPassing = obstacle === "payments_paused";
  // The sentence about the pause is the reason for such an attempt, too.
  const isSaid = isPassing && due.attempt?.failureCode === "provider_refused";
  const isProcessing = state === "paying" && due.attempt?.processing === true;
  const again = lookAgain(words, self, progressOf(due));
  const amount = words.money(amountOf(due), invoice.currency);
  return html`<section class="paper due" aria-labelledby="due">
<div>
${merchantName(organization)}
<h1 id="due">${isProcessing ? words.invoicePage.processingTitle : words.document.due({ amount })}</h1>
${(form && input.problem) || isSaid ? "" : html`<p>${why(words, due)}</p>`}
${restartInWords(words, due).map((sentence) => html`<p>${sentence}</p>`)}
${prospects(words, due).map((prospect) => html`<p>${prospect}</p>`)}
${bank === null ? "" : bankWay(words, due, bank.href)}
${isPayable && !page && !isPassing ? "" : again}
</div>
${form ?? ""}
${isPayable && obstacle !== null ? html`<p>${obstacleIn(words, obstacle)}</p>${contactLink(words, organization)}` : ""}
</section>`;
}

/** An overdue invoice was paid, and the buyer has access again. */
export function settledSection({ invoicePage }: Words, product: string): Html {
  return html`<section class="paper due" role="status">
<p>${invoicePage.settled.markup({ product: html`<bdi>${product}</bdi>` })}</p>
</section>`;
}
