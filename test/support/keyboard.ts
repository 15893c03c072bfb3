import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The most controls that a person passes on the way to another one. */
const MOST_PRESSES = 120;

/** The focus of a control as a person sees it. Widths are in CSS pixels. */
const sightOf = (control: Locator) =>
  control.evaluate((element) => {
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    const { innerHeight, innerWidth } = element.ownerDocument.defaultView!;
    const { outlineStyle, outlineWidth } = element.ownerDocument.defaultView!.getComputedStyle(element);
    const ring = outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth);
    const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && width > 1 && height > 1;
    return { isFocused: element === element.ownerDocument.activeElement, ring, isInView };
  });

/** Expects that an element has the focus and is in view. A message that gets the focus needs no ring. */
export async function expectFocus(element: Locator): Promise<void> {
  const { isFocused, isInView } = await sightOf(element);
  expect({ isFocused, isInView }, String(element)).toEqual({ isFocused: true, isInView: true });
}

/** Presses Tab until a control has the focus. A person has to see the focus (WCAG 2.4.7): in view, with a ring. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let n = 0; n < MOST_PRESSES && !(await sightOf(control)).isFocused; n += 1) await page.keyboard.press("Tab");
  await expectFocus(control);
  expect((await sightOf(control)).ring, `the ring of ${control}`).toBeGreaterThanOrEqual(2);
}

/** Goes to a link, a button or a summary by Tab, and presses Enter. */
export async function enterAt(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press("Enter");
}

/** Goes to a field by Tab, and types over its text. */
export async function typeAt(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}
