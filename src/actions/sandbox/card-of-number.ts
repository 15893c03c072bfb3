import { realNow } from "../../clock.ts";
import type { CardDetails } from "../../payments/provider.ts";

/** Any future expiry and any CVC will do: in a sandbox the number alone decides how the card behaves. */
export function cardOfNumber(number: string): CardDetails {
  const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" }).format(realNow());
  return { number, expMonth: 12, expYear: Number(year) + 2, cvc: "123" };
}
