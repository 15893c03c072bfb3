import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { joinEmbeddedPostgres } from "../../src/postgres/embedded.ts";
import { openDatabase, sql } from "../../src/store/db.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { startService, type Service } from "../crash/service.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";

/** The first time that each event came, in the order of their coming. */
function firstTimes({ received }: Receiver): Json[] {
  const seen = new Set<string>();
  return received.map(({ body }) => body).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Every event of the log came; those of a resource in their order, and none came that never was. */
function expectAll(receiver: Receiver, log: Json[]): void {
  const came = firstTimes(receiver);
  expect(came.map(({ id }) => id).toSorted()).toEqual(log.map(({ id }) => id).toSorted());
  for (const [resource, events] of Map.groupBy(came, ({ data }) => data.id as string)) {
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences, resource).toEqual(sequences.toSorted((one, other) => one - other));
  }
}

describe("a storm", () => {
  const [CUSTOMERS, CHANGES] = [40, 4];
  let app: TestApp;
  let fast: Receiver;
  let others: Receiver[];

  beforeAll(async () => {
    [app, fast, ...others] = (await Promise.all([startTestApp(), ...Array.from({ length: 4 }, startReceiver)])) as [
      TestApp,
      Receiver,
      ...Receiver[],
    ];
    others[0]!.react = () => "hang";
    others[1]!.react = () => 500;
    others[2]!.react = () => ({ status: 307, headers: { Location: fast.url } });
    for (const { url } of [...others, fast]) expect((await app.manage("POST", "/webhook-endpoints", { url })).status).toBe(201);
  });
  afterAll(async () => {
    await Promise.all([fast, ...others].map((each) => each.close()));
    await app.close();
  });

  const logStatement = sql("test.log", `SELECT id FROM events`);

  it("reaches the one that answers, whole and in order, whatever the others do", async () => {
    const workers = [startWorker(app.ctx), startWorker(app.ctx)];
    const live = async (n: number) => {
      const { body } = await app.api("POST", "/customers", { email: `storm-${n}@example.com` });
      for (let change = 1; change <= CHANGES; change++) await app.manage("PATCH", `/customers/${body.id}`, { name: `Name ${change}` });
    };
    const numbers = Array.from({ length: CUSTOMERS }, (_, n) => n);
    for (let first = 0; first < CUSTOMERS; first += 8) await Promise.all(numbers.slice(first, first + 8).map(live));
    const log = await app.ctx.db.read.query<Json>(logStatement);
    expect(log).toHaveLength(CUSTOMERS * (1 + CHANGES));
    while (firstTimes(fast).length < log.length) await sleep(20);
    // They would wait for who hangs until it has had its 15 seconds.
    const stopping = workers.map((worker) => worker.stop());
    await others[0]!.close();
    await Promise.all(stopping);
    expectAll(fast, log);
    const tried = others.map((other) => new Set(other.received.map(({ body }) => body.data.id)).size);
    expect(tried.every((resources) => resources > 0)).toBe(true);
    expect(others[1]!.received.length + others[2]!.received.length).toBeGreaterThan(CUSTOMERS);
    others[0] = await startReceiver();
  });
});

const freeStatement = sql(
  "test.free_claims",
  "UPDATE webhook_deliveries SET attempt_at = clock_timestamp() WHERE attempt_at > clock_timestamp() RETURNING id",
);
/** As if the 40 seconds had passed that the dead one's claims hold. */
async function freeClaims({ place }: Service): Promise<number> {
  const postgres = await joinEmbeddedPostgres({ dataDir: join(place.directory, ".billow"), log: () => undefined });
  const db = openDatabase(postgres.connection);
  try {
    return (await db.tx((tx) => tx.query(freeStatement))).length;
  } finally {
    await db.end();
    await postgres.leave();
  }
}

describe("a server that is killed with deliveries under way", () => {
  const EVENTS = 60;
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => void ([service, receiver] = await Promise.all([startService(), startReceiver()])));
  afterAll(async () => {
    await receiver.close();
    await service.close();
  });

  test("loses none of them", async () => {
    let came = 0;
    receiver.react = () => ((came += 1) > 8 ? "hang" : 200);
    await service.serve(0);
    const made = await service.call({ surface: "manage", method: "POST", path: "/webhook-endpoints", body: { url: receiver.url } });
    expect(made!.status).toBe(201);
    const register = (n: number) =>
      service.call({ surface: "public", method: "POST", path: "/customers", body: { email: `lost-${n}@example.com` } });
    await Promise.all(Array.from({ length: EVENTS }, (_, n) => register(n)));
    while (came < 12) await sleep(5);
    await service.kill(["server"]);
    receiver.react = () => 200;
    await service.recover();
    const log: Json[] = (await service.look("/events?type=customer.created&limit=100")).data;
    expect(log).toHaveLength(EVENTS);
    expect(await freeClaims(service)).toBeGreaterThan(0);
    while (firstTimes(receiver).length < EVENTS) await sleep(20);
    expectAll(receiver, log);
  });
});
