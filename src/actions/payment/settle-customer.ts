import type { Context } from "../../context.ts";
import { unsettledOf } from "../../store/payments.ts";
import { carryOutPayment } from "./carry-out.ts";

/**
 * Settles a Customer's payments, and the payments that their settlement records, one after the other. An outcome that
 * stays unknown is left to the worker.
 */
export async function settleCustomer(ctx: Context, organizationId: string, customerId: string): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const [id] = (await unsettledOf(ctx.db.read, organizationId, customerId)).filter((each) => !asked.has(each));
    if (!id) return;
    asked.add(id);
    await carryOutPayment(ctx, organizationId, id);
  }
}
