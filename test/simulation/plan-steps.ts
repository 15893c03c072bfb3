import type { History } from "./history.ts";

/** Stripe charges this currency in steps of ten minor units, and the reference does not know steps (rule M5d). */
const STEPPED = "kwd";
const INSTEAD = "usd";

/** The same history in currencies without steps. */
export function withoutSteps(history: History): History {
  return JSON.parse(JSON.stringify(history), (_, value: unknown) => {
    if (value === STEPPED) return INSTEAD;
    if (typeof value !== "object" || value === null || !(STEPPED in value)) return value;
    const { [STEPPED]: amount, ...others } = value;
    return { ...others, [INSTEAD]: amount };
  }) as History;
}
