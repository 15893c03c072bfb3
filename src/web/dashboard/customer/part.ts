import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../../context.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { isId } from "../../../ids.ts";
import { customers } from "../../../store/customers.ts";
import type { PageContext } from "../../environment.ts";
import { customerStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { customerPath, nameOf } from "../lists/customer-cell.ts";
import { ROOT, type DashboardRequest } from "../request.ts";

/** The path of the page of a Customer. */
export const CUSTOMER = `${ROOT}/customers/:customerId`;

/** A request about one Customer. `self`: the path of the Customer's page. `zone`: the Organization's time zone. */
export type CustomerPageData = {
  ctx: Context;
  request: DashboardRequest;
  customer: Customer;
  self: string;
  zone: string;
};

/** @throws HTTPException 404 unless the Organization has the Customer of the path */
export async function pageDataOf(c: PageContext, request: DashboardRequest): Promise<CustomerPageData> {
  const { ctx, organization, self } = request;
  const id = c.req.param("customerId") ?? "";
  const customer = isId("cus", id) ? await customers.find(ctx.db.read, organization.id, id) : null;
  if (!customer) throw new HTTPException(404);
  return { ctx, request, customer, self: customerPath(self, id), zone: organization.timeZone };
}

/**
 * A page of a list about a Customer. `ids`: those of its rows. `next`: the cursor of the next page; null: this page is
 * the last one. `data`: all that the rows show.
 */
type Listed<Data> = { ids: readonly string[]; next: string | null; data: Data };
/** A page of a list that is read, and draws itself without a further read. */
export type ReadList = Omit<Listed<unknown>, "data"> & { draw(): Html };

/** As `pageDataOf`, for forms. @throws HTTPException 404 also for a deleted Customer */
export async function livingPageDataOf(c: PageContext, request: DashboardRequest): Promise<CustomerPageData> {
  const pageData = await pageDataOf(c, request);
  if (pageData.customer.deletedAt !== null) throw new HTTPException(404);
  return pageData;
}

/** A page beside the Customer's own, such as one with a form. */
export function besidePage({ request, self, customer }: CustomerPageData, title: string, body: Html): Html {
  const back = html`<p class="back"><a href="${self}">Back to <bdi>${nameOf(customer)}</bdi></a></p>`;
  const head = stylesheet(customerStylesPath(request.ctx));
  return dashboardPage(request, { section: "customers", title, head, body: html`${back}${body}` });
}

/** The effects of a change, one below the other. */
export const effects = (each: readonly (Html | string)[]): Html =>
  html`<ul class="effects">${each.map((one) => html`<li>${one}</li>`)}</ul>`;

/** The rows of a list that are wanted. `cursor` undefined: from the newest row on. */
export type PageRequest = { cursor: string | undefined; limit: number };

/** A list about a Customer: a part of the Customer's page, and a page of its own for the older rows. */
export type ListOf = {
  /** The name in the path, and the id of the heading. */
  name: "access" | "balance" | "cards" | "emails" | "invoices" | "payments" | "subscriptions" | "timeline";
  title: string;
  /** The kind of id of a cursor. */
  cursor: "bal" | "bgr" | "eml" | "evt" | "inv" | "pay" | "pm" | "sub";
  /** The number of rows on the Customer's page. */
  few: number;
  /** The text of the link to the older rows. */
  older: string;
  read(pageData: CustomerPageData, wanted: PageRequest): Promise<ReadList>;
};

/** `read` reads a page with all that its rows show, and `draw` draws the page. */
type ListDescription<Data> = Omit<ListOf, "read"> & {
  read(pageData: CustomerPageData, wanted: PageRequest): Promise<Listed<Data>>;
  draw(pageData: CustomerPageData, data: Data): Html;
};

export function listOf<Data>({ read, draw, ...rest }: ListDescription<Data>): ListOf {
  return {
    ...rest,
    read: async (pageData, wanted) => {
      const { data, ...listed } = await read(pageData, wanted);
      return { ...listed, draw: () => draw(pageData, data) };
    },
  };
}

/** A part of the Customer's page, with a heading that a link can lead to. */
export const part = (name: string, title: string, body: Html): Html => html`<section>
<h2 id="${name}">${title}</h2>
${body}
</section>`;

/** The newest rows of a list. */
export const readNewest = (pageData: CustomerPageData, list: ListOf): Promise<ReadList> =>
  list.read(pageData, { cursor: undefined, limit: list.few });

/** The newest rows of a list, as a part of the Customer's page. */
export function listPart(
  { self }: CustomerPageData,
  list: ListOf,
  { next, body }: { next: string | null; body: Html },
): Html {
  const older = html`<p class="older"><a href="${self}/${list.name}?cursor=${next}">${list.older}</a></p>`;
  return part(list.name, list.title, html`${body}${next === null ? "" : older}`);
}
