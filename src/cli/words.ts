/** A number with its noun: `1 period`, `2 periods`. `plural` where an s does not make it. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Rows in columns that are as wide as they need be, below their headings; `none` where there is no row. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => line.map((text, column) => text.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n");
}
