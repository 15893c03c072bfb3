import type { Page } from "playwright-core";
import type { Role } from "../../src/domain/team/role.ts";
import type { TestApp } from "./app.ts";
import { OWNER } from "./dashboard.ts";
import { emailOf } from "./form-actions.ts";

/** Fills in the form of the dashboard's sign-in. All people of the tests have the password of `OWNER`. */
export async function signInWith(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the dashboard of the app's Organization, as the person who joined with this role. */
export async function openAs(page: Page, app: TestApp, role: Role): Promise<void> {
  await page.goto(`${app.url}/dashboard/${app.organization.id}`);
  await signInWith(page, emailOf(role, app.organization.id));
}
