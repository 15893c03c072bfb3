import { createProduct, updateProduct } from "../../../actions/catalogue/products.ts";
import type { Product } from "../../../domain/model/product.ts";
import { keysLike, suggestedKey } from "../../../domain/catalogue/suggested-key.ts";
import { isId } from "../../../ids.ts";
import type { CreateProductParams, UpdateProductParams } from "../../../resources/product.ts";
import { findBenefits, listBenefits } from "../../../store/benefits.ts";
import { billingNow } from "../../../store/organizations.ts";
import { findProductByKey } from "../../../store/products.ts";
import { together } from "../form-action.ts";
import { editForm, endForm, newForm, rowPath } from "../resource-forms.ts";
import { hiddenValues, requireSeen, typed, type Sent } from "../sent-form.ts";
import type { Visit } from "../request.ts";
import { newFields, productForm, type ProductData } from "./product-form.ts";
import { readNewProduct, readProductChanges } from "./product-values.ts";
import { PRODUCTS } from "./resources.ts";
import { archiveEffect, productEffect } from "./edit-effects.ts";

/** The Benefits that a form offers, newest first. The form of a Product also has all Benefits of the Product. */
export const MOST_BENEFITS = 500;

/** A free key that fits the typed name; null: the name leads to none. */
async function freeKey({ ctx, organization }: Visit, fields: URLSearchParams): Promise<string | null> {
  const key = suggestedKey(fields.get("name") ?? "");
  if (key === "") return null;
  const interval = fields.get("sold") === "once" ? null : fields.get("interval");
  for (const each of [key, ...keysLike(key, interval)])
    if (!(await findProductByKey(ctx.db.read, organization.id, each))) return each;
  return null;
}

async function load({ ctx, organization }: Visit, product: Product | null): Promise<ProductData> {
  const [newest, own, now] = await Promise.all([
    listBenefits(ctx.db.read, organization.id, { limit: MOST_BENEFITS }),
    findBenefits(ctx.db.read, organization.id, product?.benefitIds ?? []),
    billingNow(ctx.db.read, organization.id),
  ]);
  const known = new Set(newest.map(({ id }) => id));
  // A form without one of the Product's Benefits would take that Benefit away from every Customer.
  const benefits = [...newest, ...own.filter(({ id }) => !known.has(id))];
  return { product, like: null, benefits, now, suggestion: null };
}

const newPage = newForm<Product, ProductData, CreateProductParams, Product>(PRODUCTS, {
  async load(visit, c) {
    const id = c.req.query("like") ?? "";
    const [data, like] = await Promise.all([load(visit, null), isId("prd", id) ? PRODUCTS.find(visit, id) : null]);
    const fields = c.req.method === "POST" ? visit.form : newFields(like);
    return { ...data, like, suggestion: await freeKey(visit, fields) };
  },
  page: productForm,
  read: readNewProduct,
  create: createProduct,
  next: (visit, made) => `${rowPath(PRODUCTS, visit, made)}?done=created`,
  again: "created",
});

const editPage = editForm<Product, ProductData, UpdateProductParams>(PRODUCTS, {
  load,
  page: productForm,
  read: readProductChanges,
  async effect(visit, product, changes) {
    const named = [...new Set([...product.benefitIds, ...(changes.benefitIds ?? [])])];
    const benefits = await findBenefits(visit.ctx.db.read, product.organizationId, named);
    return productEffect(visit, product, changes, benefits);
  },
  update: updateProduct,
  done: "saved",
});

const isToArchive = (sent: Sent) => typed(sent, "archived") === "true";

const archivePage = endForm<Product, Product>(PRODUCTS, {
  name: "archive",
  operation: "updateProduct",
  body: (sent) => ({ archived: isToArchive(sent) }),
  page: async (visit, product) => ({
    title: `${product.archived ? "Unarchive" : "Archive"} ${product.name}?`,
    effect: await archiveEffect(visit, product),
    hidden: hiddenValues({ archived: String(!product.archived) }),
    label: product.archived ? "Unarchive the Product" : "Archive the Product",
    isDangerous: !product.archived,
  }),
  end: (ctx, origin, { id }, sent) =>
    updateProduct(ctx, origin, id, { archived: isToArchive(sent) }, (row) => requireSeen(row, sent)),
  next(visit, product, sent) {
    const done = sent === null ? "" : `?done=${isToArchive(sent) ? "archived" : "forsale"}`;
    return `${rowPath(PRODUCTS, visit, product)}${done}`;
  },
});

/** The pages that make and change Products. */
export const productForms = together(newPage, editPage, archivePage);
