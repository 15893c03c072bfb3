import { html } from "hono/html";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { countLive, countOpenCheckouts } from "../../../store/catalogue-counts.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { billingNow } from "../../../store/organizations.ts";
import { listProducts } from "../../../store/products.ts";
import type { Html } from "../../layout.ts";
import { shownAgain } from "../../components/field.ts";
import { doneNotice } from "../components/done-notice.ts";
import { together, type Pages } from "../form-action.ts";
import { rowAt } from "../resource-forms.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { productForms } from "./product-forms.ts";
import { productPage } from "./product-page.ts";
import { productsPage } from "./products-page.ts";
import { PRODUCTS } from "./resources.ts";

const DONE = {
  saved: "The Product has been saved.",
  archived: "The Product is archived. Buyers can't buy the Product any more.",
  forsale: "The Product is for sale again.",
};

/** The sentence about a new Product, with the next step. `product`: null after a form that was sent twice. */
function createdText({ role, self }: DashboardRequest, product: Product | null): Html | string {
  const done = "The Product is for sale.";
  if (!allows(role, "customers")) return done;
  const href = `${self}/checkouts/new${product === null ? "" : `?productId=${product.id}`}`;
  return html`${done} Next, <a href="${href}">create a Checkout link</a> to sell the Product.`;
}

/** The Products of one page. A larger catalogue is searched by name. */
const MOST_PRODUCTS = 200;

const listPage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/products`,
    signedIn("read", async (c, request) => {
      const { id } = request.organization;
      const search = shownAgain(c.req.query("search") ?? "").trim();
      const query = { limit: MOST_PRODUCTS, ...(search !== "" && { search }) };
      const [found, archived] = await Promise.all([
        listProducts(ctx.db.read, id, { ...query, archived: "false" }),
        listProducts(ctx.db.read, id, { ...query, archived: "true" }),
      ]);
      const all = [...found, ...archived];
      const [benefits, live] = await Promise.all([
        findBenefits(ctx.db.read, id, [...new Set(all.flatMap(({ benefitIds }) => benefitIds))]),
        countLive(
          ctx.db.read,
          id,
          all.filter(({ interval }) => interval !== null).map((product) => product.id),
        ),
      ]);
      const isCut = found.length > MOST_PRODUCTS || archived.length > MOST_PRODUCTS;
      // The oldest Product comes first, as in the portal.
      const products = found.slice(0, MOST_PRODUCTS).reverse();
      const done = doneNotice(c, { ...DONE, created: createdText(request, null) });
      const shown = { products, archived: archived.slice(0, MOST_PRODUCTS), benefits, live, isCut, search, done };
      return c.html(productsPage(request, shown));
    }),
  );
};

const onePage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/products/:productId`,
    signedIn("read", async (c, request) => {
      const product = await rowAt(PRODUCTS, c, request);
      const { organizationId, id, benefitIds } = product;
      const [benefits, live, open, now] = await Promise.all([
        findBenefits(ctx.db.read, organizationId, benefitIds),
        countLive(ctx.db.read, organizationId, [id]),
        countOpenCheckouts(ctx.db.read, organizationId, id),
        billingNow(ctx.db.read, organizationId),
      ]);
      const done = doneNotice(c, { ...DONE, created: createdText(request, product) });
      const shown = { product, benefits, live: live.get(id) ?? 0, open, now, done };
      return c.html(productPage(request, shown));
    }),
  );
};

/**
 * `/dashboard/{organizationId}/products`: the plans, and the pages of one Product. The path of a new Product comes
 * before the path of one Product.
 */
export const productPages = together(listPage, productForms, onePage);
