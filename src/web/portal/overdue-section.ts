import { html } from "hono/html";
import { invoiceUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { sumOf, type Amount } from "../../domain/money.ts";
import { owedOf } from "../../domain/subscription/outlook.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { isHosted, type Payment } from "../../domain/model/payment.ts";
import { endsWithRetry } from "../../domain/model/subscription.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { accessSentence, unpaidReason } from "../../texts/unpaid-notice.ts";
import type { Words } from "../../texts/words.ts";
import { icon } from "../components/icon.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import type { Account, OverdueHolding } from "./account.ts";
import type { PortalRequest } from "./request.ts";

/**
 * `confirm`: the bank waits for the buyer. `paying`: the outcome of a charge is awaited. `none`: no invoice is owed.
 */
type State = "confirm" | "paying" | "owed" | "none";

function stateOf({ outlook, attempt }: OverdueHolding): State {
  if (owedOf(outlook).owed.length === 0) return "none";
  if (!attempt || attempt.settledAt !== null || isHosted(attempt)) return "owed";
  return nextActionOf(attempt) ? "confirm" : "paying";
}

const amountsOf = ({ outlook }: OverdueHolding) => owedOf(outlook).owed.map(({ invoice }) => invoice.amountDue);

/** The amount that the page of the oldest invoice takes: with a restart, all of it at once (rule D8f). */
function amountToPay(holding: OverdueHolding): Amount {
  const { restart } = holding.outlook;
  return restart ? restart.owed + restart.amountDue : amountsOf(holding)[0]!;
}

/** Why the last attempt failed. Empty for an attempt that waits for the buyer on the provider's page. */
function reasonOf(words: Words, attempt: Payment | null): string {
  return attempt && attempt.settledAt === null ? "" : unpaidReason(words, attempt);
}

/** The parts of the amount if a new period begins with the payment (rule D8f); empty without a new period. */
export function comeBack(
  { overdue, money, day }: Words,
  zone: string,
  { subscription, outlook }: OverdueHolding,
): Html[] {
  const { restart } = outlook;
  if (!restart) return [];
  const parts = {
    owed: money(restart.owed, subscription.currency),
    fresh: money(restart.amountDue, subscription.currency),
    product: html`<bdi>${restart.productName}</bdi>`,
    day: day(restart.next.currentPeriodEnd, zone),
  };
  return [overdue.comeBack.markup(parts)];
}

/** The consequences: several invoices, a new period, the next retry, and the access. */
function prospects(words: Words, zone: string, holding: OverdueHolding, state: State): (Html | string)[] {
  const { overdue, unpaidNotice, money, day } = words;
  const { subscription, product: name, outlook } = holding;
  const { currency, nextRetryAt } = subscription;
  const { restart, retryCard } = outlook;
  const product = html`<bdi>${name}</bdi>`;
  const access = accessSentence(words, subscription, zone);
  const amounts = amountsOf(holding);
  const several = { count: amounts.length, product, amount: money(sumOf(amounts), currency) };
  const again = state === "owed" && nextRetryAt !== null && retryCard !== null;
  return [
    ...(amounts.length > 1 && !restart ? [overdue.several.markup(several)] : []),
    ...comeBack(words, zone, holding),
    ...(again ? [overdue.again({ card: cardName(retryCard), day: day(nextRetryAt, zone) })] : []),
    ...(again && endsWithRetry(subscription) ? [unpaidNotice.endsWithRetry.markup({ product })] : []),
    ...(access === null ? [] : [access]),
  ];
}

function firstWords(words: Words, zone: string, holding: OverdueHolding, state: State): (Html | string)[] {
  const { overdue, day } = words;
  const product = html`<bdi>${holding.product}</bdi>`;
  if (state === "none") return [overdue.noWay];
  if (state !== "owed") return [overdue[state].markup({ product })];
  const since = day(owedOf(holding.outlook).owed[0]!.invoice.createdAt, zone);
  const reason = reasonOf(words, holding.attempt);
  return [overdue.since.markup({ product, day: since }), ...(reason === "" ? [] : [reason])];
}

/** The button of a Subscription. `isOne`: no other Subscription is past due, so the button need not name this one. */
function wayToPay(ctx: Context, words: Words, holding: OverdueHolding, state: State, isOne: boolean): Html | "" {
  if (state === "none" || state === "paying") return "";
  const { overdue, money } = words;
  const page = pathOf(invoiceUrl(ctx, owedOf(holding.outlook).owed[0]!.invoice));
  const amount = money(amountToPay(holding), holding.subscription.currency);
  const product = html`<bdi>${holding.product}</bdi>`;
  const bank = isOne ? overdue.toBank : overdue.toBankFor.markup({ product });
  const pay = isOne ? overdue.pay({ amount }) : overdue.payFor.markup({ amount, product });
  return html`<a class="button" href="${page}">${state === "confirm" ? bank : pay}</a>`;
}

/** The amounts that are owed, each currency by itself. */
function sumInWords(words: Words, holdings: readonly OverdueHolding[]): string {
  const byCurrency = Map.groupBy(holdings, ({ subscription }) => subscription.currency);
  const sums = [...byCurrency].map(([currency, each]) => words.money(sumOf(each.flatMap(amountsOf)), currency));
  return words.list(sums);
}

function titleOf(words: Words, holdings: readonly OverdueHolding[], states: readonly State[]): Html | string {
  const { overdue } = words;
  if (states.every((state) => state === "none"))
    return overdue.offTitle.markup({ product: html`<bdi>${holdings[0]!.product}</bdi>` });
  const amount = sumInWords(
    words,
    holdings.filter((_, n) => states[n] !== "none"),
  );
  return states.every((state) => state === "confirm") ? overdue.confirmTitle({ amount }) : overdue.title({ amount });
}

/** Says what is overdue, since when and until when access stays, and leads to the payment. Empty without a debt. */
export function overdueSection(ctx: Context, { organization, words }: PortalRequest, { overdue }: Account): Html | "" {
  if (overdue.length === 0) return "";
  const zone = organization.timeZone;
  const states = overdue.map(stateOf);
  const entries = overdue.map((holding, n) => {
    const state = states[n]!;
    const said = [...firstWords(words, zone, holding, state), ...prospects(words, zone, holding, state)];
    return html`<div>
${said.map((sentence) => html`<p>${sentence}</p>`)}
${wayToPay(ctx, words, holding, state, overdue.length === 1)}
</div>`;
  });
  return html`<section class="overdue" aria-labelledby="overdue">
${icon("stopped")}
<h2 id="overdue">${titleOf(words, overdue, states)}</h2>
${entries}
</section>`;
}
