import { listCheckouts, type ReadCheckout } from "../../../store/checkouts.ts";
import type { Scene } from "../customer/part.ts";

/** The most open Checkouts of a Customer that are looked through. */
const MOST = 100;

/** The open Checkouts on which the buyer can finish a change of a Subscription, newest first. */
export async function listUnfinished({ ctx, visit, customer }: Scene): Promise<ReadCheckout[]> {
  const query = { customerId: customer.id, status: "open", limit: MOST } as const;
  const open = await listCheckouts(ctx.db.read, visit.organization.id, query);
  return open.filter(({ change }) => change !== null);
}
