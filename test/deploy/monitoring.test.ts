import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sql } from "../../src/store/driver/db.ts";
import { ROOT } from "../support/source.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const ALERTS = join(ROOT, "deploy/prometheus/alerts.yaml");
const rules = (parse(readFileSync(ALERTS, "utf8")) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync(join(ROOT, "deploy/grafana/billow.json"), "utf8")) as Dashboard;
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

let story: Story;
beforeAll(async () => void (story = await startStory({ clock: "2025-06-01T09:00:00Z" })));
afterAll(() => story.close());

const figures = async () => (await fetch(`${story.app.url}/metrics`)).text();
const change = (name: string, text: string) => story.app.ctx.db.tx((tx) => tx.query(sql(`test.${name}`, text)));

describe("the alerts and the dashboard", () => {
  test.each(expressions)("%s: the metrics and labels are there", async (_, expression) => {
    await story.app.manage("GET", "/organization");
    const shown = await figures();
    const names = expression.match(/\b(billow|process|nodejs)_\w+/g)!;
    expect(names).not.toEqual([]);
    for (const name of names) expect(shown).toMatch(new RegExp(`^${name}[ {]`, "m"));
    const labels = [...expression.matchAll(/\bby \(([^)]*)\)|\{(\w+)[=!]/g)];
    for (const label of labels.flatMap(([, by, one]) => (by ?? one)!.split(", ")))
      expect(shown).toMatch(new RegExp(`[{,]${label}="`));
  });

  const promtool = spawnSync("promtool", ["--version"]);
  test.runIf(promtool.status === 0)("have no fault for `promtool check rules`", () => {
    const { status, stderr } = spawnSync("promtool", ["check", "rules", ALERTS], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the metrics", () => {
  const overdue = async (queue: string) =>
    Number(new RegExp(`^billow_queue_overdue_seconds\\{queue="${queue}"\\} (.*)$`, "m").exec(await figures())![1]);
  const failed = async () => Number(/^billow_failed_charges_last_hour (.*)$/m.exec(await figures())![1]);

  test("tell of the failed renewals of live Organizations, and not of those of sandboxes", async () => {
    await story.plan("pro", 3000);
    await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.failsLater);
    await story.travel("2025-07-01T10:00:00Z");
    expect(await failed()).toBe(0);
    await change("charges_live", "UPDATE organizations SET mode = 'live', clock_at = NULL");
    expect(await failed()).toBe(1);
    const back = "UPDATE organizations SET mode = 'sandbox', clock_at = '2025-07-01T10:00:00Z'";
    await change("charges_sandbox", back);
  });

  test("tell for how long each queue has been due", async () => {
    expect(await overdue("subscriptions")).toBe(0);
    await change("due_emails", "UPDATE emails SET attempt_at = now() - interval '1 hour' WHERE attempt_at IS NOT NULL");
    expect(Math.floor((await overdue("emails")) / 3600)).toBe(1);
  });
});
