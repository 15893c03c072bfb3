import { hash } from "node:crypto";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { readIds, Routes } from "../../src/http/routes.ts";
import { surfacesOf } from "../../src/http/surfaces.ts";
import { check, checkQuery } from "../../src/http/validation.ts";
import { newId } from "../../src/ids.ts";
import { sql } from "../../src/store/driver/db.ts";
import { SWEEPS } from "../../src/worker/schedule.ts";
import type { Json } from "../support/app.ts";
import { ProviderFailed } from "./faults.ts";
import { answered } from "../support/answered.ts";
import { moved } from "../support/sql-instants.ts";

const fail = (key: string, error: unknown): never => {
  throw new Error(`due work of ${key} failed`, { cause: error });
};

export type Reply = { status: number; body: Json };
export type Request = { method: string; path: string; body?: object; key?: string };

const routes = new Routes(surfacesOf({ publicBasePaths: ["/public/v2"] }));

// Rows become due in the order of their creation, so that every run of a history finds the same order.
const BY_PLACE = moved("statement_timestamp()", "- interval '1 hour' + due.place * interval '1 millisecond'");
const due = (table: string) =>
  sql(
    `test.simulation_due_${table}`,
    `UPDATE ${table} SET check_at = ${BY_PLACE}
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM ${table}
     WHERE organization_id = $1 AND check_at IS NOT NULL) AS due
     WHERE ${table}.organization_id = $1 AND ${table}.id = due.id`,
  );
const dueStatements = [due("payments"), due("refunds"), due("provider_notices")];
const strandClockStatement = sql(
  "test.simulation_strand_clock",
  `UPDATE organizations SET clock_lease_until = statement_timestamp() - interval '1 hour'
    WHERE id = $1 AND clock_target IS NOT NULL`,
);
const restlessStatement = sql(
  "test.simulation_restless",
  `SELECT count(*) FILTER (WHERE unsettled) AS unsettled FROM (
     SELECT status IN ('pending', 'unknown') OR abandoned AS unsettled FROM payments
     WHERE organization_id = $1 AND settled_at IS NULL
     UNION ALL SELECT true FROM refunds WHERE organization_id = $1 AND settled_at IS NULL
     UNION ALL SELECT true FROM provider_notices WHERE organization_id = $1 AND check_at IS NOT NULL
     UNION ALL SELECT false FROM products WHERE organization_id = $1 AND sync_at IS NOT NULL
     UNION ALL SELECT false FROM benefits WHERE organization_id = $1 AND sync_at IS NOT NULL
     UNION ALL SELECT false FROM price_changes WHERE organization_id = $1 AND sync_at IS NOT NULL
     UNION ALL SELECT false FROM organizations WHERE id = $1 AND clock_target IS NOT NULL
   ) AS waiting HAVING count(*) > 0`,
);
const challengesStatement = sql(
  "test.simulation_challenges",
  `SELECT action_url AS url, source_id AS "sourceId", customer_id AS "customerId" FROM payments
   WHERE organization_id = $1 AND customer_id = $2 AND status = 'requires_action' ORDER BY id`,
);

/** A buyer is asked to act at the address: on a page of the bank or the provider. */
export type Challenge = { url: string; sourceId: string; customerId: string };

/**
 * One sandbox of the real Billow, in this process. Requests call the endpoints directly, without sockets and API
 * keys.
 */
export type World = {
  ctx: Context;
  organizationId: string;
  /** `by` is the process that answers; it may have a fault. @throws Died, and any error that is not an answer. */
  call(request: Request, by?: Context): Promise<Reply>;
  /** Does the work of a worker that starts: all that is due, and all that a dead process left behind. */
  settle(): Promise<void>;
  /** A Customer's waiting challenges, oldest first. */
  challenges(customerId: string): Promise<Challenge[]>;
};

async function answer(ctx: Context, organizationId: string, { method, path, body, key }: Request): Promise<Reply> {
  const [pathname, search = ""] = path.split("?") as [string, string?];
  const match = routes.find(pathname);
  const endpoint = match?.route.operations.get(method);
  const params = match && readIds(match);
  if (!endpoint || !params) throw new Error(`there is no ${method} ${path}`);
  const text = body === undefined ? "" : JSON.stringify(body);
  const input = endpoint.body ? check(endpoint.body, body ?? {}, "body") : { value: undefined, faults: [] };
  const query = checkQuery(endpoint.query, search);
  const faults = [...input.faults, ...query.faults];
  if (faults.length > 0) throw new AppError("validation_failed", { errors: faults });
  const bodyDigest = hash("sha256", text, "buffer");
  const idempotency = key === undefined ? null : { organizationId, key, method, path: match.path, bodyDigest };
  const given = await endpoint.handle(ctx, {
    call: { organizationId, requestId: newId("req"), idempotency, audit: null },
    keyId: newId("key"),
    params,
    query: query.value,
    body: input.value,
    checkVersion: () => undefined,
  });
  return { status: given.status, body: given.body === "" ? null : JSON.parse(String(given.body)) };
}

/** Idempotency-Keys expire by real time, which does not pass in a simulation. */
const DUE_SWEEPS = SWEEPS.filter(({ name }) => name !== "idempotency");

/** Runs the sweeps one after the other, so that every run is the same. A failure is thrown instead of logged. */
async function sweep(ctx: Context): Promise<void> {
  for (let done = 1; done > 0;) {
    done = 0;
    for (const { find } of DUE_SWEEPS) {
      for (const item of await find(ctx)) {
        const some = await item.run(fail);
        done += some;
      }
    }
  }
}

/** `arrive`: brings the news of the provider before each round of a worker, and answers whether more will follow. */
export function createWorld(ctx: Context, organizationId: string, arrive: () => Promise<boolean>): World {
  return {
    ctx,
    organizationId,
    async call(request, by = ctx) {
      try {
        return await answer(by, organizationId, request);
      } catch (error) {
        if (error instanceof ProviderFailed) return { status: 500, body: { code: "internal_error" } };
        const problem = answered(error);
        if (!(problem instanceof AppError)) throw error;
        const { errors = [], extra } = problem.parts;
        return { status: problem.status, body: { code: problem.code, errors, ...extra } };
      }
    },
    async settle() {
      const look = () => ctx.db.read.query<{ unsettled: number }>(restlessStatement, [organizationId]);
      // Each round asks again for unknown outcomes. Invoices are charged one after the other, and a Customer may owe
      // a hundred daily ones.
      for (let times = 0, isLeft = true; isLeft; times++) {
        if (times > 200) throw new Error("a payment or refund is not settled");
        const goesOn = await arrive();
        if ((await look()).length === 0) return;
        await ctx.db.tx(async (tx) => {
          for (const statement of dueStatements) await tx.query(statement, [organizationId]);
          await tx.query(strandClockStatement, [organizationId]);
        });
        await sweep(ctx);
        isLeft = goesOn || (await look()).some(({ unsettled }) => unsettled > 0);
      }
    },
    async challenges(customerId) {
      return ctx.db.read.query<Challenge>(challengesStatement, [organizationId, customerId]);
    },
  };
}
