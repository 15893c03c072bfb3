import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { checkoutUrl } from "../../../actions/links.ts";
import { readShownCheckout } from "../../../actions/checkout/read.ts";
import type { Context } from "../../../context.ts";
import { checkoutTotals } from "../../../domain/model/checkout.ts";
import { allows } from "../../../domain/team/role.ts";
import { statusAt } from "../../../resources/checkout.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { id, money, NONE, time } from "../components/cells.ts";
import { doneNotice } from "../components/done-notice.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { statusBadge } from "../components/status.ts";
import type { DashboardGuard } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { ROOT } from "../request.ts";
import { customerLink, customerPath, withCustomers } from "./customer-cell.ts";

const CREATED = "The Checkout is ready. Send the link of the page to the buyer. The payment appears on this page.";

/** `/dashboard/{organizationId}/checkouts/{checkoutId}`: a Checkout, also one without a Customer. */
export function checkoutPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/checkouts/:checkoutId`,
    signedIn("read", async (c, visit) => {
      const { organization, self, role } = visit;
      const found = await readShownCheckout(ctx, organization.id, c.req.param("checkoutId") ?? "");
      if (!found) throw new HTTPException(404);
      const [checkout] = await withCustomers(ctx, organization.id, [found]);
      const { customer, customerId, currency, invoiceId, subscriptionId, completedAt, lastPaymentError } = checkout!;
      const zone = organization.timeZone;
      const { totalAmount, amountDue } = checkoutTotals(checkout!);
      const amount = (value: number | null) =>
        value === null ? "Not known until the buyer chooses a country" : money(value, currency);
      const made = (resource: string | null): Html =>
        resource === null || customerId === null
          ? NONE
          : html`<a href="${customerPath(self, customerId, resource)}">${id(resource)}</a>`;
      const status = statusAt(checkout!, checkout!.now);
      const url = checkoutUrl(ctx, checkout!);
      const isShown = status === "open" && allows(role, "customers");
      const body = html`${status === "open" ? doneNotice(c, { created: CREATED }) : ""}${definitions([
        ["Status", statusBadge("checkout", status)],
        ...(isShown ? [["Page for the buyer", html`<a href="${url}">${url}</a>`] satisfies Definition] : []),
        ["Product", html`<bdi>${checkout!.productName}</bdi>, ${rhythmOf(ENGLISH, checkout!)}`],
        ["Customer", customerLink(customer, visit, checkout!.id)],
        ["Total", amount(totalAmount)],
        ["To pay", amount(amountDue)],
        ["Discount", checkout!.discount?.code ?? NONE],
        ["Last failure", lastPaymentError?.message ?? NONE],
        ["Created", time(checkout!.createdAt, zone)],
        ["Expires", time(checkout!.expiresAt, zone)],
        ["Completed", completedAt === null ? NONE : time(completedAt, zone)],
        ["Subscription", made(subscriptionId)],
        ["Invoice", made(invoiceId)],
        ["Id", id(checkout!.id)],
      ])}`;
      const isOpen = statusAt(checkout!, checkout!.now) === "open";
      const mayPay = isOpen && organization.mode === "sandbox" && allows(visit.role, "sandbox");
      const pay = `${self}/sandbox/checkouts/${checkout!.id}/pay`;
      const actions = mayPay ? html`<a class="button small other" href="${pay}">Pay with a test card</a>` : undefined;
      return c.html(dashboardPage(visit, { section: "checkouts", title: "Checkout", body, actions }));
    }),
  );
}
