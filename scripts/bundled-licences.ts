import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lockedPackages, packageName, packageTree } from "./package-tree.ts";

const RULE = `\n${"=".repeat(80)}\n`;

function textOf(folder: string): string | null {
  const [name] = readdirSync(folder)
    .sort()
    .filter((each) => /^(licen[cs]e|copying)/i.test(each));
  return name === undefined
    ? null
    : readFileSync(join(folder, name), "utf8")
        .replaceAll("\r\n", "\n")
        .replace(/^\n+|\s+$/g, "");
}

/**
 * The licences of a package that is a bundle, and of all packages from which the bundle may be built. Most of these
 * licences ask for their text in each copy, and the package comes with the first one alone. One text stands once.
 */
export function bundledLicences(root: string, name: string): string {
  const packages = lockedPackages(root);
  const place = `node_modules/${name}`;
  const byText = new Map<string, string[]>();
  for (const each of [place, ...packageTree(packages, place)]) {
    const { version, license = "" } = packages[each]!;
    const text = textOf(join(root, each)) ?? `Its package states ${license}, and has no text.`;
    byText.set(text, [...(byText.get(text) ?? []), `${packageName(each)} ${version}`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return [`The licences of ${name} and of the packages from which its bundle is built.\n`, ...parts].join(RULE);
}
