import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { taxOn } from "../../domain/invoice/order.ts";
import { newTotalOf } from "../../domain/model/price-change.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { priceBeginsAt } from "../../domain/model/scheduled-price.ts";
import { awaitsConsent } from "../../domain/model/subscription.ts";
import { unitsAtTotal } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { fact } from "../components/fact.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Account, Holding } from "./account.ts";
import type { PortalRequest } from "./request.ts";
import { newPriceFact, priceOf } from "./subscription-facts.ts";

const pathOf = ({ self }: PortalRequest, { subscription: { id } }: Holding) => `${self}/subscriptions/${id}/price`;

/** Whether a Subscription ends at a coming day without a consent. A restart is agreed to where it is paid (rule N6). */
export const endsWithoutConsent = ({ subscription, outlook }: Holding): boolean =>
  awaitsConsent(subscription) && outlook?.restart == null;

/** The end without a consent, or the day of the consent; empty without a new price that needs one (rule N6). */
export function consentOf({ portalPrice: said, day }: Words, zone: string, holding: Holding): Html | "" {
  const { priceChange, cancelAtPeriodEnd } = holding.subscription;
  if (priceChange === null || cancelAtPeriodEnd) return "";
  if (endsWithoutConsent(holding))
    return html`<p class="ends">${said.ends({ day: day(priceBeginsAt(holding.subscription, priceChange), zone) })}</p>`;
  const { consentedAt } = priceChange;
  return consentedAt === null ? "" : html`<p class="note">${said.agreedOn({ day: day(consentedAt, zone) })}</p>`;
}

/** The link from a Subscription to the page of the consent; empty if no consent is missing. */
export function consentLink(request: PortalRequest, holding: Holding, style: string): Html | "" {
  if (!endsWithoutConsent(holding)) return "";
  return html`<a class="${style}" href="${pathOf(request, holding)}">${request.words.portalPrice.see}<span
class="unseen"> <bdi>${holding.product}</bdi></span></a>`;
}

function consentSection(request: PortalRequest, holding: Holding): Html {
  const { organization, visitor, words } = request;
  const { portalPrice: said, day } = words;
  const { subscription, product: name } = holding;
  const { id, currency, billing, priceChange } = subscription;
  const tax = taxOn({ organization, customer: visitor.customer }, billing);
  const product = html`<bdi>${name}</bdi>`;
  const on = { product, day: day(priceBeginsAt(subscription, priceChange!), organization.timeZone) };
  const total = newTotalOf(subscription, priceChange!);
  const price = priceOf(words, { ...subscription, ...total }, currency, tax);
  return html`<section class="paper" aria-labelledby="price-${id}">
<h2 id="price-${id}">${said.missing.markup(on)}</h2>
<p>${said.missingText({ price })}</p>
<p>${consentLink(request, holding, "button small")}</p>
</section>`;
}

/** A section for each Subscription that ends unless the Customer agrees to its new price (rule N6). */
export const consentSections = (request: PortalRequest, { awaiting }: Account): Html[] =>
  awaiting.map((holding) => consentSection(request, holding));

/**
 * Asks a Customer to agree to a new price (rule N6). The form names the round, so that a click agrees to no other price
 * than that of the page. `isChanged`: the Customer has agreed to another price that does not wait any more.
 */
export function pricePage(ctx: Context, request: PortalRequest, holding: Holding, isChanged = false): Html {
  const { organization, self, visitor, words } = request;
  const { portalPrice: said, mailPrice, day, portal } = words;
  const { subscription, product: name, unitName } = holding;
  const { id, currency, billing } = subscription;
  const priceChange = subscription.priceChange!;
  const zone = organization.timeZone;
  const tax = taxOn({ organization, customer: visitor.customer }, billing);
  const price = priceOf(words, subscription, currency, tax);
  const units = unitsAtTotal(words, { ...subscription, unitName }, currency);
  const cancel = html`<p class="aside"><a href="${self}/subscriptions/${id}/cancel">${portal.cancel}</a></p>`;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${said.title.markup({ product: html`<bdi>${name}</bdi>` })}</h1>
${isChanged ? html`<p role="alert">${said.changed}</p>` : ""}
<dl class="facts">
${fact(said.before, units === null ? price : mailPrice.inUnits({ price, units }))}
${newPriceFact(words, zone, holding, tax)}
</dl>
<p>${said.asked({ day: day(priceBeginsAt(subscription, priceChange), zone) })}</p>
<form method="post" data-once>
<input type="hidden" name="priceChangeId" value="${priceChange.priceChangeId}">
<button class="button" type="submit">${said.agree}</button>
</form>
<a class="button other" href="${self}">${said.keep}</a>
${portalAllows(organization, "cancel") ? cancel : ""}
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: said.title({ product: name }), head, body });
}
