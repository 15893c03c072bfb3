import { html } from "hono/html";
import { createDiscount, deleteDiscount, updateDiscount } from "../../../actions/catalogue/discounts.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import { counted } from "../../../domain/words.ts";
import type { CreateDiscountParams, UpdateDiscountParams } from "../../../resources/discount.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { countOpenWith } from "../../../store/catalogue-counts.ts";
import { billingNow } from "../../../store/organizations.ts";
import { listProducts, products as productTable } from "../../../store/products.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { together, type Pages } from "../form-action.ts";
import { durationOf } from "../lists/discounts.ts";
import { editForm, endForm, newForm, rowAt, rowPath } from "../resource-forms.ts";
import { requireSeen } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { discountForm, discountPicture, type DiscountData } from "./discount-form.ts";
import { readDiscountChanges, readNewDiscount } from "./discount-values.ts";
import { shownRow } from "./frame.ts";
import { DISCOUNTS } from "./resources.ts";
import { discountDeletionEffect, discountEditEffect } from "./edit-effects.ts";

const DONE = { created: "The Discount can be used.", saved: "The Discount has been saved." };

/** The Products that a form offers, newest first. */
const MOST_PRODUCTS = 200;

async function load({ ctx, organization }: DashboardRequest, discount: Discount | null): Promise<DiscountData> {
  const [found, now] = await Promise.all([
    listProducts(ctx.db.read, organization.id, { archived: "false", limit: MOST_PRODUCTS }),
    billingNow(ctx.db.read, organization.id),
  ]);
  const ids = [...new Set(found.flatMap(({ benefitIds }) => benefitIds))];
  return { discount, products: found, benefits: await findBenefits(ctx.db.read, organization.id, ids), now };
}

const openWith = ({ ctx }: DashboardRequest, { organizationId, id: discountId }: Discount): Promise<number> =>
  countOpenWith(ctx.db.read, organizationId, discountId);

const newPage = newForm<Discount, DiscountData, CreateDiscountParams, Discount>(DISCOUNTS, {
  load: (request) => load(request, null),
  page: discountForm,
  read: (sent) => readNewDiscount(sent, sent.request.organization),
  create: createDiscount,
  next: (request, made) => `${rowPath(DISCOUNTS, request, made)}?done=created`,
});

const editPage = editForm<Discount, DiscountData, UpdateDiscountParams>(DISCOUNTS, {
  load,
  page: discountForm,
  read: (sent, discount) => readDiscountChanges(sent, sent.request.organization, discount),
  effect: async (request, discount, changes) =>
    discountEditEffect(discount, changes, await openWith(request, discount), request.organization.timeZone),
  update: updateDiscount,
  done: "saved",
});

const deletePage = endForm(DISCOUNTS, {
  name: "delete",
  page: async (request, discount) => ({
    title: `Delete ${discount.code}?`,
    effect: discountDeletionEffect(discount, await openWith(request, discount)),
    label: "Delete the Discount",
    isDangerous: true,
  }),
  end: (ctx, origin, discount, sent) => deleteDiscount(ctx, origin, discount.id, (row) => requireSeen(row, sent)),
  next: ({ self }) => `${self}/discounts?done=deleted`,
});

function factsOf({ self, organization }: DashboardRequest, discount: Discount, covered: readonly Product[]): Html {
  const { basisPoints, amount, currency, redemptions, maxRedemptions, startsAt, endsAt, productIds } = discount;
  const zone = organization.timeZone;
  const product = ({ id: productId, name }: Product) =>
    html`<li><a href="${self}/products/${productId}"><bdi>${name}</bdi></a></li>`;
  const uses = counted(redemptions, "purchase");
  return definitions([
    ["Reduction", basisPoints === null ? ENGLISH.money(amount!, currency!) : ENGLISH.percent(basisPoints)],
    ["Duration", durationOf(discount)],
    ["Used by", maxRedemptions === null ? uses : `${uses} of at most ${maxRedemptions}`],
    ["Start", startsAt === null ? NONE : time(startsAt, zone)],
    ["End", endsAt === null ? NONE : time(endsAt, zone)],
    ["Products", productIds === null ? "All Products" : html`<ul>${covered.map(product)}</ul>`],
    ["Created", time(discount.createdAt, zone)],
    ["Id", id(discount.id)],
  ]);
}

const onePage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/discounts/:discountId`,
    signedIn("read", async (c, request) => {
      const discount = await rowAt(DISCOUNTS, c, request);
      const { organizationId, productIds } = discount;
      const [data, found] = await Promise.all([
        load(request, discount),
        productIds === null ? null : productTable.findAll(ctx.db.read, organizationId, productIds),
      ]);
      const covered = (productIds ?? []).flatMap((each) => found?.get(each) ?? []);
      const unlimited = { ...discount, startsAt: null, endsAt: null, maxRedemptions: null };
      const fields = new URL(c.req.url).searchParams;
      const shown = {
        done: doneNotice(c, DONE),
        facts: factsOf(request, discount, covered),
        drawn: discountPicture(data, { request, fields }, unlimited),
        links: [
          ["edit", "Edit"],
          ["delete", "Delete"],
        ] as const,
      };
      return c.html(shownRow(DISCOUNTS, request, discount, shown));
    }),
  );
};

/** `/dashboard/{organizationId}/discounts/…`: the pages of one Discount. The list is one of the lists. */
export const discountPages = together(newPage, editPage, deletePage, onePage);
