import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { deliverOnce } from "../../src/worker/deliverer.ts";
import { caller, startOwnTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { ok } from "../support/story.ts";

const NAME = "hooks.example.com";

let app: TestApp;
/** A server on this machine without TLS. */
let neighbour: Server;
let connections: number;
let manage: TestCall;
/** The addresses that the name resolves to. */
let addresses: string[];
/** The number of lookups of the name. */
let asked: number;

/** A live Organization with an endpoint of that name, and an event. */
async function begin(allowed: string[]): Promise<void> {
  app = await startOwnTestApp({ webhookAllowedCidrs: allowed });
  [asked, connections] = [0, 0];
  neighbour = createServer(
    (socket) =>
      (connections += 1) &&
      socket
        .on("error", () => undefined)
        .resume()
        .end("no TLS"),
  );
  await once(neighbour.listen(0, "127.0.0.1"), "listening");
  const { keys } = await app.otherOrganization({ mode: "live" });
  manage = caller(`${app.url}/manage/v1`, keys.manage);
  await ok(
    manage("POST", "/webhook-endpoints", { url: `https://${NAME}:${(neighbour.address() as AddressInfo).port}/` }),
  );
  await ok(caller(`${app.url}/public/v2`, keys.public)("POST", "/customers", { email: "ada@example.com" }));
}
afterEach(async () => {
  await once(neighbour.close(), "close");
  await app.close();
});

const dueStatement = sql(
  "test.failed_due",
  "UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE status = 'retrying'",
);

/** Sends due deliveries, and returns the delivery of the event. */
async function send(): Promise<Json> {
  await app.ctx.db.tx(async (tx) => tx.send(dueStatement, []));
  const resolve = async (name: string) => (expect(name).toBe(NAME), (asked += 1), addresses);
  await deliverOnce({ ...app.ctx, webhooks: { ...app.ctx.webhooks, resolve } });
  const [endpoint] = (await ok(manage("GET", "/webhook-endpoints"))).data;
  return (await ok(manage("GET", `/webhook-endpoints/${endpoint.id}/deliveries`))).data[0];
}

describe("a live Organization's endpoint", () => {
  test("with a name that leads to this machine is not connected to", async () => {
    await begin([]);
    addresses = ["127.0.0.1"];
    expect(await send()).toMatchObject({ status: "retrying", attempts: 1, error: "address_not_allowed" });
    addresses = ["93.184.216.34", "127.0.0.1"];
    expect(await send()).toMatchObject({ status: "retrying", attempts: 2, error: "address_not_allowed" });
    expect([asked, connections]).toEqual([2, 0]);
  });

  test("is looked up with each attempt: one that has come to lead elsewhere is not connected to", async () => {
    await begin(["127.0.0.1/32"]);
    addresses = ["127.0.0.1"];
    expect(await send()).toMatchObject({ status: "retrying", attempts: 1, error: "tls_failed" });
    for (const [n, elsewhere] of ["127.0.0.2", "::1", "169.254.169.254"].entries()) {
      addresses = [elsewhere];
      expect(await send()).toMatchObject({ status: "retrying", attempts: 2 + n, error: "address_not_allowed" });
    }
    expect([asked, connections]).toEqual([4, 1]);
  });
});
