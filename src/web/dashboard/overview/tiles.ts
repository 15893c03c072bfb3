import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** A figure of the overview. `href`: the rows behind it. `more`: a short note below. */
export type Tile = { label: string; value: string; href: string; more: string };

export function tileList(tiles: readonly Tile[]): Html {
  const tile = ({ label, value, href, more }: Tile) =>
    html`<div><dt>${label}</dt><dd><a href="${href}">${value}</a></dd><dd class="note">${more}</dd></div>`;
  return html`<dl class="tiles">${tiles.map(tile)}</dl>`;
}
