import { Refusal } from "../../domain/refusal.ts";
import { portalUrl } from "../../actions/links.ts";
import { updateOrganization, type OrganizationView } from "../../actions/organization/organizations.ts";
import { readProblems } from "../../actions/organization/problems.ts";
import type { Context } from "../../context.ts";
import {
  organizationETag,
  OrganizationResource,
  presentOrganization,
  UpdateOrganizationParams,
} from "../../resources/organization.ts";
import { organizations } from "../../store/organizations.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const etagOf = ({ organization, problems }: OrganizationView) => organizationETag(organization, problems);

function organizationAnswer(ctx: Context, shown: OrganizationView): Answer {
  const { organization, problems } = shown;
  return answer(200, presentOrganization(organization, portalUrl(ctx, organization.id), problems), {
    ETag: etagOf(shown),
  });
}

export const organizationEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organization",
    operationId: "getOrganization",
    summary: "Read the Organization of the key",
    responses: { 200: OrganizationResource },
    async handle(ctx, { call: { organizationId } }) {
      const { read } = ctx.db;
      const [organization, problems] = await Promise.all([
        organizations.find(read, organizationId),
        readProblems(read, organizationId),
      ]);
      if (!organization) throw new Refusal("not_found");
      return organizationAnswer(ctx, { organization, problems });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/organization",
    operationId: "updateOrganization",
    summary: "Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`",
    body: UpdateOrganizationParams,
    example: { legalName: "Example Ltd", supportEmail: "support@example.com" },
    responses: { 200: OrganizationResource },
    errors: ["precondition_failed"],
    handle(ctx, { call, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => updateOrganization(ctx, origin, body, (shown) => checkVersion(etagOf(shown))),
        (shown: OrganizationView) => organizationAnswer(ctx, shown),
      );
    },
  }),
];
