import { note, auditedOrigin } from "../actions/team/audit.ts";
import type { Origin } from "../actions/origin.ts";
import type { Context } from "../context.ts";
import { changedBy, COMMAND } from "../domain/team/audit.ts";

/** The origin of a command's change, with an entry in the Organization's audit log. */
export function commandOrigin<Row>(organizationId: string, operation: string, resourceId: string | null): Origin<Row> {
  return auditedOrigin(organizationId, { actor: COMMAND, operation, resourceId, clientAddress: null });
}

/** As `commandOrigin`, for a resource that the command makes. The entry names the resource and the fields of `body`. */
export function makingOrigin<Row>(organizationId: string, operation: string, body: object): Origin<Row> {
  return auditedOrigin(organizationId, { actor: COMMAND, operation, clientAddress: null, ...changedBy(body) });
}

/** Records a command's change that spans several transactions. A change that may take long is recorded before it. */
export async function noteCommand(
  ctx: Context,
  organizationId: string,
  operation: string,
  resourceId: string | null = null,
): Promise<void> {
  const audited = { actor: COMMAND, operation, resourceId, clientAddress: null };
  await ctx.db.tx(async (tx) => note(tx, organizationId, audited));
}
