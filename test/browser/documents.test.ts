import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const SELLER = {
  legalName: "Zażółć Gęślą Jaźń Sp. z o.o.",
  address: { country: "PL", line1: "ul. Świętokrzyska 31/33a", postalCode: "00-049", city: "Warszawa" },
  taxId: { type: "eu_vat", value: "PL5260250274" },
  branding: { displayName: "Acme Tools", accentColor: "#ffd400" },
  taxRates: [{ country: "JP", name: "消費税", basisPoints: 1000 }],
};
const YAMADA = {
  email: "a.very.long.address.of.somebody@department.of.something.example.com",
  externalId: "yamada",
  name: "شركة الأمل للتجارة — 株式会社山田製作所",
  billingAddress: { country: "JP", line1: "神宮前1-2-3", postalCode: "150-0001", city: "渋谷区", state: "東京都" },
};

let story: Story;
let browser: Browser;
/** Addresses of pages by the state that they show. */
const pages: Record<string, string> = {};

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser()]);
  const get = (path: string): Promise<Json> => story.ok(story.app.manage("GET", path));
  await story.ok(story.app.manage("PATCH", "/organization", SELLER));
  await story.plan("pro", 3000, { name: "Professional" });
  await story.plan("max", 99_999_900, {
    name: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  });
  const { id } = await story.buy({ productKey: "pro", customer: YAMADA }, CARDS.pays);
  await story.travel("2026-03-16");
  await story.change(id, { productKey: "max" });
  const [changed] = (await get(`/invoices?subscriptionId=${id}&limit=1`)).data;
  await story.ok(story.app.manage("POST", `/invoices/${changed.id}/refunds`, { amount: 3300 }));
  await story.settle();
  const buy = async (email: string): Promise<Json> => {
    const customer = { email, billingAddress: { country: "GB" } };
    return (await story.buy({ productKey: "pro", customer }, CARDS.failsLater)).id;
  };
  const [ada, grace] = [await buy("ada@example.com"), await buy("grace@example.com")];
  await story.travel("2026-04-16");
  const newest = async (bought: string) => (await get(`/invoices?subscriptionId=${bought}&limit=1`)).data[0];
  const [open, lost] = [await newest(ada), await newest(grace)];
  await story.ok(story.app.manage("POST", `/invoices/${lost.id}/void`));
  Object.assign(pages, {
    paid: changed.url,
    due: open.url,
    void: lost.url,
    "given back": (await get("/credit-notes")).data[0].url,
  });
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_, viewport) => {
  test.each(["paid", "due", "void", "given back"])(
    "the page of a document that is %s has no fault that a machine can find",
    async (what) => {
      const page = await browser.newPage({ viewport });
      await page.goto(pages[what]!);
      await inspect(page);
      expect(await page.getByRole("link", { name: "Open as PDF" }).getAttribute("href")).toBe(
        `${new URL(pages[what]!).pathname}/pdf`,
      );
      await page.close();
    },
  );
});

test("on paper there is the document alone", async () => {
  const page = await browser.newPage({ viewport: DESK });
  await page.goto(pages["paid"]!);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("link", { name: "Open as PDF" }).isVisible()).toBe(false);
  expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  await page.close();
});
