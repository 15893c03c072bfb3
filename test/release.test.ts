import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

type Component = { name: string; version: string; purl: string; hashes?: { alg: string }[] };

test("a release lists the packages of production on any platform, with the hashes of the lock file", () => {
  const out = mkdtempSync(join(tmpdir(), "billow-release-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/release.ts", "--out", out], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const read = (ending: string) => JSON.parse(readFileSync(join(out, `billow-${manifest.version}.${ending}`), "utf8"));

  const { metadata, components } = read("cdx.json") as { metadata: { component: Component }; components: Component[] };
  expect(metadata.component).toMatchObject({ name: "billow", version: manifest.version });
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", "")));
  const production = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const wanted = production.map(([name, version]) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining(wanted));
  // The server hands out a copy of one file of each.
  const development = Object.keys(manifest.devDependencies).filter((name) =>
    listed.some((each) => each.startsWith(`${name}@`)),
  );
  expect(development).toEqual(["minisearch", "openapi-explorer"]);
  expect(listed.filter((each) => each.startsWith("openapi-resolver@"))).toEqual([]);
  const bare = components.filter(({ hashes }) => hashes?.[0]?.alg !== "SHA-512").map(({ purl }) => purl);
  expect(bare).toEqual([`pkg:npm/%40billow/client@${manifest.version}`]);

  expect(read("spdx.json")).toMatchObject({ spdxVersion: "SPDX-2.3", name: `billow@${manifest.version}` });
});
