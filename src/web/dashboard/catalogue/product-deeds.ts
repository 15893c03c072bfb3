import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { createProduct, updateProduct } from "../../../actions/catalogue/products.ts";
import type { Context } from "../../../context.ts";
import type { Product } from "../../../domain/model/product.ts";
import { keysLike, suggestedKey } from "../../../domain/catalogue/suggested-key.ts";
import { isId } from "../../../ids.ts";
import { findBenefits, listBenefits } from "../../../store/benefits.ts";
import { billingNow } from "../../../store/organizations.ts";
import { findProductByKey, products } from "../../../store/products.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { originOf, typed, type Sent } from "../sent.ts";
import { requireSeen } from "../seen-version.ts";
import { ROOT, type Visit } from "../visit.ts";
import { confirmPage } from "./confirm-page.ts";
import { isSent } from "./fields.ts";
import { asksForPage } from "./picture.ts";
import { productForm, type ProductScene } from "./product-form.ts";
import { readNewProduct, readProductChanges } from "./product-typed.ts";
import { archiveEffect, productEffect } from "./touched.ts";
import { CHANGED_MEANWHILE, refuseUnchanged } from "./typed.ts";

/** The Benefits that a form offers, newest first. The form of a Product also has all Benefits of the Product. */
export const MOST_BENEFITS = 500;

/** The Product of the path. @throws HTTPException 404 */
export async function productAt(ctx: Context, c: PageContext, { organization }: Visit): Promise<Product> {
  const id = c.req.param("productId") ?? "";
  const product = isId("prd", id) ? await products.find(ctx.db.read, organization.id, id) : null;
  if (!product) throw new HTTPException(404);
  return product;
}

/** The Product that a new one resembles, by the address; null: none. */
async function likeAt(ctx: Context, c: PageContext, { organization }: Visit): Promise<Product | null> {
  const id = c.req.query("like") ?? "";
  return isId("prd", id) ? products.find(ctx.db.read, organization.id, id) : null;
}

/** A free key that fits the typed name; null: the name leads to none. */
async function freeKey(ctx: Context, { visit, fields }: Sent): Promise<string | null> {
  const key = suggestedKey(fields.get("name") ?? "");
  if (key === "") return null;
  const interval = fields.get("sold") === "once" ? null : fields.get("interval");
  for (const each of [key, ...keysLike(key, interval)])
    if (!(await findProductByKey(ctx.db.read, visit.organization.id, each))) return each;
  return null;
}

async function sceneOf(ctx: Context, { organization }: Visit, product: Product | null): Promise<ProductScene> {
  const [newest, own, now] = await Promise.all([
    listBenefits(ctx.db.read, organization.id, { limit: MOST_BENEFITS }),
    findBenefits(ctx.db.read, organization.id, product?.benefitIds ?? []),
    billingNow(ctx.db.read, organization.id),
  ]);
  const known = new Set(newest.map(({ id }) => id));
  // A form without one of the Product's Benefits would take that Benefit away from every Customer.
  const benefits = [...newest, ...own.filter(({ id }) => !known.has(id))];
  return { product, like: null, benefits, now, suggest: (sent) => freeKey(ctx, sent) };
}

/** The form after a click on the suggested key. */
function withKey(sent: Sent): Sent {
  const key = sent.fields.get("key-like");
  if (key === null) return sent;
  const fields = new URLSearchParams(sent.fields);
  fields.set("key", key);
  return { ...sent, fields };
}

function newPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<ProductScene>(app, door, {
    path: `${ROOT}/products/new`,
    permission: "catalogue",
    scene: async (c, visit) => ({ ...(await sceneOf(ctx, visit, null)), like: await likeAt(ctx, c, visit) }),
    page: (scene, sent) => productForm(ctx, scene, sent),
    async act(scene, sent) {
      if (asksForPage(sent.fields)) return { page: await productForm(ctx, scene, withKey(sent)) };
      const params = readNewProduct(sent);
      const product = await createProduct(ctx, originOf(sent, { operation: "createProduct", body: params }), params);
      return `${sent.visit.self}/products/${product.id}?done=created`;
    },
    after: (_, { self }) => `${self}/products?done=created`,
  });
}

/** The effect of an edit, with the button that makes the change. */
async function confirmation(ctx: Context, { product }: ProductScene, sent: Sent): Promise<Html> {
  const changes = readProductChanges(sent, product!);
  refuseUnchanged(changes);
  requireSeen(product!, sent);
  const named = [...new Set([...product!.benefitIds, ...(changes.benefitIds ?? [])])];
  const benefits = await findBenefits(ctx.db.read, product!.organizationId, named);
  return confirmPage(ctx, sent, {
    section: "products",
    title: `Save ${product!.name}?`,
    effect: await productEffect(ctx, product!, changes, benefits),
    label: "Save the Product",
    back: `${sent.visit.self}/products/${product!.id}`,
  });
}

function editPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<ProductScene>(app, door, {
    path: `${ROOT}/products/:productId/edit`,
    permission: "catalogue",
    scene: async (c, visit) => sceneOf(ctx, visit, await productAt(ctx, c, visit)),
    page: (scene, sent) => productForm(ctx, scene, sent),
    async act(scene, sent) {
      const { product } = scene;
      if (!isSent(sent) || asksForPage(sent.fields)) return { page: await productForm(ctx, scene, sent) };
      if (!sent.fields.has("confirmed")) return { page: await confirmation(ctx, scene, sent) };
      const changes = readProductChanges(sent, product!);
      const origin = originOf<Product>(sent, { operation: "updateProduct", resourceId: product!.id, body: changes });
      await updateProduct(ctx, origin, product!.id, changes, (row) => requireSeen(row, sent));
      return undefined;
    },
    after: ({ product }, { self }) => `${self}/products/${product!.id}?done=saved`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

async function archivePage(ctx: Context, product: Product, sent: Sent): Promise<Html> {
  const { archived, name, id, version } = product;
  return confirmPage(ctx, sent, {
    section: "products",
    title: archived ? `Unarchive ${name}?` : `Archive ${name}?`,
    effect: await archiveEffect(ctx, product),
    label: archived ? "Unarchive the Product" : "Archive the Product",
    isDangerous: !archived,
    back: `${sent.visit.self}/products/${id}`,
    own: { version: String(version), archived: String(!archived) },
  });
}

function archiveDeed(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Product>(app, door, {
    path: `${ROOT}/products/:productId/archive`,
    permission: "catalogue",
    scene: (c, visit) => productAt(ctx, c, visit),
    page: (product, sent) => archivePage(ctx, product, sent),
    async act(product, sent) {
      const archived = typed(sent, "archived") === "true";
      const params = { archived };
      const origin = originOf<Product>(sent, { operation: "updateProduct", resourceId: product.id, body: params });
      await updateProduct(ctx, origin, product.id, params, (row) => requireSeen(row, sent));
      return `${sent.visit.self}/products/${product.id}?done=${archived ? "archived" : "forsale"}`;
    },
    after: (product, { self }) => `${self}/products/${product.id}`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

/** The pages that make and change Products. */
export function productDeeds(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  newPage(ctx, app, door);
  editPage(ctx, app, door);
  archiveDeed(ctx, app, door);
}
