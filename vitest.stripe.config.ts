import { defineConfig } from "vitest/config";

// `npm run test:stripe`. Apart from the other tests, because it needs the internet and a key of Stripe's test mode.
export default defineConfig({
  test: {
    include: ["test/payments/stripe-live.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
