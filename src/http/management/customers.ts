import { answer } from "../../actions/answer.ts";
import { AppError } from "../../errors.ts";
import { BalancesResource, customerETag, CustomerResource, ListCustomersQuery, presentCustomer } from "../../resources/customer.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listBalances } from "../../store/balances.ts";
import { customers, listCustomers } from "../../store/customers.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const customerEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/customers",
    operationId: "listCustomers",
    summary: "List Customers, newest first",
    query: ListCustomersQuery,
    responses: { 200: pageOf(CustomerResource) },
    async handle(ctx, { call, query }) {
      return answer(200, presentPage(await listCustomers(ctx.db.read, call.organizationId, query), query.limit, presentCustomer));
    },
  }),
  endpoint({
    method: "GET",
    path: "/customers/{customerId}",
    operationId: "getCustomer",
    summary: "Read a Customer",
    params: { customerId: "cus" },
    responses: { 200: CustomerResource },
    async handle(ctx, { call, params }) {
      const customer = await customers.find(ctx.db.read, call.organizationId, params.customerId);
      if (!customer) throw new AppError("not_found");
      return answer(200, presentCustomer(customer), { ETag: customerETag(customer) });
    },
  }),
  endpoint({
    method: "GET",
    path: "/customers/{customerId}/balance",
    operationId: "getCustomerBalance",
    summary: "Read a Customer's balance in each currency",
    params: { customerId: "cus" },
    responses: { 200: BalancesResource },
    async handle(ctx, { call, params }) {
      const customer = await customers.find(ctx.db.read, call.organizationId, params.customerId);
      if (!customer) throw new AppError("not_found");
      return answer(200, { data: await listBalances(ctx.db.read, call.organizationId, customer.id) });
    },
  }),
];
