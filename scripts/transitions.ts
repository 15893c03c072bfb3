import { TRANSITIONS } from "../src/domain/model/subscription.ts";

const BEGIN = "<!-- generated: transitions -->";
const END = "<!-- /generated: transitions -->";
/** Mermaid's name for the point where a diagram begins and ends. */
const NOWHERE = "[*]";

/** A Subscription's states as a Mermaid diagram, made from the table that the engine follows (rule S). */
export function transitionsDiagram(): string {
  const left = new Set<string | null>(TRANSITIONS.map(({ from }) => from));
  const last = new Set(TRANSITIONS.map(({ to }) => to).filter((to) => !left.has(to)));
  const lines = [
    ...TRANSITIONS.map(({ from, cause, to }) => `${from ?? NOWHERE} --> ${to}: ${cause.replaceAll("_", " ")}`),
    ...Array.from(last, (state) => `${state} --> ${NOWHERE}`),
  ];
  return [
    "```mermaid",
    "stateDiagram-v2",
    "  accTitle: States of a Subscription",
    ...lines.map((line) => `  ${line}`),
    "```",
  ].join("\n");
}

/** The document with the current diagram between its markers. @throws Error if a marker is missing. */
export function withTransitions(markdown: string): string {
  const [before, rest] = markdown.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`there is no ${BEGIN} … ${END} in the document`);
  return `${before}${BEGIN}\n\n${transitionsDiagram()}\n\n${END}${after}`;
}
