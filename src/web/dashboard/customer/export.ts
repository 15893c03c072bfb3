import { note } from "../../../actions/team/audit.ts";
import { answerWithExport } from "../../export-answer.ts";
import type { Pages } from "../form-action.ts";
import { CUSTOMER, livingPageDataOf } from "./part.ts";

/**
 * `…/customers/{customerId}/export`: all data of the Customer as a file, such as for a request under the GDPR. The file
 * has license keys, so the page asks for the password, and the audit log gets an entry.
 */
export const exportPages: Pages = (_, app, guard) => {
  app.get(
    `${CUSTOMER}/export`,
    guard.confirmed("customers", async (c, request) => {
      const { ctx, customer } = await livingPageDataOf(c, request);
      const { id: organizationId } = request.organization;
      const answer = await answerWithExport(ctx, c, organizationId, customer.id, "seller");
      const entry = { operation: "exportCustomer", resourceId: customer.id, customerId: customer.id };
      await ctx.db.tx(async (tx) => note(tx, organizationId, { ...request.by, ...entry }));
      return answer;
    }),
  );
};
