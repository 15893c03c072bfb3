import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { createDiscount, deleteDiscount, updateDiscount } from "../../../actions/catalogue/discounts.ts";
import type { Context } from "../../../context.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import { allows } from "../../../domain/team/role.ts";
import { counted } from "../../../domain/words.ts";
import { isId } from "../../../ids.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { countOpenWith } from "../../../store/catalogue-counts.ts";
import { discounts } from "../../../store/discounts.ts";
import { billingNow } from "../../../store/organizations.ts";
import { listProducts, products as productTable } from "../../../store/products.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { durationOf } from "../lists/discounts.ts";
import { originOf, type Sent } from "../sent.ts";
import { requireSeen } from "../seen-version.ts";
import { ROOT, type Visit } from "../visit.ts";
import { confirmPage } from "./confirm-page.ts";
import { discountForm, discountPicture, type DiscountScene } from "./discount-form.ts";
import { readDiscountChanges, readNewDiscount } from "./discount-typed.ts";
import { isSent } from "./fields.ts";
import { catalogueHead } from "./head.ts";
import { asksForPage, besides } from "./picture.ts";
import { discountDeletionEffect, discountEditEffect } from "./touched.ts";
import { CHANGED_MEANWHILE, refuseUnchanged } from "./typed.ts";

const DONE = { created: "The Discount can be used.", saved: "The Discount has been saved." };

/** The Products that a form offers, newest first. */
const MOST_PRODUCTS = 200;

/** As `benefitAt`. @throws HTTPException 404 */
async function discountAt(ctx: Context, c: PageContext, { organization }: Visit, deleted = false): Promise<Discount> {
  const given = c.req.param("discountId") ?? "";
  const discount = isId("dsc", given) ? await discounts.find(ctx.db.read, organization.id, given) : null;
  if (!discount || (discount.deletedAt !== null && !deleted)) throw new HTTPException(404);
  return discount;
}

async function sceneOf(ctx: Context, { organization }: Visit, discount: Discount | null): Promise<DiscountScene> {
  const [found, now] = await Promise.all([
    listProducts(ctx.db.read, organization.id, { archived: "false", limit: MOST_PRODUCTS }),
    billingNow(ctx.db.read, organization.id),
  ]);
  const ids = [...new Set(found.flatMap(({ benefitIds }) => benefitIds))];
  return { discount, products: found, benefits: await findBenefits(ctx.db.read, organization.id, ids), now };
}

function newPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<DiscountScene>(app, door, {
    path: `${ROOT}/discounts/new`,
    permission: "catalogue",
    scene: (_, visit) => sceneOf(ctx, visit, null),
    page: (scene, sent) => discountForm(ctx, scene, sent),
    async act(scene, sent) {
      if (asksForPage(sent.fields)) return { page: discountForm(ctx, scene, sent) };
      const params = readNewDiscount(sent, sent.visit.organization);
      const origin = originOf<Discount>(sent, { operation: "createDiscount", body: params });
      const discount = await createDiscount(ctx, origin, params);
      return `${sent.visit.self}/discounts/${discount.id}?done=created`;
    },
    after: (_, { self }) => `${self}/discounts`,
  });
}

async function confirmation(ctx: Context, discount: Discount, sent: Sent): Promise<Html> {
  const { organization, self } = sent.visit;
  const changes = readDiscountChanges(sent, organization, discount);
  refuseUnchanged(changes);
  requireSeen(discount, sent);
  const open = await countOpenWith(ctx.db.read, organization.id, discount.id);
  return confirmPage(ctx, sent, {
    section: "discounts",
    title: `Save ${discount.code}?`,
    effect: discountEditEffect(discount, changes, open, organization.timeZone),
    label: "Save the Discount",
    back: `${self}/discounts/${discount.id}`,
  });
}

function editPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<DiscountScene>(app, door, {
    path: `${ROOT}/discounts/:discountId/edit`,
    permission: "catalogue",
    scene: async (c, visit) => sceneOf(ctx, visit, await discountAt(ctx, c, visit)),
    page: (scene, sent) => discountForm(ctx, scene, sent),
    async act(scene, sent) {
      const { discount } = scene;
      if (!isSent(sent) || asksForPage(sent.fields)) return { page: discountForm(ctx, scene, sent) };
      if (!sent.fields.has("confirmed")) return { page: await confirmation(ctx, discount!, sent) };
      const changes = readDiscountChanges(sent, sent.visit.organization, discount!);
      const origin = originOf<Discount>(sent, { operation: "updateDiscount", resourceId: discount!.id, body: changes });
      await updateDiscount(ctx, origin, discount!.id, changes, (row) => requireSeen(row, sent));
      return undefined;
    },
    after: ({ discount }, { self }) => `${self}/discounts/${discount!.id}?done=saved`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

function deleteDeed(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Discount>(app, door, {
    path: `${ROOT}/discounts/:discountId/delete`,
    permission: "catalogue",
    scene: (c, visit) => discountAt(ctx, c, visit, c.req.method === "POST"),
    page: async (discount, sent) =>
      confirmPage(ctx, sent, {
        section: "discounts",
        title: `Delete ${discount.code}?`,
        effect: discountDeletionEffect(
          discount,
          await countOpenWith(ctx.db.read, discount.organizationId, discount.id),
        ),
        label: "Delete the Discount",
        isDangerous: true,
        back: `${sent.visit.self}/discounts/${discount.id}`,
        own: { version: String(discount.version) },
      }),
    async act(discount, sent) {
      const origin = originOf<void>(sent, { operation: "deleteDiscount", resourceId: discount.id });
      await deleteDiscount(ctx, origin, discount.id, (row) => requireSeen(row, sent));
      return undefined;
    },
    after: (_, { self }) => `${self}/discounts?done=deleted`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

function factsOf({ self, organization }: Visit, discount: Discount, covered: readonly Product[]): Html {
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

function onePage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    `${ROOT}/discounts/:discountId`,
    signedIn("read", async (c, visit) => {
      const discount = await discountAt(ctx, c, visit);
      const { organizationId, productIds } = discount;
      const scene = await sceneOf(ctx, visit, discount);
      const found = await Promise.all(
        (productIds ?? []).map((each) => productTable.find(ctx.db.read, organizationId, each)),
      );
      const covered = found.filter((product) => product !== null);
      const drawn = { ...discount, startsAt: null, endsAt: null, maxRedemptions: null };
      const fields = new URL(c.req.url).searchParams;
      const seen = besides(
        factsOf(visit, discount, covered),
        "What the buyer sees",
        discountPicture(ctx, scene, { visit, fields }, drawn),
      );
      const path = `${visit.self}/discounts/${discount.id}`;
      const actions = allows(visit.role, "catalogue")
        ? html`<a class="button small" href="${path}/edit">Edit</a>
<a class="button small danger" href="${path}/delete">Delete</a>`
        : undefined;
      const body = html`${doneNotice(c, DONE)}${seen}`;
      const [title, head] = [discount.code, catalogueHead(ctx)];
      return c.html(dashboardPage(ctx, visit, { section: "discounts", title, body, actions, head }));
    }),
  );
}

/** `/dashboard/{organizationId}/discounts/…`: the pages of one Discount. The list is one of the lists. */
export function discountPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  newPage(ctx, app, door);
  editPage(ctx, app, door);
  deleteDeed(ctx, app, door);
  onePage(ctx, app, door);
}
