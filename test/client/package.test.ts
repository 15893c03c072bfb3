import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { clientPackage } from "../../src/http/client-package.ts";
import { json, startServer } from "./server.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "billow-client-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

async function contents(directory: string): Promise<[string, string][]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    names
      .sort()
      .map(async (name): Promise<[string, string]> => [relative(directory, name), await readFile(name, "utf8")]),
  );
}

const PROGRAM = `
import { Billow, ValidationError } from "@billow/client";
import type { BenefitGrant, Checkout, ErrorCode } from "@billow/client";
import { webhooks } from "@billow/client/next";
import { signWebhook, verifyWebhook } from "@billow/client/webhooks";

const billow = new Billow({ apiKey: async () => "blw_test_1", baseUrl: process.argv[2] ?? "", fetch });
const url = "https://app.example.com/webhooks/billow";
const customer = { email: "ada@example.com" };
const checkout: Checkout = await billow.checkouts.create({ productKey: "team", customer });
const grants: BenefitGrant[] = (await billow.benefitGrants.list({ customerId: "cus_1" })).data;
for await (const grant of billow.benefitGrants.list({ externalCustomerId: "1", type: "feature" })) grants.push(grant);
const code: ErrorCode | undefined = new ValidationError("", {}).code;
// @ts-expect-error: a Customer must be named
const nobody = () => billow.features({});
const body = '{"type":"invoice.paid","data":{"number":"INV-1"}}';
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = await verifyWebhook(body, await signWebhook(body, secret), secret);
const said = event.type === "invoice.paid" ? event.data.number : event.type;
// @ts-expect-error: the type is spelled subscription.canceled
const isCanceled = event.type === "subscription.cancelled";
webhooks(secret, {
  "invoice.paid": ({ data }) => data.number,
  // @ts-expect-error: the type is spelled subscription.canceled
  "subscription.cancelled": () => undefined,
});
// @ts-expect-error: an endpoint's events are types of events
const wrongEndpoint = () => billow.manage.webhookEndpoints.create({ url, events: ["subscription.cancelled"] });
// @ts-expect-error: a filter of another list
const wrongFilter = () => billow.manage.products.list({ externalCustomerId: "1" });
console.log(JSON.stringify([checkout.id, grants.length, code ?? "no code", typeof nobody, said]));
`;

const TSCONFIG = {
  compilerOptions: { target: "es2022", lib: ["es2022", "dom"], types: [], module: "nodenext", strict: true },
  files: ["program.ts", "process.d.ts"],
};

test("the build in the repository is the build of its sources", async () => {
  const directory = await temporaryDirectory();
  await run(process.execPath, [tsc, "-p", join(root, "client"), "--outDir", directory]);
  expect(await contents(join(root, "client/dist"))).toEqual(await contents(directory));
});

test("every type has its way out of the package", async () => {
  const entry = await readFile(join(root, "client/src/index.ts"), "utf8");
  const ways = [...entry.matchAll(/^export type \* from "\.\/types\/([\w-]+\.ts)";$/gm)].map(([, name]) => name);
  expect(ways).toEqual((await readdir(join(root, "client/src/types"))).sort());
});

test("the package has the same bytes for each copy of the client, with any times and modes of its files", async () => {
  const copy = await temporaryDirectory();
  await cp(join(root, "client"), join(copy, "client"), { recursive: true });
  await cp(join(root, "src/http/client-package.ts"), join(copy, "src/http/client-package.ts"));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await chmod(join(copy, "client/package.json"), 0o600);
  await utimes(join(copy, "client/README.md"), 0, 0);
  const print =
    'import("./src/http/client-package.ts").then((m) => m.clientPackage()).then((p) => console.log(p.path))';
  const { stdout } = await run(process.execPath, ["-e", print], { cwd: copy });
  expect(stdout.trimEnd()).toBe((await clientPackage()).path);
});

test("npm installs the served package, and a typed program runs with it", { timeout: 360_000 }, async () => {
  const { path, tarball } = await clientPackage();
  await using server = await startServer((response, request) => {
    if (request.url === path) response.writeHead(200, { "Content-Type": "application/gzip" }).end(tarball);
    else json(200, { id: "chk_1", data: [{ id: "bgr_1" }], nextCursor: null })(response, request);
  });
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module", private: true }));
  await writeFile(join(cwd, "program.ts"), PROGRAM);
  await writeFile(join(cwd, "process.d.ts"), "declare const process: { argv: string[] };");
  await writeFile(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG));
  // The settings of the npm that runs the tests must not reach the one under test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|.*_proxy$)/i.test(name)));
  const folders = [`--cache=${join(cwd, "cache")}`, `--registry=${server.origin}/registry`];
  await run("npm", ["install", server.origin + path, "--no-audit", "--no-fund", "--no-update-notifier", ...folders], {
    cwd,
    env,
  });
  expect(server.requests.map(({ url }) => url).filter((url) => url !== path)).toEqual([]);

  await run(process.execPath, [tsc, "-p", cwd], { cwd });
  const { stdout } = await run(process.execPath, ["program.js", `${server.origin}/public/v2`], { cwd });
  expect(JSON.parse(stdout)).toEqual(["chk_1", 2, "no code", "function", "INV-1"]);
});
