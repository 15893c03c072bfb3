import { html } from "hono/html";
import { formatInstant, type Instant } from "../../../domain/calendar.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";

const formats = new Map<string, Intl.DateTimeFormat>();
const makeFormat = (timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone });

/** An instant in the Organization's zone, to the minute: `24 Nov 2026, 02:27`. The `title` has the instant in UTC. */
export function time(at: Instant, zone: string): Html {
  const text = formatInstant(at);
  const shown = formats.getOrInsertComputed(zone, makeFormat).format(at);
  return html`<time datetime="${text}" title="${text}">${shown}</time>`;
}

const exactFormats = new Map<string, Intl.DateTimeFormat>();
const makeExactFormat = (timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone });

/** As `time`, to the second. */
export function exactTime(at: Instant, zone: string): Html {
  const text = formatInstant(at);
  const shown = exactFormats.getOrInsertComputed(zone, makeExactFormat).format(at);
  return html`<time datetime="${text}" title="${text}">${shown}</time>`;
}

export const moneyText = (amount: number, currency: string): string => ENGLISH.money(amount, currency);

/** An amount of minor units that does not break. */
export const money = (amount: number, currency: string): Html =>
  html`<span class="money">${moneyText(amount, currency)}</span>`;

/** A cell with an amount, to the right. */
export const moneyCell = (amount: number, currency: string): Html =>
  html`<td class="number">${moneyText(amount, currency)}</td>`;

/** An id in full. One click selects all of it. */
export const id = (text: string): Html => html`<code class="id">${text}</code>`;

/** The type of an event, which may break after each dot and underline. */
export const typeText = (type: string): Html => html`${type.split(/(?<=[._])/).map((part) => html`${part}<wbr />`)}`;

/** In the place of a value that is missing. */
export const NONE: Html = html`<span class="note">None</span>`;
