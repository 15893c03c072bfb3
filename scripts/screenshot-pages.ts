import { checkoutShots, STEPS } from "./screenshot-checkout.ts";
import { emailShots, receiptShots } from "./screenshot-emails.ts";
import { messageShots } from "./screenshot-messages.ts";
import { portalShots } from "./screenshot-portal.ts";
import type { Language, Sandbox, Sold } from "./screenshot-shop.ts";
import type { Shot } from "./screenshot-steps.ts";

const at = (name: string, url: string): Shot => ({ name, open: async (page) => void (await page.goto(url)) });

/** The first page of the server, with links for visitors from its own machine. */
const home = (name: string, origin: string): Shot => ({
  name,
  async open(page) {
    await page.context().setExtraHTTPHeaders({});
    await page.goto(origin);
  },
});

/** The pages of a sandbox without a purchase. */
export function emptyShots({ url }: Sandbox): Shot[] {
  const linked = (name: string, label: string): Shot => ({
    name,
    async open(page) {
      await home(name, url).open(page);
      await page.getByRole("link", { name: label }).first().click();
      await page.waitForURL(/sandbox/);
    },
  });
  return [linked("try-portal", "Portal"), linked("emails-none", "E-mails")];
}

/** Pages for operators, which are in English only. */
async function englishShots({ manage, url: origin }: Sandbox): Promise<Shot[]> {
  const [email] = (await manage("GET", "/emails?kind=receipt&limit=1")).data;
  const list = email.url.slice(0, email.url.lastIndexOf("/"));
  return [home("home", origin), at("docs", `${origin}/docs/api`), at("emails", list), at("email-viewer", email.url)];
}

/** Checkouts that `checkoutShots` opens. */
const OPENED_ELSEWHERE = /^checkout-(amount|has-plan|subscribed|arrival|hosted-.+)$/;

/** Every page for a reader of this language, in the order in which they are opened. */
export async function shotsOf(sandbox: Sandbox, language: Language, sold: Sold): Promise<Shot[]> {
  const { portalUrl } = await sandbox.manage("GET", "/organization");
  const kept = Object.entries(sold.pages).map(([name, url]): Shot => ({
    name,
    async open(page) {
      await page.goto(url);
      await STEPS[name]?.(page);
    },
  }));
  return [
    ...kept.filter(({ name }) => !OPENED_ELSEWHERE.test(name)),
    ...checkoutShots(sandbox, sold),
    ...portalShots(sandbox, sold, portalUrl),
    ...messageShots(sandbox.url, language),
    ...emailShots(language),
    ...(await receiptShots(sandbox, sold.customers["renewing"]!)),
    ...(language === "en" ? await englishShots(sandbox) : []),
  ];
}
