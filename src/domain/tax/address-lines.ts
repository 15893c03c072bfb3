import type { Address } from "./address.ts";
import { addressForm } from "./address-form.ts";

type Parts = Readonly<Record<string, string | null>>;

/** Letters that are not Latin: the address is written in the order of its country. */
const OWN_LETTERS = /(?!\p{Script=Latin})\p{L}/u;

/**
 * The lines of an address without its country, as the country writes them. A part that the country does not write
 * stands on a line of its own.
 */
export function addressLines({ country, line1, line2, postalCode, city, state }: Address): string[] {
  const { lines } = addressForm(country);
  const isOwn = [line1, city, state].some((part) => part !== null && OWN_LETTERS.test(part));
  const layout = isOwn ? lines.local : lines.latin;
  if (isOwn && country === "JP") return inJapan({ line1, line2, postalCode, city, state });
  const parts: Parts = { C: city, S: state, Z: postalCode };
  const unwritten = (letter: string) => (layout.includes(`%${letter}`) ? null : parts[letter]);
  const written = layout.split("%n").flatMap((line) => {
    if (!line.includes("%A")) return [filledIn(line, parts)];
    const [before, after] = line.split("%A") as [string, string];
    const street = isOwn ? [unwritten("C"), line1, line2] : [line1, line2, unwritten("C")];
    return [filledIn(before, parts), ...street, filledIn(after, parts)];
  });
  return [...written, unwritten("Z"), unwritten("S")].filter((line) => line !== null && line !== "") as string[];
}

/** In Japanese letters, the prefecture, the city and the street follow each other without a space. */
function inJapan({ line1, line2, postalCode, city, state }: Omit<Address, "country">): string[] {
  const street = [state, city, line1].filter((part) => part !== null).join("");
  return [postalCode && `〒${postalCode}`, street, line2].filter((line) => line !== null && line !== "") as string[];
}

/**
 * A line of a layout with the parts of an address. Words of the layout are left out, and so are signs beside an absent
 * part.
 */
function filledIn(line: string, parts: Parts): string {
  let text = "";
  let gap = "";
  for (const [, letter, sign = ""] of line.matchAll(/%(\w)|([^%]+)/g)) {
    const part = letter === undefined ? null : (parts[letter] ?? null);
    if (part !== null) text += (text === "" ? gap.replace(/^[\s,/-]+/, "") : gap) + part;
    if (letter !== undefined) gap = part === null ? " " : "";
    else if (gap !== " ") gap = sign.replaceAll(/\p{L}+-?/gu, "");
  }
  return text;
}
