import { closeDispute, disputePayment, escalateDispute } from "../../actions/dispute/dispute.ts";
import type { Dispute } from "../../domain/model/dispute.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  CloseDisputeParams,
  disputeETag,
  DisputePaymentParams,
  DisputeResource,
  ListDisputesQuery,
  presentDispute,
} from "../../resources/dispute.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { disputes, listDisputes } from "../../store/disputes.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function disputeAnswer(status: 200 | 201, dispute: Dispute): Answer {
  return answer(status, presentDispute(dispute), { ETag: disputeETag(dispute) });
}

export const disputeEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/disputes",
    operationId: "listDisputes",
    summary: "List Disputes, newest first",
    query: ListDisputesQuery,
    responses: { 200: pageOf(DisputeResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listDisputes(ctx.db.stale, call.organizationId, query), query.limit, presentDispute),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/disputes/{disputeId}",
    operationId: "getDispute",
    summary: "Read a Dispute",
    params: { disputeId: "dsp" },
    responses: { 200: DisputeResource },
    async handle(ctx, { call, params }) {
      const dispute = await disputes.find(ctx.db.read, call.organizationId, params.disputeId);
      if (!dispute) throw new Refusal("not_found");
      return disputeAnswer(200, dispute);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/payments/{paymentId}/dispute",
    operationId: "disputeSandboxPayment",
    summary: "Dispute a charge, as a buyer does at their bank",
    params: { paymentId: "pay" },
    body: DisputePaymentParams,
    example: { reason: "unrecognized" },
    bodyOptional: true,
    responses: { 201: DisputeResource },
    errors: ["payment_not_disputable", "already_disputed"],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => disputePayment(ctx, origin, params.paymentId, body),
        (dispute: Dispute) => disputeAnswer(201, dispute),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/disputes/{disputeId}/escalate",
    operationId: "escalateSandboxDispute",
    summary: "Take the money of an inquiry back, as the bank does",
    params: { disputeId: "dsp" },
    responses: { 200: DisputeResource },
    errors: ["dispute_not_inquiry", "payment_not_disputable"],
    sandboxOnly: true,
    handle(ctx, { call, params }) {
      return commit(
        ctx,
        call,
        (origin) => escalateDispute(ctx, origin, params.disputeId),
        (dispute: Dispute) => disputeAnswer(200, dispute),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/disputes/{disputeId}/close",
    operationId: "closeSandboxDispute",
    summary: "Decide a Dispute, as the bank does",
    params: { disputeId: "dsp" },
    body: CloseDisputeParams,
    example: { outcome: "won" },
    responses: { 200: DisputeResource },
    errors: ["dispute_closed", "dispute_outcome_mismatch"],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => closeDispute(ctx, origin, params.disputeId, body),
        (dispute: Dispute) => disputeAnswer(200, dispute),
      );
    },
  }),
];
