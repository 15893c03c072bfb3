import { html } from "hono/html";
import type { PortalCardRefusal } from "../../actions/customer/portal-card.ts";
import type { Entry } from "../../actions/provider.ts";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { isHosted, type Payment } from "../../domain/payment/payment.ts";
import { unpaidReason } from "../../domain/payment/unpaid-words.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { ENGLISH } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { CARD_FIELDS, cardFields, type CardFaults } from "../components/card-fields.ts";
import { hostedLine } from "../components/hosted.ts";
import { safeUrl } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { formNotice } from "../components/notice.ts";
import { RELOAD } from "../components/progress.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Portal } from "./visit.ts";

/** The form's action that abandons a card that waits for the buyer. */
export const GIVE_UP = "give-up";

export type CardInput = { expiry: string; faults: CardFaults; problem: { title: string; text: string } | null };
const NO_INPUT: CardInput = { expiry: "", faults: {}, problem: null };

type Place = Pick<Portal, "organization" | "self">;

const back = (self: string) => html`<a class="button other" href="${self}">Back to your account</a>`;

/** Asks for another card. `self`: the portal's own path. */
export function cardPage(ctx: Context, { organization, self }: Place, { hosted }: Entry, input = NO_INPUT): Html {
  const form = hosted
    ? hostedLine(ENGLISH, hosted, true)
    : cardFields({ words: ENGLISH, legend: "Card", without: null, ...input, sandbox: organization.mode === "sandbox" });
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>Use another card</h1>
<p>Your card is saved and not charged now. Open invoices are charged to the card at once.</p>
<form method="post" novalidate data-once>
${formNotice(ENGLISH, CARD_FIELDS, input)}
${form}
<button class="button" type="submit">${hosted ? ENGLISH.card.toCard : "Save card"}</button>
<p class="status" role="status" data-busy="One moment: your card is being saved."></p>
<p class="consent">By saving the card, you allow <bdi>${displayName(organization)}</bdi> to charge this card for open
amounts, and for later payments until you cancel.</p>
</form>
${back(self)}
</div>
</main>`;
  const title = `${input.problem || Object.keys(input.faults).length > 0 ? "Error: " : ""}Use another card`;
  return layout(ctx, { words: ENGLISH, organization, title, head: stylesheet(portalStylesPath(ctx)), body });
}

const NO_CARD: Record<NonNullable<Entry["closed"]>, string> = {
  no_provider: "The seller can't take cards at the moment. Please tell the seller.",
  payments_paused: "The seller can't take cards just now. Try again in a few minutes.",
};

/** No card can be given now, because the seller takes no payments. */
export function closedPage(ctx: Context, { organization, self }: Place, closed: NonNullable<Entry["closed"]>): Html {
  const title = "Not possible right now";
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    icon: "late",
    title,
    text: NO_CARD[closed],
    more: back(self),
  });
}

/** The card waits for the buyer on the provider's page or at the bank, or for the provider's answer. */
export function waitingPage(ctx: Context, { organization, self }: Place, payment: Payment): Html {
  const onward = payment.status === "requires_action" ? safeUrl(nextActionOf(payment)?.url ?? null) : null;
  const common = { words: ENGLISH, organization, icon: "waiting", head: RELOAD } as const;
  if (!onward)
    return messagePage(ctx, {
      ...common,
      title: "One moment please",
      text: "Your card is being saved. You are not charged.",
      more: back(self),
    });
  const isPage = isHosted(payment);
  const label = isPage ? ENGLISH.card.toCard : "Continue to your bank";
  const more = html`<a class="button" href="${onward.href}" rel="noreferrer">${label}</a>
<form method="post"><button class="button other" name="action" value="${GIVE_UP}">Cancel</button></form>`;
  const text = isPage
    ? "Enter your card on the next page. Then you come back to this page."
    : "Your bank asks you to confirm the use of your card. Then you come back to this page.";
  return messagePage(ctx, {
    ...common,
    title: isPage ? "Enter your card to continue" : "Confirm your card",
    text,
    more,
  });
}

/** The problem to be shown above the form. */
export function problemOf(refusal: PortalCardRefusal | { payment: Payment }): CardInput["problem"] {
  if ("payment" in refusal) return { title: "Your card was not saved", text: unpaidReason(refusal.payment) };
  if (refusal.refused === "too_many_attempts")
    return { title: "Too many attempts", text: "Too many cards were declined. Ask your bank, and try again tomorrow." };
  if (refusal.refused === "card") return null;
  return { title: "Your card was not saved", text: "Another card is being saved. Try again in a minute." };
}
