import { spawnSync } from "node:child_process";
import { findProgram, installPackage } from "./programs.ts";

const HOW =
  "Tests of PDFs need pdftotext and pdfinfo: on Debian or Ubuntu run `apt-get install poppler-utils`, " +
  "on macOS `brew install poppler`.";

/** Runs one of poppler's programs on a PDF. @throws Error that says how to get it. */
function poppler(name: string, pdf: Uint8Array, ...args: string[]): string {
  if (!findProgram([name])) installPackage("poppler-utils");
  const program = findProgram([name]);
  if (!program) throw new Error(HOW);
  const { status, stdout, stderr } = spawnSync(program, args, { input: pdf, encoding: "utf8" });
  if (status !== 0 || stderr !== "") throw new Error(`${name}: ${status} ${stderr}`);
  return stdout;
}

/** Marks that pdftotext puts around text from right to left. */
const EMBEDDINGS = /[\u202a-\u202c]/g;

/** The text of a PDF by page, with its columns at their places. */
export function pagesOf(pdf: Uint8Array): string[] {
  return poppler("pdftotext", pdf, "-layout", "-", "-").replace(EMBEDDINGS, "").split("\f").slice(0, -1);
}

/** The text of a PDF in the order of reading. */
export function textOf(pdf: Uint8Array): string {
  return poppler("pdftotext", pdf, "-", "-").replace(EMBEDDINGS, "");
}

/** Title, tags and more, by poppler's names. */
export function infoOf(pdf: Uint8Array): Record<string, string> {
  const lines = poppler("pdfinfo", pdf, "-").trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(":")[0]!, line.slice(line.indexOf(":") + 1).trim()]));
}
