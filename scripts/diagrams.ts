import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { graphlib, layout } from "@dagrejs/dagre";
import { blocksOf } from "../test/support/guide.ts";

/** Mermaid's name for the point where a diagram begins and ends. */
const NOWHERE = "[*]";
const HEIGHT = 34;
const POINT = 14;
/** The widths of a letter of a state and of a cause, in pixels of the style sheet, wide enough for usual fonts. */
const STATE_LETTER = 8.5;
const CAUSE_LETTER = 6.8;
const LINE = 16;

type Arrow = { from: string; to: string; causes: string[] };
type Diagram = { title: string; arrows: Arrow[] };
type Box = { x: number; y: number; width: number; height: number };
type Way = Box & { points: { x: number; y: number }[] };

/** A Mermaid diagram of states: its title (`accTitle`), and its arrows with their causes. @throws Error */
export function readDiagram(text: string): Diagram {
  const [kind, ...lines] = text.trim().split("\n");
  const title = /^ *accTitle: (.+)$/m.exec(text)?.[1];
  if (kind !== "stateDiagram-v2" || title === undefined) throw new Error(`no diagram of states with a title:\n${text}`);
  const arrows = new Map<string, Arrow>();
  for (const line of lines) {
    const [, from, to, cause] = /^ *(\S+) --> ([^\s:]+)(?:: (.+))?$/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    // The beginning and the end are two points, though Mermaid gives them one name.
    const end = to === NOWHERE ? "end" : to;
    const arrow = arrows.getOrInsertComputed(`${from} ${end}`, () => ({ from, to: end, causes: [] }));
    if (cause !== undefined) arrow.causes.push(cause);
  }
  return { title, arrows: [...arrows.values()] };
}

const rounded = (value: number) => String(Math.round(value * 10) / 10);
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const at = ({ x, y }: { x: number; y: number }) => `${rounded(x)} ${rounded(y)}`;

/** A curve through the middles between the points, which bends at the points. */
function curve(points: Way["points"]): string {
  const [first, ...rest] = points;
  const last = rest.pop()!;
  const bends = rest.map((point, n) => {
    const next = rest[n + 1];
    const target = next ? { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } : last;
    return `Q ${at(point)} ${at(target)}`;
  });
  return `M ${at(first!)} ${bends.length > 0 ? bends.join(" ") : `L ${at(last)}`}`;
}

/** From the right side of a state back to it, with the cause beside the loop. The layout leaves room for the cause. */
function loop({ x, y, width, height }: Box, causes: readonly string[]): Way {
  const right = x + width / 2;
  const points = [-8, -24, 24, 8].map((dy, n) => ({ x: n % 3 === 0 ? right : right + 38, y: y + dy }));
  const letters = Math.max(...causes.map((cause) => cause.length));
  return { x: right + 34 + (letters * CAUSE_LETTER) / 2, y, width, height, points };
}

function laidOut({ arrows }: Diagram) {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 34, edgesep: 18, marginx: 12, marginy: 12 });
  for (const name of new Set(arrows.flatMap(({ from, to }) => [from, to]))) {
    const isPoint = name === NOWHERE || name === "end";
    const width = isPoint ? POINT : Math.max(84, name.length * STATE_LETTER + 26);
    graph.setNode(name, { width, height: isPoint ? POINT : HEIGHT });
  }
  for (const { from, to, causes } of arrows) {
    const width = Math.max(0, ...causes.map((cause) => cause.length * CAUSE_LETTER));
    graph.setEdge(from, to, { width, height: causes.length * LINE, labelpos: "c" });
  }
  layout(graph);
  return graph;
}

/** The way of an arrow with its causes. */
function drawArrow({ from, to, causes }: Arrow, way: Way, id: string): { path: string; labels: string } {
  const [first, ...rest] = way.points;
  const line = from === to ? `M ${at(first!)} C ${rest.map(at).join(" ")}` : curve(way.points);
  const labels = causes.map((cause, n) => {
    const y = way.y + (n - (causes.length - 1) / 2) * LINE;
    return `<text class="cause" x="${rounded(way.x)}" y="${rounded(y)}">${escape(cause)}</text>`;
  });
  return { path: `<path d="${line}" marker-end="url(#${id}-arrow)"/>`, labels: labels.join("") };
}

function drawState(state: string, { x, y, width, height }: Box): string {
  const circle = (name: string, radius: number) =>
    `<circle class="${name}" cx="${rounded(x)}" cy="${rounded(y)}" r="${radius}"/>`;
  if (state === NOWHERE) return circle("point", 6);
  if (state === "end") return circle("end", 7) + circle("point", 4);
  const [left, top] = [rounded(x - width / 2), rounded(y - height / 2)];
  const box = `<rect x="${left}" y="${top}" width="${rounded(width)}" height="${height}" rx="8"/>`;
  return `${box}<text x="${rounded(x)}" y="${rounded(y)}">${escape(state)}</text>`;
}

/** A diagram as SVG without styles of its own. Its description lists the arrows for readers that do not see. */
export function drawDiagram(text: string): string {
  const diagram = readDiagram(text);
  const graph = laidOut(diagram);
  const { width, height } = graph.graph() as Box;
  const [right, bottom] = [Math.ceil(width), Math.ceil(height)];
  const id = diagram.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = (state: string) => (state === NOWHERE ? "the beginning" : state === "end" ? "the end" : state);
  const words = diagram.arrows.map(
    ({ from, to, causes }) => `${name(from)} to ${name(to)}${causes.length > 0 ? `: ${causes.join(" or ")}` : ""}`,
  );
  const arrows = diagram.arrows.map((arrow) => {
    const { from, to, causes } = arrow;
    const way = from === to ? loop(graph.node(from) as Box, causes) : (graph.edge(from, to) as unknown as Way);
    return drawArrow(arrow, way, id);
  });
  const states = graph.nodes().map((state: string) => drawState(state, graph.node(state) as Box));
  const size = `width="${right}" height="${bottom}" viewBox="0 0 ${right} ${bottom}"`;
  const head = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"';
  return [
    `<svg role="img" aria-labelledby="${id}-title ${id}-words" ${size}>`,
    `<title id="${id}-title">${escape(diagram.title)}</title>`,
    `<desc id="${id}-words">${escape(words.join("; "))}.</desc>`,
    `<marker id="${id}-arrow" ${head}><path d="M0 0L8 4L0 8z"/></marker>`,
    arrows.map(({ path }) => path).join(""),
    states.join(""),
    arrows.map(({ labels }) => labels).join(""),
    "</svg>",
  ].join("");
}

/** The diagrams of all documents as JSON: SVG by Mermaid text. `rules`: docs/rules.md, which is generated, too. */
export function drawDiagrams(folder: string, rules: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  const texts = files.sort().map((file) => (file === "rules.md" ? rules : readFileSync(join(folder, file), "utf8")));
  const diagrams = texts.flatMap((text) => blocksOf(text).filter(({ language }) => language === "mermaid"));
  const drawn = diagrams.map(({ code }) => [code.trimEnd(), drawDiagram(code)] as const);
  return `${JSON.stringify(Object.fromEntries(drawn), null, 2)}\n`;
}
