import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
let ajv: Ajv2020;

beforeAll(async () => {
  app = await startTestApp();
  ajv = new Ajv2020({ strict: false, formats: { "date-time": true, duration: true, uri: true } });
  ajv.addSchema((await app.manage("GET", "/openapi.json")).body, "management");
});
afterAll(() => app.close());

/** Calls an operation and checks its answer against the document. `ids` fill the path's braces. */
async function conforming(operation: string, ids: Record<string, string> = {}, body?: object): Promise<Json> {
  const [method, path] = operation.split(" ") as [string, string];
  const answer = await app.manage(
    method,
    path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
    body,
  );
  const escaped = path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
  const called = `#/paths/${escaped}/${method.toLowerCase()}`;
  const pointer = `${called}/responses/${answer.status}/content/application~1json/schema`;
  const validate = ajv.getSchema(`management${pointer}`);
  expect(
    validate,
    `${operation} answered an undocumented ${answer.status}: ${JSON.stringify(answer.body)}`,
  ).toBeDefined();
  expect(validate!(answer.body) ? [] : validate!.errors, `${operation}: ${JSON.stringify(answer.body)}`).toEqual([]);
  return answer.body;
}

it("answers as documented, through the life of a Subscription", async () => {
  const types = [{ type: "feature", key: "sso" }, { type: "license_key" }, { type: "custom" }];
  const made = await Promise.all(types.map((type) => conforming("POST /benefits", {}, { ...type, name: "Benefit" })));
  const benefitIds = made.map((benefit) => benefit.id);
  const monthly = { interval: "month", benefitIds };
  const pro = { ...monthly, key: "pro", name: "Pro", prices: [{ currency: "usd", amount: 1000 }] };
  const product = await conforming("POST /products", {}, pro);
  await conforming(
    "POST /products",
    {},
    { ...monthly, key: "max", name: "Max", prices: [{ currency: "usd", amount: 3000 }] },
  );
  const open = await app.api("POST", "/checkouts", {
    productId: product.id,
    customer: { email: "ada@example.com", externalId: "ada" },
  });
  const checkoutId = open.body.id;
  await conforming("GET /checkouts/{checkoutId}", { checkoutId });
  const paid = await conforming(
    "POST /sandbox/checkouts/{checkoutId}/pay",
    { checkoutId },
    { card: "4242424242424242" },
  );
  const { subscriptionId, customerId, invoiceId } = paid;
  await conforming("POST /subscriptions/{subscriptionId}/preview", { subscriptionId }, { productKey: "max" });
  await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "max", prorationBehavior: "next_period" });
  await conforming("GET /subscriptions/{subscriptionId}", { subscriptionId });
  await conforming("POST /sandbox/customers/{customerId}/card", { customerId }, { card: "4000000000000341" });
  await conforming("POST /sandbox/clock/advance", {}, { by: "P1M" });
  await conforming("GET /sandbox/clock");
  await conforming("DELETE /sandbox/clock/advance");
  await conforming("GET /invoices/{invoiceId}", { invoiceId });
  const refund = await conforming("POST /invoices/{invoiceId}/refunds", { invoiceId }, { amount: 100, to: "balance" });
  await conforming("GET /refunds/{refundId}", { refundId: refund.id });
  await conforming("GET /credit-notes/{creditNoteId}", { creditNoteId: refund.creditNoteId });
  await conforming("GET /customers/{customerId}", { customerId });
  await conforming("GET /customers/{customerId}/balance", { customerId });
  await conforming("POST /subscriptions/{subscriptionId}/resume/preview", { subscriptionId });
  await conforming("POST /subscriptions/{subscriptionId}/cancel-now/preview", { subscriptionId }, {});
  await conforming("POST /subscriptions/{subscriptionId}/cancel-now", { subscriptionId }, {});
  await conforming("PATCH /products/{productId}", { productId: product.id }, { archived: true });
  await conforming("PATCH /benefits/{benefitId}", { benefitId: benefitIds[2]! }, { properties: { note: "Thanks" } });
  await conforming("PATCH /organization", {}, { name: "Tested" });
  const lists = [
    "customers",
    "products",
    "benefits",
    "checkouts",
    "subscriptions",
    "invoices",
    "payments",
    "refunds",
    "credit-notes",
    "benefit-grants",
    "events",
    "emails",
  ];
  for (const list of lists) expect((await conforming(`GET /${list}`)).data, list).not.toEqual([]);
});
