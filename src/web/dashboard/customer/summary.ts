import { html } from "hono/html";
import type { Prospects } from "../../../actions/subscription/outlook.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { cardName } from "../../../domain/model/card-name.ts";
import type { ReadGrant } from "../../../store/benefit-grants.ts";
import type { CardOnFile } from "../../../store/payment-methods.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyText, NONE, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { statusBadge } from "../components/status.ts";
import { expiryOf } from "./cards.ts";
import { nextCharge, nextStep, type Plan } from "./subscriptions.ts";

/** `self`: the path of the Customer's page. `prospects` null: the Customer is deleted. */
export type Glance = {
  self: string;
  customer: Customer;
  zone: string;
  plans: readonly Plan[];
  prospects: Prospects | null;
  grants: readonly ReadGrant[];
  cards: readonly CardOnFile[];
};

const listed = (entries: readonly (Html | string)[]): Html =>
  entries.length === 0 ? NONE : html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`;

function planEntry(plan: Plan, zone: string): Html {
  const { subscription, product } = plan;
  const { id, status, productId } = subscription;
  return html`<a href="#${id}"><bdi>${product?.name ?? productId}</bdi></a> ${statusBadge("subscription", status)}
<span class="note">${nextStep(plan, zone)}</span>`;
}

/** The open invoices of live Subscriptions, each with its amount. */
const owedOf = (plans: readonly Plan[]): Html[] =>
  plans
    .flatMap(({ outlook }) => outlook?.open ?? [])
    .map(({ invoice: { id, number, amountDue, currency } }) => {
      return html`${moneyText(amountDue, currency)}, invoice <a href="?at=${id}#${id}">${number}</a>`;
    });

function moneyOf({ self, plans, prospects, cards, zone }: Glance): [string, Html][] {
  const balances = (prospects?.balances ?? []).map(({ amount, currency }) =>
    amount > 0
      ? html`<a href="#balance">${moneyText(amount, currency)}</a> credit`
      : html`<a href="#balance">${moneyText(-amount, currency)}</a> owed`,
  );
  const charges = plans.flatMap((plan) => nextCharge(plan, zone) ?? []);
  const why = html`<a href="${self}/next-invoices">Why<span class="hidden"> this charge</span>?</a>`;
  const card = cards.find(({ isDefault }) => isDefault);
  return [
    ["Next charge", html`${listed(charges)}${charges.length === 0 ? "" : why}`],
    ["Owed", listed(owedOf(plans))],
    ["Balance", listed(balances)],
    ["Card", card ? html`${cardName(card)} <span class="note">until ${expiryOf(card)}</span>` : NONE],
  ];
}

/** Plan, money and access at a glance. */
export function summary(glance: Glance): Html {
  const { plans, grants, zone } = glance;
  const live = plans.filter(({ subscription }) => subscription.status !== "canceled");
  const active = grants.filter(({ status }) => status === "active");
  const names = [...new Set(active.map(({ benefit }) => benefit.name))];
  return definitions([
    ["Plan", listed(live.map((plan) => planEntry(plan, zone)))],
    ...moneyOf(glance),
    ["Access", listed(names.map((name) => html`<bdi>${name}</bdi>`))],
  ]);
}

/** The data by which a Customer is known. */
export function details({ customer, zone }: Pick<Glance, "customer" | "zone">): Html {
  const { id, email, name, companyName, externalId, billingAddress, taxId, locale, createdAt } = customer;
  const text = (value: string | null | undefined) => (value ? html`<bdi>${value}</bdi>` : NONE);
  return definitions([
    ["E-mail", text(email)],
    ["Name", text(name)],
    ["Company", text(companyName)],
    ["Country", text(billingAddress?.country)],
    ["Tax id", text(taxId?.value)],
    ["Language", text(locale)],
    ["External id", text(externalId)],
    ["Created", time(createdAt, zone)],
    ["Id", shownId(id)],
  ]);
}
