import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { creditNoteUrl } from "../../../actions/links.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import type { Invoice } from "../../../domain/model/invoice.ts";
import type { CreditNote } from "../../../domain/model/refund.ts";
import { allows } from "../../../domain/team/role.ts";
import { isId } from "../../../ids.ts";
import { creditNotes } from "../../../store/credit-notes.ts";
import { customers } from "../../../store/customers.ts";
import { invoices } from "../../../store/invoices.ts";
import { customerStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { allowFrame } from "../../message-frame.ts";
import { id as shownId, money, time } from "../components/cells.ts";
import { copyableLink } from "../components/copyable.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import type { Pages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { customerLink, customerPath } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import { CREDIT_NOTE_PAGE, documentFrame } from "./document.ts";
import { creditNotePath, invoicePath } from "./paths.ts";

type PageData = { request: DashboardRequest; note: CreditNote; invoice: Invoice; customer: Customer };

/** @throws HTTPException 404 unless the Organization has this credit note */
async function read(request: DashboardRequest, id: string): Promise<PageData> {
  const { ctx, organization } = request;
  const db = ctx.db.read;
  const note = isId("crn", id) ? await creditNotes.find(db, organization.id, id) : null;
  if (!note) throw new HTTPException(404);
  const [invoice, customer] = await Promise.all([
    invoices.find(db, organization.id, note.invoiceId),
    customers.find(db, organization.id, note.customerId),
  ]);
  return { request, note, invoice: invoice!, customer: customer! };
}

function draw({ request, note, invoice, customer }: PageData): Html {
  const { ctx, organization, self, role } = request;
  const { id, number, currency, refundId, customerId } = note;
  const here = creditNotePath(self, id);
  const url = creditNoteUrl(ctx, note);
  const refund = customerPath(self, customerId, refundId);
  const facts: Definition[] = [
    ["Customer", customerLink(customer, request)],
    ["Invoice", html`<a href="${invoicePath(self, invoice.id)}">${invoice.number}</a>`],
    ["Refund", html`<a href="${refund}">${shownId(refundId)}</a>`],
    ["Total", money(note.totalAmount, currency)],
    ["Of which tax", money(note.taxAmount, currency)],
    ["Created", time(note.createdAt, organization.timeZone)],
    ...(allows(role, "customers") ? [["Page for the buyer", copyableLink(url, "link")] satisfies Definition] : []),
    ["Id", shownId(id)],
  ];
  const body = html`${definitions(facts)}${documentFrame(here, `Credit note ${number}`)}`;
  const actions = html`<a class="button small other" href="${here}/pdf">PDF</a>`;
  const head = stylesheet(customerStylesPath(ctx));
  return dashboardPage(request, { section: "invoices", title: `Credit note ${number}`, head, body, actions });
}

/** `/dashboard/{organizationId}/credit-notes/{creditNoteId}` */
export const creditNotePage: Pages = (_, app, { signedIn }) => {
  app.get(
    CREDIT_NOTE_PAGE,
    signedIn("read", async (c, request) => {
      const pageData = await read(request, c.req.param("creditNoteId") ?? "");
      allowFrame(c);
      return c.html(draw(pageData));
    }),
  );
};
