import { html, raw } from "hono/html";
import { brandName } from "../../domain/model/card-name.ts";
import type { Markup } from "../../texts/message.ts";
import type { Words } from "../../texts/words.ts";

const FRAME = '<rect x=".5" y=".5" width="37" height="23" rx="3.5" fill="#fff" stroke="#b9bfcc"/>';
const strokes = (color: string, width: number, path: string) =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round"/>`;

/** Plain drawings of our own that buyers recognize, and no copies of the marks (decision 0049). */
const SHAPES: Readonly<Record<string, string>> = {
  visa:
    FRAME +
    strokes(
      "#1a2a78",
      2,
      "M8 8l2 8h.3l4-8M17.6 8L16 16M24.4 9.3c-1-.9-4.2-1.2-4.4.7-.2 2 3.6 1.6 3.4 3.8-.2 2-3.6 1.9-4.9.8",
    ) +
    strokes("#1a2a78", 2, "M25 16.2L29 8h.5l1.7 8.2M26.7 13.4h4"),
  mastercard: `${FRAME}<circle cx="15.4" cy="12" r="6.6" fill="#d9232e"/>
<circle cx="22.6" cy="12" r="6.6" fill="#f2a43c"/>
<path d="M19 6.5a6.6 6.6 0 0 1 0 11 6.6 6.6 0 0 1 0-11z" fill="#ee6f2d"/>`,
  amex:
    '<rect width="38" height="24" rx="4" fill="#1e6bb0"/>' +
    strokes(
      "#fff",
      1.5,
      "M5.5 15.2L8.2 9h.5l2.7 6.2M6.7 13.2h3.5M13.4 15.2V9l2.8 3.7L19 9v6.2M25.4 9h-4v6.2h4M21.4 12.1h3.5",
    ) +
    strokes("#fff", 1.5, "M27.2 9l5.2 6.2M32.4 9l-5.2 6.2"),
  discover:
    FRAME +
    '<path d="M37 14v6.5a2.5 2.5 0 0 1-2.5 2.5H15c9-1.5 17-4.5 22-9z" fill="#ee7623"/>' +
    strokes(
      "#20242e",
      1,
      "M4 8.5v5h1.2a2.5 2.5 0 0 0 0-5zM9.2 8.5v5M13.6 9.2c-.7-.8-2.5-.8-2.5.5 0 1.4 2.7.9 2.7 2.5 0 1.5-2.1 1.6-3 .5",
    ) +
    strokes("#20242e", 1, "M19 9.4a2.5 2.5 0 1 0 0 3.2M25.7 8.5l1.7 5 1.7-5M33.8 8.5h-2.6v5h2.6M31.2 11h2.2") +
    '<circle cx="22.5" cy="11" r="2.6" fill="#ee7623"/>',
  jcb:
    FRAME +
    '<path d="M8 8a3 3 0 0 1 3-3h3v11a3 3 0 0 1-3 3H8z" fill="#0e5ca4"/>' +
    '<path d="M16 8a3 3 0 0 1 3-3h3v11a3 3 0 0 1-3 3h-3z" fill="#c41f30"/>' +
    '<path d="M24 8a3 3 0 0 1 3-3h3v11a3 3 0 0 1-3 3h-3z" fill="#23863b"/>' +
    strokes("#fff", 1.2, "M12.3 9.5v3.7c0 1.5-2.3 1.6-3 .7M20.7 10.4c-1-.7-3.2-.5-3.2 1.6s2.2 2.3 3.2 1.6") +
    strokes("#fff", 1.2, "M25.4 9.8h2a1.1 1.1 0 0 1 0 2.2h-2zM25.4 12h2.2a1.1 1.1 0 0 1 0 2.2h-2.2z"),
  diners: `${FRAME}<circle cx="19" cy="12" r="8" fill="#1f5f97"/>
<path d="M17.3 7.3v9.4a5 5 0 0 1 0-9.4zM20.7 7.3v9.4a5 5 0 0 0 0-9.4z" fill="#fff"/>`,
  unionpay:
    FRAME +
    '<path d="M9.5 4.5h7.8l-3.3 15H6.2z" fill="#cf2130"/><path d="M17.3 4.5h7.4l-3.3 15H14z" fill="#17457b"/>' +
    '<path d="M24.7 4.5h7.1l-3.3 15h-7.1z" fill="#0f7a7d"/>',
};

/** A card of a brand without a drawing. */
const OTHER =
  '<rect x=".5" y=".5" width="37" height="23" rx="3.5" fill="#eef0f4" stroke="#b9bfcc"/>' +
  '<path d="M1 6h36v4H1z" fill="#5b6373"/><path d="M5 15.5h9" stroke="#5b6373" stroke-width="2"/>';

/** The sign of a card's brand, such as `visa`. A screen reader says the brand's name. */
export function cardBrand(brand: string): Markup {
  const shape = Object.hasOwn(SHAPES, brand) ? SHAPES[brand]! : OTHER;
  return html`<svg class="brand" viewBox="0 0 38 24" role="img" aria-label="${brandName(brand)}">${raw(shape)}</svg>`;
}

/** The brands of which a form takes cards. With a script, the brand of the typed number stands out. */
export function acceptedBrands({ brand }: Words): Markup {
  const item = (each: string) => html`<li data-brand="${each}">${cardBrand(each)}</li>`;
  return html`<ul class="brands" aria-label="${brand.accepted}">${Object.keys(SHAPES).map(item)}</ul>`;
}
