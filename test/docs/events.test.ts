import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACTIONS } from "./actions.ts";
import { startStory } from "../support/story.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/events.md"), "utf8");

/** The rows of the page's tables: what happens, and the types it lists. */
const rows = [...PAGE.matchAll(/^\| (.+?) \| (.*) \|$/gm)]
  .filter(([, what]) => !/^(what happens|-+)$/.test(what!))
  .map(([, what, types]) => ({ what: what!, types: [...types!.matchAll(/`([a-z_.]+)`/g)].map(([, type]) => type!) }));

test("every row of the page of events is played, and the other way round", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(ACTIONS));
});

describe("what docs/events.md tells", () => {
  test.each(rows)("$what", async ({ what, types }) => {
    const { settings, before, act } = ACTIONS[what]!;
    const story = await startStory({ clock: "2025-01-31T09:00:00Z" });
    try {
      if (settings) await story.ok(story.app.manage("PATCH", "/organization", settings));
      const { id: benefit } = await story.ok(story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
      await story.plan("pro", 3000, { group: "plans", benefitIds: [benefit] });
      await story.plan("basic", 1000, { group: "plans" });
      const { id: audit } = await story.ok(story.app.manage("POST", "/benefits", { key: "audit", type: "feature", name: "Audit" }));
      await story.plan("max", 5000, { group: "plans", benefitIds: [benefit, audit] });
      const world = { story, benefit, ...(await before?.({ story, benefit })) };
      await story.newsAndNotices();
      await act(world);
      expect(await story.newsAndNotices()).toEqual(types);
    } finally {
      await story.close();
    }
  });
});
