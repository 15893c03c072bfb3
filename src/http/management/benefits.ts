import { createBenefit } from "../../actions/catalogue/create-benefit.ts";
import { deleteBenefit } from "../../actions/catalogue/delete-benefit.ts";
import { updateBenefit } from "../../actions/catalogue/update-benefit.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  benefitETag,
  BenefitResource,
  CreateBenefitParams,
  ListBenefitsQuery,
  presentBenefit,
  UpdateBenefitParams,
} from "../../resources/benefit.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { benefits, listBenefits } from "../../store/benefits.ts";
import { answer, noContent, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function benefitAnswer(status: 200 | 201, benefit: Benefit): Answer {
  return answer(status, presentBenefit(benefit), { ETag: benefitETag(benefit) });
}

export const benefitEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/benefits",
    operationId: "createBenefit",
    summary: "Create a Benefit",
    body: CreateBenefitParams,
    example: { type: "feature", key: "seats-25", name: "25 seats", properties: { feature: "seats", value: 25 } },
    responses: { 201: BenefitResource },
    errors: ["key_taken"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createBenefit(ctx, origin, body),
        (benefit: Benefit) => benefitAnswer(201, benefit),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/benefits",
    operationId: "listBenefits",
    summary: "List Benefits, newest first",
    query: ListBenefitsQuery,
    responses: { 200: pageOf(BenefitResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listBenefits(ctx.db.stale, call.organizationId, query), query.limit, presentBenefit),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/benefits/{benefitId}",
    operationId: "getBenefit",
    summary: "Read a Benefit",
    params: { benefitId: "bft" },
    responses: { 200: BenefitResource },
    async handle(ctx, { call, params }) {
      const benefit = await benefits.find(ctx.db.read, call.organizationId, params.benefitId);
      if (!benefit || benefit.deletedAt !== null) throw new Refusal("not_found");
      return benefitAnswer(200, benefit);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/benefits/{benefitId}",
    operationId: "updateBenefit",
    summary: "Change a Benefit. Existing grants change too",
    params: { benefitId: "bft" },
    body: UpdateBenefitParams,
    example: { name: "30 seats", properties: { feature: "seats", value: 30 } },
    responses: { 200: BenefitResource },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => updateBenefit(ctx, origin, params.benefitId, body, (benefit) => checkVersion(benefitETag(benefit))),
        (benefit: Benefit) => benefitAnswer(200, benefit),
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/benefits/{benefitId}",
    operationId: "deleteBenefit",
    summary: "Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it",
    params: { benefitId: "bft" },
    responses: { 204: null },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => deleteBenefit(ctx, origin, params.benefitId, (benefit) => checkVersion(benefitETag(benefit))),
        noContent,
      );
    },
  }),
];
