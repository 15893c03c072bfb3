import { createProduct, updateProduct } from "../../actions/catalogue/products.ts";
import type { Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  CreateProductParams,
  ListProductsQuery,
  presentProduct,
  productETag,
  ProductResource,
  UpdateProductParams,
} from "../../resources/product.ts";
import { listProducts, products } from "../../store/products.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function productAnswer(status: 200 | 201, product: Product): Answer {
  return answer(status, presentProduct(product), { ETag: productETag(product) });
}

export const productEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/products",
    operationId: "createProduct",
    summary: "Create a Product",
    body: CreateProductParams,
    example: { key: "team", name: "Team plan", interval: "month", prices: [{ currency: "usd", amount: 2900 }] },
    responses: { 201: ProductResource },
    errors: ["key_taken"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createProduct(ctx, origin, body),
        (product: Product) => productAnswer(201, product),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/products",
    operationId: "listProducts",
    summary: "List Products, newest first",
    query: ListProductsQuery,
    responses: { 200: pageOf(ProductResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listProducts(ctx.db.stale, call.organizationId, query), query.limit, presentProduct),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/products/{productId}",
    operationId: "getProduct",
    summary: "Read a Product",
    params: { productId: "prd" },
    responses: { 200: ProductResource },
    async handle(ctx, { call, params }) {
      const product = await products.find(ctx.db.read, call.organizationId, params.productId);
      if (!product) throw new Refusal("not_found");
      return productAnswer(200, product);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/products/{productId}",
    operationId: "updateProduct",
    summary: "Change a Product. Sold Subscriptions keep their price",
    params: { productId: "prd" },
    body: UpdateProductParams,
    example: { prices: [{ currency: "usd", amount: 3500 }] },
    responses: { 200: ProductResource },
    errors: ["precondition_failed", "subscription_held"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => updateProduct(ctx, origin, params.productId, body, (product) => checkVersion(productETag(product))),
        (product: Product) => productAnswer(200, product),
      );
    },
  }),
];
