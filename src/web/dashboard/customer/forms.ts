import { html } from "hono/html";
import { createCustomer } from "../../../actions/customer/create-customer.ts";
import { updateCustomer } from "../../../actions/customer/update-customer.ts";
import type { Customer } from "../../../domain/model/customer.ts";
import { CreateCustomerParams, UpdateCustomerParams } from "../../../resources/customer.ts";
import type { Html } from "../../layout.ts";
import { formPages, together, type Pages } from "../form-action.ts";
import { differing, mendMetadata, parsedForm } from "../form-values.ts";
import { dashboardPage } from "../frame.ts";
import { customerPath, nameOf } from "../lists/customer-cell.ts";
import { originOf, requireSeen, versionField } from "../sent-form.ts";
import { changePages } from "../subscription/change.ts";
import { createSubscriptionPage } from "../subscription/create.ts";
import { endingPages } from "../subscription/ending.ts";
import { discountPages } from "../subscription/discount.ts";
import { pausePages } from "../subscription/pause.ts";
import { trialPages } from "../subscription/trial.ts";
import { outcomePage } from "../subscription/outcome.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { checkoutLinkPages } from "./checkout-link.ts";
import { deletePage } from "./delete.ts";
import { customerForm, typedCustomer } from "./form.ts";
import { besidePage, CUSTOMER, livingPageDataOf, type CustomerPageData, pageDataOf } from "./part.ts";
import { portalLinkPages } from "./portal-link.ts";
import { HTTPException } from "hono/http-exception";
import { isId } from "../../../ids.ts";
import { benefitGrants } from "../../../store/benefit-grants.ts";
import { benefits } from "../../../store/benefits.ts";
import { secret } from "../components/secret.ts";

function licenseKeyPage(pageData: CustomerPageData, name: string, key: string): Html {
  const body = html`<p>The key of <bdi>${name}</bdi>. Give this key only to the Customer.</p>
${secret(`License key of ${name}`, key)}`;
  return besidePage(pageData, "License key", body);
}

/** `…/customers/{customerId}/access/{grantId}/key`: the whole license key of a grant. */
const keyPage: Pages = (ctx, app, { confirmed }) => {
  app.get(
    `${CUSTOMER}/access/:grantId/key`,
    confirmed("customers", async (c, request) => {
      const pageData = await pageDataOf(c, request);
      const grantId = c.req.param("grantId") ?? "";
      const { id: organizationId } = request.organization;
      const grant = isId("bgr", grantId) ? await benefitGrants.find(ctx.db.read, organizationId, grantId) : null;
      const key = (grant?.properties as { key?: string } | undefined)?.key;
      if (grant?.customerId !== pageData.customer.id || key === undefined) throw new HTTPException(404);
      const benefit = await benefits.find(ctx.db.read, organizationId, grant.benefitId);
      return c.html(licenseKeyPage(pageData, benefit?.name ?? grant.benefitId, key));
    }),
  );
};

/** `/dashboard/{organizationId}/customers/new` */
export const newCustomerPage = formPages<DashboardRequest, ReturnType<typeof typedCustomer>>({
  path: `${ROOT}/customers/new`,
  permission: "customers",
  load: (_, request) => request,
  page(request, sent) {
    const body = html`${customerForm(sent, null, { label: "Create the Customer" })}
<p class="aside"><a href="${request.self}/customers">Back to the Customers</a></p>`;
    return dashboardPage(request, { section: "customers", title: "New Customer", body });
  },
  read: (_, sent) => typedCustomer(sent, null),
  async act({ ctx, self }, body, sent) {
    const origin = originOf<Customer>(sent, { operation: "createCustomer", body });
    const made = await createCustomer(ctx, origin, parsedForm(CreateCustomerParams, body, { mend: mendMetadata }));
    return `${customerPath(self, made.id)}?done=created`;
  },
  after: (_, { self }) => `${self}/customers`,
});

const CHANGED =
  "The Customer has changed since you opened this form. The form keeps your text. Compare your text with the page " +
  "of the Customer, then save again.";

const editPage = formPages<CustomerPageData, Record<string, unknown>>({
  path: `${CUSTOMER}/edit`,
  permission: "customers",
  load: livingPageDataOf,
  page(pageData, sent) {
    const { customer } = pageData;
    const form = customerForm(sent, customer, { label: "Save", extra: versionField(customer) });
    return besidePage(pageData, `Edit ${nameOf(customer)}`, form);
  },
  read: ({ customer }, sent) => differing(typedCustomer(sent, customer), customer),
  async act({ ctx, customer: { id } }, body, sent) {
    const about = { operation: "updateCustomer", resourceId: id, customerId: id, body };
    const params = parsedForm(UpdateCustomerParams, body, { mend: mendMetadata });
    await updateCustomer(ctx, originOf<Customer>(sent, about), id, params, (row) => requireSeen(row, sent));
  },
  after: ({ self }) => `${self}?done=edited`,
  words: { precondition_failed: CHANGED },
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
  pausePages,
  discountPages,
  trialPages,
);
