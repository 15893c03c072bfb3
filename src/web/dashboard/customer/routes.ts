import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { isId } from "../../../ids.ts";
import { customerStylesPath } from "../../assets.ts";
import type { PageContext } from "../../environment.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import { notice } from "../components/notice.ts";
import { pager } from "../components/pager.ts";
import { together, type Pages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { customerActions } from "./actions.ts";
import { balanceList } from "./balance.ts";
import { cardList, cardTable, MOST_CARDS, readCards } from "./cards.ts";
import { customerForms, newCustomerPage } from "./forms.ts";
import { createdText, DONE, mailedText } from "./done.ts";
import { emailList } from "./emails/list.ts";
import { emailPages } from "./emails/routes.ts";
import { grantList, grantTable, MOST_GRANTS, readGrants } from "./grants.ts";
import { invoiceList } from "./invoices.ts";
import { refundedNotice } from "./money/refunded-notice.ts";
import { moneyPages } from "./money/routes.ts";
import { nextInvoicePage } from "./next-invoices.ts";
import { besidePage, CUSTOMER, listPart, part, pageDataOf, shownPart, type ListOf, type Scene } from "./part.ts";
import { paymentList } from "./payments.ts";
import { placeOf } from "./place.ts";
import { MOST_SUBSCRIPTIONS, readPlans, subscriptionList, subscriptionTable } from "./subscriptions.ts";
import { details, summary } from "./summary.ts";
import { timelineList } from "./timeline.ts";
import { webhookPart } from "./webhooks.ts";

const PER_PAGE = 50;
const LISTS: readonly ListOf[] = [
  subscriptionList,
  invoiceList,
  paymentList,
  balanceList,
  grantList,
  cardList,
  emailList,
  timelineList,
];

async function readGlance(scene: Scene) {
  const from = (limit: number) => ({ cursor: undefined, limit });
  const [plans, grants, cards] = await Promise.all([
    readPlans(scene, from(MOST_SUBSCRIPTIONS)),
    readGrants(scene, from(MOST_GRANTS)),
    readCards(scene, from(MOST_CARDS)),
  ]);
  return { plans, grants, cards };
}

/** Links to the parts of the page, which is long on a phone. */
function contents(hasWebhooks: boolean): Html {
  const parts = LISTS.flatMap((list) => {
    const webhooks = { name: "webhooks", title: "Webhooks" };
    return list === timelineList && hasWebhooks ? [webhooks, list] : [list];
  });
  const entry = ({ name, title }: { name: string; title: string }) => html`<li><a href="#${name}">${title}</a></li>`;
  return html`<nav class="contents" aria-label="Parts of this page"><ul>${parts.map(entry)}</ul></nav>`;
}

async function story(c: PageContext, scene: Scene): Promise<Html> {
  const { self, customer, zone } = scene;
  const [{ plans, grants, cards }, invoices, payments, balance, emails, webhooks, timeline, refunded] =
    await Promise.all([
      readGlance(scene),
      listPart(scene, invoiceList),
      listPart(scene, paymentList),
      listPart(scene, balanceList),
      listPart(scene, emailList),
      webhookPart(scene),
      listPart(scene, timelineList),
      refundedNotice(scene, c.req.query("refunded")),
    ]);
  const glance = { self, customer, zone, ...plans, ...grants, ...cards };
  const isDeleted = customer.deletedAt !== null;
  const gone = "This Customer is deleted. The documents of the sales stay, and the personal data is erased.";
  const shown = (list: ListOf, body: Html, { next }: { next: string | null }) => shownPart(scene, list, { body, next });
  const own = { created: createdText(self), ...(!isDeleted && { "sign-in-mailed": mailedText(customer) }) };
  const body = html`${doneNotice(c, { ...own, ...DONE })}${refunded}
${isDeleted ? notice("warning", gone) : ""}
<div class="glance">
${part("summary", "At a glance", summary(glance))}
${part("details", "Customer", details(glance))}
</div>
${contents(webhooks !== "")}
${shown(subscriptionList, subscriptionTable(scene, plans.plans), plans)}
${invoices}
${payments}
${balance}
${shown(grantList, grantTable(scene, grants.grants), grants)}
${shown(cardList, cardTable(cards.cards, zone), cards)}
${emails}
${webhooks}
${timeline}`;
  const head = stylesheet(customerStylesPath(scene.ctx));
  const [title, actions] = [nameOf(customer), customerActions(scene)];
  return dashboardPage(scene.visit, { section: "customers", title, head, body, actions });
}

/**
 * `/dashboard/{organizationId}/customers/{customerId}`: the story of a Customer. With `at`, the id of a resource that
 * is too old for the page, the page of its list.
 */
const storyPage: Pages = (_, app, { signedIn }) => {
  app.get(
    CUSTOMER,
    signedIn("read", async (c, visit) => {
      const scene = await pageDataOf(c, visit);
      const elsewhere = await placeOf(scene, LISTS, c.req.query("at"));
      return elsewhere === null ? c.html(await story(c, scene)) : c.redirect(elsewhere, 303);
    }),
  );
};

/** The cursor of a page. `at`: the id of the first row. @throws HTTPException 404 */
function cursorIn(c: PageContext, { cursor: kind }: ListOf): string | undefined {
  const [cursor, at] = [c.req.query("cursor"), c.req.query("at")];
  for (const id of [cursor, at]) if (id !== undefined && !isId(kind, id)) throw new HTTPException(404);
  // A cursor names the row before the page. This text comes directly after the id in the order of ids.
  return at === undefined ? cursor : `${at}~`;
}

/** The page of a list about a Customer, with the older rows. */
const olderPage =
  (list: ListOf): Pages =>
  (_, app, { signedIn }) => {
    app.get(
      `${CUSTOMER}/${list.name}`,
      signedIn("read", async (c, visit) => {
        const scene = await pageDataOf(c, visit);
        const cursor = cursorIn(c, list);
        const { body, next } = await list.read(scene, { cursor, limit: PER_PAGE });
        const { self, customer } = scene;
        const following = next === null ? null : `${self}/${list.name}?cursor=${next}`;
        const first = cursor === undefined ? null : `${self}/${list.name}`;
        const pages = pager({ previous: first, next: following }, { previous: "First page", next: list.older });
        return c.html(besidePage(scene, `${list.title} of ${nameOf(customer)}`, html`${body}${pages}`));
      }),
    );
  };

export const customerPages = together(
  // This path comes before that of a Customer.
  newCustomerPage,
  storyPage,
  ...LISTS.map(olderPage),
  customerForms,
  nextInvoicePage,
  moneyPages,
  emailPages,
);
