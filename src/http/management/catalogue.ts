import { previewCatalogue, pushCatalogue } from "../../actions/catalogue/push-catalogue.ts";
import { readCatalogue } from "../../actions/catalogue/read-catalogue.ts";
import { CatalogueParams, CatalogueResource, CatalogueResult } from "../../resources/catalogue.ts";
import { answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const EXAMPLE = {
  benefits: [{ key: "reports", type: "feature" as const, name: "Reports" }],
  products: [
    {
      key: "team",
      name: "Team plan",
      interval: "month" as const,
      prices: [{ currency: "usd", amount: 2900 }],
      benefits: ["reports"],
    },
  ],
};

export const catalogueEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/catalogue",
    operationId: "getCatalogue",
    summary: "Read the whole catalogue: Benefits, Products and Discounts by key",
    responses: { 200: CatalogueResource },
    async handle(ctx, { call: { organizationId } }) {
      return answer(200, await ctx.db.snapshot((db) => readCatalogue(db, organizationId)));
    },
  }),
  endpoint({
    method: "PUT",
    path: "/catalogue",
    operationId: "pushCatalogue",
    summary: "Make and change Benefits, Products and Discounts by key, all or none",
    body: CatalogueParams,
    example: EXAMPLE,
    responses: { 200: CatalogueResult },
    errors: ["key_taken", "subscription_held"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => pushCatalogue(ctx, origin, body),
        (result: CatalogueResult) => answer(200, result),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/catalogue/preview",
    operationId: "previewCatalogue",
    summary: "Preview the changes of a catalogue. No data is changed",
    body: CatalogueParams,
    example: EXAMPLE,
    responses: { 200: CatalogueResult },
    errors: ["key_taken", "subscription_held"],
    async handle(ctx, { call: { organizationId }, body }) {
      return answer(200, await previewCatalogue(ctx, organizationId, body));
    },
  }),
];
