import type pg from "pg";
import { countMetrics } from "../src/actions/metrics/count.ts";
import { setUp } from "../src/actions/team/set-up.ts";
import { openSession } from "../src/actions/team/sign-in.ts";
import { realNow } from "../src/clock.ts";
import type { Context } from "../src/context.ts";
import { instant } from "../src/domain/calendar.ts";
import { EMAIL_KINDS } from "../src/domain/model/email.ts";
import type { Database, Read, Statement, Tx } from "../src/store/driver/db.ts";
import { createWebApp } from "../src/web/app.ts";
import { explain, type Plan } from "./list-plans.ts";

/** Copies of one Customer's rows, so that the Customer has many. */
const ROWS_OF_CUSTOMER = 10_000;
const COUNT_MILLISECONDS = 10_000;
const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };

const ENVIRONMENT = {
  requestId: "req_bench",
  client: "127.0.0.1",
  clientAddress: "127.0.0.1",
  isLocal: true,
  stopping: new AbortController().signal,
};

const KINDS = `ARRAY[${EMAIL_KINDS.map((kind) => `'${kind}'`).join(", ")}]`;

const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;

/** The logs of an Organization with many rows, and a Customer (`cus_…01`) with many of them. */
export async function addLogs(client: pg.Client, organizationId: string, copies: number): Promise<void> {
  const from = `FROM generate_series(1, ${copies}) n`;
  const copy = (table: string, columns: Record<string, string>) => {
    const changed = Object.entries(columns).map(([column, sql]) => `'${column}', ${sql}`);
    return `INSERT INTO ${table} SELECT r.* FROM ${table} m CROSS JOIN generate_series(1, ${copies}) n
      CROSS JOIN LATERAL json_populate_record(m, json_build_object(${changed.join(", ")})) r
      WHERE m.organization_id = '${organizationId}'
        AND m.id = (SELECT min(id) FROM ${table} WHERE organization_id = '${organizationId}')`;
  };
  const first = `'cus_' || lpad('1', 26, '0')`;
  const own = (column: string) => `CASE WHEN n <= ${ROWS_OF_CUSTOMER} THEN ${first} ELSE ${column} END`;
  const statements = [
    "SET session_replication_role = replica",
    copy("events", { id: idOf("evt"), resource_id: idOf("sub"), sequence: "1" }),
    copy("emails", {
      id: idOf("eml"),
      customer_id: own(idOf("cus")),
      kind: `(${KINDS})[1 + n % ${EMAIL_KINDS.length}]`,
    }),
    copy("benefit_grants", { id: idOf("bgr"), customer_id: own(idOf("cus")), subscription_id: idOf("sub") }),
    `INSERT INTO audit_log (organization_id, id, at, actor_type, actor_id, operation, resource_id, client_address)
      SELECT '${organizationId}', ${idOf("aud")}, now(), 'key', 'key_' || lpad((n % 20)::text, 26, '0'),
        'operation' || n % 30, ${idOf("cus")}, '203.0.113.7' ${from}`,
    `INSERT INTO api_requests (organization_id, id, at, key_id, method, path, status, client_address, duration_ms)
      SELECT '${organizationId}', ${idOf("req")}, now(), 'key_' || lpad((n % 20)::text, 26, '0'), 'GET',
        '/public/v2/customers/{customerId}', 200, '203.0.113.7', 3 ${from}`,
    ...["invoices", "payments", "payment_methods"].map(
      (table) => `UPDATE ${table} SET customer_id = ${first}
        WHERE organization_id = '${organizationId}'
          AND substr(id, length(id) - 25) <= lpad('${ROWS_OF_CUSTOMER}', 26, '0')`,
    ),
    // Counts read an index alone only where VACUUM has noted that all readers see the rows.
    "VACUUM ANALYZE",
  ];
  for (const statement of statements) await client.query(statement);
}

const one = (prefix: string) => `${prefix}_${"1".padStart(26, "0")}`;
const two = (prefix: string) => `${prefix}_${"11000".padStart(26, "0")}`;

/** The pages of an Organization that read its rows. */
const PAGES: Record<string, string> = {
  Overview: "",
  "Overview, 12 months": "?by=month",
  "MRR by Subscription": "/metrics/mrr",
  "Changes of MRR": "/metrics/movements",
  "Recovered payments": "/metrics/recovered",
  Search: "/search?q=Given0001",
  Customers: "/customers",
  Subscriptions: "/subscriptions",
  Invoices: "/invoices",
  Payments: "/payments",
  Refunds: "/refunds",
  Disputes: "/disputes",
  Checkouts: "/checkouts",
  Discounts: "/discounts",
  "One Checkout": `/checkouts/${two("chk")}`,
  "One Customer": `/customers/${two("cus")}`,
  "One Customer with 10,000 rows": `/customers/${one("cus")}`,
  "– invoices": `/customers/${one("cus")}/invoices`,
  "– payments": `/customers/${one("cus")}/payments`,
  "– Subscriptions": `/customers/${one("cus")}/subscriptions`,
  "– access": `/customers/${one("cus")}/access`,
  "– cards": `/customers/${one("cus")}/cards`,
  "– e-mails": `/customers/${one("cus")}/emails`,
  "– balance": `/customers/${one("cus")}/balance`,
  "– timeline": `/customers/${one("cus")}/timeline`,
  Products: "/products",
  Benefits: "/benefits",
  "API keys": "/developers/keys",
  Webhooks: "/developers/webhooks",
  Events: "/developers/events",
  Requests: "/developers/requests",
  Settings: "/settings",
  "E-mail settings": "/settings/emails",
  "Tax rates": "/settings/taxes",
  Team: "/team",
  "Audit log": "/audit-log",
  Sandbox: "/sandbox",
};

export type TimedPage = { name: string; milliseconds: number; plans: Plan[] };

/** A Context whose reads are noted. */
function watched(ctx: Context, note: (statement: Statement, values: unknown[]) => void): Context {
  const noting = <T extends Pick<Tx | Read, "query">>(inner: T): T => ({
    ...inner,
    query: (statement: Statement, values: unknown[] = []) => (note(statement, values), inner.query(statement, values)),
  });
  const db: Database = {
    ...ctx.db,
    read: noting(ctx.db.read),
    snapshot: (work, most) => ctx.db.snapshot((snapshot) => work(noting(snapshot)), most),
  };
  return { ...ctx, db };
}

/**
 * Opens every page as an owner, and answers the median time of the server with the plans of the statements. The server
 * is called within this process, so no network is in the time.
 */
export async function* timePages(
  ctx: Context,
  client: pg.Client,
  organizationId: string,
  rounds: number,
): AsyncGenerator<TimedPage> {
  const sent = new Map<string, readonly [Statement, unknown[]]>();
  const app = createWebApp(watched(ctx, (statement, values) => sent.set(statement.name, [statement, values])));
  const user = await setUp(ctx, OWNER);
  if (!user) throw new Error("there is a user already");
  // The worker counts the events of Subscriptions within a minute. The pages are timed afterwards.
  while (!(await countMetrics(ctx, organizationId, COUNT_MILLISECONDS)).isComplete);
  const confirmedAt = instant(realNow());
  const cookie = `billow_dashboard=${await openSession(ctx, user.id, { former: null, confirmedAt })}`;
  for (const [name, path] of Object.entries(PAGES)) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      sent.clear();
      const began = performance.now();
      const answer = await app.request(
        `/dashboard/${organizationId}${path}`,
        { headers: { Cookie: cookie } },
        ENVIRONMENT,
      );
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answers with ${answer.status}`);
      times.push(performance.now() - began);
    }
    const plans: Plan[] = [];
    for (const [statement, values] of sent.values()) plans.push(await explain(client, statement, values));
    // The first call plans the statements.
    const sorted = times.slice(1).sort((a, b) => a - b);
    yield { name, milliseconds: sorted[Math.floor(rounds / 2)]!, plans };
  }
}
