import { expect, test } from "vitest";
import { NO_PICTURES, PICTURES } from "../scripts/screenshot-routes.ts";
import { letterScenes, RECEIPTS } from "../scripts/screenshot-letters.ts";
import type { Context } from "../src/context.ts";
import { EMAIL_KINDS } from "../src/domain/email/email.ts";
import { createWebApp } from "../src/web/app.ts";

// The pictures show the pages of buyers and developers. The dashboard has none yet: its pages need a signed-in user.
test("every route outside the dashboard has a picture, or a reason for having none", () => {
  const app = createWebApp({ config: { publicOrigin: "https://billing.example" } } as Context);
  const routes = new Set(app.routes.map(({ path }) => path).filter((path) => !path.startsWith("/dashboard")));
  expect([...Object.keys(PICTURES), ...Object.keys(NO_PICTURES)].sort()).toEqual([...routes].sort());
});

test("every kind of e-mail has a picture", () => {
  const names = new Set<string>([...letterScenes("en").map(({ name }) => name), ...RECEIPTS]);
  expect(EMAIL_KINDS.filter((kind) => !names.has(`email-${kind.replaceAll("_", "-")}`))).toEqual([]);
});
