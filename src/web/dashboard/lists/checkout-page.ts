import { unitsFact } from "../subscription/units.ts";
import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { checkoutUrl } from "../../../actions/links.ts";
import { readShownCheckout } from "../../../actions/checkout/read.ts";
import type { Context } from "../../../context.ts";
import { checkoutTotals } from "../../../domain/model/checkout.ts";
import { allows } from "../../../domain/team/role.ts";
import { declineMessage } from "../../../resources/decline-message.ts";
import { statusAt } from "../../../resources/checkout.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import type { ReadCheckout } from "../../../store/checkouts.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { id, money, NONE, time } from "../components/cells.ts";
import { copyableLink } from "../components/copyable.ts";
import { doneNotice } from "../components/done-notice.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { statusBadge } from "../components/status.ts";
import type { DashboardGuard } from "../guard.ts";
import { dashboardPage } from "../frame.ts";
import { ownLabels, ownValueFacts } from "../own-values.ts";
import { numberRange } from "../quantity-range.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { customerLink, customerPath, withCustomers, type OfCustomer } from "./customer-cell.ts";

const CREATED = "The Checkout is ready. Send the link of the page to the buyer. The payment appears on this page.";

/** The quantities among which the buyer may choose; empty: the quantity is fixed. */
function choiceFact({ quantityChange: range }: ReadCheckout): Definition[] {
  return range === null ? [] : [["The buyer can choose", numberRange(range)]];
}

/** The payment link of the Checkout; empty: the seller or a program made the Checkout. */
function linkFact({ self }: DashboardRequest, { paymentLinkId }: ReadCheckout): Definition[] {
  if (paymentLinkId === null) return [];
  return [["Payment link", html`<a href="${self}/payment-links/${paymentLinkId}">${id(paymentLinkId)}</a>`]];
}

function page(request: DashboardRequest, checkout: ReadCheckout & OfCustomer, done: Html | ""): Html {
  const { ctx, organization, self, role } = request;
  const { customer, customerId, currency, invoiceId, subscriptionId, completedAt, lastPaymentError } = checkout;
  const zone = organization.timeZone;
  const { totalAmount, amountDue } = checkoutTotals(checkout);
  const amount = (value: number | null) =>
    value === null ? "Not known until the buyer chooses a country" : money(value, currency);
  const made = (resource: string | null): Html =>
    resource === null || customerId === null
      ? NONE
      : html`<a href="${customerPath(self, customerId, resource)}">${id(resource)}</a>`;
  const status = statusAt(checkout, checkout.now);
  const isOpen = status === "open";
  const url = checkoutUrl(ctx, checkout);
  const isShown = isOpen && allows(role, "customers");
  const body = html`${isOpen ? done : ""}${definitions([
    ["Status", statusBadge("checkout", status)],
    ...(isShown ? [["Page for the buyer", copyableLink(url, "link")] satisfies Definition] : []),
    ["Product", html`<bdi>${checkout.productName}</bdi>, ${rhythmOf(ENGLISH, checkout)}`],
    ...unitsFact(checkout, checkout.unitName),
    ...choiceFact(checkout),
    ...linkFact(request, checkout),
    ["Customer", customerLink(customer, request, checkout.id)],
    ["Total", amount(totalAmount)],
    ["To pay", amount(amountDue)],
    ["Discount", checkout.discount?.code ?? NONE],
    ...(checkout.fields === null ? [] : [["Asks for", ownLabels(checkout.fields)] satisfies Definition]),
    ...ownValueFacts(checkout.fieldAnswers),
    ["Last failure", lastPaymentError ? declineMessage(lastPaymentError.code) : NONE],
    ["Created", time(checkout.createdAt, zone)],
    ["Expires", time(checkout.expiresAt, zone)],
    ["Completed", completedAt === null ? NONE : time(completedAt, zone)],
    ["Subscription", made(subscriptionId)],
    ["Invoice", made(invoiceId)],
    ["Id", id(checkout.id)],
  ])}`;
  const mayPay = isOpen && organization.mode === "sandbox" && allows(role, "sandbox");
  const pay = `${self}/sandbox/checkouts/${checkout.id}/pay`;
  const actions = mayPay ? html`<a class="button small other" href="${pay}">Pay with a test card</a>` : undefined;
  return dashboardPage(request, { section: "checkouts", title: "Checkout", body, actions });
}

/** `/dashboard/{organizationId}/checkouts/{checkoutId}`: a Checkout, also one without a Customer. */
export function checkoutPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/checkouts/:checkoutId`,
    signedIn("read", async (c, request) => {
      const { organization } = request;
      const found = await readShownCheckout(ctx, organization.id, c.req.param("checkoutId") ?? "");
      if (!found) throw new HTTPException(404);
      const [checkout] = await withCustomers(ctx, organization.id, [found]);
      return c.html(page(request, checkout!, doneNotice(c, { created: CREATED })));
    }),
  );
}
