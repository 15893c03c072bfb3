import { expect, test } from "vitest";
import {
  dashboardPicture,
  dashboardRoutes,
  NO_DASHBOARD_PICTURES,
  OTHER_SUBJECTS,
  OUTER_PICTURES,
  QUERIES,
} from "../scripts/screenshot-dashboard-routes.ts";
import { NO_PICTURES, PICTURES } from "../scripts/screenshot-routes.ts";
import { emailShots, RECEIPTS } from "../scripts/screenshot-emails.ts";
import type { Context } from "../src/context.ts";
import { EMAIL_KINDS } from "../src/domain/model/email.ts";
import { createWebApp } from "../src/web/app.ts";

const { routes } = createWebApp({ config: { publicOrigin: "https://billing.example" } } as Context);
const paths = [...new Set(routes.map(({ path }) => path))];
const isOfDashboard = (path: string) => path.startsWith("/dashboard");

test("every route outside the dashboard has a picture, or a reason for having none", () => {
  const others = paths.filter((path) => !isOfDashboard(path));
  expect([...Object.keys(PICTURES), ...Object.keys(NO_PICTURES)].sort()).toEqual(others.sort());
});

test("every route of the dashboard has a picture, or a reason for having none", () => {
  const drawn = [...Object.keys(OUTER_PICTURES), ...dashboardRoutes(paths)];
  const known = [...drawn, ...Object.keys(NO_DASHBOARD_PICTURES)];
  expect(known.sort()).toEqual(paths.filter(isOfDashboard).sort());
  const special = [...Object.keys(OTHER_SUBJECTS), ...Object.keys(QUERIES)];
  expect(special.filter((route) => !drawn.includes(route))).toEqual([]);
});

test("every picture of the dashboard has a name of its own", () => {
  const names = [...Object.values(OUTER_PICTURES), ...dashboardRoutes(paths).map(dashboardPicture)];
  expect(new Set(names).size).toBe(names.length);
});

test("every kind of e-mail has a picture", () => {
  const names = new Set<string>([...emailShots("en").map(({ name }) => name), ...RECEIPTS]);
  expect(EMAIL_KINDS.filter((kind) => !names.has(`email-${kind.replaceAll("_", "-")}`))).toEqual([]);
});
