import { html } from "hono/html";
import { cardNeed, dueToday, type CardNeed } from "../../domain/model/checkout.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { sentences } from "../../texts/phrases.ts";
import { agreedFields } from "../components/agreed-fields.ts";
import { CARD_FIELDS, cardFields } from "../components/card-fields.ts";
import { emailAddress, lineOf, required, rejects } from "../components/checks.ts";
import { LIKE_A_CARD } from "../components/card-number-pattern.ts";
import { fact } from "../components/fact.ts";
import { field } from "../components/field.ts";
import { hostedLine } from "../components/hosted-page.ts";
import { formNotice, type FormProblem } from "../components/notice.ts";
import { cardName } from "../../domain/model/card-name.ts";
import type { PaymentMethod } from "../../domain/model/payment.ts";
import type { Words } from "../../texts/words.ts";
import { agreement } from "../components/seller-footer.ts";
import type { Html } from "../layout.ts";
import { codeField } from "./code-field.ts";
import { asksQuantity, ON_FILE, typedIn, type Faults, type FieldName, type Typed } from "./form.ts";
import { knownBilling, billingFields, billingFieldOrder } from "./billing-fields.ts";
import { ownFields, ownFieldOrder } from "./own-fields.ts";
import { quantityField } from "./quantity-field.ts";
import { summary } from "./summary.ts";
import type { View } from "./view.ts";

/** The buyer's last input: the typed values, their faults, and the problem to be shown above the form or the card. */
export type FormInput = { typed: Typed; faults: Faults; problem: FormProblem | null };

/**
 * The anchor of a problem with the card. The form's address has this anchor, so the browser shows and focuses the
 * problem beside the card without a script, also on a phone.
 */
export const AT_CARD = "card";

/** The Customer that the page buys for. The Customer is known, so the page does not ask. */
function buyerFacts({ checkout: texts }: Words, { email, name }: NonNullable<View["buyer"]>): Html {
  return html`<div class="group">
<h2 class="legend">${texts.details}</h2>
<dl class="buyer">${fact(texts.email, email)}${name === null ? "" : fact(texts.name, name)}</dl>
</div>`;
}

function buyerFields({ checkout: texts, frame, fault }: Words, { typed, faults }: FormInput): Html {
  const email = {
    name: "email",
    label: texts.email,
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    maxlength: 320,
    checks: [required(fault.emailMissing), ...emailAddress(fault.emailWrong)],
  } as const;
  const name = {
    name: "name",
    label: texts.name,
    mark: frame.optional,
    inputmode: "text",
    autocomplete: "name",
    maxlength: 256,
    checks: [rejects(fault.nameCard, LIKE_A_CARD), ...lineOf(fault.nameLong, 256)],
  } as const;
  return html`<fieldset class="group">
<legend>${texts.details}</legend>
${field({ ...email, required: true, value: typed.email, fault: faults.email })}
${field({ ...name, required: false, value: typed.name, fault: faults.name })}
</fieldset>`;
}

/** With a hosted entry, the page asks at most whether the buyer wants to give a card for a trial. */
function hostedPart({ words, hosted }: View, need: CardNeed, without: string | null, { typed }: FormInput): Html {
  if (need !== "optional") return hostedLine(words, hosted!, need === "save" ? "savedAt" : "paidAt");
  const withCard = words.checkout.withCard.markup({ provider: html`<bdi>${hosted!.name}</bdi>` });
  const choice = (value: "yes" | "no", label: Html | string) => html`<label class="option">
<input type="radio" name="withCard" value="${value}" ${typed.withCard === (value === "yes") ? html`checked` : ""}>
<span>${label}</span></label>`;
  return html`<fieldset>
<legend>${words.card.legend} <span class="optional">${words.frame.optional}</span></legend>
${choice("yes", withCard)}
${choice("no", without!)}
</fieldset>`;
}

function cardPart(view: View, need: CardNeed, input: FormInput): Html {
  const { words, checkout, organization, hosted } = view;
  const { typed, faults } = input;
  const days = checkout.trialDays ?? 0;
  const without = need === "optional" ? words.checkout.withoutCard({ days }) : null;
  if (hosted) return hostedPart(view, need, without, input);
  return cardFields({
    words,
    legend: words.card.legend,
    without,
    expiry: typed.expiry,
    faults,
    emptied: typed.emptied,
    sandbox: organization.mode === "sandbox",
  });
}

function submitLabel({ words, checkout, terms, hosted }: View, need: CardNeed): string {
  const { checkout: texts } = words;
  const amount = terms.today;
  if (hosted && need === "charge") return texts.payHosted;
  if (hosted && need === "save") return texts.saveHosted;
  if (checkout.change && need === "charge") return texts.payAndChange({ amount });
  if (checkout.change) return need === "save" ? texts.saveAndChange : texts.changeNow;
  if (need === "charge") return texts.pay({ amount });
  if (need === "none") return checkout.settlement?.balanceApplied ? texts.payFromBalance : texts.getFree;
  if (checkout.trialDays === null) return texts.saveAndSubscribe;
  return need === "optional" ? texts.startOpenTrial : texts.startTrial;
}

/** The values on the page to which the buyer agrees by sending the form. */
function agreed({ checkout, quote, trialUsed }: View): Html {
  const { quantity } = checkout;
  const figures = { amountDue: dueToday(checkout), ...(asksQuantity(checkout) && { quantity }) };
  return html`${agreedFields({ figures, shownAt: quote?.at ?? null })}
${trialUsed ? html`<input type="hidden" name="trial" value="used">` : ""}`;
}

/** The form as a browser finds it that comes (back) to the page. */
export const firstInput = (view: View): FormInput => ({
  typed: typedIn(new URLSearchParams(), view),
  faults: {},
  problem: null,
});

function buyerPart({ words, checkout, buyer }: View, input: FormInput): Html | "" {
  if (!checkout.customerNamed && !checkout.change) return buyerFields(words, input);
  return buyer ? buyerFacts(words, buyer) : "";
}

/** All fields that the page may show, in their order. */
const fieldOrder = ({ words, organization, checkout }: View, { typed }: FormInput): FieldName[] => [
  "quantity",
  "email",
  "name",
  ...billingFieldOrder(words, organization.taxRates, typed),
  ...ownFieldOrder(checkout),
  "code",
  ...CARD_FIELDS,
];

/** The value of `card` in the address of the page that asks for another card than the one on file. */
export const OTHER_CARD = "other";

/** The card on file pays, after the question of the buyer's bank. Another card is a link away (rule P1). */
function onFileForm(view: View, card: PaymentMethod, input: FormInput): Html {
  const { words, terms, self } = view;
  const { outcome, plan, checkout: texts } = words;
  const amount = terms.today;
  return html`<form class="column" method="post" action="${self}" data-once>
${formNotice(words, [], input)}
${agreed(view)}
<div class="group">
<h2 class="legend">${outcome.confirmTitle}</h2>
<p>${outcome.confirmPay({ amount })}</p>
<dl class="buyer">${fact(plan.card, cardName(card))}</dl>
</div>
<button class="button" name="action" value="${ON_FILE}">${texts.payAndChange({ amount })}</button>
<p class="status" role="status" data-busy="${texts.busy}"></p>
<p class="aside"><a href="${self}?card=${OTHER_CARD}">${outcome.otherCard}</a></p>
${conditions(view)}
</form>`;
}

/**
 * The two columns of an open Checkout: the summary of the purchase, and the form that buys it. Elements that depend on
 * typed values are marked as parts. pages.js replaces only the parts with a changed state, and keeps all typed values.
 */
export function paymentForm(view: View, input: FormInput = firstInput(view)): Html {
  const form = view.onFile ? onFileForm(view, view.onFile, input) : buyerForm(view, input);
  return html`<main class="checkout">
${summary(view)}
<section class="payment" aria-label="${view.words.checkout.payment}">
${form}
</section>
</main>`;
}

/**
 * The conditions of the order, below its button: the seller's terms, the charges that the buyer allows, the beginning
 * of the access, and the way to cancel (rule C11c). Japan's law on mail orders asks for the last two before an order.
 */
function conditions({ words, organization, checkout, benefits, terms }: View): Html[] {
  const { startsAtOnce, cancelAnytime, cancelBySeller } = words.seller;
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  const cancel = portalAllows(organization, "cancel") ? cancelAnytime : cancelBySeller.markup({ seller });
  const begins = checkout.change === null && benefits.length > 0 ? startsAtOnce : "";
  const paragraphs = [
    agreement(words, organization),
    terms.consent === null ? "" : html`<bdi>${terms.consent}</bdi>`,
    sentences(words, begins, terms.consent === null ? "" : cancel),
  ];
  return paragraphs.filter((text) => text !== "").map((text) => html`<p class="consent">${text}</p>`);
}

function buyerForm(view: View, input: FormInput): Html {
  const { words, checkout, organization, asksBilling, located, terms } = view;
  const { checkout: texts } = words;
  const need = cardNeed(checkout);
  const label = submitLabel(view, need);
  const code = `${checkout.discount?.code ?? ""} ${input.faults.code ?? ""}`;
  const card = need === "none" || need === "optional" || view.hosted ? need : "required";
  const busy = view.hosted && need !== "none" ? texts.busyHosted : texts.busy;
  const atCard = need !== "none" && input.problem?.id === AT_CARD;
  // The form is sent to the page's own URL. A provider's page would inherit the anchor. `novalidate`: Billow's own
  // messages look and sound alike in every browser.
  return html`<form class="column" method="post" ${view.hosted ? "" : html`action="#${AT_CARD}"`} novalidate data-once
 data-notice="${words.frame.checkFields}" data-said="${texts.dueTodaySaid({ amount: terms.today })}">
<button class="unseen" tabindex="-1" aria-hidden="true"></button>
${atCard ? "" : formNotice(words, fieldOrder(view, input), input)}
<div data-part="agreed">${agreed(view)}</div>
${quantityField(view, input)}
${buyerPart(view, input)}
${asksBilling ? billingFields(words, organization.taxRates, input) : ""}
${located ? knownBilling(words, located) : ""}
${ownFields(words, checkout.fields, input)}
<div class="group" data-part="code" data-state="${code}">${codeField(view, input)}</div>
${atCard ? html`<div class="group">${formNotice(words, [], input)}</div>` : ""}
<div class="group" data-part="card" data-state="${card}">${need === "none" ? "" : cardPart(view, need, input)}</div>
<button class="button" type="submit" data-part="button">${label}</button>
<p class="status" role="status" data-busy="${busy}" data-failed="${texts.updateFailed}"
 data-unsent="${texts.unsent}"></p>
<p class="unseen" role="status" data-heard></p>
<div data-part="consent">${conditions(view)}</div>
</form>`;
}
