import { DAY, HOUR } from "../../domain/calendar.ts";
import { partInWords, takenOff } from "../../domain/model/discount.ts";
import type { ExplainedAmount, Words } from "./amount.ts";
import type { InvoiceLine } from "../../domain/model/invoice.ts";
import { soldUnitsOf, type LineBasis } from "../../domain/model/line-basis.ts";
import type { LineTax } from "../../domain/tax/tax.ts";
import { counted, percent } from "../../domain/words.ts";

export type ExplainedLine = {
  id: string;
  description: string;
  amount: ExplainedAmount;
  discount: ExplainedAmount | null;
  tax: ExplainedAmount | null;
};

/**
 * A part of a period for a person to read: `15 days of 30 days`, `15.5 days of 31 days`. A period of less than two days
 * is counted in hours: `20 hours of 24 hours`.
 */
function spanOf(part: number, whole: number): string {
  const [unit, name] = whole < 2 * DAY ? [HOUR, "hour"] : [DAY, "day"];
  const inUnits = (milliseconds: number) => counted(Math.round((milliseconds / unit) * 100) / 100, name);
  return `${inUnits(part)} of ${inUnits(whole)}`;
}

function explainRest(
  line: InvoiceLine,
  basis: Extract<LineBasis, { rate: number }>,
  { money, date }: Words,
): ExplainedAmount {
  const [part, whole] = [basis.periodEnd - basis.from, basis.periodEnd - basis.periodStart];
  const sign = basis.kind === "credit" ? "−" : "";
  const span = `${date(basis.periodStart)} to ${date(basis.periodEnd)}`;
  const rest = `On ${date(basis.from)}, ${spanOf(part, whole)} were left.`;
  const { rate, most } = basis;
  const untaxed = line.tax?.takenOut ? ", without tax" : "";
  const back = `${money(rate)} was billed for ${span}, after discounts, refunds and lost payments${untaxed}. ${rest}`;
  const text =
    basis.kind === "debit"
      ? `The new price is ${money(rate)} for ${span}, after discounts${untaxed}. ${rest} That part is billed: ` +
        `${money(line.amount)}.`
      : most === undefined
        ? `${back} That part is given back: ${money(-line.amount)}.`
        : `${back} Only ${money(most)} of the billed line was left after refunds and earlier credits: ` +
          "that is given back.";
  const worth = `round(${rate} × ${part} ÷ ${whole})`;
  const inputs = { rate, rest: part, period: whole };
  if (most === undefined) return { amount: line.amount, rule: "P", inputs, expression: `${sign}${worth}`, text };
  return {
    amount: line.amount,
    rule: "P10",
    inputs: { ...inputs, most },
    expression: `${sign}min(${worth}, ${most})`,
    text,
  };
}

/** The expression for the tax that a price contains. */
function containedTax(price: number, { basisPoints }: LineTax): string {
  return `round(${price} × ${basisPoints} ÷ ${10_000 + basisPoints})`;
}

/** A price of several units: the price of one unit times the quantity (rule Q4); null: one unit. */
function explainUnits({ basis }: InvoiceLine, money: Words["money"]) {
  const { quantity, unitAmount } = soldUnitsOf(basis);
  if (quantity === 1 || unitAmount === null) return null;
  const expression = `${unitAmount} × ${quantity}`;
  return { inputs: { unitAmount, quantity }, expression, text: `${quantity} × ${money(unitAmount)} is ` };
}

function explainPrice(line: InvoiceLine, price: number, { money, date, noticedAt }: Words): ExplainedAmount {
  const { amount, periodStart, periodEnd, tax } = line;
  const units = explainUnits(line, money);
  const span = periodStart !== null && periodEnd !== null ? ` for ${date(periodStart)} to ${date(periodEnd)}` : "";
  const notice = noticedAt === null ? "" : `, with notice of ${date(noticedAt)}`;
  const said = `The ${notice && "new "}price${span}${notice}: ${units?.text ?? ""}${money(price)}`;
  if (!tax?.takenOut) {
    const { inputs, expression } = units ?? { inputs: { price }, expression: `${price}` };
    return { amount, rule: units ? "Q4" : "S2", inputs, expression, text: `${said}.` };
  }
  const { basisPoints, name } = tax;
  const contained = `${percent(basisPoints)} ${name}, ${money(price - amount)}`;
  const text = `${said}, which contains ${contained}. Without it: ${money(amount)}.`;
  return {
    amount,
    rule: "X3",
    inputs: { price, basisPoints },
    expression: `${price} − ${containedTax(price, tax)}`,
    text,
  };
}

/** Explains the amount for the whole span first, then the part of the span that had passed (rule S4). */
function explainPassed(
  line: InvoiceLine,
  basis: Extract<LineBasis, { kind: "passed" }>,
  words: Words,
): ExplainedAmount {
  const [passed, rest] = [basis.until - basis.from, basis.periodEnd - basis.from];
  const whole = explainAmount({ ...line, amount: basis.amount, periodEnd: basis.periodEnd, basis: basis.of }, words);
  const end = `On ${words.date(basis.until)} the Subscription ended at once, after ${spanOf(passed, rest)}.`;
  return {
    amount: line.amount,
    rule: "S4",
    inputs: { ...whole.inputs, waiting: basis.amount, passed, rest },
    expression: `round(${whole.expression} × ${passed} ÷ ${rest})`,
    text:
      `${whole.text} This amount waited for the next invoice. ${end} Only that part of it counts: ` +
      `${words.money(line.amount)}.`,
  };
}

/** A line without a basis was made before Billow kept the basis. The explanation says only that. */
function explainAmount(line: InvoiceLine, words: Words): ExplainedAmount {
  const { basis, amount } = line;
  if (!basis) {
    const text = `${words.money(amount)}. The inputs of the calculation were not stored at that time.`;
    return { amount, rule: "M4", inputs: {}, expression: `${amount}`, text };
  }
  if (basis.kind === "passed") return explainPassed(line, basis, words);
  return basis.kind === "period" ? explainPrice(line, basis.price, words) : explainRest(line, basis, words);
}

/**
 * If the line leaves out the contained tax, the discount leaves out its share of that tax, too. The line then comes to
 * the discounted price, less the tax that this price contains.
 */
function explainDiscount(line: InvoiceLine, words: Words): ExplainedAmount | null {
  const off = explainOff(line, words);
  const { amount, basis, discountAmount, tax } = line;
  if (!off || !tax?.takenOut || basis?.kind !== "period") return off;
  const left = basis.price - off.amount;
  const text = `${off.text} Without tax that comes to ${words.money(discountAmount)}.`;
  const expression = `${amount} − ${left} + ${containedTax(left, tax)}`;
  return {
    amount: discountAmount,
    rule: "X3",
    inputs: { ...off.inputs, amount, left, taxBasisPoints: tax.basisPoints },
    expression,
    text,
  };
}

/** The discount on the full price, which includes any contained tax. */
function explainOff({ basis }: InvoiceLine, { money, date, zone }: Words): ExplainedAmount | null {
  if (basis?.kind !== "period" || !basis.discount) return null;
  const { price, discount } = basis;
  const { code, type, part } = discount;
  const amount = takenOff(discount, price, part ?? null);
  const [covered, period] = part ? [part.until - part.start, part.end - part.start] : [0, 0];
  const explained = (inputs: Record<string, number>, expression: string, text: string): ExplainedAmount => {
    return { amount, rule: "X1", inputs: part ? { ...inputs, covered, period } : inputs, expression, text };
  };
  const days = part && `${spanOf(covered, period)} from ${date(part.start)} on`;
  const rest = part ? ` It is taken off ${partInWords(part, zone)}: ${days}. That is ${money(amount)}.` : "";
  if (type === "percentage") {
    const basisPoints = discount.basisPoints!;
    const whole = money(takenOff(discount, price, null));
    const text = `Discount ${code}: ${percent(basisPoints)} of ${money(price)} is ${whole}.${rest}`;
    const inPart = part ? ` × ${covered} ÷ ${period}` : "";
    return explained({ price, basisPoints }, `round(${price} × ${basisPoints} ÷ 10000${inPart})`, text);
  }
  const off = discount.amount!;
  const least = `min(${off}, ${price})`;
  const text = `Discount ${code}: ${money(off)} off, but never more than the price of ${money(price)}.${rest}`;
  return explained({ price, off }, part ? `round(${least} × ${covered} ÷ ${period})` : least, text);
}

function explainTax({ amount, discountAmount, taxAmount, tax }: InvoiceLine, { money }: Words): ExplainedAmount | null {
  if (!tax) return null;
  const net = amount - discountAmount;
  const { basisPoints, name } = tax;
  const common = { amount: taxAmount, rule: "X3", inputs: { net, basisPoints } };
  if (tax.reverseCharge) {
    return {
      ...common,
      expression: "0",
      text: `${name}: the buyer is a business and accounts for the tax (reverse charge).`,
    };
  }
  if (tax.inclusive) {
    const text = `${money(net)} contains ${percent(basisPoints)} ${name}: ${money(taxAmount)}.`;
    return { ...common, expression: `round(${net} × ${basisPoints} ÷ ${10_000 + basisPoints})`, text };
  }
  const text = `${percent(basisPoints)} ${name} on ${money(net)} is ${money(taxAmount)}.`;
  return { ...common, expression: `round(${net} × ${basisPoints} ÷ 10000)`, text };
}

export function explainLine(line: InvoiceLine, words: Words): ExplainedLine {
  return {
    id: line.id,
    description: line.description,
    amount: explainAmount(line, words),
    discount: explainDiscount(line, words),
    tax: explainTax(line, words),
  };
}
