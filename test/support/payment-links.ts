import type { Json, TestApp } from "./app.ts";
import { ok } from "./story.ts";

/** Makes a link to Products by their keys. */
export const makeLink = (app: Pick<TestApp, "manage">, keys: readonly string[], more: object = {}): Promise<Json> =>
  ok(
    app.manage("POST", "/payment-links", {
      name: "Pricing page",
      products: keys.map((productKey) => ({ productKey })),
      ...more,
    }),
  );

/** The hidden and visible fields of the form of one Product on the page of a link. */
export function formOf(html: string, productId: string): Record<string, string> {
  const form = html.split("<form").find((part) => part.includes(`value="${productId}"`)) ?? "";
  const inputs = form.matchAll(/<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}
