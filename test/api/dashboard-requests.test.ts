import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { newId } from "../../src/ids.ts";
import { forgetRequests, listRequests, trimRequests } from "../../src/store/api-requests.ts";
import { sql } from "../../src/store/driver/db.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { caller, type Json } from "../support/app.ts";
import { OWNER, signInAt } from "../support/dashboard.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { wordsOf } from "../support/pages.ts";
import { moved } from "../support/sql-instants.ts";
import { until } from "../support/until.ts";

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.story.close());

const read = async (path: string) => {
  const { status, text, headers } = await fixture.owner.get(fixture.home + path);
  return { status, text, words: wordsOf(text), leads: headers.get("Location") };
};
const stored = () => listRequests(fixture.story.app.ctx.db.read, fixture.story.app.organization.id, { limit: 1000 });
/** The request of an answer, once it is written. */
const logged = ({ headers }: { headers: Headers }) =>
  until(async () => (await stored()).find(({ id }) => id === headers.get("Request-Id")));

describe("the log of requests", () => {
  test("has a refused request, which is found by the id in its error", async () => {
    const { app } = fixture.story;
    const answer = await app.manage(
      "PATCH",
      `/customers/${fixture.ada.customerId}`,
      { email: "nothing" },
      { "Idempotency-Key": "once-1", "X-Forwarded-For": "203.0.113.9" },
    );
    expect([answer.status, answer.body.requestId]).toEqual([422, answer.headers.get("Request-Id")]);
    await logged(answer);
    const { requestId } = answer.body;
    expect((await read(`/search?q=${requestId}`)).leads).toBe(`${fixture.home}/developers/requests/${requestId}`);
    const { words, text } = await read(`/developers/requests/${requestId}`);
    expect(words).toContain("PATCH /manage/v1/customers/{customerId}");
    expect(words).toMatch(
      /Status 422 Error validation_failed Resource cus_\w+ API key manage Client address 203\.0\.113\.9/,
    );
    expect(words).toContain("Idempotency-Key once-1");
    expect(text).toContain(`<a href="${fixture.home}/customers/${fixture.ada.customerId}`);
    expect(text).not.toContain("nothing");
  });

  test("has changes, and neither reads nor previews that succeed", async () => {
    const { app } = fixture.story;
    const { customerId, id } = fixture.ada;
    const reads = [
      await app.manage("GET", `/customers/${customerId}`),
      await app.api("GET", `/subscriptions/${id}`),
      await app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "pro" }),
    ];
    const change = await app.api("POST", "/checkouts", { productKey: "yearly" });
    expect(await logged(change)).toMatchObject({ method: "POST", path: "/public/v2/checkouts", status: 201 });
    const found = (await stored()).map((each) => each.id);
    for (const answer of reads.filter(({ status }) => status < 400))
      expect(found).not.toContain(answer.headers.get("Request-Id"));
    const refused = await app.manage("GET", `/customers/${newId("cus")}`);
    expect(await logged(refused)).toMatchObject({ status: 404, errorCode: "not_found" });
  });

  test("is filtered", async () => {
    const { app } = fixture.story;
    const [refused, done] = [
      await app.manage("POST", "/products", {}),
      await app.api("POST", "/checkouts", { productKey: "pro" }),
    ];
    const [{ keyId }] = [(await logged(refused))!, await logged(done)];
    const ids = async (query: string) =>
      [...(await read(`/developers/requests${query}`)).text.matchAll(/requests\/(req_\w+)/g)].map(([, id]) => id);
    const [bad, good] = [refused, done].map(({ headers }) => headers.get("Request-Id"));
    for (const query of [
      "?outcome=refused",
      "?status=422",
      "?path=/manage/v1/products&status=422",
      `?keyId=${keyId}`,
    ]) {
      const found = await ids(query);
      expect([found.includes(bad!), found.includes(good!)], query).toEqual([true, false]);
    }
    expect(await ids("?outcome=done")).toContain(good);
    for (const query of ["?status=abc", "?keyId=x", "?outcome=odd", "?key=x"])
      expect((await read(`/developers/requests${query}`)).status, query).toBe(422);
  });

  test("of another Organization is not found, and an id without a request is explained", async () => {
    const { app } = fixture.story;
    const other = await app.otherOrganization();
    const answer = await caller(`${app.url}/manage/v1`, other.keys.manage)("POST", "/products", {});
    await until(async () => (await listRequests(app.ctx.db.read, other.organization.id, { limit: 1 })).length > 0);
    const { requestId } = answer.body;
    expect((await read(`/developers/requests/${requestId}`)).status).toBe(404);
    expect((await read(`/search?q=${requestId}`)).words).toContain("There is no request with this id. The log has");
  });

  test("keeps the newest requests of each Organization, and forgets those of last week", async () => {
    const { app } = fixture.story;
    await logged(await app.manage("POST", "/products", {}));
    const before = await stored();
    const forget = () => forgetRequests(app.ctx.db, 1000, 7);
    expect([await forget(), await trimRequests(app.ctx.db, 1000)]).toEqual([0, 0]);
    expect(await trimRequests(app.ctx.db, 1000, 2)).toBe(before.length - 2);
    expect((await stored()).map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
    await app.ctx.db.tx((tx) => tx.query(agedStatement, [app.organization.id, before[0]!.id]));
    expect(await forget()).toBe(1);
    expect((await stored()).map(({ id }) => id)).toEqual([before[1]!.id]);
  });
});

const agedStatement = sql(
  "test.api_requests_age",
  `UPDATE api_requests SET at = ${moved("at", "- interval '8 days'")} WHERE organization_id = $1 AND id = $2`,
);

describe("the log of events", () => {
  const types = async (query: string) =>
    [
      ...(await read(`/developers/events${query}`)).text
        .replaceAll("<wbr />", "")
        .matchAll(/events\/evt_\w+">([\w.]+)</g),
    ].map(([, type]) => type);

  test("is newest first, and filtered by type, resource, Customer and day", async () => {
    const { ada, grace } = fixture;
    expect((await types(`?resourceId=${ada.id}`)).at(-1)).toBe("subscription.created");
    expect(new Set(await types("?type=dispute.created"))).toEqual(new Set(["dispute.created"]));
    const hers = await types(`?customerId=${ada.customerId}`);
    expect(hers).toContain("refund.created");
    expect(await types(`?customerId=${grace.customerId}`)).not.toContain("refund.created");
    // The first instant of April in New York is later than in UTC.
    expect(await types(`?lastDay=2026-03-01&resourceId=${ada.id}`)).not.toContain("subscription.renewed");
    expect(await types(`?firstDay=2026-03-31&type=subscription.created`)).toEqual([]);
    expect(
      await types(`?firstDay=2026-03-01&lastDay=2026-03-01&customerId=${ada.customerId}&type=refund.created`),
    ).toEqual(["refund.created"]);
    for (const query of ["?type=gone", "?firstDay=soon", "?customerId=x", "?kind=x"])
      expect((await read(`/developers/events${query}`)).status, query).toBe(422);
  });

  test("goes on in pages, also within a span of days", async () => {
    const { app, ok } = fixture.story;
    for (let n = 0; n < 60; n += 1) await ok(app.api("POST", "/customers", { email: `page${n}@example.com` }));
    for (const filter of ["", "&firstDay=2026-03-01"]) {
      const first = (await read(`/developers/events?type=customer.created${filter}`)).text;
      const [, next] = /<a href="([^"]+)" rel="next"/.exec(first)!;
      const second = (await fixture.owner.get(next!.replaceAll("&amp;", "&"))).text;
      const ids = [first, second].map((text) => [...text.matchAll(/events\/(evt_\w+)"/g)].map(([, id]) => id!));
      expect([ids[0]!.length, new Set(ids.flat()).size]).toEqual([50, ids.flat().length]);
      expect(ids.flat()).toEqual(ids.flat().toSorted().reverse());
    }
  });

  test("leads to an event with its resource, its body and its deliveries", async () => {
    const { app, ok } = fixture.story;
    const { id: endpointId } = await ok(
      app.manage("POST", "/webhook-endpoints", { url: "http://localhost:9/hook", events: ["refund.created"] }),
    );
    const [event]: Json[] = (await app.manage("GET", "/events?type=refund.created")).body.data;
    expect((await read(`/search?q=${event.id}`)).leads).toBe(`${fixture.home}/developers/events/${event.id}`);
    const { words, text } = await read(`/developers/events/${event.id}`);
    expect(words).toContain("refund.created Resource");
    const target = `customers/${fixture.ada.customerId}?at=${fixture.refund.id}#${fixture.refund.id}`;
    expect(text).toContain(`<a href="${fixture.home}/${target}">`);
    expect(text).toContain(`&quot;id&quot;: &quot;${event.id}&quot;`);
    expect(words).toContain("No present endpoint got this event");
    const delivery = await ok(app.manage("POST", `/webhook-endpoints/${endpointId}/test`));
    const tested = await read(`/developers/events/${delivery.eventId}`);
    expect(tested.words).toContain("http://localhost:9/hook Pending");
    expect(tested.text).toContain(`${fixture.home}/developers/deliveries/${delivery.id}`);
    expect((await read("/developers/events/evt_x")).status).toBe(404);
    expect((await read(`/developers/events/${newId("evt")}`)).status).toBe(404);
    const kinds = [endpointId, delivery.id].map((id) => read(`/search?q=${id}`));
    expect((await Promise.all(kinds)).map(({ leads }) => leads)).toEqual([
      `${fixture.home}/developers/webhooks/${endpointId}`,
      `${fixture.home}/developers/deliveries/${delivery.id}`,
    ]);
  });

  test("the search leads a role without the permission to no such page", async () => {
    const { app } = fixture.story;
    const user = await draftUser({ email: "sam@example.com", name: "Sam", password: OWNER.password });
    await app.ctx.db.tx(async (tx) => {
      users.insert(tx, user);
      insertMembership(tx, app.organization.id, user.id, "support");
    });
    const sam = await signInAt(app.url, { email: "sam@example.com", password: OWNER.password });
    const [event]: Json[] = (await app.manage("GET", "/events?limit=1")).body.data;
    const [key]: Json[] = (await app.manage("GET", "/api-keys")).body.data;
    for (const { id } of [event, key]) expect((await sam.get(`${fixture.home}/search?q=${id}`)).status).toBe(200);
    expect((await read(`/search?q=${key.id}`)).leads).toBe(`${fixture.home}/developers/keys/${key.id}`);
  });
});
