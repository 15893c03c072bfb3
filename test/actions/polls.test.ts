import { afterAll, beforeAll, expect, test } from "vitest";
import { pollNotices } from "../../src/actions/notice/poll.ts";
import { startConnected, type Connected } from "../support/connected.ts";
import { OUTSIDE } from "../support/outside-provider.ts";

let world: Connected;
beforeAll(async () => {
  world = await startConnected();
});
afterAll(() => world.app.close());

test("a long list of notices is read in turns of twenty pages, so that other work gets its turn", async () => {
  const { app, outside } = world;
  const key = { organizationId: app.organization.id, ...OUTSIDE };
  let read = 0;
  Object.assign(outside.provider, {
    notices: {
      verify: () => null,
      look: async () => "unmatched",
      since: async (_: string, cursor: string | null) => {
        read += 1;
        const page = Number(cursor ?? 0) + 1;
        const refs = [{ id: `evt_${page}`, type: "charge.updated", object: `ch_${page}` }];
        return { refs, cursor: String(page), more: page < 45 };
      },
    },
  });
  const turns: number[] = [];
  for (let found = await pollNotices(app.ctx, key); found > 0; found = await pollNotices(app.ctx, key)) {
    turns.push(read);
    read = 0;
  }
  expect(turns).toEqual([20, 20, 5]);
  expect(read).toBe(0);
});
