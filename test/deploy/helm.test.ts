import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/source.ts";
import { COMMANDS, SETTINGS } from "./settings.ts";

const CHART = join(ROOT, "deploy/helm/billow");
const read = (path: string) => readFileSync(join(CHART, path), "utf8");
const templates = readdirSync(join(CHART, "templates")).map((name) => ({ name, text: read(`templates/${name}`) }));
const all = templates.map(({ text }) => text).join("\n");

type Values = { settings: Record<string, string> } & Record<string, unknown>;
const values = parse(read("values.yaml")) as Values;

/** The paths of the values down to texts, numbers and lists: `image.tag`. */
function leaves(value: unknown, path: string[] = []): string[] {
  const isInner = typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  return isInner ? Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name])) : [path.join(".")];
}

const COMPONENTS = [...all.matchAll(/"component" "(\w+)"/g)].map(([, name]) => name!);

describe("the chart", () => {
  test("has the version of Billow", () => {
    expect(parse(read("Chart.yaml"))).toMatchObject({ version: manifest.version, appVersion: manifest.version });
  });

  test("runs commands that there are, each with its values", () => {
    expect(COMPONENTS.sort()).toEqual(["migrate", "serve", "worker"]);
    for (const name of COMPONENTS) {
      expect(COMMANDS).toContain(name);
      expect(values).toHaveProperty(`${name}.resources.limits.memory`);
    }
  });

  test("asks the paths of Billow's health checks at Billow's port", () => {
    const server = readdirSync(join(ROOT, "src/http"))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(ROOT, "src/http", name), "utf8"))
      .join("\n");
    const paths = [...all.matchAll(/httpGet: \{ path: (\S+), port: http \}/g)].map(([, path]) => path);
    expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
    for (const path of new Set(paths)) expect(server).toContain(`"${path}"`);
    const [, port] = /containerPort: (\d+)/.exec(all)!;
    expect(readFileSync(join(ROOT, "Dockerfile"), "utf8")).toContain(`PORT=${port}`);
  });

  test("has settings that Billow takes, and takes those that are secret from a Secret", () => {
    const commented = [...read("values.yaml").matchAll(/^# .*/gm)].join(" ").match(/\b[A-Z]+_[A-Z_]+\b/g)!;
    const named = commented.filter((name) => !name.startsWith("BILLOW_PAYMENTS"));
    for (const name of [...Object.keys(values.settings), ...named]) expect(SETTINGS).toContain(name);
    expect(Object.keys(values.settings).filter((name) => /SECRET|TOKEN|_URL/.test(name))).toEqual([]);
    expect(all).not.toMatch(/kind: Secret/);
  });

  test("uses each value, and no other", () => {
    const used = [...all.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!);
    const components = COMPONENTS.flatMap((name) => [`${name}.resources`, `${name}.maxUnavailable`]);
    const known = leaves(values);
    for (const path of used) expect(known.some((each) => each === path || each.startsWith(`${path}.`))).toBe(true);
    const reads = [...used, ...components];
    const unused = known.filter((each) => !reads.some((path) => each === path || each.startsWith(`${path}.`)));
    expect(unused).toEqual([]);
  });
});

const helm = (...args: string[]) => spawnSync("helm", args, { encoding: "utf8" });
const REQUIRED = ["image.repository=billow", "existingSecret=billow", "settings.PUBLIC_ORIGIN=https://example.com"];
const set = REQUIRED.flatMap((each) => ["--set", each]);

describe.runIf(helm("version").status === 0)("the chart, by helm", () => {
  test("has no fault for `helm lint`", () =>
    expect(helm("lint", "--strict", CHART, ...set)).toMatchObject({ status: 0 }));

  test("lets no pod write its root, and none run as root", () => {
    const { stdout, stderr } = helm("template", "test", CHART, "--kube-version", "1.37.0", ...set);
    expect(stderr).toBe("");
    const objects = parseAllDocuments(stdout).map((each) => each.toJSON() as { kind: string; spec: never });
    const pods = objects.map(({ spec }) => (spec as { template?: { spec: unknown } }).template?.spec).filter(Boolean);
    expect(pods).toHaveLength(COMPONENTS.length);
    for (const pod of pods)
      expect(pod).toMatchObject({
        securityContext: { runAsNonRoot: true },
        containers: [{ securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } } }],
      });
    expect(objects.filter(({ kind }) => kind === "PodDisruptionBudget")).toHaveLength(2);
  });
});
