import { afterAll, beforeAll, expect, test } from "vitest";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let customers = 0;
const someone = (more: object = {}) => ({ email: `company-${(customers += 1)}@example.com`, ...more });
const manage = (method: string, path: string, body?: object): Promise<Json> => ok(app.manage(method, path, body));

beforeAll(async () => {
  app = await startTestApp({}, { clock: "2026-02-01T09:00:00Z" });
  const prices = [{ currency: "usd", amount: 3000 }];
  await manage("POST", "/products", { key: "book", name: "Book", interval: null, prices });
});
afterAll(() => app.close());

test("a company is created, read, changed, taken back and recorded", async () => {
  const body = someone({ companyName: " Analytical Engines Ltd " });
  const key = { "Idempotency-Key": `company-${body.email}` };
  const made = await app.api("POST", "/customers", body, key);
  expect(made).toMatchObject({ status: 201, body: { name: null, companyName: "Analytical Engines Ltd" } });
  expect((await app.api("POST", "/customers", body, key)).body).toEqual(made.body);
  const { id } = made.body;
  expect(await manage("PATCH", `/customers/${id}`, { companyName: "Engines SA" })).toMatchObject({
    companyName: "Engines SA",
  });
  expect(await manage("PATCH", `/customers/${id}`, { name: "Ada" })).toMatchObject({ companyName: "Engines SA" });
  expect(await manage("PATCH", `/customers/${id}`, { companyName: null })).toMatchObject({ companyName: null });
  const { data } = await manage("GET", `/events?resourceId=${id}`);
  expect(data.map(({ data: recorded }: Json) => recorded.companyName)).toEqual([
    "Analytical Engines Ltd",
    "Engines SA",
    "Engines SA",
    null,
  ]);
});

test("a search finds the company", async () => {
  const { id } = await ok(app.api("POST", "/customers", someone({ companyName: "Zuse KG" })));
  expect((await manage("GET", "/customers?search=zuse")).data).toMatchObject([{ id }]);
});

test.each([[""], ["A".repeat(257)], ["A\u0007"], [7], [{}]])("%j is no company", async (companyName) => {
  const made = await app.api("POST", "/customers", someone({ companyName }));
  expect(made).toMatchObject({ status: 422, body: { errors: [{ pointer: "/companyName" }] } });
  const { id } = await ok(app.api("POST", "/customers", someone({ companyName: "Kept Ltd" })));
  expect((await app.manage("PATCH", `/customers/${id}`, { companyName })).status).toBe(422);
  expect(await manage("GET", `/customers/${id}`)).toMatchObject({ companyName: "Kept Ltd" });
});

test("the company of a Checkout's new Customer is on the invoice, which keeps it", async () => {
  const customer = someone({ companyName: "Engines GmbH", name: "Ada" });
  const { id } = await ok(app.api("POST", "/checkouts", { productKey: "book", customer }));
  const { invoiceId } = await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays });
  const buyer = { name: "Ada", companyName: "Engines GmbH", email: customer.email };
  const { customerId, ...invoice } = await manage("GET", `/invoices/${invoiceId}`);
  expect(invoice).toMatchObject({ buyer });
  expect(invoice.seller).not.toHaveProperty("companyName");
  await manage("PATCH", `/customers/${customerId}`, { companyName: "Later Ltd" });
  expect(await manage("GET", `/invoices/${invoiceId}`)).toMatchObject({ buyer });
  await manage("POST", `/invoices/${invoiceId}/refunds`, { amount: 1000, to: "card" });
  await app.runDue();
  const { data } = await manage("GET", `/credit-notes?invoiceId=${invoiceId}`);
  expect(data).toMatchObject([{ buyer }]);
});

test("a company that is given with the payment is of this purchase and of a new Customer", async () => {
  const { email } = someone();
  const pay = async (companyName: string) => {
    const { id } = await ok(app.api("POST", "/checkouts", { productKey: "book" }));
    const { invoiceId } = await manage("POST", `/sandbox/checkouts/${id}/pay`, {
      card: CARDS.pays,
      email,
      companyName,
    });
    return manage("GET", `/invoices/${invoiceId}`);
  };
  const first = await pay("First Ltd");
  const second = await pay("Second Ltd");
  expect([first.buyer.companyName, second.buyer.companyName]).toEqual(["First Ltd", "Second Ltd"]);
  expect(second.customerId).toBe(first.customerId);
  expect(await manage("GET", `/customers/${first.customerId}`)).toMatchObject({ companyName: "First Ltd" });
});

test("another Organization neither reads nor changes the company", async () => {
  const { id } = await ok(app.api("POST", "/customers", someone({ companyName: "Ours Ltd" })));
  const foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
  expect((await foreign("GET", `/customers/${id}`)).status).toBe(404);
  expect((await foreign("PATCH", `/customers/${id}`, { companyName: "Theirs Ltd" })).status).toBe(404);
  expect((await foreign("GET", "/customers?search=ours")).body.data).toEqual([]);
  expect(await manage("GET", `/customers/${id}`)).toMatchObject({ companyName: "Ours Ltd" });
});
