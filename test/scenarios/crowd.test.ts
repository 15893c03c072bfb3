import { afterAll, beforeAll, expect, test } from "vitest";
import { createCrowd, digest, START } from "../../bench/crowd.ts";
import { advanceClock } from "../../src/actions/sandbox/advance-clock.ts";
import { addCalendar, addDays24, type Instant } from "../../src/domain/calendar.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { killedAt, letLeasesRunOut } from "../support/processes.ts";

const SUBSCRIPTIONS = 40;
const END = addCalendar(START, "UTC", "P1Y");

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

test("a year at once, left by a process that was killed, is a year week by week (rules T4, T5)", { timeout: 300_000 }, async () => {
  const { ctx } = app;
  const [one, other] = [await createCrowd(ctx, SUBSCRIPTIONS), await createCrowd(ctx, SUBSCRIPTIONS)];
  const before = await digest(ctx, one);
  expect(await digest(ctx, other)).toEqual(before);

  const dying = killedAt(ctx, 1500);
  const arrived = advanceClock(dying.ctx, one, { to: END }).then(() => Promise.reject(new Error("it lived to see the end")));
  await Promise.race([dying.died, arrived]);
  await letLeasesRunOut(ctx.db);
  for (let advance = await advanceClock(ctx, one, { to: END }); !advance.arrived;) advance = await advanceClock(ctx, one, { to: END });

  for (let at: Instant = START; at < END;) {
    at = addDays24(at, 7) < END ? addDays24(at, 7) : END;
    expect(await advanceClock(ctx, other, { to: at })).toMatchObject({ now: at, arrived: true });
  }
  const after = await digest(ctx, one);
  expect(after.invoices).toBeGreaterThan(before.invoices + SUBSCRIPTIONS * 8);
  expect(await digest(ctx, other)).toEqual(after);
  for (const id of [one, other]) expect(await audit(ctx.db, id)).toEqual([]);
});
