import { Refusal } from "../../domain/refusal.ts";
import { downloadUrl } from "../../actions/links.ts";
import { realNow } from "../../clock.ts";
import { BenefitGrantResource, ListBenefitGrantsQuery, withDownloads } from "../../resources/benefit-grant.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listActiveGrants } from "../../store/benefit-grants.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const benefitGrantEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/benefit-grants",
    operationId: "listBenefitGrants",
    summary: "List the active BenefitGrants of a Customer, newest first",
    description:
      "Exact at the moment of reading. An unknown `customerId` is a 404. " +
      "An unknown `externalCustomerId` has an empty list.",
    query: ListBenefitGrantsQuery,
    responses: { 200: pageOf(BenefitGrantResource) },
    errors: ["not_found"],
    async handle(ctx, { call, query }) {
      const grants = await listActiveGrants(ctx.db.read, call.organizationId, query);
      if (!grants && query.customerId !== undefined) throw new Refusal("not_found");
      const now = realNow();
      const link = (grantId: string) => (file: number) => downloadUrl(ctx, call.organizationId, grantId, file, now);
      const { data, nextCursor } = presentPage(grants ?? [], query.limit, ({ id, type, body }) =>
        type === "download" ? withDownloads(body, link(id)) : body,
      );
      return {
        status: 200,
        headers: {},
        body: `{"data":[${data.join(",")}],"nextCursor":${JSON.stringify(nextCursor)}}`,
      };
    },
  }),
];
