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
import { ROOT, type Visit } from "../request.ts";

/** The path of the page of a Customer. */
export const CUSTOMER = `${ROOT}/customers/:customerId`;

/** A visit to one Customer. `self`: the path of the Customer's page. `zone`: the Organization's time zone. */
export type Scene = { ctx: Context; visit: Visit; customer: Customer; self: string; zone: string };

/** @throws HTTPException 404 unless the Organization has the Customer of the path */
export async function pageDataOf(c: PageContext, visit: Visit): Promise<Scene> {
  const { ctx, organization, self } = visit;
  const id = c.req.param("customerId") ?? "";
  const customer = isId("cus", id) ? await customers.find(ctx.db.read, organization.id, id) : null;
  if (!customer) throw new HTTPException(404);
  return { ctx, visit, customer, self: customerPath(self, id), zone: organization.timeZone };
}

/**
 * A page of a list about a Customer. `ids`: those of its rows. `next`: the cursor of the next page; null: this page is
 * the last one.
 */
export type Listed = { ids: readonly string[]; body: Html; next: string | null };

/** As `pageDataOf`, for forms. @throws HTTPException 404 also for a deleted Customer */
export async function livingPageDataOf(c: PageContext, visit: Visit): Promise<Scene> {
  const scene = await pageDataOf(c, visit);
  if (scene.customer.deletedAt !== null) throw new HTTPException(404);
  return scene;
}

/** A page beside the Customer's own, such as one with a form. */
export function besidePage({ visit, self, customer }: Scene, title: string, body: Html): Html {
  const back = html`<p class="back"><a href="${self}">Back to <bdi>${nameOf(customer)}</bdi></a></p>`;
  const head = stylesheet(customerStylesPath(visit.ctx));
  return dashboardPage(visit, { section: "customers", title, head, body: html`${back}${body}` });
}

/** The effects of a change, one below the other. */
export const effects = (each: readonly (Html | string)[]): Html =>
  html`<ul class="effects">${each.map((one) => html`<li>${one}</li>`)}</ul>`;

/** The rows of a list that are wanted. `cursor` undefined: from the newest row on. */
export type Place = { cursor: string | undefined; limit: number };

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
  read(scene: Scene, wanted: Place): Promise<Listed>;
};

/** A part of the Customer's page, with a heading that a link can lead to. */
export const part = (name: string, title: string, body: Html): Html => html`<section>
<h2 id="${name}">${title}</h2>
${body}
</section>`;

/** The newest rows of a list, as a part of the Customer's page. */
export async function listPart(scene: Scene, list: ListOf): Promise<Html> {
  return shownPart(scene, list, await list.read(scene, { cursor: undefined, limit: list.few }));
}

/** The rows of a list that are read already, as a part of the Customer's page. */
export function shownPart({ self }: Scene, list: ListOf, { body, next }: Omit<Listed, "ids">): Html {
  const older = html`<p class="older"><a href="${self}/${list.name}?cursor=${next}">${list.older}</a></p>`;
  return part(list.name, list.title, html`${body}${next === null ? "" : older}`);
}
