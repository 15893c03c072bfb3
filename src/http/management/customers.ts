import { adjustBalance } from "../../actions/customer/adjust-balance.ts";
import { deleteCustomer } from "../../actions/customer/delete.ts";
import type { PortalLink } from "../../actions/customer/portal-links.ts";
import { createCustomerPortalSession, createPortalSession } from "../../actions/customer/portal-sessions.ts";
import { updateCustomer } from "../../actions/customer/update-customer.ts";
import type { Context } from "../../context.ts";
import type { BalanceEntry } from "../../domain/model/balance.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  AdjustBalanceParams,
  BalanceEntryResource,
  BalancesResource,
  ListBalanceEntriesQuery,
  presentBalanceEntry,
  presentBalances,
} from "../../resources/balance.ts";
import {
  customerETag,
  CustomerResource,
  DeleteCustomerQuery,
  ListCustomersQuery,
  presentCustomer,
  UpdateCustomerParams,
} from "../../resources/customer.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  CreateCustomerPortalSessionParams,
  CreatePortalSessionParams,
  PortalSessionResource,
  presentPortalSession,
} from "../../resources/portal-session.ts";
import { heldBalances, listBalanceEntries } from "../../store/balances.ts";
import { customers, listCustomers } from "../../store/customers.ts";
import { answer, noContent, type Answer } from "../answer.ts";
import { commit, type Call } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

/** @throws Refusal `not_found` */
async function read(ctx: Context, { organizationId }: Call, id: string): Promise<Customer> {
  const customer = await customers.find(ctx.db.read, organizationId, id);
  if (!customer || customer.deletedAt !== null) throw new Refusal("not_found");
  return customer;
}

function customerAnswer(customer: Customer): Answer {
  return answer(200, presentCustomer(customer), { ETag: customerETag(customer) });
}

const balanceEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/customers/{customerId}/balance",
    operationId: "getCustomerBalance",
    summary: "Read a Customer's balance in each currency",
    params: { customerId: "cus" },
    responses: { 200: BalancesResource },
    async handle(ctx, { call, params }) {
      const customer = await read(ctx, call, params.customerId);
      return answer(200, presentBalances(await heldBalances(ctx.db.read, call.organizationId, customer.id)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/customers/{customerId}/balance-entries",
    operationId: "listCustomerBalanceEntries",
    summary: "List the entries of a Customer's balance, newest first",
    params: { customerId: "cus" },
    query: ListBalanceEntriesQuery,
    responses: { 200: pageOf(BalanceEntryResource) },
    async handle(ctx, { call, params, query }) {
      const customer = await read(ctx, call, params.customerId);
      const rows = await listBalanceEntries(ctx.db.stale, call.organizationId, customer.id, query);
      return answer(200, presentPage(rows, query.limit, presentBalanceEntry));
    },
  }),
  endpoint({
    method: "POST",
    path: "/customers/{customerId}/balance-adjustments",
    operationId: "adjustCustomerBalance",
    summary: "Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance",
    params: { customerId: "cus" },
    body: AdjustBalanceParams,
    example: { currency: "usd", amount: 500, reason: "For the outage on Monday" },
    responses: { 201: BalanceEntryResource },
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => adjustBalance(ctx, origin, params.customerId, body),
        (entry: BalanceEntry) => answer(201, presentBalanceEntry(entry)),
      );
    },
  }),
];

const PORTAL_LINK =
  "For a signed-in Customer of your application. Send the Customer's browser to `url`. " +
  "Only this answer shows the link. A " +
  "repeat with the same Idempotency-Key answers 409 `idempotency_key_used`.";

const portalAnswer = (link: PortalLink): Answer => ({ ...answer(201, presentPortalSession(link)), secret: true });

const portalEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/customers/{customerId}/portal-sessions",
    operationId: "createCustomerPortalSession",
    summary: "Make a link that signs a Customer in to the portal once",
    description: PORTAL_LINK,
    params: { customerId: "cus" },
    body: CreateCustomerPortalSessionParams,
    bodyOptional: true,
    example: { returnUrl: "https://app.example.com/settings" },
    responses: { 201: PortalSessionResource },
    scopes: ["public", "manage"],
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => createCustomerPortalSession(ctx, origin, params.customerId, body.returnUrl),
        portalAnswer,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/portal-sessions",
    operationId: "createPortalSession",
    summary: "Make a link that signs in to the portal once, for a Customer named by id or `externalId`",
    description: PORTAL_LINK,
    body: CreatePortalSessionParams,
    example: { externalCustomerId: "workspace_42", returnUrl: "https://app.example.com/settings" },
    responses: { 201: PortalSessionResource },
    scopes: ["public", "manage"],
    handle(ctx, { call, body }) {
      return commit(ctx, call, (origin) => createPortalSession(ctx, origin, body), portalAnswer);
    },
  }),
];

export const customerEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/customers",
    operationId: "listCustomers",
    summary: "List Customers, newest first",
    query: ListCustomersQuery,
    responses: { 200: pageOf(CustomerResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listCustomers(ctx.db.stale, call.organizationId, query), query.limit, presentCustomer),
      );
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
      const customer = await read(ctx, call, params.customerId);
      return customerAnswer(customer);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/customers/{customerId}",
    operationId: "updateCustomer",
    summary: "Change a Customer. Issued documents keep the earlier data of the Customer",
    description:
      "409 `customer_exists` names another Customer as `customerId`: " +
      "the one with that `externalId` or, without an `externalId`, that " +
      "e-mail.",
    params: { customerId: "cus" },
    body: UpdateCustomerParams,
    example: { email: "ada@example.com", billingAddress: { country: "GB" } },
    responses: { 200: CustomerResource },
    errors: ["precondition_failed", "customer_exists", "external_id_fixed"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) =>
          updateCustomer(ctx, origin, params.customerId, body, (customer) => checkVersion(customerETag(customer))),
        customerAnswer,
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/customers/{customerId}",
    operationId: "deleteCustomer",
    summary:
      "Delete a Customer. All that the Customer has ends at once. " +
      "Only issued documents keep the Customer's personal data",
    description:
      "Due billing comes first and is charged. If the Customer then has credit (balances, " +
      "and credit that waits for an invoice), the " +
      "answer is 409 `balance_left` with the amounts in `balances`. `forfeitBalance=true` writes the credit off. " +
      "Debts are written " +
      "off in any case.",
    params: { customerId: "cus" },
    query: DeleteCustomerQuery,
    responses: { 204: null },
    errors: ["precondition_failed", "balance_left", "payment_in_progress", "subscription_held"],
    handle(ctx, { call, params, query, checkVersion }) {
      const forfeit = query.forfeitBalance === "true";
      return commit(
        ctx,
        call,
        (origin) =>
          deleteCustomer(ctx, origin, params.customerId, forfeit, (customer) => checkVersion(customerETag(customer))),
        noContent,
      );
    },
  }),
  ...balanceEndpoints,
  ...portalEndpoints,
];
