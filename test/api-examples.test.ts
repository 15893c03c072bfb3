import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { signWebhook } from "@billow/client/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caller, startTestApp, type TestApp } from "./support/app.ts";
import { blocksOf, directoryOf } from "./support/guide.ts";
import { PYTHONPATH, requirePython } from "./support/python.ts";
import { ROOT } from "./support/source.ts";

/** The pages whose tabs this test runs, with the number of their choices. */
const RUN: Record<string, number> = { "public-api.md": 7, "idempotency.md": 1, "webhooks.md": 1 };

const read = (file: string) => readFileSync(join(ROOT, "docs/api-guide", file), "utf8");
const codeOf = (file: string, language: string) =>
  blocksOf(read(file).slice(read(file).indexOf("<!-- tabs -->")))
    .filter((block) => block.language === language)
    .map(({ code }) => code);

let app: TestApp;
beforeAll(async () => {
  requirePython();
  app = await startTestApp();
});
afterAll(() => app.close());

type Language = { language: string; program(): string; file: string; end: string };

const LANGUAGES: readonly Language[] = [
  { language: "js", program: () => process.execPath, file: "example.mjs", end: "" },
  { language: "python", program: requirePython, file: "example.py", end: "" },
  { language: "sh", program: () => "sh", file: "example.sh", end: "echo\n" },
];

/** Runs blocks as one program and returns its output. */
async function run({ program, file, end }: Language, blocks: readonly string[], env: Record<string, string>) {
  const cwd = await directoryOf([[file, blocks.map((block) => block + end).join("\n")]]);
  const { stdout } = await promisify(execFile)(program(), [file], {
    cwd,
    env: { PATH: process.env["PATH"], PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1", ...env },
  });
  return stdout;
}

test("every choice of languages in the API guide is run, and has the same languages", () => {
  const files = readdirSync(join(ROOT, "docs/api-guide"));
  const counts = files.map((file) => [file, read(file).split("<!-- tabs -->").length - 1] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(RUN);
  for (const file of ["public-api.md", "idempotency.md"])
    for (const { language } of LANGUAGES) expect([file, codeOf(file, language).length]).toEqual([file, RUN[file]]);
});

describe.each(LANGUAGES)("the examples in $language", (each) => {
  test("do the six public operations", async () => {
    const { keys } = await app.otherOrganization();
    const manage = caller(`${app.url}/manage/v1`, keys.manage);
    const benefit = {
      type: "feature",
      name: "Reports",
      key: "reports",
      properties: { feature: "reports", value: true },
    };
    const { id: benefitId } = (await manage("POST", "/benefits", benefit)).body;
    const prices = [{ currency: "eur", amount: 3000 }];
    await manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices, benefitIds: [benefitId] });
    const env = { BILLOW_URL: app.url, BILLOW_API_KEY: keys.public };
    const [setUp = "", customer = "", checkout = "", ...others] = codeOf("public-api.md", each.language);

    const made = await run(each, [setUp, customer, checkout], env);
    expect(made).toMatch(/cus_\w{26}/);
    const { data } = (await manage("GET", "/checkouts")).body;
    expect(data).toMatchObject([{ status: "open" }]);
    expect(made).toContain(data[0].url);

    const [replay = ""] = codeOf("idempotency.md", each.language);
    const once = async () => /chk_\w{26}/.exec(await run(each, [setUp, replay], env))![0];
    expect(await once()).toBe(await once());

    const paid = await manage("POST", `/sandbox/checkouts/${data[0].id}/pay`, { card: "4242424242424242" });
    const { subscriptionId } = paid.body;
    const filled = others.map((block) => block.replace("chk_…", data[0].id).replace("sub_…", subscriptionId));
    const output = await run(each, [setUp, ...filled], env);
    for (const part of ["completed", subscriptionId, "active", "reports"]) expect(output).toContain(part);
    const { cancelAt, cancelAtPeriodEnd } = (await manage("GET", `/subscriptions/${subscriptionId}`)).body;
    expect(cancelAtPeriodEnd).toBe(true);
    expect(output).toContain(cancelAt);
  });
});

describe("the example that verifies a webhook", () => {
  const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  const [js, python] = LANGUAGES;
  /** Prints the type of the event of a request, or the refusal. */
  const HARNESS: Record<string, string> = {
    js: `const { body, headers } = JSON.parse(process.env.REQUEST);
const request = new Request("https://app.example.com/", { method: "POST", body, headers });
console.log(await eventOf(request).then((event) => event.type, () => "refused"));
`,
    python: `import json
request = json.loads(os.environ["REQUEST"])
try:
    print(event_of(request["body"].encode(), request["headers"])["type"])
except webhooks.WebhookVerificationError:
    print("refused")
`,
  };

  test.each([js!, python!])("knows a signed event and a forged one: $language", async (each) => {
    const [code = ""] = codeOf("webhooks.md", each.language);
    const body = JSON.stringify({
      id: "evt_1",
      type: "invoice.paid",
      createdAt: "2026-01-31T00:00:00.000Z",
      sequence: 1,
      data: {},
    });
    const headers = Object.fromEntries(new Headers(await signWebhook(body, SECRET)));
    const answer = (request: object) =>
      run(each, [code, HARNESS[each.language]!], { BILLOW_WEBHOOK_SECRET: SECRET, REQUEST: JSON.stringify(request) });
    expect(await answer({ body, headers })).toBe("invoice.paid\n");
    expect(await answer({ body: body.replace("paid", "void"), headers })).toBe("refused\n");
    expect(await answer({ body, headers: { ...headers, "webhook-timestamp": "1" } })).toBe("refused\n");
  });
});
