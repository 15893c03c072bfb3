import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverPaths } from "../../src/embedded-database.ts";
import { findPackage } from "../../src/embedded-postgres/binaries.ts";
import { ROOT } from "../support/source.ts";

const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

/** The first match in a library's bytes. */
function versionIn(folder: string, name: string, pattern: RegExp): string {
  const file = readdirSync(folder).find((each) => each.startsWith(name));
  return pattern.exec(readFileSync(join(folder, file!), "latin1"))?.[1] ?? "unknown";
}

/** `20904` and `10129` are 2.9.4 and 1.1.29. */
const dotted = (number: string) =>
  number.replace(/^(\d)0?(\d+?)0?(\d+)$/, (_, ...[a, b, c]: string[]) => [a, b, c].join("."));

/** The versions of the libraries beside the programs. The packages for macOS have other builders and libraries. */
function librariesIn(folder: string): Record<string, string> {
  return {
    OpenSSL: versionIn(folder, "libcrypto.so", /OpenSSL (\d+\.\d+\.\d+[a-z]?) /),
    libxml2: dotted(versionIn(folder, "libxml2.so", /(?<!\d)(2\d{4})\0/)),
    libxslt: dotted(versionIn(folder, "libxslt.so", /(?<!\d)(1\d{4})\0/)),
    zlib: versionIn(folder, "libz.so", / deflate (\d+\.\d+\.\d+) /),
    ICU: /libicuuc\.so\.(\d+\.\d+)/.exec(readdirSync(folder).join())?.[1] ?? "unknown",
  };
}

test("SECURITY.md names the package of the embedded PostgreSQL", async () => {
  expect(page).toContain(`In \`${(await findPackage(serverPaths(ROOT))).version}\`, `);
});

test.each(process.platform === "linux" ? ["linux"] : [])("SECURITY.md names the libraries for %s", async () => {
  const folder = join((await findPackage(serverPaths(ROOT))).native, "lib");
  const named = [...page.matchAll(/^ {2}\| (\w+) +\| (\d[\w.]*) +\|/gm)].map(([, name, version]) => [name, version]);
  expect(Object.fromEntries(named)).toEqual(librariesIn(folder));
});
