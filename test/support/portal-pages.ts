import type { Page } from "playwright-core";
import type { Json } from "./app.ts";
import { press } from "./buyers.ts";
import type { Story } from "./story.ts";

/** Signs a Customer in with a link from the API, and waits for the portal's home. */
export async function goHome(page: Page, { app, ok }: Story, { customerId }: Json): Promise<void> {
  const { url } = await ok(app.manage("POST", `/customers/${customerId}/portal-sessions`, {}));
  await page.goto(url);
  const button = page.getByRole("button", { name: "Sign in" });
  if (await button.count()) await button.click();
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
}

export const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name, exact: true }).click();

/** The text of a page, with plain spaces. */
export const mainOf = async (page: Page) =>
  (await page.getByRole("main").innerText()).replaceAll("\u00a0", " ").replace(/\s+/g, " ");

/** Confirms a change at the bank that the Customer's card asks. */
export async function confirmAtBank(page: Page, button: string | RegExp): Promise<void> {
  await press(page, button);
  await follow(page, "Continue to your bank");
  await press(page, "Yes, confirm");
}

/** Gives the Customer a card that asks at each charge. */
export const giveAskingCard = ({ app, ok }: Story, { customerId }: Json, card: string) =>
  ok(app.manage("POST", `/sandbox/customers/${customerId}/card`, { card }));
