import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { verifyWebhook, type WebhookEvent } from "@billow/client/webhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHECKS, examine, PACE } from "../../src/exam/examine.ts";
import { REFUSED } from "../../src/exam/refusal-checks.ts";
import type { Pace } from "../../src/exam/send.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";

const BASE64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const SECRET = `whsec_${BASE64}`;

type Came = {
  headers: Record<string, string>;
  chunks: Buffer[];
  body: Buffer;
  request: IncomingMessage;
  server: Server;
};
/** A status, maybe with headers; null: no answer at all. */
type Reaction = number | [status: number, headers: Record<string, string>] | null;
type Receive = (came: Came) => Reaction | Promise<Reaction>;

function serve(server: Server, receive: Receive): void {
  server.on("request", async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // cut off
    }
    const headers = request.headers as Record<string, string>;
    const reaction = await receive({ headers, chunks, body: Buffer.concat(chunks), request, server });
    if (reaction === null) return;
    const [status, more] = typeof reaction === "number" ? [reaction, {}] : reaction;
    response.writeHead(status, more).end(`answered ${status}`);
  });
}

async function start(receive: Receive): Promise<string> {
  const server = createServer();
  serve(server, receive);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** A good receiver, except that `flaw` may answer an event with a good signature. */
function verified(
  flaw: (event: WebhookEvent, came: Came) => Reaction | undefined | Promise<Reaction | undefined>,
): Receive {
  return async (came) => {
    const event = await verifyWebhook(came.body, came.headers, SECRET).catch(() => null);
    return event === null ? 400 : ((await flaw(event, came)) ?? 204);
  };
}

/** Answers 204 if `verify` succeeds, else 400. */
const verifiedBy =
  (verify: (came: Came) => Promise<unknown>): Receive =>
  (came) =>
    verify(came).then(
      () => 204,
      () => 400,
    );

/** The headers with other signatures. */
const withSignatures = ({ headers }: Came, change: (signatures: string) => string) => ({
  ...headers,
  "webhook-signature": change(headers["webhook-signature"] ?? ""),
});

/** Pauses that let even a busy machine notice the piece before. */
const NOTICED = { pause: PACE.pause };
const LATER = CHECKS.slice(1).map(({ id }) => id);
const FORGERIES = REFUSED.map(({ id }) => id);
const fresh = <Item>(make: () => Item, use: (item: Item) => Receive) => use(make());

type Row = [
  name: string,
  receive: Receive,
  failed: string[],
  more?: { warned?: string[]; skipped?: string[]; pace?: Partial<Pace> },
];
const FLAWED: Row[] = [
  ["verifies nothing", () => 200, FORGERIES],
  [
    "verifies a body that it has parsed and written anew",
    verifiedBy(async ({ body, headers }) =>
      verifyWebhook(JSON.stringify(JSON.parse(body.toString())), headers, SECRET),
    ),
    ["raw-bytes"],
  ],
  [
    "reads bodies as Latin-1",
    verifiedBy(async ({ body, headers }) => verifyWebhook(body.toString("latin1"), headers, SECRET)),
    ["any-text", "split-character"],
  ],
  [
    "makes text of each piece of a body",
    verifiedBy(async ({ chunks, headers }) => verifyWebhook(chunks.map(String).join(""), headers, SECRET)),
    ["split-character"],
    { pace: NOTICED },
  ],
  [
    "takes the first piece of a body for all of it",
    verifiedBy(async ({ chunks, headers }) => verifyWebhook(chunks[0]!, headers, SECRET)),
    ["slow-body", "split-character", "chunked-body"],
    { pace: NOTICED },
  ],
  [
    "ignores the timestamp",
    verifiedBy(async ({ body, headers }) => verifyWebhook(body, headers, SECRET, { toleranceSeconds: Infinity })),
    ["stale-timestamp", "future-timestamp"],
  ],
  [
    "looks at the first signature only",
    verifiedBy(async (came) =>
      verifyWebhook(
        came.body,
        withSignatures(came, (all) => all.split(" ")[0]!),
        SECRET,
      ),
    ),
    ["two-signatures"],
  ],
  [
    "lets through a request without a signature",
    async (came) => (came.headers["webhook-signature"] ? verified(() => undefined)(came) : 200),
    ["missing-headers", "empty-signature"],
  ],
  [
    "throws at a wrong signature",
    async (came) => ((await verified(() => undefined)(came)) === 400 ? 500 : 204),
    [],
    { warned: FORGERIES },
  ],
  [
    "knows headers by their case",
    verified((_, { request }) => (request.rawHeaders.includes("webhook-id") ? undefined : 400)),
    ["header-case"],
  ],
  [
    "knows its types only",
    verified(({ type }) => ((type as string) === "subscription.transferred" ? 500 : undefined)),
    ["unknown-type"],
  ],
  ["fails at one type", verified(({ type }) => (type === "invoice.voided" ? 500 : undefined)), ["every-type"]],
  ["knows its fields only", verified(({ data }) => ("region" in data ? 422 : undefined)), ["unknown-fields"]],
  [
    "counts on fields that may be null",
    verified(({ type, data }) => (type === "product.created" && data.interval === null ? 500 : undefined)),
    ["null-fields"],
  ],
  [
    "has a unique index on ids",
    fresh(
      () => new Set<string>(),
      (seen) => verified(({ id }) => (seen.size === seen.add(id).size ? 500 : undefined)),
    ),
    ["duplicate", "simultaneous-duplicates"],
  ],
  [
    "wants no older news",
    fresh(
      () => new Map<string, number>(),
      (seen) =>
        verified(({ sequence, data: { id } }: { sequence: number; data: { id: string } }) => {
          if (sequence < (seen.get(id) ?? 0)) return 409;
          seen.set(id, sequence);
          return undefined;
        }),
    ),
    ["out-of-order"],
  ],
  [
    "takes small bodies only",
    async (came) => (came.body.length > 50_000 ? 413 : verified(() => undefined)(came)),
    ["large-body"],
  ],
  [
    "wants a Content-Length",
    verified((_, { headers }) => (headers["content-length"] ? undefined : 411)),
    ["chunked-body"],
  ],
  [
    "does one thing at a time",
    fresh(
      () => ({ busy: false }),
      (state) =>
        verified(async () => {
          if (state.busy) return 503;
          state.busy = true;
          // Waits for all requests that were sent at the same moment.
          await new Promise((resolve) => setTimeout(resolve, 100));
          state.busy = false;
          return undefined;
        }),
    ),
    ["simultaneous-duplicates", "many-at-once"],
  ],
  ["redirects", () => [308, { Location: "/elsewhere" }], ["signed-event"], { skipped: LATER }],
  ["has another secret", () => 400, ["signed-event"], { skipped: LATER }],
  ["hangs", () => null, ["signed-event"], { skipped: LATER, pace: { deadline: 200 } }],
  [
    "is slow",
    verified(() => undefined),
    [],
    { warned: CHECKS.map(({ id }) => id).filter((id) => !FORGERIES.includes(id)), pace: { slow: -1 } },
  ],
  [
    "hangs at forgeries",
    async (came) => ((await verified(() => undefined)(came)) === 400 ? null : 204),
    FORGERIES.slice(0, 3),
    { skipped: LATER.slice(3), pace: { deadline: 3_000 } },
  ],
  [
    "goes away",
    verified(({ type }, { server }) => {
      if ((type as string) === "subscription.transferred") server.close();
      return undefined;
    }),
    ["unknown-fields"],
    { skipped: LATER.slice(LATER.indexOf("unknown-fields") + 1) },
  ],
];

/** Limits that are long enough for a busy machine, and short pauses. */
const QUICK: Pace = { ...PACE, slow: 15_000, pause: 30 };

describe("a receiver that", () => {
  test.concurrent.each(FLAWED)(
    "%s is told so, and nothing else",
    async (_, receive, failed, { warned = [], skipped = [], pace = {} } = {}) => {
      const report = await examine({ url: await start(receive), secret: BASE64 }, { ...QUICK, ...pace });
      const having = (verdict: string) => report.findings.filter((finding) => finding.verdict === verdict);
      expect({ failed: having("FAIL").map(({ id }) => id), warned: having("WARN").map(({ id }) => id) }).toEqual({
        failed,
        warned,
      });
      expect(report.skipped?.checks ?? []).toEqual(skipped);
      for (const { verdict, advice } of report.findings) expect(advice === null).toBe(verdict === "PASS");
    },
  );
});

describe("the command", () => {
  let workspace: Workspace;
  beforeAll(async () => void (workspace = await createWorkspace()));
  afterAll(() => workspace.clear());
  const environment = { BILLOW_WEBHOOK_SECRET: SECRET };

  test("passes a good receiver, says so in one object, and shows the secret to nobody", async () => {
    const url = await start(verified(() => undefined));
    const { code, stdout, stderr } = await workspace.run(["exam", url, "--json"], environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain(BASE64);
    const { checks, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      url,
      passed: CHECKS.length + 1,
      warnings: 0,
      failed: 0,
      skipped: null,
      unseen: expect.any(Array),
    });
    expect(checks[1]).toEqual({
      id: "signed-event",
      verdict: "PASS",
      sent: "a signed subscription.created",
      expected: "2xx within 15 s",
      came: expect.stringMatching(/^204 in \d+ ms$/),
      advice: null,
    });
  });

  test("does not say more of one that applies everything each time than it can know", async () => {
    let applied = 0;
    const url = await start(verified(() => void (applied += 1)));
    const { code, stdout } = await workspace.run(["exam", url], environment);
    expect(code).toBe(0);
    expect(applied).toBeGreaterThan(CHECKS.length);
    expect(stdout.split("\n").filter((line) => /(can't be seen|Not visible) from outside/.test(line))).toEqual([
      expect.stringMatching(
        /^PASS {2}duplicate .*: 2 × 204 in at most \d+ ms; whether it was applied twice can't be seen from outside$/,
      ),
      expect.stringMatching(
        /^PASS {2}simultaneous-duplicates .*ms; whether it was applied more than once can't be seen from outside$/,
      ),
      expect.stringMatching(
        /^PASS {2}out-of-order .*ms; whether the earlier one changed anything can't be seen from outside$/,
      ),
      "Not visible from outside:",
    ]);
  });

  test("names each fault and its remedy; the secret may be in .env", async () => {
    await writeFile(join(workspace.directory, ".env"), `BILLOW_WEBHOOK_SECRET=${SECRET}\n`);
    const url = await start(
      verified(({ type }) => (/^subscription\.(transferred|canceled)$/.test(type) ? 500 : undefined)),
    );
    const { code, stdout } = await workspace.run(["exam", url]);
    await writeFile(join(workspace.directory, ".env"), "");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^PASS {2}https +no request/);
    expect(stdout).toMatch(
      /\nFAIL {2}every-type +.*\n +expected: 2xx.*\n +came: +500 to subscription\.canceled, saying: answered 500\n +to do: /,
    );
    expect(stdout).toMatch(
      /\nFAIL {2}unknown-type +.*\n.*\n +came: +500 in \d+ ms, saying: answered 500\n +to do: +Ignore types/,
    );
    expect(stdout).toMatch(/\n\d+ checks: \d+ passed, 0 warnings, 2 failed\.\n/);
    expect(stdout).not.toContain(BASE64);
  });

  test("a process that a cut-off body ends is found out", async () => {
    const program = join(workspace.directory, "receiver.mjs");
    await writeFile(program, CRASHES);
    const child: ChildProcess = fork(program, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    onTestFinished(() => void child.kill());
    const [port] = await once(child, "message");
    const secret = ["--secret", SECRET];
    const { code, stdout } = await workspace.run(["exam", `http://127.0.0.1:${port}`, "--json", ...secret]);
    expect(code).toBe(1);
    const failed = JSON.parse(stdout).checks.filter(({ verdict }: { verdict: string }) => verdict === "FAIL");
    const { length } = FORGERIES;
    expect(failed.map(({ id }: { id: string }) => id)).toEqual([...FORGERIES, "cut-off"]);
    expect(failed[length].came).toMatch(/^ECONN/);
  });

  test("a port where something else than HTTP is spoken is called so", async () => {
    const server = createTcpServer(
      (socket) => void socket.on("error", () => undefined).end("SSH-2.0-OpenSSH_10.0\r\n"),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { code, stdout } = await workspace.run(
      ["exam", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`],
      environment,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nFAIL {2}signed-event +.*\n.*\n +came: +the server there does not speak HTTP \(HPE_\w+\) in \d+ ms\n +to do: +Check the port of/,
    );
  });

  test("no receiver there: 2", async () => {
    const { code, stdout, stderr } = await workspace.run(["exam", "http://127.0.0.1:1/hook"], environment);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "billow: 127.0.0.1:1 can't be reached: ECONNREFUSED. Start your application, and give the URL at which " +
        "it takes webhooks. The exam sends its requests there.\n",
    });
  });

  test("a wrong call: 2", async () => {
    const usage = "Usage: node bin/billow.mjs exam URL [--secret whsec_…] [--json]\n";
    const none =
      "There is no secret: give --secret, or set BILLOW_WEBHOOK_SECRET. node bin/billow.mjs listen prints the secret.";
    const wrong =
      "A secret is whsec_ and base64, as it was shown when the endpoint was made, or by node bin/billow.mjs listen.";
    const noUrl = "The receiver must be a URL such as http://localhost:3000/hook.";
    const here = "http://127.0.0.1:1";
    for (const [args, line] of [
      [[], "URL is missing."],
      [[here], none],
      [[here, "--secret", BASE64], wrong],
      [[here, "--secret", "whsec_c2hvcnQ="], wrong],
      [["localhost:3000/hook", "--secret", SECRET], noUrl],
      [["http://me:pass@localhost", "--secret", SECRET], noUrl],
    ] as [string[], string][]) {
      expect(await workspace.run(["exam", ...args])).toEqual({
        code: 2,
        stdout: "",
        stderr: `billow: ${line} ${usage}`,
      });
    }
  });
});

/** This receiver accepts every event, but does not expect a body to break off. */
const CRASHES = `
import { createServer } from "node:http";
const server = createServer(async (request, response) => {
  for await (const chunk of request);
  response.end();
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`;
