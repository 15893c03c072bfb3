import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Read } from "../../src/store/driver/db.ts";
import type { Queue } from "../../src/store/driver/notifier.ts";
import { dueOrganizations, secondsOverdue as emailsOverdue } from "../../src/store/email-queue.ts";
import { readQueueHeads } from "../../src/store/queue-heads.ts";
import {
  dueEndpoints,
  secondsOverdue as webhooksOverdue,
  waitingOrganizations,
} from "../../src/store/webhook-queue.ts";
import { planPoll } from "../../src/worker/poller.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { asDistributed, asReachable } from "../support/distributed.ts";
import { dropChecks, insertRows } from "../support/fillers.ts";

// The sweeps over all Organizations have two texts: one steps through an index, and the other one groups due rows for a
// distributed database (decision 0107). Both must find the same rows. One PostgreSQL runs both.

type Rows = Record<string, readonly Readonly<Record<string, unknown>>[]>;

const HOUR = 3600;
/** An instant, in seconds from now. */
const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const many = (count: number, row: (n: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, n) => row(n));

const organization = (id: string, mode = "live") => ({ id, mode });
const email = (organization_id: string, id: string, attemptAt: number, kind = "receipt") => ({
  organization_id,
  id,
  kind,
  attempt_at: at(attemptAt),
});
const event = (organization_id: string, id: string, isWaiting = true) => ({
  organization_id,
  id,
  resource_id: id,
  dispatch_at: isWaiting ? at(-1) : null,
});
const endpoint = (organization_id: string, id: string, values: object = {}) => ({
  organization_id,
  id,
  kind: "http",
  status: "enabled",
  ...values,
});
const delivery = (organization_id: string, endpoint_id: string, attemptAt: number | null, n = 0) => ({
  organization_id,
  id: `${endpoint_id}-${n}`,
  event_id: `${endpoint_id}-${n}`,
  endpoint_id,
  attempt_at: attemptAt === null ? null : at(attemptAt),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropChecks(database.db);
});
afterAll(() => database.drop());

const ALL = ["a", "b", "c", "d", "e"];

/** Organizations without an own row in `rows` are live ones. */
async function fillWith({ organizations = [], ...rows }: Rows): Promise<void> {
  await database.db.script(`TRUNCATE organizations, emails, events, webhook_endpoints, webhook_deliveries CASCADE`);
  const named = new Set(organizations.map(({ id }) => id));
  const others = ALL.filter((id) => !named.has(id)).map((id) => organization(id));
  await insertRows(database.db, "organizations", [...organizations, ...others]);
  for (const [table, some] of Object.entries(rows)) await insertRows(database.db, table, some);
}

describe.each([
  ["the text that steps through an index", (db: Read) => db],
  ["the text for a distributed database", (db: Read) => asDistributed(db)],
  ["the text for a distributed database, about the Organizations that are given", (db: Read) => asReachable(db, ALL)],
])("%s", (_, access) => {
  const read = () => access(database.db.read);

  describe("finds Organizations with due e-mails", () => {
    const cases: [string, Rows, string[]][] = [
      ["no e-mail", {}, []],
      [
        "a backlog of one Organization hides no other one",
        {
          emails: [
            ...many(2000, (n) => email("b", `b${n}`, -HOUR)),
            email("a", "a1", -1),
            email("c", "c1", -1),
            email("c", "c2", HOUR),
          ],
        },
        ["a", "b", "c"],
      ],
      ["a later one", { emails: [email("a", "a1", HOUR)] }, []],
      [
        "a held kind does not count, and hides no other e-mail",
        {
          emails: [email("a", "a1", -1, "team_password"), email("b", "b1", -2, "team_password"), email("b", "b2", -1)],
        },
        ["b"],
      ],
    ];
    test.each(cases)("%s", async (__, rows, ids) => {
      await fillWith(rows);
      const found = await dueOrganizations(read(), ["team_password"]);
      expect(found.map(({ organizationId }) => organizationId).toSorted()).toEqual(ids);
    });

    test("with their modes, and every kind if none is held", async () => {
      await fillWith({
        organizations: [organization("a", "sandbox")],
        emails: [email("a", "a1", -1), email("b", "b1", -1, "team_password")],
      });
      const found = await dueOrganizations(read(), []);
      expect(new Map(found.map(({ organizationId, mode }) => [organizationId, mode]))).toEqual(
        new Map([
          ["a", "sandbox"],
          ["b", "live"],
        ]),
      );
    });
  });

  describe("finds Organizations with events to be spread", () => {
    const events = [
      ...many(500, (n) => event("a", `a${n}`)),
      event("b", "b1", false),
      ...["c", "d", "e"].flatMap((id) => many(3, (n) => event(id, `${id}${n}`))),
    ];
    test.each<[string, string, number, string[]]>([
      ["each once, in the order of their ids", "", 100, ["a", "c", "d", "e"]],
      ["no more than asked for", "", 2, ["a", "c"]],
      ["after an id", "a", 2, ["c", "d"]],
      ["after an id without events", "b", 100, ["c", "d", "e"]],
      ["after the last one", "e", 100, []],
    ])("%s", async (__, after, limit, ids) => {
      await fillWith({ events });
      expect(await waitingOrganizations(read(), after, limit)).toEqual(ids);
    });
  });

  describe("finds endpoints with due deliveries", () => {
    const cases: [string, Rows, string[]][] = [
      ["no delivery", { webhook_endpoints: [endpoint("a", "a1")] }, []],
      [
        "the endpoint that has waited longest comes first, and a backlog hides no other endpoint",
        {
          webhook_endpoints: [endpoint("a", "a1"), endpoint("a", "a2"), endpoint("b", "b1"), endpoint("b", "b2")],
          webhook_deliveries: [
            ...many(2000, (n) => delivery("a", "a1", -HOUR - n, n)),
            delivery("a", "a2", -1),
            delivery("b", "b1", -2 * HOUR),
            delivery("b", "b1", HOUR, 1),
            delivery("b", "b2", -HOUR / 2),
          ],
        },
        ["b1", "a1", "b2", "a2"],
      ],
      [
        "later and settled deliveries do not count",
        {
          webhook_endpoints: [endpoint("a", "a1"), endpoint("b", "b1")],
          webhook_deliveries: [delivery("a", "a1", HOUR), delivery("b", "b1", null)],
        },
        [],
      ],
      [
        "an endpoint of another Organization with the same id is another one",
        {
          webhook_endpoints: [endpoint("a", "same", { status: "disabled" }), endpoint("b", "same")],
          webhook_deliveries: [delivery("a", "same", -HOUR), delivery("b", "same", -1)],
        },
        ["same"],
      ],
      [
        "an endpoint that can't be sent to is not tried",
        {
          webhook_endpoints: [
            endpoint("a", "disabled", { status: "disabled" }),
            endpoint("a", "deleted", { deleted_at: at(-1) }),
            endpoint("a", "skipping", { skip_until: at(-1) }),
            endpoint("a", "paused", { paused_until: at(HOUR) }),
            endpoint("a", "listener", { kind: "listener" }),
            endpoint("a", "rested", { paused_until: at(-1) }),
          ],
          webhook_deliveries: ["disabled", "deleted", "skipping", "paused", "listener", "rested"].map((id) =>
            delivery("a", id, -HOUR),
          ),
        },
        ["rested"],
      ],
    ];
    test.each(cases)("%s", async (__, rows, ids) => {
      await fillWith({ organizations: [organization("a", "sandbox")], ...rows });
      const found = await dueEndpoints(read());
      expect(found.map(({ id }) => id)).toEqual(ids);
      for (const { organizationId, mode } of found) expect(mode).toBe(organizationId === "a" ? "sandbox" : "live");
    });
  });

  describe("tells for how long", () => {
    test("0, if no row is due", async () => {
      await fillWith({
        emails: [email("a", "a1", HOUR)],
        webhook_endpoints: [endpoint("a", "a1", { status: "disabled" })],
        webhook_deliveries: [delivery("a", "a1", -HOUR)],
      });
      expect([await emailsOverdue(read()), await webhooksOverdue(read())]).toEqual([0, 0]);
    });

    test("the first one of all Organizations has been due", async () => {
      await fillWith({
        emails: [email("a", "a1", -HOUR), email("b", "b1", -2 * HOUR)],
        webhook_endpoints: [endpoint("a", "a1"), endpoint("b", "b1", { status: "disabled" })],
        webhook_deliveries: [delivery("a", "a1", -HOUR), delivery("a", "a1", -1, 1), delivery("b", "b1", -9 * HOUR)],
      });
      const hours = [await emailsOverdue(read()), await webhooksOverdue(read())].map((some) => Math.floor(some / HOUR));
      expect(hours).toEqual([2, 1]);
    });
  });

  describe("tells which queues have due rows", () => {
    const due: [Queue, Rows][] = [
      ["payments", { payments: [{ organization_id: "a", check_at: at(-1) }] }],
      ["refunds", { refunds: [{ organization_id: "a", check_at: at(-1) }] }],
      ["subscriptions", { subscriptions: [{ organization_id: "a", due_at: at(-1) }] }],
      ["cards", { payment_methods: [{ organization_id: "a", due_at: at(-1) }] }],
      ["checkouts", { checkouts: [{ organization_id: "a", due_at: at(-1) }] }],
      ["products", { products: [{ organization_id: "a", sync_at: at(-1) }] }],
      ["benefits", { benefits: [{ organization_id: "a", sync_at: at(-1) }] }],
      ["skips", { webhook_endpoints: [endpoint("a", "a1", { skip_until: at(-1) })] }],
      ["redeliveries", { webhook_redeliveries: [{ organization_id: "a" }] }],
      ["sign-ins", { portal_requests: [{ organization_id: "a", asked_at: at(-1) }] }],
      ["clocks", { organizations: [{ id: "a", clock_target: at(HOUR), clock_lease_until: at(-1) }] }],
      ["fills", { sandbox_fills: [{ organization_id: "a", lease_until: at(-1) }] }],
      ["notices", { provider_notices: [{ organization_id: "a", check_at: at(-1) }] }],
      ["forgotten", { customers: [{ organization_id: "a", forget_at: at(-1) }] }],
      ["polls", { provider_connections: [{ organization_id: "a", poll_at: at(-1) }] }],
      ["provider-books", { provider_book_imports: [{ organization_id: "a", import_at: at(-1) }] }],
      ["metrics", { metric_progress: [{ organization_id: "a", due_at: at(-1) }] }],
      ["events", { events: [event("a", "a1")] }],
      ["deliveries", { webhook_endpoints: [endpoint("a", "a1")], webhook_deliveries: [delivery("a", "a1", -1)] }],
      ["emails", { emails: [email("a", "a1", -1)] }],
      ["emails", { emails: [{ organization_id: "a", file_at: at(-1) }] }],
    ];
    const dueOf = async () => planPoll(await readQueueHeads(read()), 250).due;
    test.each(due)("%s", async (queue, rows) => {
      await fillWith(rows);
      try {
        expect(await dueOf()).toEqual([queue]);
      } finally {
        for (const table of Object.keys(rows)) await database.db.script(`DELETE FROM ${table}`);
      }
    });

    test("no row, and rows of rows that wait for other things", async () => {
      await fillWith({
        emails: [email("a", "a1", HOUR)],
        events: [event("a", "a1", false)],
        webhook_endpoints: [endpoint("a", "a1", { status: "disabled" }), endpoint("a", "a2")],
        webhook_deliveries: [delivery("a", "a1", -1), delivery("a", "a2", HOUR)],
      });
      expect(await dueOf()).toEqual([]);
    });

    test("a row that is due within a second, with the time until then", async () => {
      await fillWith({ emails: [email("a", "a1", 0.9), email("b", "b1", 0.8)] });
      expect((await readQueueHeads(read())).get("emails")).toBeLessThanOrEqual(800);
    });
  });
});

test("other Organizations than the given ones are left out, each row of theirs", async () => {
  await fillWith({
    emails: [email("a", "a1", -1), email("b", "b1", -1)],
    events: [event("a", "a1"), event("b", "b1"), event("c", "c1")],
    webhook_endpoints: [endpoint("a", "a1"), endpoint("b", "b1")],
    webhook_deliveries: [delivery("a", "a1", -1), delivery("b", "b1", -1)],
  });
  const read = asReachable(database.db.read, ["b", "c"]);
  expect((await dueOrganizations(read, [])).map(({ organizationId }) => organizationId)).toEqual(["b"]);
  expect(await waitingOrganizations(read, "", 100)).toEqual(["b", "c"]);
  expect((await dueEndpoints(read)).map(({ id }) => id)).toEqual(["b1"]);
  const none = asReachable(database.db.read, ["d"]);
  expect(planPoll(await readQueueHeads(none), 250).due).toEqual([]);
});
