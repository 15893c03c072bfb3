import type { Page } from "playwright-core";
import { portalScenes } from "./screenshot-portal.ts";
import { CARDS, type Language, type Sandbox, type Sold } from "./screenshot-shop.ts";
import { sent, submit, typeCard, type Scene } from "./screenshot-steps.ts";

/** The steps after a page has opened, by the name of the page. */
const STEPS: Record<string, (page: Page) => Promise<void>> = {
  "checkout-address": (page) => page.locator("details.more > summary").first().click(),
  "checkout-code": async (page) => {
    await page.fill("#code", "SUMMER99");
    await page.locator(".applicable button").click();
    await page.locator(".applicable .fault").waitFor();
  },
  "checkout-faults": (page) => submit(page),
  "checkout-unknown-faults": (page) => submit(page),
  "checkout-declined": (page) => typeCard(page, CARDS.declined),
  "checkout-bank": (page) => typeCard(page, CARDS.asksBuyer),
  "checkout-processing": (page) => typeCard(page, CARDS.processing),
  "checkout-goods": async (page) => {
    await typeCard(page, CARDS.pays);
    await page.locator(".goods").waitFor();
  },
  "invoice-declined": (page) => typeCard(page, CARDS.declined),
  "invoice-processing": (page) => typeCard(page, CARDS.processing),
  "invoice-challenged": async (page) => {
    const { href } = new URL(page.url());
    await typeCard(page, CARDS.asksBuyer);
    await page.goto(href);
  },
};

/** The newest e-mail of each kind to this reader. Some are sent by the scenes of the portal. */
export async function emailScenes({ manage }: Sandbox, language: Language): Promise<Scene[]> {
  const newest = new Map<string, string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await manage("GET", `/emails?limit=100&skipped=false${query}`);
    for (const { kind, to, url } of page.data)
      if (to?.endsWith(`.${language}@example.com`) && !newest.has(kind)) newest.set(kind, url);
    cursor = page.nextCursor;
  }
  return [...newest].map(([kind, url]) => ({
    name: `email-${kind.replaceAll("_", "-")}`,
    open: async (page: Page) => void (await page.goto(`${url}/html`)),
  }));
}

/** Pages that have no language but English. */
async function englishScenes({ manage, url: origin }: Sandbox, { pages }: Sold): Promise<Scene[]> {
  const [email] = (await manage("GET", "/emails?kind=receipt&limit=1")).data;
  const list = email.url.slice(0, email.url.lastIndexOf("/"));
  const at = (name: string, url: string): Scene => ({ name, open: async (page) => void (await page.goto(url)) });
  return [
    {
      name: "home",
      async open(page) {
        // The links of the sandboxes are for visitors from this machine.
        await page.context().setExtraHTTPHeaders({});
        await page.goto(origin);
      },
    },
    at("docs", `${origin}/docs/api`),
    at("emails", list),
    at("email-viewer", email.url),
    {
      name: "sandbox-bank",
      async open(page) {
        await page.goto(pages["checkout-bank"]!);
        await page.locator("main a.button").first().click();
      },
    },
    {
      name: "sandbox-pay",
      async open(page) {
        await manage("PATCH", "/organization", { sandboxEntry: "hosted" });
        await page.goto(pages["invoice-due"]!);
        await sent(page, () => submit(page));
        await page.waitForURL(/sandbox\/pay/);
        await manage("PATCH", "/organization", { sandboxEntry: "typed" });
      },
    },
  ];
}

/** Every page for a reader of this language, in the order in which they are opened. */
export async function scenesOf(sandbox: Sandbox, language: Language, sold: Sold): Promise<Scene[]> {
  const { portalUrl } = await sandbox.manage("GET", "/organization");
  const kept = Object.entries(sold.pages).map(([name, url]): Scene => ({
    name,
    async open(page) {
      await page.goto(url);
      await STEPS[name]?.(page);
    },
  }));
  const missing: Scene = { name: "problem", open: async (page) => void (await page.goto(`${sandbox.url}/missing`)) };
  const closed: Scene = {
    name: "problem-input",
    open: async (page) => void (await page.goto(`${portalUrl}?cursor=x`)),
  };
  return [
    ...kept,
    ...portalScenes(sandbox, sold, portalUrl),
    missing,
    closed,
    ...(language === "en" ? await englishScenes(sandbox, sold) : []),
  ];
}
