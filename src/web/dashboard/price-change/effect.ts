import { html } from "hono/html";
import type { PriceChangePreview } from "../../../actions/price-change/preview.ts";
import type { Repricing, RepricingExample } from "../../../domain/metrics/repricing.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { counted } from "../../../domain/words.ts";
import type { Html } from "../../layout.ts";
import { moneyCell, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { customerLink, customerPath } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { REASONS, termsOf } from "./words.ts";

/** A preview with the Customers of its examples. */
export type Effect = { preview: PriceChangePreview; customers: ReadonlyMap<string, Customer> };

/** The number of Subscriptions that would get notice. */
export const movingIn = ({ currencies }: PriceChangePreview): number =>
  currencies.reduce((sum, { subscriptions }) => sum + subscriptions, 0);

const CURRENCY_HEADINGS = [
  { label: "New price of a unit", isNumber: true },
  { label: "Subscriptions", isNumber: true },
  { label: "MRR now", isNumber: true },
  { label: "MRR afterwards", isNumber: true },
];

const currencyRow = ({ currency, unitAmount, subscriptions, mrrBefore, mrrAfter }: Repricing): Html => html`<tr>
${moneyCell(unitAmount, currency)}
<td class="number">${subscriptions}</td>
${moneyCell(mrrBefore, currency)}
${moneyCell(mrrAfter, currency)}
</tr>`;

const EXAMPLE_HEADINGS = [
  "Customer",
  { label: "Units", isNumber: true, isWide: true },
  { label: "Price now", isNumber: true },
  { label: "New price", isNumber: true },
  "From",
];

function exampleRow(
  { subscription, unitAmount, effectiveAt }: RepricingExample,
  request: DashboardRequest,
  { customers }: Effect,
): Html {
  const { id, currency, quantity, amount, customerId } = subscription;
  return html`<tr>
<th scope="row">${customerLink(customers.get(customerId) ?? null, request, id)}</th>
<td class="number wide">${quantity}</td>
${moneyCell(amount, currency)}
${moneyCell(unitAmount * quantity, currency)}
<td>${effectiveAt === null ? "" : time(effectiveAt, request.organization.timeZone)}</td>
</tr>`;
}

/** The reasons with the numbers, each with links to the first Subscriptions. */
function leftOutList({ preview: { leftOut, examples } }: Effect, { self }: DashboardRequest): Html | "" {
  if (leftOut.length === 0) return "";
  const entry = ({ reason, subscriptions }: (typeof leftOut)[number]) => {
    const own = examples.filter((each) => each.reason === reason);
    const links = own.map(
      ({ subscription: { id, customerId } }, n) =>
        html`${n === 0 ? "" : ", "}<a href="${customerPath(self, customerId, id)}"><code>${id}</code></a>`,
    );
    return html`<li>${REASONS[reason]}: ${subscriptions}<br><span class="note">${links}</span></li>`;
  };
  return html`<h2>Subscriptions that keep their price</h2><ul class="effects">${leftOut.map(entry)}</ul>`;
}

/** The effect of a price change before it begins (rule N2). */
export function priceChangeEffect(effect: Effect, request: DashboardRequest): Html {
  const { preview } = effect;
  const { terms, currencies, examples } = preview;
  const zone = request.organization.timeZone;
  const moving = examples.filter(({ reason }) => reason === null);
  const isSilent = request.organization.emailsOff.includes("price_change");
  return html`${
    isSilent
      ? notice(
          "warning",
          "The e-mail “New price” is switched off in the settings, so no Customer gets notice by e-mail.",
        )
      : ""
  }
${definitions([["Subscriptions that get notice", String(movingIn(preview))], ...termsOf(terms, zone)])}
${currencies.length === 0 ? "" : table("MRR by currency", CURRENCY_HEADINGS, currencies.map(currencyRow))}
${
  moving.length === 0
    ? ""
    : html`<h2>${counted(moving.length, "example")}</h2>${table(
        "Examples",
        EXAMPLE_HEADINGS,
        moving.map((example) => exampleRow(example, request, effect)),
      )}`
}
${leftOutList(effect, request)}`;
}
