import type { Metadata } from "../../../domain/model/product.ts";

/** A text that is read back as another value, or as another text, if it stands without quotes. */
const isAmbiguous = (text: string) =>
  text !== text.trim() ||
  text.startsWith('"') ||
  /^(?:true|false|-?\d.*)$/.test(text) ||
  /[\n\r]/.test(text) ||
  text === "";

const quoted = (text: string, needsQuotes: boolean) => (needsQuotes ? JSON.stringify(text) : text);

/** Metadata as lines of a text: `plan = gold`. A text that looks like a number or a yes-or-no value has quotes. */
export function metadataText(metadata: Metadata): string {
  const line = ([key, value]: [string, Metadata[string]]) => {
    const name = quoted(key, isAmbiguous(key) || key.includes("="));
    return `${name} = ${typeof value === "string" ? quoted(value, isAmbiguous(value)) : String(value)}`;
  };
  return Object.entries(metadata).map(line).join("\n");
}

const QUOTED = /^"(?:[^"\\]|\\.)*"/;

/**
 * The name and the value of a line; null: there is no name or no `=`. One expression for the whole line would try all
 * shares of its white space, which takes minutes for a long line.
 */
function split(line: string): [name: string, value: string] | null {
  const text = line.trim();
  const quotedName = QUOTED.exec(text)?.[0] ?? "";
  const end = text.indexOf("=", quotedName.length);
  const name = text.slice(0, end).trim();
  if (end < 1 || name === "" || (text.startsWith('"') && name !== quotedName)) return null;
  return [name, text.slice(end + 1).trim()];
}

function read(text: string): Metadata[string] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // A text without quotes.
  }
  return text;
}

/** The metadata of typed lines. Empty lines are left out. */
export function readMetadata(typed: string): { metadata: Metadata } | { fault: string } {
  const entries: [string, Metadata[string]][] = [];
  for (const line of typed.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const parts = split(line);
    if (parts === null) return { fault: `Write “${line.trim()}” as: name = value` };
    const [key, value] = parts;
    entries.push([key.startsWith('"') ? String(read(key)) : key, read(value)]);
  }
  return { metadata: Object.fromEntries(entries) };
}
