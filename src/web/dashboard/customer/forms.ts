import { html } from "hono/html";
import { isDeepStrictEqual } from "node:util";
import { createCustomer } from "../../../actions/customer/create-customer.ts";
import { updateCustomer } from "../../../actions/customer/update-customer.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { CreateCustomerParams, UpdateCustomerParams } from "../../../resources/customer.ts";
import { formPages, together } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { customerPath, nameOf } from "../lists/customer-cell.ts";
import { originOf, parsed, requireSeen, versionField } from "../sent-form.ts";
import { changePages } from "../subscription/change.ts";
import { createSubscriptionPage } from "../subscription/create.ts";
import { endingPages } from "../subscription/ending.ts";
import { outcomePage } from "../subscription/outcome.ts";
import { ROOT, type Visit } from "../request.ts";
import { checkoutLinkPages } from "./checkout-link.ts";
import { deletePage } from "./delete.ts";
import { customerForm, typedCustomer } from "./form.ts";
import { keyPage } from "./key-page.ts";
import { besidePage, CUSTOMER, livingPageDataOf, type Scene } from "./part.ts";
import { portalLinkPages } from "./portal-link.ts";

const TAKEN = "Another Customer has this e-mail address or external id. The marked field names that Customer.";

/** `/dashboard/{organizationId}/customers/new` */
export const newCustomerPage = formPages<Visit, ReturnType<typeof typedCustomer>>({
  path: `${ROOT}/customers/new`,
  permission: "customers",
  load: (_, visit) => visit,
  page(visit, sent) {
    const body = html`${customerForm(sent, null, { label: "Create the Customer" })}
<p class="aside"><a href="${visit.self}/customers">Back to the Customers</a></p>`;
    return dashboardPage(visit, { section: "customers", title: "New Customer", body });
  },
  read: (_, sent) => typedCustomer(sent, null),
  async act({ ctx, self }, body, sent) {
    const origin = originOf<Customer>(sent, { operation: "createCustomer", body });
    const made = await createCustomer(ctx, origin, parsed(CreateCustomerParams, body));
    return `${customerPath(self, made.id)}?done=created`;
  },
  after: (_, { self }) => `${self}/customers`,
  words: { customer_exists: TAKEN },
});

/** The fields with another value than before. */
function changed(customer: Customer, body: ReturnType<typeof typedCustomer>): Record<string, unknown> {
  const entries = Object.entries(body).filter(
    ([name, value]) => !isDeepStrictEqual(value, customer[name as keyof typeof body]),
  );
  return Object.fromEntries(entries);
}

const CHANGED =
  "The Customer has changed since you opened this form. The form keeps your text. Compare your text with the page " +
  "of the Customer, then save again.";

const editPage = formPages<Scene, Record<string, unknown>>({
  path: `${CUSTOMER}/edit`,
  permission: "customers",
  load: livingPageDataOf,
  page(scene, sent) {
    const { customer } = scene;
    const form = customerForm(sent, customer, { label: "Save", extra: versionField(customer) });
    return besidePage(scene, `Edit ${nameOf(customer)}`, form);
  },
  read: ({ customer }, sent) => changed(customer, typedCustomer(sent, customer)),
  async act({ ctx, customer: { id } }, body, sent) {
    const about = { operation: "updateCustomer", resourceId: id, customerId: id, body };
    const params = parsed(UpdateCustomerParams, body);
    await updateCustomer(ctx, originOf<Customer>(sent, about), id, params, (row) => requireSeen(row, sent));
  },
  after: ({ self }) => `${self}?done=edited`,
  words: { customer_exists: TAKEN, precondition_failed: CHANGED },
});

/** The forms about a Customer and the Subscriptions of the Customer. */
export const customerForms = together(
  editPage,
  deletePage,
  portalLinkPages,
  checkoutLinkPages,
  keyPage,
  createSubscriptionPage,
  changePages,
  outcomePage,
  endingPages,
);
