import { answer } from "../../actions/answer.ts";
import { downloadUrl } from "../../actions/links.ts";
import { realNow } from "../../clock.ts";
import { ListManagedBenefitGrantsQuery, ManagedBenefitGrantResource, presentManagedBenefitGrant } from "../../resources/benefit-grant.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const benefitGrantEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/benefit-grants",
    operationId: "listBenefitGrants",
    summary: "List BenefitGrants, also revoked ones, newest first",
    query: ListManagedBenefitGrantsQuery,
    responses: { 200: pageOf(ManagedBenefitGrantResource) },
    async handle(ctx, { call, query }) {
      const now = realNow();
      const present = (grant: ReadGrant) =>
        presentManagedBenefitGrant(grant, grant.benefit, {
          externalCustomerId: grant.externalCustomerId,
          expiresAt: grant.expiresAt,
          downloadUrl: (file) => downloadUrl(ctx, call.organizationId, grant.id, file, now),
        });
      return answer(200, presentPage(await listGrants(ctx.db.read, call.organizationId, query), query.limit, present));
    },
  }),
];
