import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readNextBills } from "../../../actions/subscription/outlook.ts";
import type { NextBill } from "../../../domain/subscription/next-bills.ts";
import { products } from "../../../store/products.ts";
import type { Html } from "../../layout.ts";
import { money, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import type { Pages } from "../form-action.ts";
import { explainedAmounts } from "./explanation.ts";
import { besidePage, CUSTOMER, pageDataOf, type CustomerPageData } from "./part.ts";

/** An invoice that is not made yet, in the form of the invoices that are. */
function entry({ zone }: CustomerPageData, { at, bill }: NextBill, name: string): Html {
  const { invoice, lines } = bill;
  return html`<li><div class="inside">
<h2><bdi>${name}</bdi>, ${time(at, zone)}: ${money(invoice.amountDue, invoice.currency)}</h2>
${explainedAmounts(invoice, lines, zone)}
</div></li>`;
}

async function load(pageData: CustomerPageData) {
  const { ctx, request, customer } = pageData;
  const bills = await readNextBills(ctx, request.organization.id, customer.id);
  const ids = [...new Set(bills.map(({ subscription }) => subscription.productId))];
  return {
    bills,
    sold: ids.length === 0 ? new Map() : await products.findAll(ctx.db.read, request.organization.id, ids),
  };
}

function page(pageData: CustomerPageData, { bills, sold }: Awaited<ReturnType<typeof load>>): Html {
  const nameOf = ({ subscription: { productId } }: NextBill) => sold.get(productId)?.name ?? productId;
  const body =
    bills.length === 0
      ? emptyState("There is no next invoice, because no Subscription renews by itself.")
      : html`<p class="back">The invoices at the end of the present periods and pauses, if no change comes before.</p>
<ul class="invoices">${bills.map((bill) => entry(pageData, bill, nameOf(bill)))}</ul>`;
  return besidePage(pageData, "Next invoices", body);
}

/** `…/customers/{customerId}/next-invoices`: the next invoices, with the explanation of every amount. */
export const nextInvoicePage: Pages = (_, app, { signedIn }) => {
  app.get(
    `${CUSTOMER}/next-invoices`,
    signedIn("read", async (c, request) => {
      const pageData = await pageDataOf(c, request);
      if (pageData.customer.deletedAt !== null) throw new HTTPException(404);
      return c.html(page(pageData, await load(pageData)));
    }),
  );
};
