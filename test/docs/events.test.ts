import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACTIONS } from "./actions.ts";
import type { TestApp, TestCall } from "../support/app.ts";
import { startStory } from "../support/story.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/events.md"), "utf8");

/** The entries of the page's lists: an action, and below it the types of its events, if it has any. */
const rows = [...PAGE.matchAll(/^- (.+?)(?::\n((?: {2}.+\n)+)|\n)/gm)].map(([, what, types = ""]) => ({
  what: what!,
  types: [...types.matchAll(/`([a-z_.]+)`/g)].map(([, type]) => type!),
}));

test("every entry of the page of events is played, and the other way round", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(ACTIONS));
});

/** Each write operation of the API: its method and path, and a pattern for its requests. */
const OPERATIONS = ["public", "management", "licenses"].flatMap((surface) => {
  const { paths } = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../docs/api/${surface}.openapi.json`), "utf8"),
  ) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    ["post", "put", "patch", "delete"]
      .filter((method) => method in methods)
      .map((method) => ({
        name: `${method.toUpperCase()} ${path}`,
        request: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[^/?]+")}$`),
      })),
  );
});

test("every operation that writes has an entry", () => {
  const named = new Set(Object.values(ACTIONS).flatMap(({ operations = [] }) => operations));
  expect([...named].sort()).toEqual([...new Set(OPERATIONS.map(({ name }) => name))].sort());
});

/** Collects the operations that are called from now on. */
function listen(app: TestApp): Set<string> {
  const asked = new Set<string>();
  for (const surface of ["api", "manage", "licenses"] as const) {
    const call: TestCall = app[surface];
    app[surface] = (method, path, ...rest) => {
      for (const { name, request } of OPERATIONS) if (request.test(`${method} ${path}`)) asked.add(name);
      return call(method, path, ...rest);
    };
  }
  return asked;
}

describe("the events of docs/events.md", () => {
  test.each(rows)("$what", async ({ what, types }) => {
    const { settings, before, act, operations = [] } = ACTIONS[what]!;
    const story = await startStory({ clock: "2025-01-31T09:00:00Z" });
    try {
      if (settings) await story.ok(story.app.manage("PATCH", "/organization", settings));
      const { id: benefit } = await story.ok(
        story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
      );
      await story.plan("pro", 3000, { group: "plans", benefitIds: [benefit] });
      await story.plan("basic", 1000, { group: "plans" });
      const { id: audit } = await story.ok(
        story.app.manage("POST", "/benefits", { key: "audit", type: "feature", name: "Audit" }),
      );
      await story.plan("max", 5000, { group: "plans", benefitIds: [benefit, audit] });
      const world = { story, benefit, ...(await before?.({ story, benefit })) };
      await story.newsAndNotices();
      const asked = listen(story.app);
      await act(world);
      expect([...asked]).toEqual(expect.arrayContaining(operations));
      expect(await story.newsAndNotices()).toEqual(types);
    } finally {
      await story.close();
    }
  });
});
