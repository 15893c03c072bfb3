import { answer } from "../../actions/answer.ts";
import { portalUrl } from "../../actions/links.ts";
import { updateOrganization } from "../../actions/organizations.ts";
import { AppError } from "../../errors.ts";
import { organizationETag, OrganizationResource, presentOrganization, UpdateOrganizationParams } from "../../resources/organization.ts";
import { organizations } from "../../store/organizations.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const organizationEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organization",
    operationId: "getOrganization",
    summary: "Read the Organization of the key",
    responses: { 200: OrganizationResource },
    async handle(ctx, { call }) {
      const organization = await organizations.find(ctx.db.read, call.organizationId);
      if (!organization) throw new AppError("not_found");
      return answer(200, presentOrganization(organization, portalUrl(ctx, organization.id)), { ETag: organizationETag(organization) });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/organization",
    operationId: "updateOrganization",
    summary: "Change the settings; objects within it are replaced as a whole, but for `emails`",
    body: UpdateOrganizationParams,
    responses: { 200: OrganizationResource },
    errors: ["precondition_failed"],
    handle: (ctx, { call, body, match }) => updateOrganization(ctx, call, body, match),
  }),
];
