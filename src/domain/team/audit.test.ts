import { expect, test } from "vitest";
import { changedBy } from "./audit.ts";

const ID = "prd_01h455vb4pex5vsknk084sn02q";

test.each([
  [
    { productId: ID, quantity: 2, archived: false },
    ["productId", "quantity", "archived"],
    { productId: ID, quantity: 2, archived: false },
  ],
  [{ email: "ada@example.com", name: "Ada" }, ["email", "name"], {}],
  [{ name: null }, ["name"], { name: null }],
  [
    { interval: "month", role: "owner", reason: "month" },
    ["interval", "role", "reason"],
    { interval: "month", role: "owner" },
  ],
  [
    { branding: { accentColor: "#fff000", logoUrl: null } },
    ["branding.accentColor", "branding.logoUrl"],
    { "branding.logoUrl": null },
  ],
  [{ billingAddress: { postalCode: 12345 }, metadata: { age: 7 } }, ["billingAddress", "metadata"], {}],
  [{ fieldValues: { age: 41, member: true } }, ["fieldValues"], {}],
  [{ card: { number: 4242 }, customer: { taxId: { value: 1 } } }, ["card", "customer.taxId"], {}],
  [{ prices: [{ currency: "usd", amount: 1 }] }, ["prices"], {}],
  [{ discountCode: "SPRING_20" }, ["discountCode"], { discountCode: "SPRING_20" }],
  [{ trialEnd: "2026-04-01T00:00:00Z" }, ["trialEnd"], { trialEnd: "2026-04-01T00:00:00Z" }],
  [{ a: { b: { c: 1 } } }, ["a.b"], {}],
  [{ url: "https://example.com/?key=secret", email: ID.replace("prd", "x") }, ["url", "email"], {}],
  [undefined, [], {}],
  [null, [], {}],
])("%j", (body, fields, values) => expect(changedBy(body)).toEqual({ fields, values }));

test("a body with very many fields keeps fifty names", () => {
  const body = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, n]));
  expect(changedBy(body).fields).toHaveLength(50);
});
