/** A line of a chart, with its points by `x`. */
export type Line = {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
  color: string;
  dashed?: boolean;
};
export type Chart = { title: string; x: string; y: string; lines: readonly Line[] };

const [WIDTH, HEIGHT] = [800, 360];
const EDGE = { left: 72, right: 24, top: 64, bottom: 56 };
/** Greys that are visible on white and on black. */
const INK = "#7d8590";
const FAINT = "#7d859055";
const MOST_TICKS = 6;

/** Round numbers from 0 to at least `highest`. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 1e-9) / MOST_TICKS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * unit >= rough)! * unit;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const label = (value: number) => value.toLocaleString("en");

/** The chart as SVG without a background, for pages of any colour. Both axes begin at 0. */
export function drawChart({ title, x, y, lines }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const [across, up] = [
    ticks(Math.max(...points.map(([at]) => at))),
    ticks(Math.max(...points.map(([, value]) => value))),
  ];
  const [right, bottom] = [WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
  const atX = (value: number) => (EDGE.left + (value / across.at(-1)!) * (right - EDGE.left)).toFixed(1);
  const atY = (value: number) => (bottom - (value / up.at(-1)!) * (bottom - EDGE.top)).toFixed(1);
  const text = (at: string, words: string, more = "") => `<text ${at} ${more}>${escape(words)}</text>`;
  const stroke = ({ color, dashed }: Line) =>
    `fill="none" stroke="${color}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ""}`;
  const legend = lines.map((line, n) => {
    const left = EDGE.left + n * 300;
    return `<path d="M${left} 46h28" ${stroke(line)}/>${text(`x="${left + 36}" y="50"`, line.name)}`;
  });
  const drawn = lines.map((line) => {
    const path = line.points.map(([at, value], n) => `${n === 0 ? "M" : "L"}${atX(at)} ${atY(value)}`).join("");
    return `<path d="${path}" ${stroke(line)} stroke-linejoin="round"/>`;
  });
  const named = up.map((value) =>
    text(`x="${EDGE.left - 8}" y="${Number(atY(value)) + 4}"`, label(value), 'text-anchor="end"'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
  aria-label="${escape(title)}" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
${text(`x="${EDGE.left}" y="24"`, title, 'font-size="14" font-weight="600"')}
${legend.join("\n")}
${up.map((value) => `<path d="M${EDGE.left} ${atY(value)}H${right}" stroke="${FAINT}"/>`).join("\n")}
${named.join("\n")}
${across.map((value) => text(`x="${atX(value)}" y="${bottom + 20}"`, label(value), 'text-anchor="middle"')).join("\n")}
<path d="M${EDGE.left} ${EDGE.top}V${bottom}H${right}" fill="none" stroke="${INK}"/>
${text(`x="${(EDGE.left + right) / 2}" y="${HEIGHT - 14}"`, x, 'text-anchor="middle"')}
${text(`transform="translate(18 ${(EDGE.top + bottom) / 2}) rotate(-90)"`, y, 'text-anchor="middle"')}
${drawn.join("\n")}
</svg>
`;
}
