import { GROUPS, type Command } from "../src/cli/command.ts";
import { exitsOf, formOf, nameOf } from "../src/cli/help.ts";

const BEGIN = "<!-- generated: commands -->";
const END = "<!-- /generated: commands -->";

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? "" : "."}`;

function describe(command: Command): string {
  const { usage, summary, details, options, example } = command;
  const listed = Object.entries(options).map(([name, option]) => `- \`${formOf(name, option)}\`: ${option.says}`);
  const exits = command.exits === undefined ? [] : exitsOf(command).map(([code, says]) => `${code} ${says}`);
  return [
    `### \`${nameOf(command)}\``,
    `\`billow ${usage}\``,
    sentence(summary),
    ...(details === undefined ? [] : [details]),
    ...(listed.length === 0 ? [] : [listed.join("\n")]),
    ...(example === usage ? [] : [`Example: \`billow ${example}\``]),
    ...(exits.length === 0 ? [] : [`Exit codes: ${exits.join("; ")}.`]),
  ].join("\n\n");
}

/** The page with all commands between its markers. @throws Error if a marker is missing. */
export function withCommands(markdown: string, commands: readonly Command[]): string {
  const [before, rest] = markdown.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`there is no ${BEGIN} … ${END} in the page of the commands`);
  const groups = GROUPS.map((group) => {
    const members = commands.filter((command) => command.group === group);
    return [`## ${group}`, ...members.map(describe)].join("\n\n");
  });
  return `${before}${BEGIN}\n\n${groups.join("\n\n")}\n\n${END}${after}`;
}
