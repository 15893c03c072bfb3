import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Sandbox, Sold } from "./screenshot-shop.ts";
import { sent, submit, type Shot } from "./screenshot-steps.ts";

/** The portal of the sandbox, and the ways of a reader's browser to its pages. */
class Portal {
  readonly url: string;
  private readonly sandbox: Sandbox;
  private readonly sold: Sold;

  constructor(sandbox: Sandbox, sold: Sold, url: string) {
    [this.sandbox, this.sold, this.url] = [sandbox, sold, url];
  }

  async email(who: string): Promise<string> {
    return (await this.sandbox.manage("GET", `/customers/${this.sold.customers[who]}`)).email;
  }

  /** A link that signs this Customer in. */
  async link(who: string): Promise<string> {
    const body = { returnUrl: "https://kestrel.example/settings" };
    return (await this.sandbox.manage("POST", `/customers/${this.sold.customers[who]}/portal-sessions`, body)).url;
  }

  async signIn(page: Page, who: string): Promise<void> {
    await page.goto(await this.link(who));
    await page.waitForURL(this.url);
  }

  /** Signs in, and follows links one after the other. */
  async follow(page: Page, who: string, links: readonly string[]): Promise<void> {
    await this.signIn(page, who);
    for (const each of links) {
      const href = (await page.locator(each).first().getAttribute("href"))!;
      await page.goto(new URL(href, this.sandbox.url).href);
    }
  }

  /** Leads to the page behind the link in the newest e-mail of a kind to this Customer. */
  async openEmail(page: Page, who: string, kind: string, link: RegExp): Promise<void> {
    const query = `/emails?kind=${kind}&customerId=${this.sold.customers[who]}&limit=1`;
    for (let turns = 0; turns < 100; turns += 1) {
      const [email] = (await this.sandbox.manage("GET", query)).data;
      const text = email && (await (await page.request.get(`${email.url}/html`)).text());
      const found = text && link.exec(text.replaceAll("&amp;", "&"));
      if (found) return void (await page.goto(found[0]));
      await setTimeout(100);
    }
    throw new Error(`no e-mail of the kind ${kind} comes`);
  }
}

/** Pages that a signed-in Customer reaches by links, with the links. */
const LINKED: Record<string, [who: string, ...links: string[]]> = {
  portal: ["main"],
  "portal-late": ["late"],
  "portal-empty": ["credited"],
  "portal-cancel": ["main", 'a[href$="/cancel"]'],
  "portal-paused": ["paused"],
  "portal-pause": ["main", 'a[href$="/pause"]'],
  "portal-resume": ["paused", 'a[href$="/resume"]'],
  "portal-typed": ["typed"],
  "portal-typed-card": ["typed", 'a[href$="/card"]'],
  "portal-disown": ["typed", 'a[href$="/disown"]'],
  "portal-plan": ["main", 'a[href$="/plan"]'],
  "portal-change": ["main", 'a[href$="/plan"]', 'main a[href*="/plan/prd_"]'],
  "portal-later": ["big", 'a[href$="/plan"]', 'main a[href*="/plan/prd_"]'],
  "portal-planned": ["shrinking", 'a[href$="/plan"]'],
  "portal-crew": ["crew"],
  "portal-quantity": ["crew", 'a[href$="/quantity"]'],
  "portal-plan-seats": ["crew", 'a[href$="/plan"]'],
  "portal-plan-quantity": ["crew", 'a[href$="/plan"]', 'main a[href*="/plan/prd_"]'],
  "portal-repriced": ["repriced"],
  "portal-price": ["repriced", 'section a[href$="/price"]'],
  "portal-details": ["main", 'a[href$="/details"]'],
  "portal-export": ["main", 'a[href$="/export"]'],
  "portal-email": ["main", 'a[href$="/email"]'],
  "portal-card": ["main", 'a[href$="/card"]'],
  "portal-licence": ["main", 'a[href*="/licences/"]'],
  "portal-device": ["main", 'a[href*="/licences/"]', 'a[href*="/devices/"]'],
};

async function typeQuantity(page: Page, quantity: string): Promise<void> {
  await page.fill("#quantity", quantity);
  await sent(page, () => page.locator("#quantity").press("Enter"));
}

/** Pages after a form was sent: the page above, and the steps there. */
const SENT: Record<string, [page: keyof typeof LINKED, steps: (page: Page) => Promise<void>]> = {
  "portal-changed": ["portal-later", (page) => sent(page, () => submit(page))],
  "portal-quantity-faults": ["portal-quantity", (page) => typeQuantity(page, "51")],
  "portal-quantity-change": ["portal-quantity", (page) => typeQuantity(page, "8")],
  "portal-plan-quantity-faults": ["portal-plan-quantity", (page) => typeQuantity(page, "5")],
  "portal-plan-quantity-change": ["portal-plan-quantity", (page) => typeQuantity(page, "12")],
  "portal-card-faults": ["portal-card", submit],
  "portal-email-faults": [
    "portal-email",
    async (page) => {
      await page.fill("#email", "ada at example");
      await sent(page, () => submit(page));
    },
  ],
  "portal-details-faults": [
    "portal-details",
    async (page) => {
      await page.fill("#taxId", "4242 4242 4242 4242");
      await submit(page);
      await page.locator(".notice").waitFor();
    },
  ],
};

const CONFIRM = /http[^"]+\/email\/confirm\/[^"]+/;
const UNDO = /http[^"]+\/email\/undo\/[^"]+/;

/** The pages of a changed e-mail address, in the order of the change. */
function addressShots(portal: Portal): Shot[] {
  const press = (page: Page) => sent(page, () => submit(page));
  const confirm = (page: Page) => portal.openEmail(page, "mover", "portal_email_confirm", CONFIRM);
  const undo = (page: Page) => portal.openEmail(page, "mover", "portal_email_changed", UNDO);
  return [
    {
      name: "portal-email-sent",
      async open(page) {
        await portal.follow(page, "mover", ['a[href$="/email"]']);
        await page.fill("#email", `new.${await portal.email("mover")}`);
        await press(page);
      },
    },
    { name: "portal-email-confirm", open: confirm },
    { name: "portal-email-changed", open: async (page) => void (await confirm(page), await press(page)) },
    { name: "portal-email-undo", open: undo },
    { name: "portal-email-undone", open: async (page) => void (await undo(page), await press(page)) },
    { name: "portal-email-gone", open: async (page) => void (await page.goto(`${portal.url}/email/confirm/x`)) },
  ];
}

/** The pages before a Customer has signed in. */
function signInShots(portal: Portal): Shot[] {
  return [
    { name: "portal-sign-in", open: async (page) => void (await page.goto(portal.url)) },
    {
      name: "portal-sent",
      async open(page) {
        await page.goto(portal.url);
        await page.fill("#email", await portal.email("big"));
        await sent(page, () => submit(page));
      },
    },
    { name: "portal-confirm", open: async (page) => void (await page.goto(await portal.link("main"))) },
    { name: "portal-used", open: async (page) => void (await page.goto(`${portal.url}/sign-in/x`)) },
  ];
}

export function portalShots(sandbox: Sandbox, sold: Sold, url: string): Shot[] {
  const portal = new Portal(sandbox, sold, url);
  const linked = (name: string, page: Page) => {
    const [who, ...links] = LINKED[name]!;
    return portal.follow(page, who, links);
  };
  return [
    ...signInShots(portal),
    ...Object.keys(LINKED).map((name): Shot => ({ name, open: (page) => linked(name, page) })),
    ...Object.entries(SENT).map(([name, [before, steps]]): Shot => ({
      name,
      async open(page) {
        await linked(before, page);
        await steps(page);
      },
    })),
    {
      name: "portal-purchase",
      async open(page) {
        await portal.signIn(page, "main");
        await page.goto(`${url}/purchases/${sold.checkouts["main"]}`);
      },
    },
    {
      name: "portal-closed",
      async open(page) {
        await portal.signIn(page, "main");
        await sandbox.manage("PATCH", "/organization", { portal: { changeEmail: false } });
        await page.goto(`${url}/email`);
        await sandbox.manage("PATCH", "/organization", { portal: { changeEmail: true } });
      },
    },
    ...addressShots(portal),
  ];
}
