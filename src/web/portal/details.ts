import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { addressLines } from "../../domain/tax/address-lines.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { LANGUAGES, type Language, type Locale } from "../../domain/locale.ts";
import { languageOf } from "../../texts/language.ts";
import type { Words } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import {
  companyField,
  countryField,
  shownParts,
  streetFields,
  taxIdField,
  type BillingFaults,
  type BillingField,
} from "../components/address-fields.ts";
import { fact } from "../components/fact.ts";
import { field } from "../components/field.ts";
import { ownName } from "../components/language-name.ts";
import { formNotice } from "../components/notice.ts";
import { select } from "../components/select.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { disownLink } from "./card-plans.ts";
import { section } from "./section.ts";
import type { PortalRequest } from "./request.ts";

export type DetailsTyped = Record<BillingField, string> & { name: string; language: string };
export type DetailsFaults = BillingFaults & { name?: string };
/** `unclaimed`: the purchases for which the details will count, too (rule C12b). */
export type DetailsInput = { typed: DetailsTyped; faults: DetailsFaults; unclaimed: readonly Holding[] };

const LANGUAGE_NAMES = LANGUAGES.map((value) => ({ value, label: ownName(value) }));

/** The language of the pages that a Customer has chosen; empty: the language of the browser. */
export const chosenLanguage = (locale: Locale | null): Language | "" => (locale && languageOf(locale)) ?? "";

/** The Customer's details on the home page, and the way to change them. */
export function detailsSection({ organization, visitor, self, words }: PortalRequest): Html {
  const { name, companyName, billingAddress, taxId, locale } = visitor.customer;
  const { details, checkout, address: texts } = words;
  const lines = billingAddress && [...addressLines(billingAddress), words.country(billingAddress.country)];
  const address = lines && html`<span class="block">${lines.map((line) => html`<span>${line}</span>`)}</span>`;
  const language = chosenLanguage(locale);
  const edit = html`<p class="aside"><a href="${self}/details">${details.edit}</a></p>`;
  const facts = html`<dl class="facts">
${fact(details.name, name ?? details.notGiven)}
${companyName === null ? "" : fact(texts.company, companyName)}
${fact(texts.title, address ?? details.notGiven)}
${taxId === null ? "" : fact(checkout.taxId, taxId.value)}
${fact(details.language, language === "" ? details.browserLanguage : ownName(language))}
</dl>
${portalAllows(organization, "editDetails") ? edit : ""}`;
  return section("details", details.title, [], "", facts);
}

function personFields({ details, frame }: Words, { typed, faults }: DetailsInput): Html {
  return html`${field({
    name: "name",
    label: details.name,
    mark: frame.optional,
    inputmode: "text",
    autocomplete: "name",
    required: false,
    maxlength: 256,
    value: typed.name,
    fault: faults.name,
  })}
${select({
  name: "language",
  label: details.language,
  none: details.browserLanguage,
  options: LANGUAGE_NAMES,
  autocomplete: "language",
  required: false,
  value: typed.language,
})}`;
}

/** Names the purchases that the edit claims, each with the way out for a Customer who does not recognize it. */
const unclaimedNotes = (request: PortalRequest, unclaimed: readonly Holding[]): Html[] =>
  unclaimed.map((holding) => {
    const plans = html`<bdi>${holding.product}</bdi>`;
    const note = request.words.details.unclaimed.markup({ plans });
    return html`<p class="note">${note} ${disownLink(request, holding)}</p>`;
  });

/** The page on which a Customer edits their own details (rule I12). With a script, the fields follow the country. */
export function detailsPage(ctx: Context, request: PortalRequest, input: DetailsInput): Html {
  const { organization, self, words } = request;
  const { details, address: texts, frame } = words;
  const { taxRates: rates } = organization;
  const billing = { ...input, rates };
  const isRequired = rates.length > 0;
  const order = ["name", "companyName", "country", ...shownParts(words, billing), "taxId"] as const;
  const isWrong = Object.keys(input.faults).length > 0;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${details.title}</h1>
<p>${details.onInvoices}</p>
${unclaimedNotes(request, input.unclaimed)}
<form method="post" novalidate data-once data-said="" data-notice="${frame.checkFields}">
<button class="unseen" tabindex="-1" aria-hidden="true"></button>
${formNotice(words, order, { ...input, problem: null })}
<div class="group">
${personFields(words, input)}
</div>
<fieldset class="group">
<legend>${texts.title}</legend>
${companyField(words, billing)}
<div data-affects-total>
${countryField(words, billing, isRequired)}
<button class="button other small" name="action" value="update" data-scriptless>${texts.showFields}</button>
</div>
${streetFields(words, billing)}
${taxIdField(words, billing)}
${isRequired ? html`<p class="hint">${details.taxChanges}</p>` : ""}
</fieldset>
<button class="button" type="submit">${details.save}</button>
<p class="status" role="status" data-busy="${details.saving}" data-failed="${details.updateFailed}"></p>
</form>
<a class="button other" href="${self}">${details.back}</a>
</div>
</main>`;
  const title = isWrong ? frame.errorTitle({ title: details.title }) : details.title;
  return layout(ctx, { words, organization, title, head: stylesheet(portalStylesPath(ctx)), body });
}
