import { showOrganization, updateOrganization } from "../../actions/organizations.ts";
import { OrganizationResource, UpdateOrganizationParams } from "../../resources/organization.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const organizationEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organization",
    operationId: "getOrganization",
    summary: "Read the Organization of the key",
    responses: { 200: OrganizationResource },
    handle: (ctx, { call }) => showOrganization(ctx, call),
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
