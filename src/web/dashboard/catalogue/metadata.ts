import { html } from "hono/html";
import type { Metadata } from "../../../domain/model/product.ts";
import type { Fault } from "../../../errors.ts";
import type { Html } from "../../layout.ts";
import { typed, type Sent } from "../sent-form.ts";
import { areaField, OPTIONAL } from "../fields.ts";
import { fault } from "../form-values.ts";

/** Room for 50 entries of 40 and 500 characters. */
const MOST_CHARACTERS = 30_000;

/** The field of the metadata, which is seldom needed. */
export const metadataPart = (sent: Sent): Html => html`<details class="more"${
  sent.fields.get("metadata") ? html` open` : ""
}><summary>Metadata</summary>
${areaField(sent, "metadata", {
  label: "Metadata",
  mark: OPTIONAL,
  maxlength: MOST_CHARACTERS,
  hint: "Your own data, one entry for each line: name = value.",
})}</details>`;

/** One entry on a line. A line break in a value can't be typed here, and stands as a space. */
export const writtenMetadata = (metadata: Metadata): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");

/** Numbers, true and false are values of their kind, as in JSON. Any other text is a text. */
function valueOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

/**
 * Reads the lines. A line that shows a present entry keeps the kind of its value: the API can store the text `5`, too.
 */
export function readMetadata(
  sent: Pick<Sent, "fields">,
  current: Metadata,
): { metadata: Metadata; faults: readonly Fault[] } {
  const lines = typed(sent, "metadata")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const wrong = lines.find((line) => !/^[^=]*\S\s*=/.test(line));
  const entries = lines.map((line): [string, string | number | boolean] => {
    const [name, value] = [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()];
    const before = Object.hasOwn(current, name) ? current[name]! : undefined;
    return [name, before !== undefined && String(before).trim() === value ? before : valueOf(value)];
  });
  const faults = wrong === undefined ? [] : [fault("metadata", `Write “name = value” in each line, not “${wrong}”.`)];
  return { metadata: Object.fromEntries(entries), faults };
}
