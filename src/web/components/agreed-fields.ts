import { html } from "hono/html";
import { formatInstant, parseInstant, type Instant } from "../../domain/calendar.ts";
import type { ChangeFigures } from "../../domain/change/agreed-change.ts";
import type { Agreed } from "../../domain/model/agreement.ts";
import type { Html } from "../layout.ts";

/** The hidden field of each figure to which a person can agree. */
const NAMES: Record<keyof ChangeFigures, string> = {
  amountDue: "expectedAmount",
  balanceApplied: "expectedBalance",
  price: "expectedPrice",
  effectiveAt: "expectedStart",
  endsAt: "expectedEnd",
  cardId: "expectedCard",
};
const SHOWN_AT = "shownAt";

const hidden = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
const written = (at: Instant | null) => (at === null ? "" : formatInstant(at));

/** The hidden fields with the figures of a page. */
export function agreedFields({ figures, shownAt }: Agreed<Partial<ChangeFigures>>): Html {
  const field = ([name, value]: [string, string | number | null]) => {
    const isInstant = name === "effectiveAt" || name === "endsAt";
    return hidden(NAMES[name as keyof ChangeFigures], isInstant ? written(value as Instant | null) : (value ?? ""));
  };
  return html`${Object.entries(figures).map(field)}${shownAt === null ? "" : hidden(SHOWN_AT, written(shownAt))}`;
}

// A price has 12 digits at most, and tax comes on top.
const WHOLE = /^-?\d{1,15}$/;

/** Reads one figure. An amount that is missing, or has another form, is NaN and agrees with no amount. */
function figureIn(form: URLSearchParams, name: keyof ChangeFigures): number | string | null {
  const text = (form.get(NAMES[name]) ?? "").trim();
  if (name === "cardId") return text || null;
  if (name === "effectiveAt" || name === "endsAt") return parseInstant(text);
  return WHOLE.test(text) ? Number(text) : Number.NaN;
}

/** The figures of the page that was sent. */
export function readAgreed<Name extends keyof ChangeFigures>(
  form: URLSearchParams,
  names: readonly Name[],
): Agreed<Pick<ChangeFigures, Name>> {
  const figures = Object.fromEntries(names.map((name) => [name, figureIn(form, name)]));
  return { figures: figures as Pick<ChangeFigures, Name>, shownAt: parseInstant(form.get(SHOWN_AT) ?? "") };
}
