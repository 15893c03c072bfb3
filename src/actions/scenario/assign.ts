import { CreateSubscriptionParams } from "../../resources/subscription.ts";
import { openInvoicesOf } from "../../store/invoices.ts";
import { createSubscription } from "../subscription/create.ts";
import { makeCustomer } from "./customer.ts";
import { makeProduct } from "./product.ts";
import { own, type World } from "./world.ts";

/** Makes a Subscription without a Checkout. Without a card the Subscription is past due at once. */
export async function assign(world: World, more: object = {}): Promise<string> {
  const { ctx, organizationId, made } = world;
  const params = { productId: await makeProduct(world), customerId: await makeCustomer(world), ...more };
  const { subscription } = await createSubscription(ctx, own(world), CreateSubscriptionParams.parse(params));
  const [invoice] = await openInvoicesOf(ctx.db.read, organizationId, subscription.id);
  if (invoice) made["invoiceId"] = invoice.id;
  return (made["subscriptionId"] = subscription.id);
}
