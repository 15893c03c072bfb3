import { html } from "hono/html";
import { allows, type Permission } from "../../../domain/team/role.ts";
import type { Html } from "../../layout.ts";
import type { Scene } from "./part.ts";

/** The deeds on a Customer, in the order of the page. */
const ACTIONS: readonly (readonly [page: string, label: string, permission: Permission])[] = [
  ["edit", "Edit", "customers"],
  ["checkout", "Checkout link", "customers"],
  ["subscriptions/new", "New Subscription", "subscriptions"],
  ["portal-link", "Portal link", "customers"],
  ["delete", "Delete", "customers"],
];

/** The links to the deeds on a Customer that the role allows. */
export function customerActions({ visit, self, customer }: Scene): Html | undefined {
  const allowed = ACTIONS.filter(([, , permission]) => allows(visit.role, permission));
  if (customer.deletedAt !== null || allowed.length === 0) return undefined;
  const style = (page: string) => (page === "delete" ? "button small danger" : "button small other");
  return html`${allowed.map(([page, label]) => html`<a class="${style(page)}" href="${self}/${page}">${label}</a>`)}`;
}
