import { Refusal } from "../../domain/refusal.ts";
import { removeActivation } from "../../actions/benefit/licenses.ts";
import { downloadUrl } from "../../actions/links.ts";
import { realNow } from "../../clock.ts";
import {
  ListManagedBenefitGrantsQuery,
  ManagedBenefitGrantResource,
  presentManagedBenefitGrant,
} from "../../resources/benefit-grant.ts";
import {
  LicenseActivationResource,
  ListLicenseActivationsQuery,
  presentLicenseActivation,
} from "../../resources/license.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { benefitGrants, listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import { listActivations } from "../../store/licenses.ts";
import { answer, noContent } from "../answer.ts";
import { commit } from "../commit.ts";
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
      return answer(200, presentPage(await listGrants(ctx.db.stale, call.organizationId, query), query.limit, present));
    },
  }),
  endpoint({
    method: "GET",
    path: "/benefit-grants/{benefitGrantId}/activations",
    operationId: "listLicenseActivations",
    summary: "List the devices on which a granted license key is used, newest first",
    params: { benefitGrantId: "bgr" },
    query: ListLicenseActivationsQuery,
    responses: { 200: pageOf(LicenseActivationResource) },
    async handle(ctx, { call, params, query }) {
      const grant = await benefitGrants.find(ctx.db.read, call.organizationId, params.benefitGrantId);
      if (!grant) throw new Refusal("not_found");
      const rows = await listActivations(ctx.db.stale, call.organizationId, grant.id, query);
      return answer(200, presentPage(rows, query.limit, presentLicenseActivation));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/benefit-grants/{benefitGrantId}/activations/{activationId}",
    operationId: "removeLicenseActivation",
    summary: "End the use of a license key on a device that its owner no longer has",
    params: { benefitGrantId: "bgr", activationId: "act" },
    responses: { 204: null },
    handle(ctx, { call, params: { benefitGrantId, activationId } }) {
      return commit(ctx, call, (origin) => removeActivation(ctx, origin, benefitGrantId, activationId), noContent);
    },
  }),
];
