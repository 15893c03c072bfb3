import { SETTINGS } from "../src/settings.ts";

const BEGIN = "<!-- generated: settings -->";
const END = "<!-- /generated: settings -->";

/** The page with all settings by group between its markers. @throws Error if a marker is missing. */
export function withSettings(markdown: string): string {
  const [before, rest] = markdown.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`there is no ${BEGIN} … ${END} in the page of the settings`);
  const groups = Map.groupBy(Object.entries(SETTINGS), ([, { group }]) => group);
  const parts = Array.from(groups, ([group, settings]) => {
    const items = settings.map(([name, { fallback, says }]) => {
      const value = fallback === null ? "" : ` (default: ${fallback})`;
      return `- \`${name}\`${value}: ${says}`;
    });
    return `## ${group}\n\n${items.join("\n")}`;
  });
  return `${before}${BEGIN}\n\n${parts.join("\n\n")}\n\n${END}${after}`;
}
