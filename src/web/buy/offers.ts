import { html } from "hono/html";
import type { Period } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { periodOf } from "../../domain/model/product.ts";
import { discountOff, rhythmOf, taxedPrice, unitsAtTotal } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { untaxed } from "../checkout/terms.ts";
import { priceLine } from "../checkout/summary.ts";
import type { Html } from "../layout.ts";
import { benefitList, rhythmHeading } from "../portal/plans.ts";
import type { OfferView } from "./view.ts";

type Drawn = { words: Words; organization: Organization };

/** The price of a period or of a one-time purchase, as a pricing table states it. */
function listPrice({ words, organization }: Drawn, { checkout }: OfferView): Html {
  const { amount, currency, tax } = checkout;
  if (amount === 0) return html`<p class="price">${words.terms.free}</p>`;
  const price = taxedPrice(words, amount, currency, tax?.rate ?? null);
  const rhythm = html`<span>${rhythmOf(words, checkout)}</span>`;
  const priced = words.portal.priceEvery.markup({ price, rhythm });
  const plus = tax ? null : untaxed(words, organization, price);
  const isPlus = plus !== null && plus !== price;
  return html`<p class="price">${priced}</p>
${isPlus ? html`<p class="note">${plus}</p>` : ""}`;
}

/** The amount of today and the charges after today, if they differ from the price: a trial or a discount. */
function firstCharge({ words }: Drawn, { checkout, terms }: OfferView): Html | "" {
  const { trialDays, discount, interval } = checkout;
  if (trialDays === null && discount === null) return "";
  const label =
    discount === null
      ? ""
      : html`<p class="note"><bdi>${discount.code}</bdi>:
${discountOff(words, discount, interval !== null)}</p>`;
  return html`${label}
<div class="first">${priceLine(words, terms)}
${terms.sequel === null ? "" : html`<p class="later">${terms.sequel}</p>`}</div>`;
}

/** The Product of an offer with its price and Benefits. `heading`: the rank of its name on the page. */
export function offerCard(drawn: Drawn, offer: OfferView, choose: Html, heading: "h2" | "h3"): Html {
  const { words } = drawn;
  const { product, checkout, benefits } = offer;
  const name = html`<bdi>${product.name}</bdi>`;
  const units = unitsAtTotal(words, checkout, checkout.currency);
  return html`<li class="paper">
${heading === "h2" ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
${listPrice(drawn, offer)}
${units === null ? "" : html`<p class="note">${units}</p>`}
${firstCharge(drawn, offer)}
${product.description === null ? "" : html`<p class="description" dir="auto">${product.description}</p>`}
${benefitList(words, benefits, checkout.quantity)}
<div class="choose">${choose}</div>
</li>`;
}

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;
const nameOf = (period: Period | null) => (period === null ? "once" : `${period.interval}${period.intervalCount}`);
const lengthOf = (period: Period | null) =>
  period === null ? Number.POSITIVE_INFINITY : DAYS[period.interval] * period.intervalCount;

/** The offers of each rhythm, the shorter rhythms first and one-time purchases last. */
function groupsOf(offers: readonly OfferView[]): { period: Period | null; offers: OfferView[] }[] {
  const groups = Map.groupBy(offers, ({ product }) => nameOf(periodOf(product)));
  return [...groups.values()]
    .map((group) => ({ period: periodOf(group[0]!.product), offers: group }))
    .sort((one, other) => lengthOf(one.period) - lengthOf(other.period));
}

/**
 * The offers side by side. With several rhythms, a choice above shows those of one rhythm. The choice is a matter of
 * styles alone: an old browser, or one without styles, shows all offers under their rhythms.
 */
export function offerGrid(
  drawn: Drawn,
  offers: readonly OfferView[],
  choose: (offer: OfferView, place: number) => Html,
): Html {
  const { words } = drawn;
  const groups = groupsOf(offers);
  const isAlone = groups.length === 1;
  const label = (period: Period | null) => (period === null ? words.buy.once : rhythmHeading(words, period));
  const radios = groups.map(
    ({ period }, n) => html`<input type="radio" name="rhythm" id="rhythm-${n}" value="${n}" ${n === 0 ? "checked" : ""}>
<label for="rhythm-${n}">${label(period)}</label>`,
  );
  const switcher = html`<fieldset class="rhythms"><legend>${words.buy.billing}</legend>${radios}</fieldset>`;
  const drawGroup = ({ period, offers: own }: (typeof groups)[number], n: number) => {
    const cards = own.map((offer) =>
      offerCard(drawn, offer, choose(offer, offers.indexOf(offer)), isAlone ? "h2" : "h3"),
    );
    const heading = isAlone ? "" : html`<h2 id="group-${n}">${label(period)}</h2>`;
    const named = isAlone ? html`aria-label="${words.buy.title}"` : html`aria-labelledby="group-${n}"`;
    return html`<section class="rhythm-${n}" ${named}>${heading}<ul class="offers">${cards}</ul></section>`;
  };
  return html`${isAlone ? "" : switcher}${groups.map(drawGroup)}`;
}
