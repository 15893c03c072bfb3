import type { Page } from "playwright-core";
import { CARDS, type Sandbox, type Sold } from "./screenshot-shop.ts";
import { sent, submit, typeCard, typeCardInVain, type Shot } from "./screenshot-steps.ts";

const press = (page: Page) => sent(page, () => submit(page));

/** Types into the field of an e-mail address, and goes on. */
const typeEmail = (page: Page, email: string) => page.fill("#email", email);

/** Pays, and waits for the deliverables. */
async function buy(page: Page): Promise<void> {
  await typeCard(page, CARDS.pays);
  await page.locator(".deliverables, .ways").first().waitFor();
}

/** The steps after a page has opened, by the name of the page. */
export const STEPS: Record<string, (page: Page) => Promise<void>> = {
  "checkout-address": (page) => page.locator("details.more > summary").first().click(),
  "checkout-code": async (page) => {
    await page.fill("#code", "SUMMER99");
    await page.locator(".applicable button").click();
    await page.locator(".applicable .fault").waitFor();
  },
  "buy-fault": async (page) => {
    await page.fill("#quantity-0", "51");
    await sent(page, () => submit(page));
  },
  "checkout-faults": (page) => submit(page),
  "checkout-unknown-faults": (page) => submit(page),
  "checkout-fields-faults": (page) => submit(page),
  "checkout-tax-id": async (page) => {
    await typeEmail(page, "tax@example.com");
    await page.selectOption("#country", "FR");
    await page.locator('[data-state^="FR"]').first().waitFor({ state: "attached" });
    await page.fill("#taxId", "FR123");
    await typeCardInVain(page, CARDS.pays);
  },
  "checkout-region": async (page) => {
    await page.selectOption("#country", "US");
    await page.locator("#state").waitFor();
  },
  "checkout-quantity-faults": async (page) => {
    await page.fill("#quantity", "51");
    await page.keyboard.press("Enter");
    await page.locator("#quantity-fault").waitFor();
  },
  "checkout-quantity-deliverables": async (page) => {
    await page.fill("#quantity", "8");
    await page.keyboard.press("Enter");
    await page.locator('[data-part="quantity"][data-state^="8"]').waitFor();
    await buy(page);
  },
  "checkout-declined": (page) => typeCard(page, CARDS.declined),
  "checkout-bank": (page) => typeCard(page, CARDS.asksBuyer),
  "checkout-processing": (page) => typeCard(page, CARDS.processing),
  "checkout-deliverables": buy,
  "checkout-trial-deliverables": buy,
  "checkout-free-deliverables": async (page) => {
    await press(page);
    await page.locator(".deliverables, .ways").first().waitFor();
  },
  "checkout-changed": buy,
  "invoice-declined": (page) => typeCard(page, CARDS.declined),
  "invoice-processing": (page) => typeCard(page, CARDS.processing),
  "invoice-challenged": async (page) => {
    const { href } = new URL(page.url());
    await typeCard(page, CARDS.asksBuyer);
    await page.goto(href);
  },
};

/** Lets a shot run while the sandbox's provider takes cards on its own page. */
async function whileHosted({ manage }: Sandbox, work: () => Promise<void>): Promise<void> {
  await manage("PATCH", "/organization", { sandboxEntry: "hosted" });
  try {
    await work();
  } finally {
    await manage("PATCH", "/organization", { sandboxEntry: "typed" });
  }
}

/** The provider's own page, for the payment of a Checkout or an invoice. */
async function goToProvider(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await press(page);
  await page.waitForURL(/sandbox\/pay/);
}

/** The pages of the test provider and its bank. Each shot takes another purchase. */
function providerShots(sandbox: Sandbox, { pages }: Sold): Shot[] {
  const hosted = (name: string, open: (page: Page) => Promise<void>): Shot => ({
    name,
    open: (page) => whileHosted(sandbox, () => open(page)),
  });
  const toBank = async (page: Page, url: string) => {
    await page.goto(url);
    // The shot of the Checkout may have been left out.
    if (await page.locator("#number").isVisible()) await typeCard(page, CARDS.asksBuyer);
    await page.locator("main a.button").first().click();
    await page.waitForURL(/sandbox\/challenge/);
  };
  return [
    hosted("checkout-hosted", async (page) => void (await page.goto(pages["checkout-once"]!))),
    hosted("checkout-hosted-trial", async (page) => void (await page.goto(pages["checkout-open-trial"]!))),
    hosted("invoice-hosted", async (page) => void (await page.goto(pages["invoice-due"]!))),
    hosted("sandbox-pay", (page) => goToProvider(page, pages["checkout-hosted-waiting"]!)),
    {
      name: "checkout-hosted-waiting",
      open: async (page) => void (await page.goto(pages["checkout-hosted-waiting"]!)),
    },
    hosted("sandbox-pay-faults", async (page) => {
      await goToProvider(page, pages["checkout-hosted-save"]!);
      await press(page);
    }),
    hosted("sandbox-pay-declined", async (page) => {
      await goToProvider(page, pages["checkout-hosted-again"]!);
      await typeCard(page, CARDS.declined);
    }),
    hosted("sandbox-pay-over", async (page) => {
      await goToProvider(page, pages["checkout-hosted-paid"]!);
      const here = page.url();
      await typeCard(page, CARDS.pays);
      await page.goto(here);
    }),
    { name: "sandbox-bank", open: (page) => toBank(page, pages["checkout-bank"]!) },
    {
      name: "sandbox-bank-answered",
      async open(page) {
        await toBank(page, pages["checkout-bank"]!);
        const here = page.url();
        await sent(page, () => page.locator('button[value="fail"]').click());
        await page.goto(here);
      },
    },
  ];
}

/** Pages of a Checkout that depend on more than their address and the steps above. */
export function checkoutShots(sandbox: Sandbox, sold: Sold): Shot[] {
  const { pages, customers } = sold;
  return [
    {
      name: "checkout-amount",
      async open(page) {
        await page.goto(pages["checkout-amount"]!);
        const { currency } = await sandbox.manage("GET", `/checkouts/${sold.checkouts["amount"]}`);
        const credit = { amount: currency === "jpy" ? 900 : 700, currency, reason: "Goodwill" };
        await sandbox.manage("POST", `/customers/${customers["amount"]}/balance-adjustments`, credit);
        await typeCardInVain(page, CARDS.pays);
      },
    },
    {
      name: "checkout-has-plan",
      async open(page) {
        const { email } = await sandbox.manage("GET", `/customers/${customers["main"]}`);
        await page.goto(pages["checkout-has-plan"]!);
        await typeEmail(page, email);
        await page.selectOption("#country", "JP");
        await page.locator('[data-state^="JP"]').first().waitFor({ state: "attached" });
        await typeCard(page, CARDS.pays);
      },
    },
    {
      name: "checkout-subscribed",
      async open(page) {
        await page.goto(pages["checkout-subscribed"]!);
        await typeCard(page, CARDS.pays);
      },
    },
    {
      name: "checkout-arrival",
      async open(page) {
        // The page leads on to the seller at once. That site does not answer, so the picture is taken before.
        await page.route("https://kestrel.example/**", (route) => route.abort("aborted"));
        await page.goto(pages["checkout-arrival"]!);
        await typeCard(page, CARDS.pays);
      },
    },
    ...providerShots(sandbox, sold),
  ];
}
