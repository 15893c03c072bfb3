import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { describeProvider } from "./conformance.ts";
import { startStripe } from "./stripe/server.ts";
import { answerOnPage, LACKS, openStripeWorld, sellerOf, type Site, type StripeWorld } from "./stripe-world.ts";

/*
 * The conformance suite over the adapter and Stripe itself, in test mode. `npm run test:stripe` runs this file with a
 * test key in STRIPE_SECRET_KEY. Without a key the local server takes Stripe's place. Both write a transcript.
 */
const key = process.env["STRIPE_SECRET_KEY"] ?? "";
const RESULTS = new URL("../../test-results/", import.meta.url);
/** The buttons of the page on which Stripe's test bank asks for an authentication; they are in frames. */
const BUTTONS = { pass: "#test-source-authorize-3ds", fail: "#test-source-fail-3ds" };
const PAGE_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 250;

let closeSite = async (): Promise<void> => undefined;
let world: StripeWorld | undefined;

async function openSite(): Promise<Site> {
  if (key === "") {
    const stripe = await startStripe();
    closeSite = () => stripe.close();
    return { ...stripe, key: stripe.secretKey };
  }
  if (!/^[rs]k_test_/.test(key)) throw new Error("STRIPE_SECRET_KEY is no key of test mode");
  const url = "https://api.stripe.com";
  const { id: accountId } = await sellerOf({ url, key, accountId: "" })<{ id: string }>("GET /v1/account");
  return { url, key, accountId };
}

/** Answers on the page of Stripe's test bank. A challenge that is over has no button. */
async function answerInBrowser(url: string, pass: boolean): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const selector = pass ? BUTTONS.pass : BUTTONS.fail;
    for (let waited = 0; waited < PAGE_MILLISECONDS; waited += LOOK_MILLISECONDS) {
      for (const frame of page.frames()) {
        const button = frame.locator(selector);
        if ((await button.count()) === 0) continue;
        await button.click();
        await page.waitForURL(/^https:\/\/shop\.example/, { waitUntil: "commit" }).catch(() => undefined);
        return;
      }
      if (page.url().startsWith("https://shop.example")) return;
      await page.waitForTimeout(LOOK_MILLISECONDS);
    }
  } finally {
    await browser.close();
  }
}

describeProvider(
  key === "" ? "Stripe (local server)" : "Stripe (test mode)",
  async () => {
    const site = await openSite();
    const since = Math.floor(Date.now() / 1000) - 1;
    world = await openStripeWorld(site, { answer: key === "" ? answerOnPage : answerInBrowser, since });
    return world;
  },
  LACKS,
);

afterAll(async () => {
  await closeSite();
  if (!world) return;
  mkdirSync(RESULTS, { recursive: true });
  const name = key === "" ? "stripe-local.json" : "stripe-test-mode.json";
  writeFileSync(new URL(name, RESULTS), JSON.stringify(world.proxy.passages, null, 2));
});
