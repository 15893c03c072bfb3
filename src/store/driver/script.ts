// A token of SQL: a semicolon within a token ends no statement. A word is one token with all of its letters and dollar
// signs, because a dollar sign within a word does not begin a quoted text.
const PART = new RegExp(
  [
    String.raw`--[^\n]*`,
    String.raw`\/\*`,
    String.raw`[eE]'(?:[^'\\]|\\[^]|'')*'`,
    String.raw`'(?:[^']|'')*'`,
    String.raw`"(?:[^"]|"")*"`,
    String.raw`(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\1`,
    String.raw`[\w\u0080-\uffff][\w$\u0080-\uffff]*`,
    String.raw`[^]`,
  ].join("|"),
  "y",
);
const OPEN = /^(['"]|\$)/;

/** The end of the comment that begins at `at`. Such comments may be nested. */
function endOfComment(script: string, at: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  for (let [depth, mark] = [0, marks.exec(script)]; mark; mark = marks.exec(script)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  throw new Error("a comment is not closed");
}

/**
 * The statements of a script of plain SQL, each with its semicolon and the comments before it. The statements joined
 * make up the script. Bodies of functions must be texts: `BEGIN ATOMIC … END` is not understood.
 * @throws Error if a text, a quoted name or a comment is not closed
 */
export function statementsOf(script: string): string[] {
  const found: string[] = [];
  let [begin, isEmpty] = [0, true];
  for (let at = 0; at < script.length;) {
    PART.lastIndex = at;
    const part = PART.exec(script)![0];
    if (part.length === 1 && OPEN.test(part)) throw new Error(`what begins with ${part} is not closed`);
    at = part === "/*" ? endOfComment(script, at) : PART.lastIndex;
    isEmpty &&= /^(\s*|--.*|\/\*)$/.test(part);
    if (part !== ";") continue;
    found.push(script.slice(begin, at));
    [begin, isEmpty] = [at, true];
  }
  const rest = script.slice(begin);
  if (!isEmpty || found.length === 0) return [...found, rest];
  return [...found.slice(0, -1), found.at(-1)! + rest];
}
