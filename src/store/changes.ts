import type { Change } from "../domain/model/frozen-plan.ts";
import { defineTable } from "./driver/table.ts";

export const changes = defineTable<Change>("changes", {
  organizationId: "plain",
  id: "plain",
  subscriptionId: "plain",
  customerId: "plain",
  checkoutId: "plain",
  pageId: "plain",
  status: "plain",
  plan: "json",
  groupKey: "plain",
  decidedAt: "instant",
  settledAt: "instant",
  requestId: "plain",
  idempotency: "json",
  createdAt: "instant",
});
