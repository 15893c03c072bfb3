import { html } from "hono/html";
import { customerStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { nameOf } from "../lists/customer-cell.ts";
import type { Scene } from "./part.ts";

/** A page about a Customer below the page of the Customer. `body` without the way back. */
export function belowCustomer({ ctx, visit, customer, self }: Scene, title: string, body: Html): Html {
  const head = stylesheet(customerStylesPath(ctx));
  const back = html`<p class="aside"><a href="${self}">Back to <bdi>${nameOf(customer)}</bdi></a></p>`;
  return dashboardPage(ctx, visit, { section: "customers", title, head, body: html`${body}${back}` });
}
