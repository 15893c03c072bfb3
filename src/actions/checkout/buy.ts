import { hash } from "node:crypto";
import type { Context } from "../../context.ts";
import type { PaymentLink } from "../../domain/model/payment-link.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Tx } from "../../store/driver/db.ts";
import { sqlState } from "../../store/driver/failures.ts";
import * as idempotency from "../../store/idempotency.ts";
import { sellToDescribed } from "./sell-to-described.ts";

const LOCK_NOT_AVAILABLE = "55P03";

/** Claims the click. Returns the Checkout that an earlier sending of the same click made; null: there is none. */
async function claim(tx: Tx, wanted: idempotency.IdempotencyClaim): Promise<string | null> {
  const result = await idempotency.claim(tx, wanted).catch((error: unknown) => {
    // The first sending is still in its transaction.
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? new AppError("unavailable", { headers: RETRY_SOON }) : error;
  });
  if ("claimed" in result) return null;
  if ("replay" in result) return result.replay.body;
  throw new AppError("unavailable", { headers: RETRY_SOON });
}

/**
 * Makes the Checkout of a click on the page of a payment link, as `POST /checkouts` does, and answers its id. `sent`:
 * the form with the key that the page made for it. A form that is sent twice makes one Checkout. Another choice on the
 * same page is another form.
 * @throws Refusal 409, 422
 */
export async function buyThroughLink(
  ctx: Context,
  { organizationId, id }: Pick<PaymentLink, "organizationId" | "id">,
  sent: string,
  params: CreateCheckoutParams,
): Promise<string> {
  const key = `buy ${hash("sha256", sent, "base64url")}`;
  const bodyDigest = hash("sha256", sent, "buffer");
  const wanted = { organizationId, key, method: "POST", path: `/buy/${id}`, bodyDigest };
  return ctx.db.tx(async (tx) => {
    const earlier = await claim(tx, wanted);
    if (earlier !== null) return earlier;
    const { checkout } = await sellToDescribed(ctx, tx, organizationId, { ...params, paymentLinkId: id });
    idempotency.recordAnswer(tx, wanted, { status: 303, headers: {}, body: checkout.id });
    return checkout.id;
  });
}
