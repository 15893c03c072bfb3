import { html } from "hono/html";
import { formatInstant } from "../../domain/calendar.ts";
import { cardNeed, dueToday, type CardNeed } from "../../domain/checkout/checkout.ts";
import { counted } from "../../domain/words.ts";
import { cardFields } from "../components/card-fields.ts";
import { field } from "../components/field.ts";
import { CONTINUE_TO_CARD, CONTINUE_TO_PAYMENT, hostedLine } from "../components/hosted.ts";
import { formNotice } from "../components/notice.ts";
import type { Html } from "../layout.ts";
import { codeField } from "./code-field.ts";
import { FIELDS, typedIn, type Faults, type Typed } from "./form.ts";
import { placeFields } from "./place-fields.ts";
import { summary } from "./summary.ts";
import type { View } from "./view.ts";

/** The buyer's last input: the typed values, their faults, and the problem to be shown above the form. */
export type FormInput = { typed: Typed; faults: Faults; problem: { title: string; text: string } | null };

function buyerFields({ typed, faults }: FormInput): Html {
  const email = {
    name: "email",
    label: "E-mail",
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    maxlength: 320,
  } as const;
  const name = {
    name: "name",
    label: "Name",
    mark: "optional",
    inputmode: "text",
    autocomplete: "name",
    maxlength: 256,
  } as const;
  return html`<fieldset class="group">
<legend>Your details</legend>
${field({ ...email, required: true, value: typed.email, fault: faults.email })}
${field({ ...name, required: false, value: typed.name, fault: faults.name })}
</fieldset>`;
}

/** With a hosted entry, the page asks at most whether the buyer wants to give a card for a trial. */
function hostedPart({ hosted }: View, need: CardNeed, without: string | null, { typed }: FormInput): Html {
  if (need !== "optional") return hostedLine(hosted!, need === "save");
  const choice = (value: "yes" | "no", label: Html | string) => html`<label class="option">
<input type="radio" name="withCard" value="${value}" ${typed.withCard === (value === "yes") ? html`checked` : ""}>
<span>${label}</span></label>`;
  return html`<fieldset>
<legend>Card <span class="optional">optional</span></legend>
${choice("yes", html`With a card, on the page of <bdi>${hosted!.name}</bdi>. You are not charged today.`)}
${choice("no", without!)}
</fieldset>`;
}

function cardPart(view: View, need: CardNeed, input: FormInput): Html {
  const { checkout, organization, hosted } = view;
  const { typed, faults } = input;
  const trial = counted(checkout.trialDays ?? 0, "day");
  const without =
    need === "optional" ? `Without a card, your trial ends after ${trial} and you are not charged.` : null;
  if (hosted) return hostedPart(view, need, without, input);
  return cardFields({
    legend: "Card",
    without,
    expiry: typed.expiry,
    faults,
    sandbox: organization.mode === "sandbox",
  });
}

function submitLabel({ checkout, terms, hosted }: View, need: CardNeed): string {
  if (hosted && need === "charge") return CONTINUE_TO_PAYMENT;
  if (hosted && need === "save") return CONTINUE_TO_CARD;
  if (checkout.change)
    return need === "charge"
      ? `Pay ${terms.today} and change`
      : need === "save"
        ? "Save card and change"
        : "Change now";
  if (need === "charge") return `Pay ${terms.today}`;
  if (need === "none") return checkout.settlement?.balanceApplied ? "Pay with your balance" : "Get it for free";
  return checkout.trialDays === null ? "Save card and subscribe" : "Start free trial";
}

/** The values on the page to which the buyer agrees by sending the form. */
function agreed({ checkout, quote, trialUsed }: View): Html {
  return html`<input type="hidden" name="expectedAmount" value="${dueToday(checkout)}">
${quote ? html`<input type="hidden" name="shownAt" value="${formatInstant(quote.at)}">` : ""}
${trialUsed ? html`<input type="hidden" name="trial" value="used">` : ""}`;
}

const emptyInput = ({ checkout }: View): FormInput => ({
  typed: typedIn(new URLSearchParams(), checkout),
  faults: {},
  problem: null,
});

/**
 * The two columns of an open Checkout: the summary of the purchase, and the form that buys it. Elements that depend on
 * typed values are marked as parts. pages.js replaces only the parts with a changed state, and keeps all typed values.
 */
export function paymentForm(view: View, input: FormInput = emptyInput(view)): Html {
  const { checkout, organization, asksPlace, terms } = view;
  const need = cardNeed(checkout);
  const label = submitLabel(view, need);
  const code = `${checkout.discount?.code ?? ""} ${input.faults.code ?? ""}`;
  const card = need === "none" || need === "optional" || view.hosted ? need : "required";
  const busy =
    view.hosted && need !== "none" ? "you are being taken to the payment page" : "your order is being placed";
  // Without an `action`, the form is sent to the page's own URL. `novalidate`: Billow's own messages look and sound
  // alike in every browser.
  return html`<main class="checkout">
${summary(view)}
<section class="payment" aria-label="Payment">
<form class="column" method="post" novalidate data-once data-said="Due today: ${terms.today}">
<button class="unseen" tabindex="-1" aria-hidden="true"></button>
${formNotice(FIELDS, input)}
<div data-part="agreed">${agreed(view)}</div>
${checkout.customerNamed || checkout.change ? "" : buyerFields(input)}
${asksPlace ? placeFields(organization.taxRates, input) : ""}
<div class="group" data-part="code" data-state="${code}">${codeField(view, input)}</div>
<div class="group" data-part="card" data-state="${card}">${need === "none" ? "" : cardPart(view, need, input)}</div>
<button class="button" type="submit" data-part="button">${label}</button>
<p class="status" role="status" data-busy="One moment: ${busy}."></p>
<div data-part="consent">${terms.consent === null ? "" : html`<p class="consent"><bdi>${terms.consent}</bdi></p>`}</div>
</form>
</section>
</main>`;
}
