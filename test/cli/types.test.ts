import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { ROOT } from "../support/source.ts";
import { startStory, type Story } from "../support/story.ts";

const run = promisify(execFile);

let workspace: Workspace;
let story: Story;
beforeAll(async () => {
  workspace = await createWorkspace();
  story = await startStory({ clock: "2026-01-31T00:00:00Z" });
  const make = (path: string, body: object) => story.ok(story.app.manage("POST", path, body));
  for (const [key, feature, value] of [
    ["sso", null, true],
    ["seats-5", "seats", 5],
    ["seats-50", "seats", 50],
    ["tier", null, "gold"],
    ["api", "API calls", 1000],
    ["api-unlimited", "API calls", true],
  ] as const)
    await make("/benefits", { key, name: key, type: "feature", properties: { feature, value } });
  await make("/benefits", { key: "notes", name: "Notes", type: "custom", properties: { note: "Hello" } });
  for (const key of ["pro", "free", "old", null]) {
    const product = await make("/products", { key, name: "A Product", prices: [{ currency: "usd", amount: 0 }] });
    if (key === "old") await story.ok(story.app.manage("PATCH", `/products/${product.id}`, { archived: true }));
  }
});
afterAll(async () => {
  await story.close();
  await workspace.clear();
});

/** Runs the command beside the server that has the database open. */
async function types(...options: string[]): Promise<string> {
  const { databaseUrl } = story.app.ctx.config;
  const environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: "s".repeat(32) };
  const args = ["types", "--organization", story.app.organization.id, ...options];
  const { code, stdout, stderr } = await workspace.run(args, environment);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const DECLARATION = `// Written by \`node bin/billow.mjs types\`. Write the file again after a change of the catalogue.
import "@billow/client";

declare module "@billow/client" {
  interface Catalogue {
    productKeys:
      | "free"
      | "pro";
    features: {
      "API calls": boolean | number;
      "seats": number;
      "sso": boolean;
      "tier": string;
    };
  }
}
`;

test("the names of the catalogue are printed in order, the same each time", async () => {
  expect(await types()).toBe(DECLARATION);
  expect(await types()).toBe(DECLARATION);
  expect(JSON.parse(await types("--json"))).toEqual({
    productKeys: ["free", "pro"],
    features: { "API calls": ["boolean", "number"], seats: ["number"], sso: ["boolean"], tier: ["string"] },
  });
});

test("an empty catalogue allows no Product key", async () => {
  const { organization } = await story.app.otherOrganization();
  expect(await types("--organization", organization.id)).toContain("productKeys: never;\n    features: {\n    };");
});

describe("TypeScript", () => {
  /** The complaints of `tsc` about a program, with the declaration or without it. */
  async function complaints(program: string, declaration: string | null): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "billow-types-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await mkdir(join(directory, "node_modules/@billow"), { recursive: true });
    await symlink(join(ROOT, "client"), join(directory, "node_modules/@billow/client"));
    await writeFile(join(directory, "package.json"), '{"type":"module"}');
    await writeFile(join(directory, "program.ts"), `${PROLOGUE}${program}`);
    if (declaration !== null) await writeFile(join(directory, "billow.d.ts"), declaration);
    const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--types", ""];
    const files = ["program.ts", ...(declaration === null ? [] : ["billow.d.ts"])];
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const checked = run(process.execPath, [compiler, ...options, ...files], { cwd: directory });
    return checked.then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  const PROLOGUE = `
    import { Billow } from "@billow/client";
    const billow = new Billow({ apiKey: "a", baseUrl: "https://billing.example.com/public/v2" });
    const customer = { externalCustomerId: "1" };
    const features = await billow.features(customer);
  `;
  const RIGHT = `
    await billow.checkouts.create({ productKey: "pro", ...customer });
    await billow.subscriptions.update("sub_1", { productKey: "free" });
    await billow.manage.products.getByKey("pro");
    const seats: number = features.seats ?? 1;
    const sso: boolean = features.sso ?? false;
    const tier: string | undefined = features.tier;
    const calls: boolean | number | undefined = features["API calls"];
    console.log(seats, sso, tier, calls);
    declare const console: { log(...values: unknown[]): void };
  `;
  const WRONG: [program: string, complaint: RegExp][] = [
    [`await billow.checkouts.create({ productKey: "por", ...customer });`, /"por".* is not assignable/],
    [`await billow.checkouts.create({ productKey: "old", ...customer });`, /"old".* is not assignable/],
    [`await billow.subscriptions.update("sub_1", { productKey: "Pro" });`, /"Pro".* is not assignable/],
    [`await billow.manage.subscriptions.preview("sub_1", { productKey: "por" });`, /"por".* is not assignable/],
    [`await billow.manage.products.getByKey("por");`, /"por".* is not assignable/],
    [`export const seat = features.seat;`, /'seat' does not exist .*'seats'/],
    [`export const wrong: string | undefined = features.seats;`, /'number' is not assignable to type 'string'/],
  ];

  test("accepts the names of the catalogue", async () => {
    expect(await complaints(RIGHT, DECLARATION)).toBe("");
  });

  test.each(WRONG)("refuses %s", async (program, complaint) => {
    expect(await complaints(program, DECLARATION)).toMatch(complaint);
  });

  test("accepts any name without the declaration", async () => {
    const program = `await billow.checkouts.create({ productKey: "por" }); export const seat = features["seat"];`;
    expect(await complaints(program, null)).toBe("");
  });
});
