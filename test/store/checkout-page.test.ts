import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import type { Read } from "../../src/store/driver/db.ts";
import { findOwnView } from "../../src/web/checkout/view.ts";
import { advanceSandbox, startTestApp, type TestApp } from "../support/app.ts";
import { ok } from "../support/story.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { clock: "2026-02-01T09:00:00Z" });
});
afterAll(() => app.close());

/** The page's data, and the number of times that its reads waited for an answer while no other answer was awaited. */
async function viewOf(id: string) {
  let [trips, underway] = [0, 0];
  const read: Read = {
    kind: "read",
    async query(...statement) {
      if (underway === 0) trips += 1;
      underway += 1;
      try {
        return await app.ctx.db.read.query(...statement);
      } finally {
        underway -= 1;
      }
    },
  };
  const ctx: Context = { ...app.ctx, db: { ...app.ctx.db, read } };
  const view = (await findOwnView(ctx, app.organization.id, id, []))!;
  return { view, trips };
}

test("the page of an open purchase reads its rows in one trip", async () => {
  const benefits = [];
  for (const name of ["Support", "Downloads", "Community"]) {
    benefits.push((await ok(app.manage("POST", "/benefits", { name, type: "custom", properties: {} }))).id);
  }
  const benefitIds = [benefits[2], benefits[0], benefits[1]];
  const prices = [{ currency: "usd", amount: 3000 }];
  const product = await ok(
    app.manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices, benefitIds }),
  );
  const off = { code: "OFF", type: "percentage", basisPoints: 1000, duration: "forever" };
  await ok(app.manage("POST", "/discounts", { ...off, endsAt: "2026-03-01T00:00:00Z" }));
  const create = (customer?: object) => ok(app.api("POST", "/checkouts", { productKey: "pro", customer }));

  const [named, unnamed] = [await create({ email: "ada@example.com" }), await create()];
  expect(await viewOf(named.id)).toMatchObject({
    trips: 1,
    view: {
      checkout: { id: named.id },
      product: { id: product.id },
      benefits: benefitIds.map((id) => ({ id })),
      organization: { id: app.organization.id },
      buyer: { id: named.customerId },
      payment: null,
      hasCodes: true,
      closed: null,
    },
  });
  expect(await viewOf(unnamed.id)).toMatchObject({ trips: 1, view: { checkout: { id: unnamed.id }, buyer: null } });

  await advanceSandbox(app.manage, { to: "2026-03-01T00:00:00Z" });
  const later = await create();
  expect(await viewOf(later.id)).toMatchObject({ trips: 1, view: { hasCodes: false } });
});
