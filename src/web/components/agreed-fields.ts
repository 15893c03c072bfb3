import { html } from "hono/html";
import { formatInstant, parseInstant, type Instant } from "../../domain/calendar.ts";
import type { ChangeFigures } from "../../domain/change/agreed-change.ts";
import type { Agreed } from "../../domain/model/agreement.ts";
import type { Html } from "../layout.ts";

/** The figures of a change, and the quantity that the buyer of a Checkout may choose. */
type PageFigures = ChangeFigures & { quantity: number };

/** The hidden field of each figure to which a person can agree. */
const NAMES: Record<keyof PageFigures, string> = {
  amountDue: "expectedAmount",
  quantity: "expectedQuantity",
  balanceApplied: "expectedBalance",
  price: "expectedPrice",
  effectiveAt: "expectedStart",
  endsAt: "expectedEnd",
  cardId: "expectedCard",
};
const SHOWN_AT = "shownAt";

const written = (at: Instant | null) => (at === null ? "" : formatInstant(at));

/** The figures of a page as the values of hidden fields, by the fields' names. */
export function agreedValues({ figures, shownAt }: Agreed<Partial<PageFigures>>): Record<string, string> {
  const values: Record<string, string> = shownAt === null ? {} : { [SHOWN_AT]: written(shownAt) };
  for (const [name, value] of Object.entries(figures)) {
    const isInstant = name === "effectiveAt" || name === "endsAt";
    const text = isInstant ? written(value as Instant | null) : String(value ?? "");
    values[NAMES[name as keyof PageFigures]] = text;
  }
  return values;
}

/** The hidden fields with the figures of a page. */
export function agreedFields(agreed: Agreed<Partial<PageFigures>>): Html {
  const values = Object.entries(agreedValues(agreed));
  return html`${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

// A price has 12 digits at most, and tax comes on top.
const WHOLE = /^-?\d{1,15}$/;

/** Reads one figure. An amount that is missing, or has another form, is NaN and agrees with no amount. */
function figureIn(form: URLSearchParams, name: keyof PageFigures): number | string | null {
  const text = (form.get(NAMES[name]) ?? "").trim();
  if (name === "cardId") return text || null;
  if (name === "effectiveAt" || name === "endsAt") return parseInstant(text);
  return WHOLE.test(text) ? Number(text) : Number.NaN;
}

/** The figures of the page that was sent. */
export function readAgreed<Name extends keyof PageFigures>(
  form: URLSearchParams,
  names: readonly Name[],
): Agreed<Pick<PageFigures, Name>> {
  const figures = Object.fromEntries(names.map((name) => [name, figureIn(form, name)]));
  return { figures: figures as Pick<PageFigures, Name>, shownAt: parseInstant(form.get(SHOWN_AT) ?? "") };
}
