import { csvLine } from "../../csv.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { formatMoney, isCurrency } from "../../domain/currency.ts";
import { STAY_REASONS } from "../../domain/import/stay-reasons.ts";
import { STAY_MEANINGS } from "../../resources/import-meanings.ts";
import type { AssessedSubscription, Assessment, Share } from "../../domain/import/assessment.ts";
import type { ForeignPayment } from "../../domain/import/foreign.ts";
import { majorUnits } from "../../domain/major-units.ts";
import type { Amount } from "../../domain/money.ts";
import { periodInWords } from "../../domain/words.ts";
import type { KeyMode } from "../../payments/connectable-provider.ts";
import { table } from "../table.ts";
import { csvReport, jsonReport, type RowReport } from "./row-report.ts";

/** A currency that ISO 4217 does not list any more has no known decimals. */
export const moneyText = (amount: Amount, currency: string) =>
  isCurrency(currency) ? formatMoney(amount, currency) : `${amount} ${currency}`;
export const moneyCell = (amount: Amount, currency: string) =>
  isCurrency(currency) ? majorUnits(amount, currency) : String(amount);

const orNull = (at: Instant | null) => (at === null ? null : formatInstant(at));
const paymentName = (payment: ForeignPayment) => (payment?.type === "other" ? payment.name : (payment?.type ?? null));

/** A subscription in the report, as JSON. */
function resourceOf({ customer, subscription, reasons, monthly, isPriced }: AssessedSubscription) {
  const { items, payment, discounts } = subscription;
  return {
    subscription: subscription.ref,
    customer: customer.ref,
    email: customer.email,
    status: subscription.status,
    moves: reasons.length === 0,
    reasons,
    currency: subscription.currency,
    monthly,
    isPriced,
    items: items.map(({ price, quantity }) => ({ price: price.ref, quantity })),
    payment: paymentName(payment),
    coupons: discounts.map(({ ref }) => ref),
    taxes: subscription.taxes,
    nextChargeAt: formatInstant(subscription.nextChargeAt),
    trialEndsAt: orNull(subscription.trialEndsAt),
    endsAt: orNull(subscription.endsAt),
  };
}

const COLUMNS =
  "subscription customer email status moves reasons currency monthly price quantity payment coupons taxes " +
  "next_charge_at trial_ends_at ends_at";

function csvOf(assessed: AssessedSubscription): string {
  const row = resourceOf(assessed);
  return csvLine([
    row.subscription,
    row.customer,
    row.email,
    row.status,
    row.moves ? "yes" : "no",
    row.reasons.join(" "),
    row.currency,
    row.isPriced ? moneyCell(row.monthly, row.currency) : null,
    row.items.map(({ price }) => price).join(" "),
    row.items.map(({ quantity }) => quantity).join(" "),
    row.payment,
    row.coupons.join(" "),
    row.taxes,
    row.nextChargeAt,
    row.trialEndsAt,
    row.endsAt,
  ]);
}

/** The account of a report, and the instant of its reading. */
export type ReportOf = { account: string; mode: KeyMode; readAt: Instant };

/** The sums of a report, as JSON. */
export function sumsOf(
  { account, mode, readAt }: ReportOf,
  { customers, subscriptions, reasons, ...sums }: Assessment,
) {
  const money = [...sums.money].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    account,
    mode,
    readAt: formatInstant(readAt),
    customers,
    subscriptions,
    reasons,
    money: money.map(([currency, shares]) => ({ currency, ...shares })),
    prices: [...sums.prices.values()].map(({ price: { ref, ...price }, moves, stays }) => ({
      price: ref,
      ...price,
      moves,
      stays,
    })),
  };
}

export type Format = RowReport<AssessedSubscription, [of: ReportOf, sums: Assessment]>;

export const csvFormat = (): Format => csvReport(COLUMNS.split(" "), csvOf);
export const jsonFormat = (): Format => jsonReport(resourceOf, sumsOf);

const countOf = ({ subscriptions }: Share) => String(subscriptions);

/** The sums of a report for people. */
export function summaryOf({ account, mode, readAt }: ReportOf, sums: Assessment): string {
  const { customers, subscriptions, reasons } = sums;
  const money = [...sums.money].sort(([one], [other]) => (one < other ? -1 : 1));
  const found = STAY_REASONS.filter((reason) => reasons[reason] > 0);
  const prices = [...sums.prices.values()].sort((one, other) => other.moves + other.stays - one.moves - one.stays);
  return [
    `${account} in ${mode} mode, read at ${formatInstant(readAt)}. No Customer and no Subscription was changed.`,
    `Customers: ${customers.total}, of these with a subscription ${customers.subscribed}, ` +
      `with a balance ${customers.withBalance}, with a tax id ${customers.withTaxId}.`,
    `Subscriptions: ${subscriptions.total}. ${subscriptions.moves} can move, ${subscriptions.stays} stay. ` +
      `Of those that can move, trials ${subscriptions.trials}, with a planned end ${subscriptions.endings}, ` +
      `with a discount ${subscriptions.discounted}, with taxes ${subscriptions.taxed}.`,
    "",
    table(
      ["CURRENCY", "MOVE", "A MONTH", "STAY", "A MONTH"],
      money.map(([currency, { moves, stays }]) => [
        currency,
        countOf(moves),
        moneyText(moves.monthly, currency),
        countOf(stays),
        moneyText(stays.monthly, currency),
      ]),
      "There is no subscription.",
    ),
    "A month: before discounts and taxes, trials included, usage and tiers left out.",
    "",
    table(
      ["STAY", "REASON", "MEANING"],
      found.map((reason) => [String(reasons[reason]), reason, STAY_MEANINGS[reason]]),
      "No subscription stays.",
    ),
    "",
    table(
      ["MOVE", "STAY", "PRICE", "EVERY", "PRICE'S ID", "PRODUCT"],
      prices
        .slice(0, MOST_PRICES)
        .map(({ price, moves, stays }) => [
          String(moves),
          String(stays),
          price.amount === null ? price.currency : moneyText(price.amount, price.currency),
          periodInWords(price),
          price.ref,
          price.productName ?? price.product,
        ]),
      "",
    ),
    ...(prices.length > MOST_PRICES ? [`${prices.length - MOST_PRICES} more prices: --format json lists them.`] : []),
  ].join("\n");
}

/** The most prices of a summary. */
const MOST_PRICES = 20;
