import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { allows, type Permission } from "../../../domain/team/role.ts";
import { hasCheckouts } from "../../../store/checkouts.ts";
import { hasCustomers } from "../../../store/customers.ts";
import { listProducts } from "../../../store/products.ts";
import { allConnectionsOf } from "../../../store/provider-connections.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import type { DashboardRequest } from "../request.ts";

export type Step = { text: string; path: string; permission: Permission; isDone: boolean };

/** The steps to the first sale; null: the Organization has Customers. */
export async function readFirstSteps(
  { db }: Context,
  { organization }: DashboardRequest,
): Promise<readonly Step[] | null> {
  const { id, mode } = organization;
  if (await hasCustomers(db.read, id)) return null;
  const [products, anyCheckout, connections] = await Promise.all([
    listProducts(db.read, id, { archived: "false", limit: 1 }),
    hasCheckouts(db.read, id),
    allConnectionsOf(db.read, id),
  ]);
  const product: Step = {
    text: "Create a Product",
    path: "/products/new",
    permission: "catalogue",
    isDone: products.length > 0,
  };
  const provider: Step = {
    text: "Connect a payment provider",
    path: "/settings/payments",
    permission: "settings",
    isDone: connections.some(({ disconnectedAt }) => disconnectedAt === null),
  };
  const link: Step = {
    text: "Create a Checkout link",
    path: "/checkouts/new",
    permission: "customers",
    isDone: anyCheckout,
  };
  const sale: Step = {
    text: mode === "sandbox" ? "Open the link, and pay with a test card" : "Send the link to a buyer",
    path: "/checkouts?status=open",
    permission: "read",
    isDone: false,
  };
  return mode === "live" ? [product, provider, link, sale] : [product, link, sale];
}

/** The steps to the first sale, as a list to tick off. */
export function firstSteps({ role, self }: DashboardRequest, steps: readonly Step[]): Html {
  const entry = ({ text, path, permission, isDone }: Step) => {
    const shown = allows(role, permission) ? html`<a href="${self}${path}">${text}</a>` : text;
    return html`<li>${shown} ${isDone ? badge("good", "Done") : ""}</li>`;
  };
  return html`<section aria-labelledby="first-steps"><h2 id="first-steps">First steps</h2>
<ol class="first-steps">${steps.map(entry)}</ol></section>`;
}
