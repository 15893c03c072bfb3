import { html } from "hono/html";
import type { Html } from "../../layout.ts";
import { boxesOf, scaleOf, type Part, type Tone } from "./scale.ts";

/** A day or a month of a chart. `label`: its name and figures, which a pointer shows. */
export type Column = { label: string; parts: readonly Part[] };

/**
 * `summary`: the sentence that a screen reader gets in place of the picture. `legend`: the parts by tone; a chart with
 * one part needs none. `ends`: the names of the first and the last column. `write`: a figure of the scale in words.
 */
export type Chart = {
  id: string;
  title: string;
  value: Html | string;
  summary: string;
  columns: readonly Column[];
  legend: readonly (readonly [tone: Tone, label: string])[];
  ends: readonly [string, string];
  write(figure: number): string;
};

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/**
 * A picture of columns, drawn without a script. The picture is stretched to its frame, so its words stand around it,
 * in the size of the page.
 */
export function chart({ id, title, value, summary, columns, legend, ends, write }: Chart): Html {
  const scale = scaleOf(columns.map(({ parts }) => parts));
  const boxes = boxesOf(
    columns.map(({ parts }) => parts),
    scale,
  );
  const box = ({ x, y, width, height, tone }: (typeof boxes)[number]) => html`<rect class="${tone}"
 x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"/>`;
  const slot = 100 / columns.length;
  const hit = ({ label }: Column, n: number) => html`<rect class="hit"
 x="${rounded(n * slot)}" y="0" width="${rounded(slot)}" height="100"><title>${label}</title></rect>`;
  const entry = ([tone, label]: (typeof legend)[number]) => html`<li class="${tone}">${label}</li>`;
  return html`<section class="chart" aria-labelledby="${id}">
<h3 id="${id}">${title}</h3>
<p class="total">${value}</p>
<div class="plot">
<p class="highest" aria-hidden="true">${write(scale.highest)}</p>
<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${summary}">
<line class="zero" x1="0" x2="100" y1="${rounded(scale.zero)}" y2="${rounded(scale.zero)}"/>
${boxes.map(box)}
${columns.map(hit)}
</svg>
${scale.lowest === 0 ? "" : html`<p class="lowest" aria-hidden="true">${write(scale.lowest)}</p>`}
<p class="ends" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></p>
</div>
${legend.length === 0 ? "" : html`<ul class="tones">${legend.map(entry)}</ul>`}
</section>`;
}
