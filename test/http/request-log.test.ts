import { afterAll, beforeAll, expect, test } from "vitest";
import type { Exchange } from "../../src/http/exchange.ts";
import { RequestLog } from "../../src/http/request-log.ts";
import type { RouteMatch } from "../../src/http/routes.ts";
import { newId } from "../../src/ids.ts";
import { listRequests } from "../../src/store/api-requests.ts";
import { startTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

test("a key in a loop is kept a hundred times in a batch, and leaves room for other keys", async () => {
  const log = new RequestLog(app.ctx);
  const match = { route: { template: "/manage/v1/products", ids: [] }, segments: [] } as unknown as RouteMatch;
  const [loop, other] = [newId("key"), newId("key")];
  const refuse = (keyId: string) =>
    log.record(
      {
        key: { keyId, organization: app.organization },
        requestId: newId("req"),
        request: { method: "POST", headers: {} },
        startedAt: performance.now(),
        clientAddress: "203.0.113.9",
      } as unknown as Exchange,
      match,
      422,
      () => "validation_failed",
    );
  for (let n = 0; n < 150; n += 1) refuse(loop);
  refuse(other);
  await log.flush();
  const count = async (keyId: string) =>
    (await listRequests(app.ctx.db.read, app.organization.id, { keyId, limit: 1000 })).length;
  expect([await count(loop), await count(other)]).toEqual([100, 1]);
  refuse(loop);
  await log.flush();
  expect(await count(loop)).toBe(101);
});
