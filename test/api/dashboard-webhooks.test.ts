import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { fillForm, openForm, type Fields } from "../support/dashboard-form.ts";
import { wordsOf } from "../support/pages.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { endpointsOf, URL_ } from "../support/webhook-endpoints.ts";

let app: TestApp;
let receiver: Receiver;
let owner: Desk;
let home: string;
beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestApp({ trustedProxies: ["127.0.0.1"] }), startReceiver()]);
  owner = await openDashboard(app);
  home = `/dashboard/${app.organization.id}/developers`;
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const { create, tell } = endpointsOf(() => app);
const fill = (path: string, fields?: Fields) => fillForm(app.url, owner, home + path, fields);
const read = async (path: string) => {
  const { status, text } = await owner.get(home + path);
  return { status, text, words: wordsOf(text) };
};
const secretIn = (text: string) => /whsec_[\w+/]{43}=/.exec(text)?.[0] ?? null;
const idIn = (text: string) => /\/developers\/webhooks\/(whk_\w+)/.exec(text)![1]!;
const found = async (id: string): Promise<Json> => (await app.manage("GET", `/webhook-endpoints/${id}`)).body;

describe("a new endpoint", () => {
  test("gets the chosen types, and its secret is shown once", async () => {
    const form = await openForm(app.url, owner, `${home}/webhooks/new`);
    expect(form.text).toContain("<legend>Benefit grant</legend>");
    const fields = { url: receiver.url, description: "Shop <b>", events: ["invoice.paid", "refund.created"] };
    const made = await form.send(fields);
    const [secret, id] = [secretIn(made.text)!, idIn(made.text)];
    expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(await found(id)).toMatchObject({ ...fields, status: "enabled" });
    const again = await form.send(fields);
    expect([again.status, again.headers.get("Location")]).toEqual([303, `${home}/webhooks?done=created`]);
    for (const path of ["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/edit`])
      expect(secretIn((await read(path)).text), path).toBeNull();
    const log = (await app.manage("GET", "/audit-log")).body;
    expect(log.data[0]).toMatchObject({ operation: "createWebhookEndpoint", resourceId: id });
    expect(JSON.stringify(log)).not.toContain(secret);
    expect((await read("/webhooks")).words).toContain(`${receiver.url} Active 2 types Shop <b>`);
    const delivery = await tell({ id });
    const came = receiver.received.find(({ body }) => body.id === delivery.eventId)!;
    expect(new Webhook(secret).verify(came.text, came.headers as Record<string, string>)).toEqual(came.body);
  });

  test.each([
    [{ url: "", events: "*" }, "url-fault"],
    [{ url: "ftp://example.com", events: "*" }, "url-fault"],
    [{ url: `${URL_}#part`, events: "*" }, "url-fault"],
    [{ url: "http://10.0.0.1/hook", events: "*" }, "url-fault"],
    [{ url: URL_ }, "events-fault"],
    [{ url: URL_, events: "*", description: "x".repeat(257) }, "description-fault"],
  ])("with %j is refused at its field, and keeps the typed values", async (fields: Fields, id) => {
    const { status, text } = await fill("/webhooks/new", fields);
    expect([status, text.includes(`id="${id}"`)]).toEqual([422, true]);
    expect(text).toContain(`value="${String(fields["url"]).slice(0, 20)}`);
  });

  test("of an unknown type is refused", async () => {
    const { status, text } = await fill("/webhooks/new", { url: URL_, events: ["invoice.gone"] });
    // The fault stands below the field, and no name of the API stands on the page.
    expect([status, text.includes('id="events-fault"'), text.includes("events.0")]).toEqual([422, true, false]);
  });
});

describe("an endpoint", () => {
  test("is changed, disabled and enabled", async () => {
    const { id } = await create();
    const path = `/webhooks/${id}/edit`;
    const form = await openForm(app.url, owner, home + path);
    expect(form.text).toMatch(/value="yes"\s+checked/);
    const edited = await form.send({ url: `${URL_}/two`, description: "", events: ["*", "invoice.paid"] });
    expect(edited.headers.get("Location")).toBe(`${home}/webhooks/${id}?done=updated`);
    expect(await found(id)).toMatchObject({
      url: `${URL_}/two`,
      events: ["*"],
      description: null,
      status: "disabled",
      disabledReason: "by_hand",
    });
    expect((await read(`/webhooks/${id}`)).words).toContain("The endpoint is disabled, so its deliveries are skipped.");
    expect((await fill(path, { url: "x", events: "*" })).status).toBe(422);
    await fill(path, { url: URL_, events: "invoice.paid", enabled: "yes" });
    expect(await found(id)).toMatchObject({ status: "enabled", events: ["invoice.paid"] });
  });

  test("gets a new secret, which is shown once, beside the old one for the overlap", async () => {
    const { id, secret: old } = await create({ url: receiver.url });
    const form = await openForm(app.url, owner, `${home}/webhooks/${id}/secret`);
    const made = await form.send({ overlapHours: "24" });
    const secret = secretIn(made.text)!;
    expect([made.status, secret === old]).toEqual([200, false]);
    const again = await form.send({ overlapHours: "24" });
    expect([again.status, secretIn(again.text)]).toEqual([303, null]);
    const { eventId } = await tell({ id });
    const came = receiver.received.find(({ body }) => body.id === eventId)!;
    for (const each of [old, secret]) new Webhook(each).verify(came.text, came.headers as Record<string, string>);
    expect((await read(`/webhooks/${id}`)).words).toMatch(/Old secret Also signs until/);
    expect((await fill(`/webhooks/${id}/secret`, { overlapHours: "500" })).status).toBe(422);
  });

  test("is deleted, and its pages are gone", async () => {
    const { id } = await create();
    expect((await fill(`/webhooks/${id}/delete`)).headers.get("Location")).toBe(`${home}/webhooks?done=deleted`);
    for (const path of ["", "/edit", "/delete", "/secret", "/test", "/redeliver"])
      expect((await read(`/webhooks/${id}${path}`)).status, path).toBe(404);
    expect((await owner.get(`/dashboard/${app.organization.id}/search?q=${id}`)).status).toBe(200);
  });

  test("of another Organization is not found", async () => {
    const other = await app.otherOrganization();
    const manage = caller(`${app.url}/manage/v1`, other.keys.manage);
    const { id } = (await manage("POST", "/webhook-endpoints", { url: URL_ })).body;
    const delivery = (await manage("POST", `/webhook-endpoints/${id}/test`)).body;
    const paths = ["", "/edit", "/delete", "/secret", "/test", "/redeliver"].map((each) => `/webhooks/${id}${each}`);
    for (const path of [...paths, `/deliveries/${delivery.id}`, `/deliveries/${delivery.id}/redeliver`]) {
      expect((await read(path)).status, path).toBe(404);
      const isAction = /\/(edit|delete|secret|test|redeliver)$/.test(path);
      if (isAction) expect((await owner.send(home + path, { once: "x".repeat(22) })).status, path).toBe(404);
    }
    expect((await read(`/events/${delivery.eventId}`)).status).toBe(404);
  });
});

const failingStatement = sql(
  "test.webhook_endpoints_failing",
  "UPDATE webhook_endpoints SET failing_since = statement_timestamp() - interval '2 hours' WHERE id = $1",
);

describe("deliveries", () => {
  test("a test event shows its body, and the answer of the receiver", async () => {
    const { id } = await create({ url: receiver.url, events: ["invoice.paid"] });
    const form = await openForm(app.url, owner, `${home}/webhooks/${id}/test`);
    const sent = await form.send();
    const page = sent.headers.get("Location")!;
    expect(page).toMatch(/\/developers\/deliveries\/whd_\w+\?done=tested$/);
    expect((await form.send()).headers.get("Location")).toBe(`${home}/webhooks/${id}?done=tested`);
    expect(wordsOf((await owner.get(page)).text)).toContain("The receiver has not responded.");
    await app.runDue();
    const { text } = await owner.get(page);
    expect(wordsOf(text)).toMatch(/Status Succeeded .* Response 200 Duration \d+ ms Attempts 1/);
    expect(wordsOf(text)).toContain("answered 200");
    expect(text).toContain("&quot;type&quot;: &quot;webhook_endpoint.test&quot;");
    expect((await read(`/webhooks/${id}`)).words).toMatch(/webhook_endpoint\.test Succeeded 200 1/);
  });

  test("a failing endpoint says the reason and the next attempt, and the overview leads to it", async () => {
    const endpoint = await create({ url: receiver.url });
    receiver.react = () => 500;
    const delivery = await tell(endpoint);
    receiver.react = () => 200;
    const { words } = await read(`/webhooks/${endpoint.id}`);
    expect(words).toMatch(/Every attempt has failed since .* The receiver answered 500\. Next attempt: /);
    expect(words).toContain("State Failing The newest deliveries failed. Billow tries again for five days");
    await app.ctx.db.tx((tx) => tx.query(failingStatement, [endpoint.id]));
    const overview = (await owner.get(`/dashboard/${app.organization.id}`)).text;
    expect(overview).toContain(`<a href="${home}/webhooks/${endpoint.id}">The endpoint</a>`);
    const again = await fill(`/deliveries/${delivery.id}/redeliver`);
    expect(again.headers.get("Location")).toBe(`${home}/deliveries/${delivery.id}?done=redelivered`);
    await app.runDue();
    expect((await read(`/deliveries/${delivery.id}`)).words).toMatch(
      /Status Succeeded .* Failed attempts Time Response Duration .* 500 \d+ ms/,
    );
    expect((await read(`/webhooks/${endpoint.id}`)).words).toContain("State Active Gets each new event of its types.");
  });

  test("are filtered and go on in pages", async () => {
    const endpoint = await create({ url: receiver.url });
    receiver.react = () => 500;
    const failed = await tell(endpoint);
    receiver.react = () => 200;
    for (let n = 0; n < 51; n += 1) await app.manage("POST", `/webhook-endpoints/${endpoint.id}/test`);
    const path = `/webhooks/${endpoint.id}`;
    const { text } = await read(`${path}?status=retrying&type=webhook_endpoint.test`);
    expect([...text.matchAll(/deliveries\/(whd_\w+)/g)].map(([, id]) => id)).toEqual([failed.id]);
    expect((await read(`${path}?status=failed`)).words).toContain("No delivery fits these filters.");
    const [, next] = /<a href="([^"]+)" rel="next"/.exec((await read(path)).text)!;
    const second = await owner.get(next!.replaceAll("&amp;", "&"));
    expect([second.text.includes(failed.id), second.text.includes('rel="prev"')]).toEqual([true, true]);
    for (const wrong of ["?status=gone", "?state=failed", "?cursor=whd_x"])
      expect((await read(path + wrong)).status, wrong).toBe(422);
  });

  test("of a span that did not arrive are sent again", async () => {
    const endpoint = await create({ url: receiver.url });
    receiver.react = () => 500;
    const failed = await tell(endpoint);
    receiver.react = () => 200;
    const path = `/webhooks/${endpoint.id}/redeliver`;
    const none = await fill(path, { status: "failed", from: "2020-01-01", to: "2020-01-31" });
    expect(none.headers.get("Location")).toBe(`${home}/webhooks/${endpoint.id}?done=none`);
    const sent = await fill(path, { status: "failed", from: "2020-01-01", to: "" });
    expect(sent.headers.get("Location")).toBe(`${home}/webhooks/${endpoint.id}?done=redelivered`);
    await app.runDue();
    expect((await app.manage("GET", `/deliveries/${failed.id}`)).body.status).toBe("succeeded");
  });

  test.each([
    [{ status: "any", from: "", to: "" }, "from-fault"],
    [{ status: "failed", from: "yesterday" }, "from-fault"],
    [{ status: "failed", from: "2026-02-02", to: "2026-02-01" }, "to-fault"],
    [{ status: "" }, "status-fault"],
  ])("of the span %j are refused at its field", async (fields: Fields, id) => {
    const endpoint = await create();
    const { status, text } = await fill(`/webhooks/${endpoint.id}/redeliver`, fields);
    expect([status, text.includes(`id="${id}"`)]).toEqual([422, true]);
  });

  test("of a disabled endpoint are not sent again, and neither is a test event", async () => {
    const endpoint = await create({ url: receiver.url });
    const delivery = await tell(endpoint);
    await app.manage("PATCH", `/webhook-endpoints/${endpoint.id}`, { status: "disabled" });
    for (const path of [
      `/webhooks/${endpoint.id}/test`,
      `/webhooks/${endpoint.id}/redeliver`,
      `/deliveries/${delivery.id}/redeliver`,
    ]) {
      const { status, text } = await fill(path, { status: "failed" });
      expect([status, text.includes('role="alert"')], path).toEqual([409, true]);
    }
  });
});
