import type { AuditedOperation } from "../../domain/team/audit.ts";
import type { Tx } from "../../store/driver/db.ts";
import { insertOperation } from "../../store/audit-log.ts";
import { membershipsOf } from "../../store/memberships.ts";
import { ownOrigin, type Origin } from "../origin.ts";

/** The caller of a change, and the change. `fields` and `values` are empty by default. */
export type Audited = Pick<AuditedOperation, "actor" | "operation" | "clientAddress"> & Partial<AuditedOperation>;

/** The caller of a change, and the address of the caller's client; null: a command. */
export type By = Pick<AuditedOperation, "actor" | "clientAddress">;

/** Records a change in its transaction. */
export function note(tx: Tx, organizationId: string, audited: Audited): void {
  insertOperation(tx, organizationId, { fields: [], values: {}, resourceId: null, customerId: null, ...audited });
}

/** A person, and the address of the person's browser. */
export type OwnOperation = { userId: string; clientAddress: string };

/** Records a person's change of their own account, in each Organization of the person. */
export async function noteOfPerson(tx: Tx, { userId, clientAddress }: OwnOperation, operation: string): Promise<void> {
  const actor = { type: "user", id: userId } as const;
  for (const { organizationId } of await membershipsOf(tx, userId))
    note(tx, organizationId, { actor, clientAddress, operation, resourceId: userId });
}

type Made = { id?: unknown; key?: { id?: unknown } | null } | null | undefined;

/** The id of a made resource. A new API key comes with its secret, so its id is one level deeper. */
export function madeId(done: unknown): string | null {
  const view = typeof done === "object" && done !== null ? done : {};
  const made = ("row" in view ? view.row : "round" in view ? view.round : done) as Made;
  const id = made?.id ?? made?.key?.id;
  return typeof id === "string" ? id : null;
}

/**
 * The origin of a change without an API request, with an entry in the audit log. A refused change leaves no entry.
 * Without a `resourceId`, the entry names the made resource.
 */
export function auditedOrigin<Row>(organizationId: string, audited: Audited): Origin<Row> {
  return ownOrigin(organizationId, (ctx, work) =>
    ctx.db.tx(async (tx) => {
      const done = await work(tx);
      const isRefused = typeof done === "object" && done !== null && "refusal" in done;
      if (!isRefused) note(tx, organizationId, { resourceId: madeId(done), ...audited });
      return done;
    }),
  );
}
