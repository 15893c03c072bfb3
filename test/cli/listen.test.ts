import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhooks } from "@billow/client/express";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { recordCustomer } from "../../src/actions/customer/record-customer.ts";
import { customers } from "../../src/store/customers.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { ok } from "../support/story.ts";

let workspace: Workspace;
let app: TestApp;
let receiver: Receiver;
let environment: Record<string, string>;
beforeEach(async () => {
  [workspace, app, receiver] = await Promise.all([createWorkspace(), startTestApp(), startReceiver()]);
  const { databaseUrl, secret } = app.ctx.config;
  environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
});
afterEach(async () => {
  await workspace.clear();
  await receiver.close();
  await app.close();
});

const args = (...more: string[]) => ["listen", "--forward-to", receiver.url, ...more];
const listen = (...more: string[]) => workspace.start(args(...more, "--json"), environment);

/** Ends the listener. Returns all that it printed, except its first line. */
async function stop(listener: Started): Promise<Json[]> {
  listener.signal("SIGTERM");
  const { code, stdout, stderr } = await listener.finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [, ...lines] = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

const createCustomer = (name: string) => ok(app.api("POST", "/customers", { email: `${name}@example.com` }));
const rename = (id: string, name: string) => ok(app.manage("PATCH", `/customers/${id}`, { name }));

test("forwards events as they happen, signed, in the order of their resource, with no worker anywhere", async () => {
  const listener = await listen();
  expect(listener.output).toEqual({
    url: receiver.url,
    secret: expect.stringMatching(/^whsec_/),
    organizationId: app.organization.id,
    endpointId: expect.stringMatching(/^whk_/),
    resumed: false,
  });
  const { id } = await createCustomer("ada");
  for (const name of ["Ada", "Ada L.", "Ada Lovelace"]) await rename(id, name);
  await listener.printed(/"sequence":4,/);
  const lines = await stop(listener);
  expect(receiver.story()).toEqual([
    "customer.created 1",
    "customer.updated 2",
    "customer.updated 3",
    "customer.updated 4",
  ]);
  const { data: log } = await ok(app.manage("GET", "/events"));
  expect(receiver.received.map(({ body }) => body)).toEqual(log);
  const webhook = new Webhook(listener.output.secret);
  for (const { text, headers } of receiver.received) webhook.verify(text, headers as Record<string, string>);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toEqual({
    time: expect.any(String),
    createdAt: log[0].createdAt,
    type: "customer.created",
    eventId: log[0].id,
    resourceId: id,
    sequence: 1,
    attempt: 1,
    status: 200,
    error: null,
    durationMs: expect.any(Number),
  });
  // The listener is not an endpoint that others could manage.
  expect((await ok(app.manage("GET", "/webhook-endpoints"))).data).toEqual([]);
});

test("each attempt has the real time at which it was made and signed, not that of the sandbox's clock", async () => {
  await ok(app.manage("PUT", "/sandbox/clock", { now: "2030-01-01T00:00:00Z" }));
  let came = 0;
  receiver.react = () => ((came += 1) === 1 ? 500 : 200);
  const listener = await listen();
  await createCustomer("ada");
  await listener.printed(/"attempt":2,/);
  const lines = await stop(listener);
  expect(lines.map(({ createdAt }) => createdAt)).toEqual(Array(2).fill("2030-01-01T00:00:00.000Z"));
  const signed = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
  expect(lines.map(({ time }) => Math.floor(Date.parse(time) / 1000))).toEqual(signed);
});

test("beside a worker each event comes once", async () => {
  const worker = await workspace.start(["worker", "--json"], environment);
  const listener = await listen();
  for (const name of ["ada", "bob", "eve"]) await createCustomer(name);
  await listener.printed(/(resourceId[^]*){3}/);
  expect(await stop(listener)).toHaveLength(3);
  expect(receiver.received).toHaveLength(3);
  worker.signal("SIGTERM");
  expect((await worker.finished).code).toBe(0);
});

test("a failed event is shown, tried once more and given up; the listener stays", async () => {
  receiver.react = ({ body }) => (body.data.email === "ada@example.com" ? 410 : 200);
  const listener = await workspace.start(args(), environment);
  await listener.printed(/whsec_\S+\n/);
  await createCustomer("ada");
  await listener.printed(
    /customer\.created +cus_\w+ {2}410 {2}\d+ ms {2}failed, one more attempt in 2 s: answered 410\n/,
  );
  await listener.printed(/customer\.created +cus_\w+ {2}410 {2}\d+ ms {2}failed, no further attempt: answered 410\n/);
  await createCustomer("bob");
  await listener.printed(/customer\.created +cus_\w+ {2}200 {2}\d+ ms\n/);
  listener.signal("SIGINT");
  expect(await listener.finished).toMatchObject({ code: 0, stderr: "" });
});

test("an application with another secret is told to take the printed one", async () => {
  const handler = webhooks(`whsec_${Buffer.alloc(32).toString("base64")}`, {});
  const server = createServer((request, response) => handler(request, response, () => undefined));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const listener = await workspace.start(["listen", "--forward-to", url], environment);
  await listener.printed(/whsec_\S+\n/);
  await createCustomer("ada");
  await listener.printed(
    / 400 .*: signature_mismatch\. Start the application with the secret that this command has printed\n/,
  );
  listener.signal("SIGINT");
  expect(await listener.finished).toMatchObject({ code: 0, stderr: "" });
});

test("without a receiver, an event is tried again, said once, and all come in the order of the resource", async () => {
  const listener = await workspace.start(args(), environment);
  await listener.printed(/Secret of the signatures/);
  await receiver.down();
  const { id } = await createCustomer("ada");
  for (const name of ["Ada", "Ada L."]) await rename(id, name);
  await listener.printed(
    /customer\.created +cus_\w+ {2}connection_failed {2}\d+ ms {2}no connection, an attempt every 2 s for 30 s\n/,
  );
  await receiver.up();
  // Connections break before an answer, as those of a program that restarts. They break more often than a failing
  // event may hold back later ones at an endpoint.
  let broken = 0;
  receiver.react = () => ((broken += 1) > 3 ? 200 : "break");
  await listener.printed(/customer\.updated[^]*customer\.updated +cus_\w+ {2}200 {2}\d+ ms\n/);
  listener.signal("SIGINT");
  const { code, stdout, stderr } = await listener.finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.match(/connection_failed/g)).toHaveLength(1);
  const created = "customer.created 1";
  expect(receiver.story()).toEqual([created, created, created, created, "customer.updated 2", "customer.updated 3"]);
});

test("an event committed late is forwarded late: five that began after it don't hide it", async () => {
  const { id } = await createCustomer("slow");
  const listener = await listen();
  const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = app.ctx.db.tx(async (tx) => {
    const customer = (await customers.lock(tx, app.organization.id, id))!;
    await recordCustomer(tx, { ...customer, name: "Slow" }, "customer.updated", customer.updatedAt);
    // PostgreSQL answers this query after it has received the earlier statements.
    await customers.find(tx, app.organization.id, id);
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  for (const name of ["a", "b", "c", "d", "e"]) await createCustomer(name);
  await listener.printed(/(customer\.created[^]*){5}/);
  expect(receiver.story()).toEqual(Array(5).fill("customer.created 1"));
  mayCommit.resolve();
  await slow;
  await listener.printed(/customer\.updated/);
  await stop(listener);
  expect(receiver.received.at(-1)!.body).toMatchObject({
    type: "customer.updated",
    sequence: 2,
    data: { id, name: "Slow" },
  });
  // This event was written first but committed last. A cursor over the log would have passed this event already.
  const { data: log } = await ok(app.manage("GET", "/events"));
  expect(log.map(({ type }: Json) => type)).toEqual([
    "customer.created",
    "customer.updated",
    ...Array(5).fill("customer.created"),
  ]);
});

test("--events: only these", async () => {
  const listener = await listen("--events", " customer.deleted, customer.updated");
  const { id } = await createCustomer("ada");
  await rename(id, "Ada");
  await ok(app.manage("DELETE", `/customers/${id}`));
  await listener.printed(/customer\.deleted/);
  expect((await stop(listener)).map(({ type }) => type)).toEqual(["customer.updated", "customer.deleted"]);
});

const expireStatement = sql(
  "test.expire_listeners",
  "UPDATE webhook_endpoints SET expires_at = statement_timestamp() WHERE kind = 'listener' RETURNING id",
);
const countStatement = sql("test.count_listeners", "SELECT count(*) AS count FROM webhook_endpoints");
const count = async () => (await app.ctx.db.read.query<{ count: number }>(countStatement, []))[0]!.count;

test("started again, it goes on with the events since then; once it has expired, it begins anew", async () => {
  const first = await listen("--events", "customer.updated,customer.created");
  expect(first.output).toMatchObject({ resumed: false });
  expect(await stop(first)).toEqual([]);
  await createCustomer("ada");

  const second = await listen("--events", "customer.created,customer.updated,customer.created");
  expect(second.output).toEqual({ ...first.output, resumed: true });
  await second.printed(/customer\.created/);
  await stop(second);
  const other = await listen("--events", "customer.created");
  expect(other.output).toMatchObject({ resumed: false });
  expect(await stop(other)).toEqual([]);
  expect(await count()).toBe(2);

  await createCustomer("bob");
  await app.runDue();
  await app.ctx.db.tx((tx) => tx.query(expireStatement, []));
  await app.runDue();
  expect(await count()).toBe(0);
  const third = await listen("--events", "customer.created,customer.updated");
  expect(third.output).toMatchObject({ resumed: false });
  expect(third.output.endpointId).not.toBe(first.output.endpointId);
  expect(await stop(third)).toEqual([]);
  expect(receiver.story()).toEqual(["customer.created 1"]);
});

test("a URL is the same listener with the same secret, however it is spelled", async () => {
  const { port } = new URL(receiver.url);
  const first = await workspace.start(["listen", "--forward-to", `HTTP://LOCALHOST:${port}`, "--json"], environment);
  await stop(first);
  const second = await workspace.start(["listen", "--forward-to", `http://localhost:${port}/`, "--json"], environment);
  expect(second.output).toEqual({ ...first.output, url: `http://localhost:${port}/`, resumed: true });
  await stop(second);
});

test("it says which events it sends, and has a line for the secret", async () => {
  for (const line of ["Earlier events are not sent.", "The events since the last run are sent first."]) {
    const listener = await workspace.start(args(), environment);
    await listener.printed(
      new RegExp(`^Billow forwards the events of Test to \\S+\nSecret of the signatures: whsec_\\S+\n${line}\n`),
    );
    listener.signal("SIGTERM");
    expect((await listener.finished).code).toBe(0);
  }
});

test("its secret stays, for any events and after any absence; it is that of one URL of one Organization", async () => {
  const secretOf = async (...more: string[]) =>
    (await workspace.run(["listen", "--print-secret", ...more], environment)).stdout.trim();
  const own = await secretOf("--forward-to", receiver.url);
  expect(await count()).toBe(0);
  for (const events of ["*", "customer.created"]) {
    const listener = await listen("--events", events);
    expect(listener.output.secret).toBe(own);
    await stop(listener);
    await app.ctx.db.tx((tx) => tx.query(expireStatement, []));
    await app.runDue();
  }
  const { organization } = await app.otherOrganization();
  const id = app.organization.id;
  const others = await Promise.all([
    secretOf("--forward-to", receiver.url, "--organization", organization.id),
    secretOf("--forward-to", `${receiver.url}/2`, "--organization", id),
  ]);
  expect(new Set([own, ...others]).size).toBe(3);
});

test("told to stop while a receiver takes its time, it says that it waits, and keeps the answer", async () => {
  const [hasCome, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  receiver.react = () => (hasCome.resolve(), mayAnswer.promise);
  const listener = await workspace.start(args(), environment);
  await createCustomer("ada");
  await hasCome.promise;
  listener.signal("SIGINT");
  await listener.printed(/\n1 request without an answer yet: the command waits \d+ s at most\. /);
  mayAnswer.resolve(204);
  const { code, stdout, stderr } = await listener.finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /Another Ctrl-C ends the command at once\.\n.* customer\.created +cus_\w+ {2}204 {2}\d+ ms\n$/,
  );
});

test("a wrong call", async () => {
  const run = (...more: string[]) => workspace.run(["listen", ...more], environment);
  expect(await run()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^billow: --forward-to is missing\. Usage: node bin\/billow\.mjs listen /),
  });
  for (const url of ["localhost:3000/hook", "ftp://localhost", "hook", "http://me:pass@localhost"]) {
    const stderr = expect.stringMatching(
      /^billow: --forward-to must be a URL such as http:\/\/localhost:3000\/hook\. /,
    );
    expect(await run("--forward-to", url)).toMatchObject({ code: 2, stderr });
  }
  const payed = await run("--forward-to", receiver.url, "--events", "customer.updated,invoice.payed");
  const near = "Did you mean `invoice.paid`? The page /docs/events of your server lists all types.";
  const usage =
    "Usage: node bin/billow.mjs listen --forward-to URL [--events TYPE,TYPE] [--print-secret] " +
    "[--organization ID|NAME] [--json]";
  expect(payed).toEqual({
    code: 2,
    stdout: "",
    stderr: `billow: --events: there is no type "invoice.payed". ${near} ${usage}\n`,
  });
});
