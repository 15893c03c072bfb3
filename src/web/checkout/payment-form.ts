import { html } from "hono/html";
import { formatInstant } from "../../domain/calendar.ts";
import { cardNeed, dueToday, type CardNeed } from "../../domain/checkout.ts";
import { field } from "../components/field.ts";
import { notice, type Problem } from "../components/notice.ts";
import type { Html } from "../layout.ts";
import { codeField } from "./code-field.ts";
import { FIELDS, typedIn, type Faults, type Typed } from "./form.ts";
import { placeFields } from "./place-fields.ts";
import { summary } from "./summary.ts";
import { days } from "./terms.ts";
import { testCards } from "./test-cards.ts";
import type { View } from "./view.ts";

/** What came of the last attempt: what was typed, what is wrong with it, and what has to be said above it. */
export type Attempt = { typed: Typed; faults: Faults; problem: { title: string; text: string } | null };

function buyerFields({ typed, faults }: Attempt): Html {
  const email = { name: "email", label: "E-mail", type: "email", inputmode: "email", autocomplete: "email", maxlength: 320 } as const;
  const name = { name: "name", label: "Name", mark: "optional", inputmode: "text", autocomplete: "name", maxlength: 256 } as const;
  return html`<fieldset class="group">
<legend>Your details</legend>
${field({ ...email, required: true, value: typed.email, fault: faults.email })}
${field({ ...name, required: false, value: typed.name, fault: faults.name })}
</fieldset>`;
}

function cardFields(view: View, need: CardNeed, { typed, faults }: Attempt): Html {
  const required = need !== "optional";
  const common = { inputmode: "numeric", required } as const;
  const number = { name: "number", label: "Card number", autocomplete: "cc-number", maxlength: 23, placeholder: "1234 1234 1234 1234" };
  const expiry = { name: "expiry", label: "Expiry", autocomplete: "cc-exp", maxlength: 9, placeholder: "MM / YY" };
  const cvc = { name: "cvc", label: "Security code", autocomplete: "cc-csc", maxlength: 4, placeholder: "CVC" };
  const without = `Without a card, your trial ends after ${days(view.checkout.trialDays ?? 0)} and nothing is charged.`;
  return html`<fieldset>
<legend>Card${required ? "" : html` <span class="optional">optional</span>`}</legend>
${required ? "" : html`<p class="hint">${without}</p>`}
${field({ ...common, ...number, fault: faults.number })}
<div class="pair">
${field({ ...common, ...expiry, value: typed.expiry, fault: faults.expiry })}
${field({ ...common, ...cvc, fault: faults.cvc })}
</div>
${view.organization.mode === "sandbox" ? testCards() : ""}
</fieldset>`;
}

function submitLabel({ checkout, terms }: View, need: CardNeed): string {
  if (checkout.change) return need === "charge" ? `Pay ${terms.today} and change` : need === "save" ? "Save card and change" : "Change now";
  if (need === "charge") return `Pay ${terms.today}`;
  if (need === "none") return "Get it for free";
  return checkout.trialDays === null ? "Save card and subscribe" : "Start free trial";
}

/** What the buyer agrees to by sending the form, since it is what they see. */
function agreed({ checkout, quote, trialUsed }: View): Html {
  return html`<input type="hidden" name="expectedAmount" value="${dueToday(checkout)}">
${quote ? html`<input type="hidden" name="shownAt" value="${formatInstant(quote.at)}">` : ""}
${trialUsed ? html`<input type="hidden" name="trial" value="used">` : ""}`;
}

/** Everything wrong at one place, with links to the fields. */
function problemsOf({ faults, problem }: Attempt): Html | "" {
  const found = FIELDS.flatMap((name): Problem[] => (faults[name] === undefined ? [] : [{ field: name, text: faults[name] }]));
  if (problem) return notice(problem.title, [{ text: problem.text }, ...found]);
  return found.length === 0 ? "" : notice("Please check what you typed", found);
}

const notYetTried = ({ checkout }: View): Attempt => ({ typed: typedIn(new URLSearchParams(), checkout), faults: {}, problem: null });

/**
 * The two columns of an open Checkout: what is bought, and the form that buys it. What follows from what is typed is marked as a part:
 * pages.js replaces it, where its state has changed, and leaves the rest as it was typed.
 */
export function paymentForm(view: View, attempt: Attempt = notYetTried(view)): Html {
  const { checkout, organization, asksPlace, terms } = view;
  const need = cardNeed(checkout);
  const label = submitLabel(view, need);
  const card = need === "none" || need === "optional" ? need : "required";
  // Without an action the form goes to its own address. Faults are ours to tell, so that they look and sound alike everywhere.
  return html`<main class="checkout">
${summary(view)}
<section class="payment" aria-label="Payment">
<form class="column" method="post" novalidate data-once data-said="Due today: ${terms.today}">
<button class="unseen" tabindex="-1" aria-hidden="true"></button>
${problemsOf(attempt)}
<div data-part="agreed">${agreed(view)}</div>
${checkout.customerNamed || checkout.change ? "" : buyerFields(attempt)}
${asksPlace ? placeFields(organization.taxRates, attempt) : ""}
<div class="group" data-part="code" data-state="${checkout.discount?.code ?? ""} ${attempt.faults.code ?? ""}">${codeField(view, attempt)}</div>
<div class="group" data-part="card" data-state="${card}">${need === "none" ? "" : cardFields(view, need, attempt)}</div>
<button class="button" type="submit" data-part="button">${label}</button>
<p class="status" role="status" data-busy="One moment: your order is being placed."></p>
<div data-part="consent">${terms.consent === null ? "" : html`<p class="consent"><bdi>${terms.consent}</bdi></p>`}</div>
</form>
</section>
</main>`;
}
