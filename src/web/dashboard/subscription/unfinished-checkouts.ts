import { listCheckouts, type ReadCheckout } from "../../../store/checkouts.ts";
import type { CustomerPageData } from "../customer/part.ts";

/** The most open Checkouts of a Customer that are looked through. */
const MOST = 100;

/** The open Checkouts on which the buyer can finish a change of a Subscription, newest first. */
export async function listUnfinished({ ctx, request, customer }: CustomerPageData): Promise<ReadCheckout[]> {
  const query = { customerId: customer.id, status: "open", limit: MOST } as const;
  const open = await listCheckouts(ctx.db.read, request.organization.id, query);
  return open.filter(({ change }) => change !== null);
}
