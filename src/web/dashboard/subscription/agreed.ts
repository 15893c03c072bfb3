import { html } from "hono/html";
import { formatInstant, parseInstant, type Instant } from "../../../domain/calendar.ts";
import type { AgreedChange } from "../../../domain/change/agreed-change.ts";
import type { ShownChange } from "../../../domain/change/shown-change.ts";
import type { Html } from "../../layout.ts";
import { typed, typedOrNull, type Sent } from "../sent.ts";

const hidden = (name: string, value: string | number) => html`<input type="hidden" name="${name}" value="${value}">`;
const instantText = (at: Instant | null) => (at === null ? "" : formatInstant(at));

/** The hidden fields with the figures to which a click agrees. */
export function agreedFields({ figures, at }: ShownChange): Html {
  const { amountDue, balanceApplied, price, effectiveAt, endsAt, cardId } = figures;
  return html`${hidden("amountDue", amountDue)}${hidden("balanceApplied", balanceApplied)}${hidden("price", price)}
${hidden("effectiveAt", instantText(effectiveAt))}${hidden("endsAt", instantText(endsAt))}
${hidden("cardId", cardId ?? "")}${hidden("shownAt", instantText(at))}`;
}

/** The figures of a sent form. A figure that is missing or has another form agrees with no figure. */
export function readAgreed(sent: Sent): AgreedChange {
  const whole = (name: string) => (/^-?\d{1,15}$/.test(typed(sent, name)) ? Number(typed(sent, name)) : Number.NaN);
  const instant = (name: string) => parseInstant(typed(sent, name));
  const figures = {
    amountDue: whole("amountDue"),
    balanceApplied: whole("balanceApplied"),
    price: whole("price"),
    effectiveAt: instant("effectiveAt"),
    endsAt: instant("endsAt"),
    cardId: typedOrNull(sent, "cardId"),
  };
  return { figures, shownAt: instant("shownAt") };
}
