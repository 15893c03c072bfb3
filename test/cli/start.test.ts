import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import os from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VERSION } from "../../src/version.ts";
import { caller } from "../support/app.ts";
import { createInstalledWorkspace, createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { until } from "../support/until.ts";

let workspace: Workspace;
afterEach(() => workspace.clear());

const api = ({ output }: Started, key: string) => caller(output.publicApi, key);

async function stop(started: Started): Promise<void> {
  started.signal("SIGTERM");
  expect(await started.finished).toMatchObject({ code: 0, stderr: "" });
}

describe("the first start", () => {
  beforeEach(async () => void (workspace = await createWorkspace()));

  test("makes a sandbox with a key that sells something at once, and the second finds it again", async () => {
    const first = await workspace.start(["start", "--json"]);
    expect((await fetch(`${first.output.url}/readyz`)).status).toBe(200);
    expect(first.output.organization).toMatchObject({ name: "Demo", mode: "sandbox" });
    const { keys } = first.output;
    const checkout = await api(first, keys.public)("POST", "/checkouts", { productKey: "pro" });
    expect(checkout).toMatchObject({ status: 201, body: { status: "open", totalAmount: 3000, currency: "usd" } });
    expect(checkout.body.url.startsWith(`${first.output.url}/checkout/`)).toBe(true);
    const [demo] = first.output.sandboxes;
    expect([demo.id, demo.name]).toEqual([first.output.organization.id, "Demo"]);
    for (const link of [demo.checkout, demo.emails, demo.portal]) expect((await fetch(link)).status).toBe(200);
    await stop(first);

    const second = await workspace.start(["start", "--json"]);
    expect(second.output).not.toHaveProperty("keys");
    const pathsOf = (links: Record<"checkout" | "emails" | "portal", string>) =>
      [links.checkout, links.emails, links.portal].map((link) => new URL(link).pathname);
    expect(pathsOf(second.output.sandboxes[0])).toEqual(pathsOf(demo));
    expect((await api(second, keys.public)("GET", `/checkouts/${checkout.body.id}`)).status).toBe(200);
    await stop(second);
  });

  test("names each sandbox with its links, of which the Checkout leads to a page that sells", async () => {
    expect((await workspace.run(["migrate"])).code).toBe(0);
    const made = await workspace.run(["org", "create", "--name", "Shop", "--mode", "sandbox"]);
    expect(made.code).toBe(0);
    expect((await workspace.run(["seed"])).code).toBe(0);
    await workspace.run(["org", "create", "--name", "Trials", "--mode", "sandbox"]);
    const started = await workspace.start(["start"]);
    const [, checkout] = await started.printed(
      /sandbox Shop \(org_\w+\)[^]*Checkout  (\S+)[^]*E-mails[^]*Portal[^]*sandbox Trials[^]*E-mails[^]*Portal  /,
    );
    const page = await fetch(checkout!);
    expect(page.redirected).toBe(true);
    expect(await page.text()).toContain("30.00");
    await stop(started);
  });

  test("prints a request that works as it is", async () => {
    const started = await workspace.start(["start"]);
    const [, url, key, body] = await started.printed(/curl (\S+)[^]*Bearer (\S+)'[^]*-d '(.*)'/);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await fetch(url!, { method: "POST", headers, body: body! });
    expect(response.status).toBe(201);
    await stop(started);
  });

  test("two servers on one data directory share its database", async () => {
    const [one, other] = await Promise.all([
      workspace.start(["start", "--json"]),
      workspace.start(["start", "--json"]),
    ]);
    expect([one.output.joined, other.output.joined].toSorted()).toEqual([false, true]);
    const keys = one.output.keys ?? other.output.keys;
    expect([one, other].filter(({ output }) => output.keys !== undefined)).toHaveLength(1);
    const { body } = await api(one, keys.public)("POST", "/checkouts", { productKey: "pro" });
    await stop(one);
    expect((await api(other, keys.public)("GET", `/checkouts/${body.id}`)).status).toBe(200);
    await stop(other);
  });

  test("serve and worker share the work on a database that is migrated, and refuse one that is not", async () => {
    const { code, stderr } = await workspace.run(["serve"]);
    expect([code, stderr]).toEqual([1, "billow: The database is not migrated: run node bin/billow.mjs migrate.\n"]);
    expect((await workspace.run(["migrate"])).code).toBe(0);
    const [serving, working] = await Promise.all([
      workspace.start(["serve", "--json"]),
      workspace.start(["worker", "--json"]),
    ]);
    expect((await fetch(`${serving.output.url}/readyz`)).status).toBe(200);
    // Requests have priority over the worker.
    expect(os.getPriority(working.pid)).toBeGreaterThan(os.getPriority(serving.pid));
    await stop(serving);
    await stop(working);
  });
});

/** Returns once new connections are refused. */
async function refused(url: string): Promise<void> {
  await until(() =>
    fetch(`${url}/healthz`, { headers: { Connection: "close" } }).then(
      () => false,
      () => true,
    ),
  );
}

describe("a later start", () => {
  beforeEach(async () => void (workspace = await createInstalledWorkspace()));

  test("kill -9 loses nothing that was answered", async () => {
    const killed = await workspace.start(["start", "--json"]);
    const { keys } = killed.output;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api(killed, keys.public)("POST", "/customers", { email: `ada${n}@example.com` }),
      ),
    );
    killed.signal("SIGKILL");
    await killed.finished;

    const again = await workspace.start(["start", "--json"]);
    const { body } = await caller(again.output.manageApi, keys.manage)("GET", "/customers?limit=100");
    expect(body.data.map((customer: { id: string }) => customer.id).sort()).toEqual(
      answers.map((answer) => answer.body.id).sort(),
    );
    await stop(again);
  });

  test("a second start on the same port says in one line that Billow already runs there", async () => {
    const first = await workspace.start(["start", "--json"]);
    const { url } = first.output;
    expect(await workspace.run(["start"], { PORT: new URL(url).port })).toEqual({
      code: 1,
      stdout: "",
      stderr: `billow: Billow ${VERSION} already runs at ${url}. For a second server, set PORT to another port.\n`,
    });
  });

  test("a port that another program has taken is said in one line", async () => {
    const other = createServer((_, response) => void response.end());
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    expect(await workspace.run(["start"], { PORT: String(port) })).toEqual({
      code: 1,
      stdout: "",
      stderr: `billow: Port ${port} of 127.0.0.1 is in use: set PORT to another one.\n`,
    });
    other.close();
  });

  test("a server that joins the database of another one says so", async () => {
    const first = await workspace.start(["start"]);
    await first.printed(/Documentation/);
    const second = await workspace.start(["start"]);
    const [, directory] = await second.printed(/joined another Billow process on the database in (\S+)\.\n/);
    expect(directory).toBe(join(await realpath(workspace.directory), ".billow"));
    expect((await first.printed(/^[^]*Documentation.*\n/))[0]).not.toContain("joined");
    await stop(second);
    await stop(first);
  });

  test("SIGTERM lets a request that has begun finish", async () => {
    const started = await workspace.start(["start", "--json"]);
    const { url, keys } = started.output;
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ email: "ada@example.com" });
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const headers =
      `Host: ${hostname}\r\nAuthorization: Bearer ${keys.public}\r\nContent-Type: ` +
      "application/json\r\nConnection: close";
    socket.write(
      `POST /public/v2/customers HTTP/1.1\r\n${headers}\r\nContent-Length: ${body.length}\r\nExpect: ` +
        "100-continue\r\n\r\n",
    );
    // The server asks for the body, so it has the head of the request.
    await once(socket, "data");
    started.signal("SIGTERM");
    await refused(url);
    socket.write(body);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await started.finished).toMatchObject({ code: 0, stderr: "" });
  });

  test("several processes serve one port", async () => {
    const started = await workspace.start(["start", "--json"], { WEB_CONCURRENCY: "2" });
    const create = api(started, started.output.keys.public);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create("POST", "/customers", { email: `ada${n}@example.com` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    await stop(started);
  });
});
