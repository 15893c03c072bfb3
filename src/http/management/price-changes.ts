import { controlPriceChange, type PriceChangeStep } from "../../actions/price-change/control.ts";
import { createPriceChange } from "../../actions/price-change/create.ts";
import { previewPriceChange } from "../../actions/price-change/preview.ts";
import { readPriceChange, viewsOf, type PriceChangeView } from "../../actions/price-change/view.ts";
import type { Context } from "../../context.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { ErrorCode } from "../../errors.ts";
import { time } from "../../resources/fields.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  CreatePriceChangeParams,
  ListPriceChangesQuery,
  ListRepricedQuery,
  presentPriceChange,
  presentPriceChangePreview,
  presentRepriced,
  priceChangeETag,
  PriceChangePreviewResource,
  PriceChangeResource,
  ProductPricesResource,
  RepricedSubscriptionResource,
} from "../../resources/price-change.ts";
import { listPriceChanges, priceChanges } from "../../store/price-changes.ts";
import { readPriceVersions } from "../../store/product-prices.ts";
import { products } from "../../store/products.ts";
import { listRepriced } from "../../store/repriced-subscriptions.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const priceChangeAnswer = (status: 200 | 201, view: PriceChangeView): Answer =>
  answer(status, presentPriceChange(view), { ETag: priceChangeETag(view.round) });

/** @throws Refusal 404 */
async function requireProduct({ db }: Context, organizationId: string, id: string): Promise<void> {
  if (!(await products.find(db.read, organizationId, id))) throw new Refusal("not_found");
}

const EXAMPLE = { currencies: ["usd"], noticeDays: 30, consent: "notice" as const };

type Control = { step: PriceChangeStep; summary: string; description: string; errors: readonly ErrorCode[] };
const CONTROLS: readonly Control[] = [
  {
    step: "pause",
    summary: "Pause a price change: no further notice is given",
    description: "A price of which notice was given moves all the same.",
    errors: ["price_change_ended"],
  },
  {
    step: "resume",
    summary: "Go on with a paused price change",
    description: "The price change goes on where it was.",
    errors: ["price_change_ended"],
  },
  {
    step: "stop",
    summary: "Stop a price change for good",
    description: "A price of which notice was given moves all the same. `withdraw` takes such prices back.",
    errors: ["price_change_ended"],
  },
  {
    step: "withdraw",
    summary: "Withdraw a price change: the prices that wait are taken back",
    description:
      "Subscriptions that have begun a period at the new price keep it. The others keep their present price. This " +
      "happens in batches: the `status` is `withdrawing`, and then `withdrawn`.",
    errors: ["price_change_unfinished"],
  },
];

const controls = CONTROLS.map(({ step, summary, description, errors }) =>
  endpoint({
    method: "POST",
    path: `/price-changes/{priceChangeId}/${step}`,
    operationId: `${step}PriceChange`,
    summary,
    description,
    params: { priceChangeId: "pch" },
    responses: { 200: PriceChangeResource },
    errors: ["precondition_failed", ...errors],
    handle(ctx, { call, params, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) =>
          controlPriceChange(ctx, origin, params.priceChangeId, step, (round) => checkVersion(priceChangeETag(round))),
        (view: PriceChangeView) => priceChangeAnswer(200, view),
      );
    },
  }),
);

export const priceChangeEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/products/{productId}/price-changes",
    operationId: "createPriceChange",
    summary: "Bring the present prices of a Product to present Subscriptions",
    description:
      "Each live Subscription with another price gets notice. Its price moves with its first period that " +
      "begins `noticeDays` after the notice or later. The notices are given in batches, and `progress` has the " +
      "numbers. The prices are those of the catalogue at the request.",
    params: { productId: "prd" },
    body: CreatePriceChangeParams,
    example: EXAMPLE,
    responses: { 201: PriceChangeResource },
    errors: ["price_change_unfinished"],
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => createPriceChange(ctx, origin, params.productId, body),
        (view: PriceChangeView) => priceChangeAnswer(201, view),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/products/{productId}/price-changes/preview",
    operationId: "previewPriceChange",
    summary: "Preview a price change: the Subscriptions that would move, and their MRR. No data is changed",
    params: { productId: "prd" },
    body: CreatePriceChangeParams,
    example: EXAMPLE,
    responses: { 200: PriceChangePreviewResource },
    async handle(ctx, { call, params, body }) {
      const preview = await previewPriceChange(ctx, call.organizationId, params.productId, body);
      return answer(200, presentPriceChangePreview(preview));
    },
  }),
  endpoint({
    method: "GET",
    path: "/products/{productId}/price-changes",
    operationId: "listPriceChanges",
    summary: "List the price changes of a Product, newest first",
    params: { productId: "prd" },
    query: ListPriceChangesQuery,
    responses: { 200: pageOf(PriceChangeResource) },
    async handle(ctx, { call: { organizationId }, params, query }) {
      await requireProduct(ctx, organizationId, params.productId);
      const rounds = await listPriceChanges(ctx.db.stale, organizationId, params.productId, query);
      const views = await viewsOf(ctx.db.stale, organizationId, rounds);
      return answer(200, presentPage(views, query.limit, presentPriceChange));
    },
  }),
  endpoint({
    method: "GET",
    path: "/products/{productId}/prices",
    operationId: "getProductPrices",
    summary: "Read the prices of a Product with their time in the catalogue, and how many pay each",
    params: { productId: "prd" },
    responses: { 200: ProductPricesResource },
    async handle(ctx, { call: { organizationId }, params }) {
      await requireProduct(ctx, organizationId, params.productId);
      const versions = await readPriceVersions(ctx.db.read, organizationId, params.productId);
      const data = versions.map(({ from, until, ...each }) => ({ ...each, from: time(from), until: time(until) }));
      return answer(200, { data });
    },
  }),
  endpoint({
    method: "GET",
    path: "/price-changes/{priceChangeId}",
    operationId: "getPriceChange",
    summary: "Read a price change and its progress",
    params: { priceChangeId: "pch" },
    responses: { 200: PriceChangeResource },
    async handle(ctx, { call, params }) {
      return priceChangeAnswer(200, await readPriceChange(ctx.db.read, call.organizationId, params.priceChangeId));
    },
  }),
  endpoint({
    method: "GET",
    path: "/price-changes/{priceChangeId}/subscriptions",
    operationId: "listPriceChangeSubscriptions",
    summary: "List the Subscriptions of a price change by their ids",
    description:
      "Those that were left out are listed, too. A Subscription is listed once the price change has come to it.",
    params: { priceChangeId: "pch" },
    query: ListRepricedQuery,
    responses: { 200: pageOf(RepricedSubscriptionResource) },
    async handle(ctx, { call: { organizationId }, params: { priceChangeId }, query }) {
      if (!(await priceChanges.find(ctx.db.read, organizationId, priceChangeId))) throw new Refusal("not_found");
      const rows = await listRepriced(ctx.db.stale, organizationId, { ...query, priceChangeId });
      return answer(200, presentPage(rows, query.limit, presentRepriced));
    },
  }),
  ...controls,
];
