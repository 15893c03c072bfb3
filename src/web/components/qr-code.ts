import { html } from "hono/html";
import { encode } from "uqr";
import type { Html } from "../layout.ts";

/** The empty frame of four modules that readers need (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** The dark modules of a row as parts of an SVG path: one rectangle for each run. */
function runsOf(row: readonly boolean[], y: number): string {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []));
  const lengthFrom = (x: number) => {
    const end = row.indexOf(false, x);
    return (end === -1 ? row.length : end) - x;
  };
  return starts.map((x) => `M${x} ${y}h${lengthFrom(x)}v1h-${lengthFrom(x)}z`).join("");
}

/**
 * A text as a QR code, drawn on the server. The code is black on white in dark pages too, because some cameras do not
 * read inverted codes. `label`: the name for screen readers.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES });
  return html`<svg class="qr-code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
<rect width="${size}" height="${size}" fill="#fff"/>
<path d="${data.map(runsOf).join("")}" fill="#000"/></svg>`;
}
