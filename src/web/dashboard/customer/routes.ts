import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readProspects } from "../../../actions/subscription/outlook.ts";
import type { Context } from "../../../context.ts";
import { isId } from "../../../ids.ts";
import { listGrants } from "../../../store/benefit-grants.ts";
import { listPaymentMethods } from "../../../store/payment-methods.ts";
import { products } from "../../../store/products.ts";
import { listSubscriptions } from "../../../store/subscriptions.ts";
import { customerStylesPath } from "../../assets.ts";
import type { PageEnvironment } from "../../environment.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import { notice } from "../components/notice.ts";
import { pager } from "../components/pager.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { balanceList } from "./balance.ts";
import { cardTable } from "./cards.ts";
import { EMAILS_DONE } from "./emails/done.ts";
import { emailList } from "./emails/list.ts";
import { emailPages } from "./emails/routes.ts";
import { grantTable } from "./grants.ts";
import { invoiceList } from "./invoices.ts";
import { MONEY_DONE } from "./money/done.ts";
import { moneyPages } from "./money/routes.ts";
import { nextInvoicePage } from "./next-invoices.ts";
import { CUSTOMER, listPart, part, sceneOf, type ListOf, type Scene } from "./part.ts";
import { paymentList } from "./payments.ts";
import { subscriptionTable, type Plan } from "./subscriptions.ts";
import { details, summary, type Glance } from "./summary.ts";
import { timelineList } from "./timeline.ts";
import { webhookPart } from "./webhooks.ts";

/** The most Subscriptions, grants and cards on the page. */
const MOST = 100;
const PER_PAGE = 50;

async function readGlance({ ctx, visit, customer, zone, self }: Scene): Promise<Glance> {
  const { read } = ctx.db;
  const { id: organizationId } = visit.organization;
  const query = { customerId: customer.id, limit: MOST };
  const [subscriptions, grants, cards] = await Promise.all([
    listSubscriptions(read, organizationId, query),
    listGrants(read, organizationId, query),
    listPaymentMethods(read, organizationId, customer.id, query),
  ]);
  const live = subscriptions.filter(({ status }) => status !== "canceled").map(({ id }) => id);
  const [prospects, sold] = await Promise.all([
    customer.deletedAt === null ? readProspects(ctx, organizationId, customer.id, live) : null,
    products.findAll(read, organizationId, [...new Set(subscriptions.map(({ productId }) => productId))]),
  ]);
  const plans = subscriptions.map((subscription): Plan => {
    const outlook = prospects?.outlooks.get(subscription.id);
    return { subscription, product: sold.get(subscription.productId), outlook };
  });
  return { self, customer, zone, plans, prospects, grants, cards };
}

function shownPage({ ctx, visit }: Scene, title: string, body: Html): Html {
  const head = stylesheet(customerStylesPath(ctx));
  return dashboardPage(ctx, visit, { section: "customers", title, head, body });
}

/** `/dashboard/{organizationId}/customers/{customerId}`: the story of a Customer. */
function storyPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    CUSTOMER,
    signedIn("read", async (c, visit) => {
      const scene = await sceneOf(ctx, c, visit);
      const { customer, zone } = scene;
      const [glance, invoices, payments, balance, emails, webhooks, timeline] = await Promise.all([
        readGlance(scene),
        listPart(scene, invoiceList),
        listPart(scene, paymentList),
        listPart(scene, balanceList),
        listPart(scene, emailList),
        webhookPart(scene),
        listPart(scene, timelineList),
      ]);
      const isDeleted = customer.deletedAt !== null;
      const gone = "This Customer is deleted. The documents of the sales stay, and the personal data is blank.";
      const body = html`${doneNotice(c, { ...MONEY_DONE, ...EMAILS_DONE })}${isDeleted ? notice("warning", gone) : ""}
<div class="glance">
${part("summary", "At a glance", summary(glance))}
${part("details", "Customer", details(glance))}
</div>
${part("subscriptions", "Subscriptions", subscriptionTable(glance.plans, zone))}
${invoices}
${payments}
${balance}
${part("access", "Access", grantTable(scene, glance.grants))}
${part("cards", "Cards", cardTable(glance.cards, zone))}
${emails}
${webhooks}
${timeline}`;
      return c.html(shownPage(scene, nameOf(customer), body));
    }),
  );
}

/** The page of a list about a Customer, with the older rows. */
function olderPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor, list: ListOf): void {
  app.get(
    `${CUSTOMER}/${list.name}`,
    signedIn("read", async (c, visit) => {
      const scene = await sceneOf(ctx, c, visit);
      const cursor = c.req.query("cursor");
      if (cursor !== undefined && !isId(list.cursor, cursor)) throw new HTTPException(404);
      const { body, next } = await list.read(scene, { cursor, limit: PER_PAGE });
      const { self, customer } = scene;
      const following = next === null ? null : `${self}/${list.name}?cursor=${next}`;
      const first = cursor === undefined ? null : `${self}/${list.name}`;
      const pages = pager({ previous: first, next: following }, { previous: "First page", next: list.older });
      const back = html`<p class="back"><a href="${self}">Back to <bdi>${nameOf(customer)}</bdi></a></p>`;
      return c.html(shownPage(scene, `${list.title} of ${nameOf(customer)}`, html`${back}${body}${pages}`));
    }),
  );
}

export function customerPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  storyPage(ctx, app, door);
  for (const list of [invoiceList, paymentList, balanceList, emailList, timelineList]) olderPage(ctx, app, door, list);
  nextInvoicePage(ctx, app, door);
  moneyPages(ctx, app, door);
  emailPages(ctx, app, door);
}
