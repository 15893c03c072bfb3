import { html } from "hono/html";
import { formatDate } from "../../domain/calendar.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { unbrokenCardName } from "../../domain/payment/card-name.ts";
import { isHosted, type Payment } from "../../domain/payment/payment.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { accessSentence, unpaidReason } from "../../domain/payment/unpaid-words.ts";
import { ENGLISH } from "../../texts/words.ts";
import { CARD_FIELDS, cardFields, type CardFaults } from "../components/card-fields.ts";
import { hostedLine, hostedPage } from "../components/hosted.ts";
import { safeUrl } from "../components/link.ts";
import { formNotice } from "../components/notice.ts";
import { lookAgain } from "../components/progress.ts";
import { merchantName, type Html } from "../layout.ts";
import { money } from "../money.ts";
import { progressOf, type Due } from "./due.ts";

/**
 * The buyer's last input: the expiry, which may be shown again, the card's faults, and the problem to be shown above
 * the form.
 */
export type CardInput = { expiry: string; faults: CardFaults; problem: { title: string; text: string } | null };

/** As `why`, if the last attempt was to be made on the provider's page. Without a success, that attempt has no card. */
function whyHosted({ state, hosted, organization }: Due, attempt: Payment, amount: string): string {
  const page = `the page of ${hosted?.name ?? "the payment provider"}`;
  if (state === "challenged") return `You pay ${amount} on ${page}. Then you come back to this page.`;
  if (state === "paying")
    return attempt.actionUrl === null
      ? "The page for your card is being made ready. You were not charged."
      : `The result of your payment on ${page} is awaited. You are not charged twice.`;
  if (attempt.failureCode !== "canceled") return unpaidReason(attempt);
  const day = formatDate(attempt.settledAt ?? attempt.createdAt, organization.timeZone);
  return `The payment of ${day} on ${page} was not completed. Your card was not charged.`;
}

/** Why the invoice is open, in plain words. */
function why(due: Due): string {
  const { state, attempt, invoice, organization } = due;
  const amount = money(invoice.amountDue, invoice.currency);
  const card = attempt?.method ? unbrokenCardName(attempt.method) : "your card";
  if (state === "waiting") return "An earlier invoice is charged first. This invoice follows.";
  if (attempt && isHosted(attempt)) return whyHosted(due, attempt, amount);
  if (state === "challenged") return `Your bank asks you to confirm the payment of ${amount} with ${card}.`;
  if (state === "paying" && attempt?.processing)
    return `The payment of ${amount} with ${card} is being processed. You are not charged twice.`;
  if (state === "paying")
    return `It is being charged to ${card} right now. You need not stay on this page, and you are not charged twice.`;
  if (!attempt) return unpaidReason(null);
  const day = formatDate(attempt.settledAt ?? attempt.createdAt, organization.timeZone);
  const failed = attempt.failureCode === "card_disputed" ? "was not charged" : "could not be charged";
  return `${amount} ${failed} to ${card} on ${day}. ${unpaidReason(attempt)}`;
}

/** The day of the next retry, and the day until which access stays. */
function prospects({ state, invoice, subscription, onFile, organization }: Due): string[] {
  const { timeZone } = organization;
  const { nextRetryAt } = subscription;
  const access = accessSentence(subscription, timeZone);
  const isRetried = takesCard(state) && invoice.heldReason === null && onFile !== null && nextRetryAt !== null;
  const again = isRetried
    ? `${unbrokenCardName(onFile)} is charged again on ${formatDate(nextRetryAt, timeZone)}`
    : null;
  return [...(again === null ? [] : [`Unless it is paid first, ${again}.`]), ...(access === null ? [] : [access])];
}

/** The amount to pay: the invoice, or all that brings a Subscription back whose period is over (rule D8f). */
function amountOf({ invoice, restart }: Due): number {
  return restart ? restart.owed + restart.amountDue : invoice.amountDue;
}

/** The parts of the amount if a new period begins with the payment. */
function restartInWords({ invoice: { currency }, restart, organization: { timeZone } }: Due): string[] {
  if (!restart) return [];
  const { owed, amountDue, next, productName } = restart;
  const until = formatDate(next.currentPeriodEnd, timeZone);
  const [old, fresh] = [money(owed, currency), money(amountDue, currency)];
  return [`Your last period is over. You pay the ${old} that you owe, and ${fresh} for ${productName} until ${until}.`];
}

const takesCard = (state: Due["state"]) => state === "owed" || state === "challenged";

const OBSTACLES: Record<NonNullable<Due["obstacle"]>, string> = {
  no_provider: "The seller can't take payments at the moment. Please tell the seller.",
  payments_paused: ENGLISH.obstacle.payments_paused,
  too_many_attempts: "Too many cards were declined. This page accepts no more cards. Ask your bank, then the seller.",
};

/** The form that pays with a card. With a hosted entry, the form leads to the provider's page. */
function cardForm(due: Due, input: CardInput): Html {
  const { organization, state, hosted } = due;
  const legend = state === "challenged" ? "Or pay with another card" : "Pay with a card";
  const card = hosted
    ? hostedLine(ENGLISH, hosted)
    : cardFields({ words: ENGLISH, legend, without: null, ...input, sandbox: organization.mode === "sandbox" });
  const amount = money(amountOf(due), due.invoice.currency);
  const label = !hosted ? `Pay ${amount}` : state === "challenged" ? "Pay another way" : ENGLISH.card.toPayment;
  return html`<form method="post" novalidate data-once>
${formNotice(ENGLISH, CARD_FIELDS, input)}
<input type="hidden" name="instead" value="${state === "challenged" ? due.attempt!.id : ""}">
<input type="hidden" name="period" value="${due.restart?.amountDue ?? 0}">
${card}
<button class="button ${state === "challenged" ? "other" : ""}" type="submit">${label}</button>
<p class="status" role="status" data-busy="One moment: your payment is being made."></p>
<p class="consent">By paying, you allow <bdi>${displayName(organization)}</bdi> to charge this card for all other open
amounts, and for later payments until you cancel.</p>
</form>`;
}

/** The form's action that abandons a payment that waits on the provider's page. */
export const GIVE_UP = "give-up";

/** The way on to the provider's page that waits for the buyer, and the way back. */
const onward = (page: URL, attempt: Payment) => html`<div>
<a class="button" href="${page.href}" rel="noreferrer">${ENGLISH.card.toPayment}</a>
<form method="post">
<input type="hidden" name="instead" value="${attempt.id}">
<button class="button other" name="action" value="${GIVE_UP}">Pay another way</button>
</form>
</div>`;

const NO_INPUT: CardInput = { expiry: "", faults: {}, problem: null };

/**
 * The section above an open invoice: the amount due, the reason, and the ways to pay. `self`: the page's own path.
 */
export function paymentSection(due: Due, self: string, input: CardInput = NO_INPUT): Html {
  const { organization, invoice, state, obstacle } = due;
  const page = state === "challenged" ? hostedPage(due.attempt) : null;
  const bank = state === "challenged" && !page ? safeUrl(nextActionOf(due.attempt!)?.url ?? null) : null;
  const isPayable = takesCard(state);
  const form = page ? onward(page, due.attempt!) : isPayable && obstacle === null ? cardForm(due, input) : null;
  const isPassing = obstacle === "payments_paused";
  // The sentence about the pause is the reason for such an attempt, too.
  const isSaid = isPassing && due.attempt?.failureCode === "provider_refused";
  const again = lookAgain(ENGLISH, self, progressOf(due));
  return html`<section class="paper due" aria-labelledby="due">
<div>
${merchantName(organization)}
<h1 id="due">${money(amountOf(due), invoice.currency)} due</h1>
${(form && input.problem) || isSaid ? "" : html`<p>${why(due)}</p>`}
${restartInWords(due).map((sentence) => html`<p>${sentence}</p>`)}
${prospects(due).map((prospect) => html`<p>${prospect}</p>`)}
${bank === null ? "" : html`<a class="button" href="${bank.href}" rel="noreferrer">Continue to your bank</a>`}
${isPayable && !page && !isPassing ? "" : again}
</div>
${form ?? ""}
${isPayable && obstacle !== null ? html`<p>${OBSTACLES[obstacle]}</p>` : ""}
</section>`;
}
