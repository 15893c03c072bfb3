import type { Page } from "playwright-core";

/** A page to be shown. `open` leads a browser to it. */
export type Shot = { name: string; open(page: Page): Promise<void> };

/** Presses the last button of the page. A check in the browser may stop the form. */
export const submit = (page: Page): Promise<void> => page.locator("main button[type=submit]").last().click();

/** Does a step that leads to another page, and waits for that page. */
export async function sent(page: Page, step: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent("load"), step()]);
}

/** Types a card. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.fill("#number", number);
  await page.fill("#expiry", "12 / 40");
  await page.fill("#cvc", "123");
}

/** Types a card, and sends the form. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await sent(page, () => submit(page));
}

/** Types a card, and presses the button. The server finds a fault, and the page stays. */
export async function typeCardInVain(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await submit(page);
  await page.locator(".notice").waitFor();
}
