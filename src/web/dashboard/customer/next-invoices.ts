import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readNextBills } from "../../../actions/subscription/outlook.ts";
import type { Context } from "../../../context.ts";
import type { NextBill } from "../../../domain/subscription/next-bills.ts";
import { products } from "../../../store/products.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { money, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import type { DashboardDoor } from "../door.ts";
import { explainedAmounts } from "./explained.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, sceneOf, type Scene } from "./part.ts";

/** An invoice that is not made yet, in the form of the invoices that are. */
function entry({ zone }: Scene, { subscription, bill }: NextBill, name: string): Html {
  const { invoice, lines } = bill;
  return html`<li><div class="inside">
<h2><bdi>${name}</bdi>, ${time(subscription.currentPeriodEnd, zone)}: ${money(invoice.amountDue, invoice.currency)}</h2>
${explainedAmounts(invoice, lines, zone)}
</div></li>`;
}

async function body(scene: Scene): Promise<Html> {
  const { ctx, visit, customer } = scene;
  const bills = await readNextBills(ctx, visit.organization.id, customer.id);
  if (bills.length === 0) return emptyState("There is no next invoice, because no Subscription renews.");
  const ids = [...new Set(bills.map(({ subscription }) => subscription.productId))];
  const sold = await products.findAll(ctx.db.read, visit.organization.id, ids);
  const nameOf = ({ subscription: { productId } }: NextBill) => sold.get(productId)?.name ?? productId;
  return html`<p class="back">The invoices at the end of the present periods, if no change is made before then.</p>
<ul class="invoices">${bills.map((bill) => entry(scene, bill, nameOf(bill)))}</ul>`;
}

/** `…/customers/{customerId}/next-invoices`: the next invoices, with the explanation of every amount. */
export function nextInvoicePage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    `${CUSTOMER}/next-invoices`,
    signedIn("read", async (c, visit) => {
      const scene = await sceneOf(ctx, c, visit);
      if (scene.customer.deletedAt !== null) throw new HTTPException(404);
      return c.html(deedPage(scene, "Next invoices", await body(scene)));
    }),
  );
}
