import { isId } from "../../../ids.ts";
import { html } from "hono/html";
import { createCheckout } from "../../../actions/checkout/create.ts";
import type { CheckoutView } from "../../../actions/views.ts";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { CreateCheckoutParams } from "../../../resources/checkout.ts";
import type { Html } from "../../layout.ts";
import { fieldNames, ownFields, readFields } from "../catalogue/own-fields.ts";
import { emptyState } from "../components/empty-state.ts";
import { OPTIONAL, selectField, textField } from "../fields.ts";
import { parsedForm, typedNumber } from "../form-values.ts";
import { quantityField, QUANTITY_LENGTH } from "../quantity-field.ts";
import { formPages, together } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { hiddenFields, originOf, refusalNotice, typedOrNull, type Sent } from "../sent-form.ts";
import { currencyOptions, productOption, productsForSale } from "../subscription/products.ts";
import { ROOT } from "../request.ts";
import { besidePage, CUSTOMER, livingPageDataOf, type CustomerPageData } from "./part.ts";

const [LEAST, MOST] = ["quantityChange.minimum", "quantityChange.maximum"] as const;
const FIELDS = ["productId", "quantity", LEAST, MOST, "currency", "discountCode"] as const;

/** The quantities among which the buyer may choose. */
function quantityChangeFields(sent: Sent): Html {
  const limit = (name: string, label: string) =>
    textField(sent, name, { label, mark: OPTIONAL, maxlength: QUANTITY_LENGTH, inputmode: "numeric" });
  return html`<div class="pair">
${limit(LEAST, "The buyer can choose from")}
${limit(MOST, "The buyer can choose up to")}
</div>`;
}

/** Both limits empty: the quantity is fixed. One of them empty: the default of the API. */
function quantitiesIn(sent: Sent): object {
  const [quantity, minimum, maximum] = ["quantity", LEAST, MOST].map((name) => typedNumber(sent, name));
  const range = { ...(minimum !== null && { minimum }), ...(maximum !== null && { maximum }) };
  return {
    ...(quantity !== null && { quantity }),
    ...(Object.keys(range).length > 0 && { quantityChange: range }),
  };
}

/** The form of a Checkout, or the way to a first Product. */
function form(products: readonly Product[], sent: Sent): Html {
  const { role, self } = sent.request;
  if (products.length === 0)
    return emptyState(
      "There is no Product for sale. Create a Product first.",
      allows(role, "catalogue") ? { href: `${self}/products/new`, label: "New Product" } : undefined,
    );
  // A key press sends the first button of a form.
  return html`<form method="post" class="narrow" data-once novalidate>
<button class="hidden" type="submit" tabindex="-1" aria-hidden="true"></button>${hiddenFields(sent)}
${refusalNotice(sent, [...FIELDS, "fields", ...fieldNames(sent)])}
${selectField(sent, "productId", { label: "Product", options: products.map(productOption) })}
${quantityField(sent)}
${quantityChangeFields(sent)}
${selectField(sent, "currency", {
  label: "Currency",
  mark: OPTIONAL,
  none: "As the Product",
  options: currencyOptions(products),
})}
${textField(sent, "discountCode", { label: "Discount code", mark: OPTIONAL, maxlength: 64 })}
${ownFields(sent)}
<button class="button small" type="submit">Create the Checkout link</button>
</form>`;
}

type Body = ReturnType<typeof read>;

function read(sent: Sent) {
  const { fields, faults } = readFields(sent, null);
  const wanted = {
    productId: typedOrNull(sent, "productId"),
    ...quantitiesIn(sent),
    currency: typedOrNull(sent, "currency"),
    discountCode: typedOrNull(sent, "discountCode"),
    fields,
  };
  return { wanted, faults };
}

/** `customerId` null: the buyer enters an e-mail address in the Checkout. */
async function create(sent: Sent, { wanted, faults }: Body, customerId: string | null): Promise<string> {
  const { ctx, self } = sent.request;
  const body = { customerId, ...wanted };
  const origin = originOf<CheckoutView>(sent, { operation: "createCheckout", customerId, body });
  const { checkout } = await createCheckout(ctx, origin, parsedForm(CreateCheckoutParams, body, { faults }));
  return `${self}/checkouts/${checkout.id}?done=created`;
}

type WithProducts = { products: readonly Product[] };

const customerPage = formPages<CustomerPageData & WithProducts, Body>({
  path: `${CUSTOMER}/checkout`,
  permission: "customers",
  async load(c, request) {
    const [pageData, products] = await Promise.all([livingPageDataOf(c, request), productsForSale(request)]);
    return { ...pageData, products };
  },
  page(pageData, sent) {
    const lead = html`<p class="back">The Customer buys the Product on the page of a Checkout. The next page
shows the link. Send the link to the Customer. The link works for 24 hours, and no charge is made
before the Customer pays.</p>`;
    return besidePage(
      pageData,
      `Checkout for ${nameOf(pageData.customer)}`,
      html`${lead}${form(pageData.products, sent)}`,
    );
  },
  read: (_, sent) => read(sent),
  act: ({ customer }, body, sent) => create(sent, body, customer.id),
  after: ({ customer }, { self }) => `${self}/checkouts?customerId=${customer.id}`,
});

const anyonePage = formPages<WithProducts, Body>({
  path: `${ROOT}/checkouts/new`,
  permission: "customers",
  load: async (_, request) => ({ products: await productsForSale(request) }),
  takes: { productId: (value) => isId("prd", value) },
  page({ products }, sent) {
    const { request } = sent;
    const lead = html`A Checkout is a page on which one buyer buys one Product. The buyer enters an e-mail address and a
card there. The next page shows the link to send, which works for 24 hours. For a Customer that exists, create the link
on the <a href="${request.self}/customers">page of the Customer</a>.`;
    const body = form(products, sent);
    return dashboardPage(request, { section: "checkouts", title: "New Checkout link", lead, body });
  },
  read: (_, sent) => read(sent),
  act: (_, body, sent) => create(sent, body, null),
  after: (_, { self }) => `${self}/checkouts`,
});

/**
 * `…/customers/{customerId}/checkout`: a Checkout for this Customer, with the link to send. `…/checkouts/new`: a
 * Checkout for a buyer who is not known yet.
 */
export const checkoutLinkPages = together(customerPage, anyonePage);
