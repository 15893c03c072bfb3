import { customerExportHeaders, exportCustomer } from "../../actions/export/customer-export.ts";
import { CustomerExportResource } from "../../resources/export.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const customerExportEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/customers/{customerId}/export",
    operationId: "exportCustomer",
    summary: "Export all data of a Customer as one JSON document, such as for a request under the GDPR",
    description:
      "The lists come newest first. All of them are of one instant. The e-mails are those that are kept. " +
      "The audit log gets an entry.",
    params: { customerId: "cus" },
    responses: { 200: CustomerExportResource },
    errors: ["rate_limited"],
    audited: true,
    async handle(ctx, { call, params }) {
      const { customerId } = params;
      const made = await exportCustomer(ctx, call.organizationId, customerId, "seller");
      return { status: 200, headers: customerExportHeaders(customerId), body: "", file: async () => made };
    },
  }),
];
