import { createCustomer } from "../../actions/customer/create-customer.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { CreateCustomerParams, customerETag, CustomerResource, presentCustomer } from "../../resources/customer.ts";
import { answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const customerEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/customers",
    operationId: "createCustomer",
    summary: "Create a Customer",
    description:
      "409 `customer_exists` names the existing Customer as `customerId`: " +
      "the one with that `externalId` or, if none is sent, that " +
      "e-mail.",
    body: CreateCustomerParams,
    example: { email: "ada@example.com", name: "Ada Lovelace", externalId: "workspace_42" },
    responses: { 201: CustomerResource },
    errors: ["customer_exists"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createCustomer(ctx, origin, body),
        (customer: Customer) => answer(201, presentCustomer(customer), { ETag: customerETag(customer) }),
      );
    },
  }),
];
