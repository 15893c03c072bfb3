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
import { balanceList } from "./balance.ts";
import { cardList, cardTable, MOST_CARDS, readCards } from "./cards.ts";
import { customerForms, newCustomerPage } from "./forms.ts";
import { earlierPart, readEarlier } from "./earlier.ts";
import { emailList } from "./emails/list.ts";
import { exportPages } from "./export.ts";
import { grantList, grantTable, MOST_GRANTS, readGrants } from "./grants.ts";
import { invoiceList } from "./invoices.ts";
import { readRefunded, refundedNotice } from "./money/refunded-notice.ts";
import { nextInvoicePage } from "./next-invoices.ts";
import {
  besidePage,
  CUSTOMER,
  listPart,
  part,
  pageDataOf,
  readNewest,
  type ListOf,
  type ReadList,
  type CustomerPageData,
} from "./part.ts";
import { paymentList } from "./payments.ts";
import { MOST_SUBSCRIPTIONS, readPlans, subscriptionList, subscriptionTable } from "./subscriptions.ts";
import { details, summary } from "./summary.ts";
import { timelineList } from "./timeline.ts";
import { readWebhooks, webhookPart } from "./webhooks.ts";
import { creditNotes } from "../../../store/credit-notes.ts";
import { disputes } from "../../../store/disputes.ts";
import { refunds } from "../../../store/refunds.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { allows, type Permission } from "../../../domain/team/role.ts";
import { allowFrame, messageAnswer } from "../../message-frame.ts";
import { EMAIL, emailPage, emailPageDataOf, messageOf } from "./emails/page.ts";
import { sendAgainPages } from "./emails/send-again.ts";
import { adjustPages } from "./money/adjust.ts";
import { settlementPages } from "./money/by-hand.ts";
import { chargePages } from "./money/charge.ts";
import { payOutPages } from "./money/pay-out.ts";
import { refundPages } from "./money/refund.ts";

/** The pages with the forms about a Customer's invoices and balance. */
const moneyPages = together(refundPages, chargePages, settlementPages, adjustPages, payOutPages);

/** `…/customers/{customerId}/emails/{emailId}`: an e-mail as it was sent, with its message in a frame. */
const sentEmailPages: Pages = (_, app, guard) => {
  app.get(
    EMAIL,
    guard.signedIn("read", async (c, request) => {
      const pageData = await emailPageDataOf(c, request);
      allowFrame(c);
      return c.html(emailPage(pageData));
    }),
  );
  app.get(
    `${EMAIL}/message`,
    guard.signedIn("read", async (c, request) => {
      const message = messageOf((await emailPageDataOf(c, request)).email);
      if (message === null) throw new HTTPException(404);
      return messageAnswer(c, message.html);
    }),
  );
};

const emailPages = together(sentEmailPages, sendAgainPages);

/** The operations on a Customer, in the order of the page. */
const ACTIONS: readonly (readonly [page: string, label: string, permission: Permission])[] = [
  ["edit", "Edit", "customers"],
  ["checkout", "Checkout link", "customers"],
  ["subscriptions/new", "New Subscription", "subscriptions"],
  ["portal-link", "Portal link", "customers"],
  ["export", "Export data", "customers"],
  ["delete", "Delete", "customers"],
];

/** The links to the operations on a Customer that the role allows. */
function customerActions({ request, self, customer }: CustomerPageData): Html | undefined {
  const allowed = ACTIONS.filter(([, , permission]) => allows(request.role, permission));
  if (customer.deletedAt !== null || allowed.length === 0) return undefined;
  const style = (page: string) => (page === "delete" ? "button small danger" : "button small other");
  return html`${allowed.map(([page, label]) => html`<a class="${style(page)}" href="${self}/${page}">${label}</a>`)}`;
}

/** The sentence about a new Customer, with the next step. `self`: the path of the Customer's page. */
const createdText = (self: string): Html =>
  html`The Customer has been created. Next, <a href="${self}/checkout">create a Checkout link</a> for the Customer.`;

/** The sentence about a queued sign-in e-mail. */
const mailedText = ({ email }: Customer): Html =>
  html`The e-mail with a sign-in link to <bdi>${email}</bdi> is queued.`;

/** A sentence for each change after which the page of the Customer is shown, by the word in `?done=`. */
const DONE: Readonly<Record<string, string>> = {
  edited: "The Customer has been changed.",
  deleted: "The Customer has been deleted.",
  subscribed: "The Subscription has been created.",
  plan: "The plan has been changed.",
  planned: "The plan will change at the end of the period.",
  kept: "The scheduled change has been canceled.",
  ending: "The Subscription will end with its period.",
  ended: "The Subscription has ended.",
  resumed: "The cancellation has been undone.",
  paused: "The pause is saved.",
  unpaused: "The Subscription goes on without a pause.",
  discounted: "The change of the discount is saved.",
  lengthened: "The trial has been lengthened.",
  voided: "The invoice is void.",
  marked: "The invoice is marked as paid.",
  charged: "The charge succeeded, and the invoice is paid.",
  "charge-sent": "The charge is pending. The list of payments shows the outcome.",
  adjusted: "The balance is adjusted.",
  "paid-out": "The payout is pending. The list of movements shows the outcome.",
  "sent-again": "The e-mail is queued. The list of e-mails on this page shows its state.",
};

/** The row in whose entry a resource stands: refunds, credit notes and disputes stand with their invoice. */
async function rowOf({ ctx, request }: CustomerPageData, id: string): Promise<string | null> {
  const { stale } = ctx.db;
  const { id: organizationId } = request.organization;
  if (isId("rfd", id)) return (await refunds.find(stale, organizationId, id))?.invoiceId ?? null;
  if (isId("crn", id)) return (await creditNotes.find(stale, organizationId, id))?.invoiceId ?? null;
  if (isId("dsp", id)) return (await disputes.find(stale, organizationId, id))?.invoiceId ?? null;
  return id;
}

/**
 * The page of a list on which a resource of the Customer stands; null: the resource stands on the Customer's own page,
 * or is unknown.
 */
async function listPageOf(
  pageData: CustomerPageData,
  lists: readonly ListOf[],
  id: string | undefined,
): Promise<string | null> {
  const row = id === undefined ? null : await rowOf(pageData, id);
  const list = lists.find(({ cursor }) => row !== null && isId(cursor, row));
  if (row === null || list === undefined) return null;
  const { ids } = await list.read(pageData, { cursor: undefined, limit: list.few });
  return ids.includes(row) ? null : `${pageData.self}/${list.name}?at=${row}#${id}`;
}

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

/** Reads all parts of a Customer's page at once. `refundedId`: the invoice of a refund that was just made. */
async function readStory(pageData: CustomerPageData, refundedId: string | undefined) {
  const from = (limit: number) => ({ cursor: undefined, limit });
  const [plans, grants, cards, invoices, payments, balance, emails, webhooks, timeline, refunded, earlier] =
    await Promise.all([
      readPlans(pageData, from(MOST_SUBSCRIPTIONS)),
      readGrants(pageData, from(MOST_GRANTS)),
      readCards(pageData, from(MOST_CARDS)),
      readNewest(pageData, invoiceList),
      readNewest(pageData, paymentList),
      readNewest(pageData, balanceList),
      readNewest(pageData, emailList),
      readWebhooks(pageData),
      readNewest(pageData, timelineList),
      readRefunded(pageData, refundedId),
      readEarlier(pageData),
    ]);
  return { plans, grants, cards, invoices, payments, balance, emails, webhooks, timeline, refunded, earlier };
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

function story(c: PageContext, pageData: CustomerPageData, data: Awaited<ReturnType<typeof readStory>>): Html {
  const { self, customer, zone } = pageData;
  const { plans, grants, cards, webhooks, refunded } = data;
  const glance = { self, customer, zone, ...plans, ...grants, ...cards };
  const isDeleted = customer.deletedAt !== null;
  const gone = "This Customer is deleted. The documents of the sales stay, and the personal data is erased.";
  const read = (list: ListOf, { next, draw }: ReadList) => listPart(pageData, list, { next, body: draw() });
  const shown = (list: ListOf, body: Html, { next }: { next: string | null }) =>
    listPart(pageData, list, { next, body });
  const own = { created: createdText(self), ...(!isDeleted && { "sign-in-mailed": mailedText(customer) }) };
  const body = html`${doneNotice(c, { ...own, ...DONE })}${refunded && refundedNotice(pageData, refunded)}
${isDeleted ? notice("warning", gone) : ""}
<div class="glance">
${part("summary", "At a glance", summary(glance))}
${part("details", "Customer", details(glance))}
</div>
${contents(webhooks !== null)}
${shown(subscriptionList, subscriptionTable(pageData, plans.plans), plans)}
${read(invoiceList, data.invoices)}
${read(paymentList, data.payments)}
${earlierPart(pageData, data.earlier)}
${read(balanceList, data.balance)}
${shown(grantList, grantTable(pageData, grants.grants), grants)}
${shown(cardList, cardTable(cards.cards, zone), cards)}
${read(emailList, data.emails)}
${webhooks && webhookPart(pageData, webhooks)}
${read(timelineList, data.timeline)}`;
  const head = stylesheet(customerStylesPath(pageData.ctx));
  const [title, actions] = [nameOf(customer), customerActions(pageData)];
  return dashboardPage(pageData.request, { section: "customers", title, head, body, actions });
}

/**
 * `/dashboard/{organizationId}/customers/{customerId}`: the story of a Customer. With `at`, the id of a resource that
 * is too old for the page, the page of its list.
 */
const storyPage: Pages = (_, app, { signedIn }) => {
  app.get(
    CUSTOMER,
    signedIn("read", async (c, request) => {
      const pageData = await pageDataOf(c, request);
      const elsewhere = await listPageOf(pageData, LISTS, c.req.query("at"));
      if (elsewhere !== null) return c.redirect(elsewhere, 303);
      return c.html(story(c, pageData, await readStory(pageData, c.req.query("refunded"))));
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

type Rows = Awaited<ReturnType<ListOf["read"]>>;

function drawOlder(pageData: CustomerPageData, list: ListOf, { next, draw }: Rows, isFirst: boolean): Html {
  const { self, customer } = pageData;
  const following = next === null ? null : `${self}/${list.name}?cursor=${next}`;
  const first = isFirst ? null : `${self}/${list.name}`;
  const pages = pager({ previous: first, next: following }, { previous: "First page", next: list.older });
  return besidePage(pageData, `${list.title} of ${nameOf(customer)}`, html`${draw()}${pages}`);
}

/** The page of a list about a Customer, with the older rows. */
const olderPage =
  (list: ListOf): Pages =>
  (_, app, { signedIn }) => {
    app.get(
      `${CUSTOMER}/${list.name}`,
      signedIn("read", async (c, request) => {
        const pageData = await pageDataOf(c, request);
        const cursor = cursorIn(c, list);
        const rows = await list.read(pageData, { cursor, limit: PER_PAGE });
        return c.html(drawOlder(pageData, list, rows, cursor === undefined));
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
  exportPages,
);
