import type { Hono } from "hono";
import { html } from "hono/html";
import { isDeepStrictEqual } from "node:util";
import { createCustomer } from "../../../actions/customer/create-customer.ts";
import { updateCustomer } from "../../../actions/customer/update-customer.ts";
import type { Context } from "../../../context.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { CreateCustomerParams, UpdateCustomerParams } from "../../../resources/customer.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { customerPath, nameOf } from "../lists/customer-cell.ts";
import { requireSeen, versionField } from "../seen-version.ts";
import { originOf, parsed, type Sent } from "../sent.ts";
import { endingPages } from "../subscription/ending.ts";
import { changePages } from "../subscription/change.ts";
import { createSubscriptionPage } from "../subscription/create.ts";
import { outcomePage } from "../subscription/outcome.ts";
import { ROOT, type Visit } from "../visit.ts";
import { deedPage } from "./money/deed-page.ts";
import { checkoutLinkPages } from "./checkout-link.ts";
import { deletePage } from "./delete.ts";
import { customerForm, isRedrawn, typedCustomer } from "./form.ts";
import { keyPage } from "./key-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";
import { portalLinkPage } from "./portal-link.ts";

const TAKEN = "Another Customer has this e-mail address or external id. The marked field names that Customer.";

async function create(ctx: Context, { self }: Visit, sent: Sent): Promise<string> {
  const body = typedCustomer(sent, null);
  const params = parsed(CreateCustomerParams, body);
  const made = await createCustomer(ctx, originOf<Customer>(sent, { operation: "createCustomer", body }), params);
  return `${customerPath(self, made.id)}?done=created`;
}

function newPage(ctx: Context, visit: Visit, sent: Sent): Html {
  const body = html`${customerForm(sent, null, { label: "Create the Customer" })}
<p class="aside"><a href="${visit.self}/customers">Back to the Customers</a></p>`;
  return dashboardPage(ctx, visit, { section: "customers", title: "New Customer", body });
}

/** `/dashboard/{organizationId}/customers/new` */
export function newCustomerPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Visit>(app, door, {
    path: `${ROOT}/customers/new`,
    permission: "customers",
    scene: async (_, visit) => visit,
    page: (visit, sent) => newPage(ctx, visit, sent),
    before: async (visit, sent) => (isRedrawn(sent) ? newPage(ctx, visit, sent) : null),
    act: (visit, sent) => create(ctx, visit, sent),
    after: (_, { self }) => `${self}/customers`,
    words: { customer_exists: TAKEN },
  });
}

/** The fields with another value than before. */
function changed(customer: Customer, body: ReturnType<typeof typedCustomer>): Record<string, unknown> {
  const entries = Object.entries(body).filter(
    ([name, value]) => !isDeepStrictEqual(value, customer[name as keyof typeof body]),
  );
  return Object.fromEntries(entries);
}

async function edit(ctx: Context, { customer, self }: Scene, sent: Sent): Promise<string> {
  const body = changed(customer, typedCustomer(sent, customer));
  const what = { operation: "updateCustomer", resourceId: customer.id, customerId: customer.id, body };
  const origin = originOf<Customer>(sent, what);
  await updateCustomer(ctx, origin, customer.id, parsed(UpdateCustomerParams, body), (row) => requireSeen(row, sent));
  return `${self}?done=edited`;
}

const CHANGED =
  "The Customer has changed since you opened this form. The form keeps your text. Compare your text with the page " +
  "of the Customer, then save again.";

function editForm(scene: Scene, sent: Sent): Html {
  const { customer } = scene;
  const form = customerForm(sent, customer, { label: "Save", extra: versionField(customer) });
  return deedPage(scene, `Edit ${nameOf(customer)}`, form);
}

function editPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/edit`,
    permission: "customers",
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page: editForm,
    before: async (scene, sent) => (isRedrawn(sent) ? editForm(scene, sent) : null),
    act: (scene, sent) => edit(ctx, scene, sent),
    after: ({ self }) => `${self}?done=edited`,
    words: { customer_exists: TAKEN, precondition_failed: CHANGED },
  });
}

/** The deeds on a Customer and on the Subscriptions of the Customer. */
export function customerDeeds(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  editPage(ctx, app, door);
  deletePage(ctx, app, door);
  portalLinkPage(ctx, app, door);
  checkoutLinkPages(ctx, app, door);
  keyPage(ctx, app, door);
  createSubscriptionPage(ctx, app, door);
  changePages(ctx, app, door);
  outcomePage(ctx, app, door);
  endingPages(ctx, app, door);
}
