import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let customers = 0;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-01-15T09:00:00Z" }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** Opens the details of a Customer in the portal. */
async function openDetails(
  customer: object,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; read: () => Promise<Json> }> {
  const { app, ok } = story;
  const body = { email: `details-${(customers += 1)}@example.com`, ...customer };
  const { id } = await ok(app.api("POST", "/customers", body));
  const { url } = await ok(app.manage("POST", `/customers/${id}/portal-sessions`, { returnUrl: null }));
  const context = await browser.newContext({ viewport: DESK, ...options });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("link", { name: "Edit your details" }).click();
  return { page, read: () => ok(app.manage("GET", `/customers/${id}`)) };
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer moves to another country: the fields follow, and the home page shows the address", async () => {
    const billingAddress = { country: "GB", line1: "1 The Mall", postalCode: "SW1A 1AA", city: "London" };
    const { page, read } = await openDetails({ name: "Ada Lovelace", billingAddress }, options);
    expect(await page.getByLabel("Postcode").inputValue()).toBe("SW1A 1AA");
    await page.getByLabel("Company").fill("Engines Inc");
    await page.getByLabel("Country").selectOption("United States");
    if (!options.javaScriptEnabled) await page.getByRole("button", { name: "Show the fields" }).click();
    await page.getByLabel("ZIP code").waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Engines Inc");
    expect(await page.getByLabel("Street address").inputValue()).toBe("1 The Mall");
    await page.getByLabel("City").fill("4242 4242 4242 4242");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByRole("heading", { name: "Please check the fields" }).waitFor();
    await page.getByLabel("Street address").fill("1 Main St");
    await page.getByLabel("City").fill("Reno");
    await page.getByLabel("State").selectOption("Nevada");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Enter a valid postal code, such as 95014.").waitFor();
    expect(await read()).toMatchObject({ companyName: null });
    await page.getByLabel("ZIP code").fill("89501");
    await page.getByRole("button", { name: "Save" }).click();
    const details = page.getByRole("region", { name: "Your details" });
    for (const line of ["1 Main St", "Reno, NV 89501", "United States"]) await details.getByText(line).waitFor();
    await details.getByText("Engines Inc").waitFor();
    expect(await read()).toMatchObject({
      companyName: "Engines Inc",
      billingAddress: {
        country: "US",
        line1: "1 Main St",
        line2: null,
        postalCode: "89501",
        city: "Reno",
        state: "NV",
      },
    });
    await page.context().close();
  });
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("the page has no fault that a machine can find", async () => {
    const { page } = await openDetails({ name: "Ada" }, { viewport });
    await inspect(page);
    await page.getByLabel("Country").selectOption("Ireland");
    await page.getByLabel("Eircode").waitFor();
    await page.getByLabel("Street address").fill("1 Quay");
    await page.getByLabel("Tax ID").fill("nothing");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    await inspect(page);
    await page.context().close();
  });
});
