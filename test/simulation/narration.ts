import { iso, type Fault, type History, type Step } from "./history.ts";

const fault = (what: string, of: Fault | null) => (of ? ` [${what}: ${of.kind}s ${of.side} call ${of.call}]` : "");

function stepLine({ at, stride, customer, faults, repeat, ...action }: Step): string {
  const { do: name, ...rest } = action;
  const details = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const how = stride === "jump" ? "" : ` (${stride})`;
  const wrong = fault("way", faults.way) + fault("request", faults.request);
  return `${iso(at)}${how} c${customer} ${name} ${details.join(" ")}${wrong}${repeat ? " twice" : ""}`;
}

/** A history for a human reader: the Products, then each step with its date. */
export function narrate({ start, end, settings, products, discounts, buyers, steps }: History): string {
  const { zone, retryDays, graceDays, behavior, rise, fall, taxRates, country } = settings;
  const used = new Set(steps.map(({ customer }) => customer));
  const sold = products.map(({ every, group, trialDays, trialCard, prices, quantity }, n) => {
    const period = every ? `${every.count} ${every.interval}, group ${group}` : "once";
    const trial = trialDays === null ? "" : `, trial of ${trialDays} days (card ${trialCard})`;
    const units = quantity ? `, ${quantity.minimum} to ${quantity.maximum} units` : "";
    return `  product ${n}: ${JSON.stringify(prices)} ${period}${trial}${units}`;
  });
  return [
    `${iso(start)} to ${iso(end)}, ${zone}, retries after ${retryDays} days, grace ${graceDays}, ${behavior}, ` +
      `rise ${rise}, fall ${fall}, seller in ${country}`,
    ...taxRates.map((rate) => `  tax ${JSON.stringify(rate)}`),
    ...sold,
    ...discounts.map((discount, n) => `  discount ${n}: ${JSON.stringify(discount)}`),
    ...buyers.flatMap((buyer, n) => (used.has(n) ? [`  c${n}: ${JSON.stringify(buyer)}`] : [])),
    ...steps.map((step, n) => `${String(n).padStart(4)} ${stepLine(step)}`),
  ].join("\n");
}
