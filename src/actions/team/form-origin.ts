import { hash } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Tx } from "../../store/driver/db.ts";
import { sqlState } from "../../store/driver/failures.ts";
import * as idempotency from "../../store/idempotency.ts";
import { ownOrigin, type Origin } from "../origin.ts";
import { madeId, note, type Audited } from "./audit.ts";

/**
 * A form of the dashboard. `once`: the hidden key that the page made for one sending. `fields`: the form as it was
 * sent.
 */
export type SentForm = { path: string; once: string; fields: string };

/** The operation of this form was done before. */
export class SentTwice extends Error {}

/**
 * The key of this form belongs to another sending: the fields were changed on a page that was sent before, or the
 * first sending is still in its transaction.
 */
export class SentBefore extends Error {}

const LOCK_NOT_AVAILABLE = "55P03";

/** Claims the form's key in this transaction. @throws SentTwice, SentBefore */
export async function claimForm(tx: Tx, organizationId: string, { path, once, fields }: SentForm): Promise<void> {
  const bodyDigest = hash("sha256", fields, "buffer");
  const wanted = { organizationId, key: `form ${once}`, method: "POST", path, bodyDigest };
  const result = await idempotency.claim(tx, wanted).catch((error: unknown) => {
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? new SentBefore() : error;
  });
  if ("replay" in result) throw new SentTwice();
  if (!("claimed" in result)) throw new SentBefore();
  idempotency.recordAnswer(tx, wanted, { status: 303, headers: {}, body: "" });
}

/**
 * The origin of a change by a form. The transaction of the change also claims the form's key and writes the entry of
 * the audit log. So a form that is sent twice makes one change and one entry. A refused change leaves neither.
 */
export function formOrigin<Row>(organizationId: string, form: SentForm, audited: Audited): Origin<Row> {
  return ownOrigin(organizationId, (ctx: Context, work) =>
    ctx.db.tx(async (tx) => {
      await claimForm(tx, organizationId, form);
      const done = await work(tx);
      const isRefused = typeof done === "object" && done !== null && "refusal" in done;
      if (!isRefused) note(tx, organizationId, { ...audited, resourceId: audited.resourceId ?? madeId(done) });
      return done;
    }),
  );
}
