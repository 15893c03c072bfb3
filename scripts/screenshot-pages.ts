import type { Page } from "playwright-core";
import { CARDS, type Language, type Sandbox, type Sold } from "./screenshot-shop.ts";

/** A page to be shown. `open` leads a browser to it. Pages for operators and test banks are in English only. */
export type Scene = { name: string; open(page: Page): Promise<void> };

async function typeCard(page: Page, number: string): Promise<void> {
  await page.fill("#number", number);
  await page.fill("#expiry", "12 / 40");
  await page.fill("#cvc", "123");
  await submit(page);
}

const submit = (page: Page) => page.locator("main button[type=submit]").last().click();

/** The steps after a page has opened, by the name of the page. */
const STEPS: Record<string, (page: Page) => Promise<void>> = {
  "checkout-faults": (page) => submit(page),
  "checkout-declined": (page) => typeCard(page, CARDS.declined),
  "checkout-bank": (page) => typeCard(page, CARDS.asksBuyer),
  "checkout-processing": (page) => typeCard(page, CARDS.processing),
};

/** The links of the portal that lead to a page, one after the other. */
const PORTAL_LINKS: Record<string, string[]> = {
  "portal-cancel": ['a[href$="/cancel"]'],
  "portal-plan": ['a[href$="/plan"]'],
  "portal-change": ['a[href$="/plan"]', 'main a[href*="/plan/prd_"]'],
  "portal-details": ['a[href$="/details"]'],
  "portal-devices": ['a[href*="/licences/"]'],
};

function portalScenes({ manage, url: origin }: Sandbox, { customers }: Sold, portal: string): Scene[] {
  const signIn = async (page: Page, who: string): Promise<void> => {
    const body = { returnUrl: "https://kestrel.example/settings" };
    const { url } = await manage("POST", `/customers/${customers[who]}/portal-sessions`, body);
    await page.goto(url);
    await submit(page);
  };
  const link = async () => (await manage("POST", `/customers/${customers["main"]}/portal-sessions`, {})).url as string;
  const follow = (page: Page, href: string) => page.goto(new URL(href, origin).href);
  return [
    { name: "portal-sign-in", open: async (page) => void (await page.goto(portal)) },
    {
      name: "portal-sent",
      async open(page) {
        await page.goto(portal);
        await page.fill("#email", "someone.else@example.com");
        await submit(page);
      },
    },
    { name: "portal-confirm", open: async (page) => void (await page.goto(await link())) },
    { name: "portal-used", open: async (page) => void (await page.goto(`${portal}/sign-in/x`)) },
    { name: "portal", open: (page) => signIn(page, "main") },
    { name: "portal-late", open: (page) => signIn(page, "late") },
    ...Object.entries(PORTAL_LINKS).map(([name, links]) => ({
      name,
      async open(page: Page) {
        await signIn(page, "main");
        for (const each of links) await follow(page, (await page.locator(each).first().getAttribute("href"))!);
      },
    })),
    {
      name: "portal-card",
      async open(page) {
        await signIn(page, "main");
        await page.goto(`${portal}/card`);
      },
    },
  ];
}

/** The newest e-mail of each kind to this reader. */
async function emailScenes({ manage }: Sandbox, language: Language): Promise<Scene[]> {
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
        await submit(page);
        await page.waitForURL(/sandbox\/pay/);
        await manage("PATCH", "/organization", { sandboxEntry: "typed" });
      },
    },
  ];
}

/** Every page for a reader of this language. */
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
    ...(await emailScenes(sandbox, language)),
    ...(language === "en" ? await englishScenes(sandbox, sold) : []),
  ];
}
