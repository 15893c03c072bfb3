import { expect } from "vitest";
import { startTestApp, type Json, type TestAnswer, type TestApp } from "./app.ts";
import { audit } from "./audit.ts";
import { letLeasesRunOut } from "./processes.ts";
import { ok } from "./story.ts";

/** A sandbox in real time. It sells `pro` and `max` by the month and `book` once. */
export async function startCustomerApp(): Promise<TestApp> {
  const app = await startTestApp();
  const price = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  for (const key of ["pro", "max"])
    await ok(app.manage("POST", "/products", { key, name: key, interval: "month", ...price(1000) }));
  await ok(app.manage("POST", "/products", { key: "book", name: "Book", ...price(500) }));
  return app;
}

/** Does all due work, expects the books to agree, and closes everything. */
export async function closeCustomerApp(app: TestApp): Promise<void> {
  await letLeasesRunOut(app.ctx.db);
  await app.runDue();
  expect(await audit(app.ctx.db, app.organization.id)).toEqual([]);
  await app.close();
}

let count = 0;
/** A new e-mail address. */
export const fresh = () => `person-${++count}@example.com`;

/** The faults of a 422, each as `pointer code`. */
export const faults = ({ body }: TestAnswer) => body.errors.map((fault: Json) => `${fault.pointer} ${fault.code}`);

/** The requests about a Customer. */
export function customersOf(get: () => TestApp) {
  return {
    create: (more: object = {}) => ok(get().api("POST", "/customers", { email: fresh(), ...more })),
    patch: (id: string, body: object, headers: Record<string, string> = {}) =>
      get().manage("PATCH", `/customers/${id}`, body, headers),
    remove: (id: string, headers: Record<string, string> = {}) =>
      get().manage("DELETE", `/customers/${id}`, undefined, headers),
    read: (id: string) => get().manage("GET", `/customers/${id}`),
    /** The types of the Customer's events, in order. */
    recordedOf: async (id: string): Promise<string[]> =>
      (await get().manage("GET", `/events?resourceId=${id}`)).body.data.map((event: Json) => event.type),
    /** A new Checkout of the Customer. */
    checkout: (customerId: string, productKey = "pro") =>
      ok(get().api("POST", "/checkouts", { productKey, customerId })),
    pay: (id: string, card: string) => get().manage("POST", `/sandbox/checkouts/${id}/pay`, { card }),
  };
}
