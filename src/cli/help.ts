import { COMMON, EXITS, GROUPS, type Command, type Option } from "./command.ts";

/** The most letters of a line: help is read in terminals, and between two others. */
const WIDTH = 100;
/** The name of a command is followed by its summary at this column. */
const COLUMN = 24;

/** A command line as a person types it. */
type Typed = (words: string) => string;

/** The words in lines of `WIDTH` letters at most. `head` stands before the first line, and as many spaces before others. */
function wrap(head: string, text: string): string {
  const lines: string[] = [];
  let line = head;
  for (const word of text.split(" ")) {
    const isFull = line.length + 1 + word.length > WIDTH && line.trim() !== head.trim();
    if (isFull) lines.push(line.trimEnd());
    line = isFull ? " ".repeat(head.length) + word : line + (line.length > head.length ? " " : "") + word;
  }
  return [...lines, line].join("\n");
}

/** `import csv` of `import csv FILE [--dry-run]`. */
export const nameOf = ({ usage }: Command): string => /^[a-z-]+( [a-z][a-z-]*)*/.exec(usage)![0];

/** `--name VALUE`, as in the usage. */
export const formOf = (name: string, option: Option): string =>
  option.type === "string" ? `--${name} ${option.value}` : `--${name}`;

/** The exit codes of a command, in their order. */
export const exitsOf = ({ exits }: Command): [code: string, says: string][] => Object.entries({ ...EXITS, ...exits });

/** The whole help of one command. */
export function helpOf(command: Command, typed: Typed): string {
  const { usage, summary, details, options, example } = command;
  const described = Object.entries({ ...options, ...COMMON }).map(([name, option]) => ({
    form: formOf(name, option),
    says: option.says,
  }));
  const width = Math.max(...described.map(({ form }) => form.length));
  const exits = exitsOf(command).map(([code, says], n) =>
    wrap(`${n === 0 ? "Exit codes:" : " ".repeat(11)} ${code}: `, says),
  );
  const parts = [
    `${typed(usage)} [--json]\n${wrap("    ", summary)}`,
    ...(details === undefined ? [] : [details]),
    described.map(({ form, says }) => wrap(`${form.padEnd(width)}  `, says)).join("\n"),
    `Example: ${typed(example)}`,
    exits.join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const line = (command: Command): string => wrap(`  ${nameOf(command).padEnd(COLUMN)}`, command.summary);

/** The commands of one word, such as `import`, each on a line. */
export const listOf = (commands: readonly Command[], typed: Typed): string =>
  `${commands.map(line).join("\n")}\n\n${typed("<command> --help")} has the options, an example and the exit codes.\n`;

/** All commands by group. */
export function overview(commands: readonly Command[], typed: Typed): string {
  const groups = GROUPS.map((group) => {
    const members = commands.filter((command) => command.group === group);
    return `${group}\n${members.map(line).join("\n")}`;
  });
  return `${typed("<command> [--json] [--help]")}

${groups.join("\n\n")}

${typed("<command> --help")} has the options, an example and the exit codes. --version prints the version.
Settings come from the environment and .env; .env.example names them all.
`;
}
