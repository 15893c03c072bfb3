import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { CARDS } from "../support/story.ts";

/**
 * `Access` has the calls of one Organization. `Things` are the ids of another Organization, which the first one might
 * get hold of.
 */
type Access = { api: TestCall; manage: TestCall };
type Prefix =
  | "cus"
  | "prd"
  | "pch"
  | "chk"
  | "sub"
  | "bft"
  | "bgr"
  | "inv"
  | "evt"
  | "pay"
  | "pm"
  | "rfd"
  | "crn"
  | "dsp"
  | "whk"
  | "whd"
  | "eml";
type Things = Record<Prefix, string> & { product: string; customer: string };

let app: TestApp;
let own: Access;
let theirs: Things;
let mine: Things;

async function furnish({ api, manage }: Access, name: string): Promise<Things> {
  const [product, customer] = [`${name}-plan`, `${name}-customer`];
  const { body: bft } = await manage("POST", "/benefits", { key: `${name}-sso`, type: "feature", name: "SSO" });
  const prices = [{ currency: "usd", amount: 1000 }];
  const { body: prd } = await manage("POST", "/products", {
    key: product,
    name: "Plan",
    interval: "month",
    prices,
    benefitIds: [bft.id],
  });
  const { body: chk } = await api("POST", "/checkouts", {
    productKey: product,
    customer: { email: `${name}@example.com`, externalId: customer },
  });
  const { body: paid } = await manage("POST", `/sandbox/checkouts/${chk.id}/pay`, { card: CARDS.pays });
  const [bgr] = (await manage("GET", "/benefit-grants")).body.data;
  const [evt] = (await manage("GET", "/events")).body.data;
  const [pay] = (await manage("GET", "/payments")).body.data;
  const [eml] = (await manage("GET", "/emails")).body.data;
  const [pm] = (await manage("GET", `/customers/${paid.customerId}/payment-methods`)).body.data;
  const { body: rfd } = await manage("POST", `/invoices/${paid.invoiceId}/refunds`, { amount: 1, to: "balance" });
  const { body: dsp } = await manage("POST", `/sandbox/payments/${pay.id}/dispute`);
  const { body: whk } = await manage("POST", "/webhook-endpoints", { url: `https://${name}.example.com/hook` });
  const { body: whd } = await manage("POST", `/webhook-endpoints/${whk.id}/test`);
  const { body: pch } = await manage("POST", `/products/${prd.id}/price-changes`, { consent: "notice" });
  const ids = {
    pch: pch.id,
    whk: whk.id,
    whd: whd.id,
    rfd: rfd.id,
    dsp: dsp.id,
    crn: rfd.creditNoteId,
    bft: bft.id,
    prd: prd.id,
    chk: chk.id,
    cus: paid.customerId,
    sub: paid.subscriptionId,
    inv: paid.invoiceId,
  };
  return { ...ids, bgr: bgr.id, evt: evt.id, pay: pay.id, pm: pm.id, eml: eml.id, product, customer };
}

const counts = async () => {
  const lists = [
    "customers",
    "products",
    "benefits",
    "checkouts",
    "subscriptions",
    "invoices",
    "payments",
    "refunds",
    "credit-notes",
    "disputes",
    "benefit-grants",
    "events",
    "webhook-endpoints",
    "emails",
  ];
  return Promise.all(lists.map(async (list) => (await app.manage("GET", `/${list}?limit=100`)).body.data.length));
};

beforeAll(async () => {
  app = await startTestApp();
  own = await foreignCallersOf(app);
  theirs = await furnish(app, "theirs");
  mine = await furnish(own, "mine");
});
afterAll(() => app.close());

const QUARTER_OFF = { code: "X", type: "percentage", basisPoints: 2500, duration: "once" };

type Call = [what: string, kind: keyof Things, call: (id: string) => Promise<TestAnswer>];
/** Every parameter or field of both surfaces that takes an id or a name, with a call for it. */
const CALLS: Call[] = [
  [
    "POST /checkouts subscriptionId",
    "sub",
    (id) => own.api("POST", "/checkouts", { productKey: mine.product, subscriptionId: id }),
  ],
  [
    "POST /subscriptions customerId",
    "cus",
    (id) => own.manage("POST", "/subscriptions", { productKey: mine.product, customerId: id }),
  ],
  [
    "POST /subscriptions productId",
    "prd",
    (id) => own.manage("POST", "/subscriptions", { productId: id, customerId: mine.cus }),
  ],
  ["POST /discounts productIds", "prd", (id) => own.manage("POST", "/discounts", { ...QUARTER_OFF, productIds: [id] })],
  ["GET /invoices/{id}/explanation", "inv", (id) => own.manage("GET", `/invoices/${id}/explanation`)],
  ["GET /subscriptions/{id}/timeline", "sub", (id) => own.manage("GET", `/subscriptions/${id}/timeline`)],
  ["POST /checkouts productId", "prd", (id) => own.api("POST", "/checkouts", { productId: id })],
  ["POST /checkouts productKey", "product", (key) => own.api("POST", "/checkouts", { productKey: key })],
  [
    "POST /checkouts customerId",
    "cus",
    (id) => own.api("POST", "/checkouts", { productKey: mine.product, customerId: id }),
  ],
  [
    "POST /checkouts externalCustomerId",
    "customer",
    (id) => own.api("POST", "/checkouts", { productKey: mine.product, externalCustomerId: id }),
  ],
  [
    "POST /checkouts subscriptionId",
    "sub",
    (id) => own.api("POST", "/checkouts", { productKey: mine.product, subscriptionId: id }),
  ],
  ["GET /checkouts/{}", "chk", (id) => own.api("GET", `/checkouts/${id}`)],
  ["GET /subscriptions/{}", "sub", (id) => own.api("GET", `/subscriptions/${id}`)],
  ["PATCH /subscriptions/{}", "sub", (id) => own.api("PATCH", `/subscriptions/${id}`, { cancelAtPeriodEnd: true })],
  [
    "PATCH /subscriptions/{} to a Product of mine",
    "sub",
    (id) => own.api("PATCH", `/subscriptions/${id}`, { productId: mine.prd }),
  ],
  ["PATCH productId", "prd", (id) => own.api("PATCH", `/subscriptions/${mine.sub}`, { productId: id })],
  ["PATCH productKey", "product", (key) => own.api("PATCH", `/subscriptions/${mine.sub}`, { productKey: key })],
  ["GET /benefit-grants customerId", "cus", (id) => own.api("GET", `/benefit-grants?customerId=${id}`)],
  [
    "GET /benefit-grants externalCustomerId",
    "customer",
    (id) => own.api("GET", `/benefit-grants?externalCustomerId=${id}`),
  ],
  [
    "GET /benefit-grants benefitId",
    "bft",
    (id) => own.api("GET", `/benefit-grants?customerId=${mine.cus}&benefitId=${id}`),
  ],
  ["preview", "sub", (id) => own.api("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: true })],
  ["preview productId", "prd", (id) => own.manage("POST", `/subscriptions/${mine.sub}/preview`, { productId: id })],
  ["pause", "sub", (id) => own.manage("POST", `/subscriptions/${id}/pause`, { access: "keep" })],
  ["resume", "sub", (id) => own.manage("POST", `/subscriptions/${id}/resume`)],
  ["resume/preview", "sub", (id) => own.manage("POST", `/subscriptions/${id}/resume/preview`)],
  ["discount", "sub", (id) => own.manage("POST", `/subscriptions/${id}/discount`, { discountCode: null })],
  [
    "discount/preview",
    "sub",
    (id) => own.manage("POST", `/subscriptions/${id}/discount/preview`, { discountCode: null }),
  ],
  ["trial", "sub", (id) => own.manage("POST", `/subscriptions/${id}/trial`, { trialEnd: "2030-01-01T00:00:00Z" })],
  [
    "trial/preview",
    "sub",
    (id) => own.manage("POST", `/subscriptions/${id}/trial/preview`, { trialEnd: "2030-01-01T00:00:00Z" }),
  ],
  ["cancel-now", "sub", (id) => own.manage("POST", `/subscriptions/${id}/cancel-now`, {})],
  ["cancel-now/preview", "sub", (id) => own.manage("POST", `/subscriptions/${id}/cancel-now/preview`, {})],
  [
    "sandbox pay",
    "chk",
    (id) => own.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays, email: "a@example.com" }),
  ],
  ["sandbox card", "cus", (id) => own.manage("POST", `/sandbox/customers/${id}/card`, { card: CARDS.pays })],
  ["sandbox detach", "pm", (id) => own.manage("POST", `/sandbox/payment-methods/${id}/detach`)],
  [
    "sandbox update",
    "pm",
    (id) => own.manage("POST", `/sandbox/payment-methods/${id}/update`, { expMonth: 1, expYear: 2040 }),
  ],
  ["GET /customers/{}", "cus", (id) => own.manage("GET", `/customers/${id}`)],
  ["PATCH /customers/{}", "cus", (id) => own.manage("PATCH", `/customers/${id}`, { name: "Mine" })],
  ["DELETE /customers/{}", "cus", (id) => own.manage("DELETE", `/customers/${id}`)],
  ["POST /customers/{}/portal-sessions", "cus", (id) => own.manage("POST", `/customers/${id}/portal-sessions`, {})],
  ["GET /payment-methods/{}", "pm", (id) => own.manage("GET", `/payment-methods/${id}`)],
  ["POST /portal-sessions", "cus", (id) => own.manage("POST", "/portal-sessions", { customerId: id })],
  [
    "POST /portal-sessions externalCustomerId",
    "customer",
    (id) => own.manage("POST", "/portal-sessions", { externalCustomerId: id }),
  ],
  ["GET /customers/{}/payment-methods", "cus", (id) => own.manage("GET", `/customers/${id}/payment-methods`)],
  ["GET /customers/{}/balance", "cus", (id) => own.manage("GET", `/customers/${id}/balance`)],
  ["GET /customers/{}/balance-entries", "cus", (id) => own.manage("GET", `/customers/${id}/balance-entries`)],
  [
    "balance-adjustments",
    "cus",
    (id) => own.manage("POST", `/customers/${id}/balance-adjustments`, { currency: "usd", amount: 1, reason: "Mine" }),
  ],
  ["GET /invoices/{}", "inv", (id) => own.manage("GET", `/invoices/${id}`)],
  ["POST /invoices/{}/refunds", "inv", (id) => own.manage("POST", `/invoices/${id}/refunds`, { amount: 1 })],
  ["GET /refunds/{}", "rfd", (id) => own.manage("GET", `/refunds/${id}`)],
  ["GET /refunds invoiceId", "inv", (id) => own.manage("GET", `/refunds?invoiceId=${id}`)],
  ["GET /credit-notes/{}", "crn", (id) => own.manage("GET", `/credit-notes/${id}`)],
  ["GET /credit-notes refundId", "rfd", (id) => own.manage("GET", `/credit-notes?refundId=${id}`)],
  ["GET /disputes/{}", "dsp", (id) => own.manage("GET", `/disputes/${id}`)],
  ["GET /disputes paymentId", "pay", (id) => own.manage("GET", `/disputes?paymentId=${id}`)],
  ["sandbox dispute", "pay", (id) => own.manage("POST", `/sandbox/payments/${id}/dispute`)],
  ["sandbox dispute closed", "dsp", (id) => own.manage("POST", `/sandbox/disputes/${id}/close`, { outcome: "lost" })],
  ["GET /events/{}", "evt", (id) => own.manage("GET", `/events/${id}`)],
  ["GET /events resourceId", "sub", (id) => own.manage("GET", `/events?resourceId=${id}`)],
  ["GET /products/{}", "prd", (id) => own.manage("GET", `/products/${id}`)],
  ["GET /products/{}/prices", "prd", (id) => own.manage("GET", `/products/${id}/prices`)],
  ["GET /products/{}/price-changes", "prd", (id) => own.manage("GET", `/products/${id}/price-changes`)],
  ...["", "/preview"].map((path): Call => [
    `POST /products/{}/price-changes${path}`,
    "prd",
    (id) => own.manage("POST", `/products/${id}/price-changes${path}`, { consent: "notice" }),
  ]),
  ...["", "/subscriptions"].map((path): Call => [
    `GET /price-changes/{}${path}`,
    "pch",
    (id) => own.manage("GET", `/price-changes/${id}${path}`),
  ]),
  ...["pause", "resume", "stop", "withdraw"].map((step): Call => [
    `POST /price-changes/{}/${step}`,
    "pch",
    (id) => own.manage("POST", `/price-changes/${id}/${step}`),
  ]),
  ["PATCH /products/{}", "prd", (id) => own.manage("PATCH", `/products/${id}`, { name: "Mine" })],
  [
    "POST /products benefitIds",
    "bft",
    (id) => own.manage("POST", "/products", { name: "X", prices: [{ currency: "usd", amount: 0 }], benefitIds: [id] }),
  ],
  ["PATCH /products benefitIds", "bft", (id) => own.manage("PATCH", `/products/${mine.prd}`, { benefitIds: [id] })],
  ["GET /benefits/{}", "bft", (id) => own.manage("GET", `/benefits/${id}`)],
  ["PATCH /benefits/{}", "bft", (id) => own.manage("PATCH", `/benefits/${id}`, { name: "Mine" })],
  ["DELETE /benefits/{}", "bft", (id) => own.manage("DELETE", `/benefits/${id}`)],
  ["GET /benefit-grants/{}/activations", "bgr", (id) => own.manage("GET", `/benefit-grants/${id}/activations`)],
  [
    "DELETE /benefit-grants/{}/activations/{}",
    "bgr",
    (id) => own.manage("DELETE", `/benefit-grants/${id}/activations/${newId("act")}`),
  ],
  ["GET /webhook-endpoints/{}", "whk", (id) => own.manage("GET", `/webhook-endpoints/${id}`)],
  [
    "PATCH /webhook-endpoints/{}",
    "whk",
    (id) => own.manage("PATCH", `/webhook-endpoints/${id}`, { status: "disabled" }),
  ],
  ["DELETE /webhook-endpoints/{}", "whk", (id) => own.manage("DELETE", `/webhook-endpoints/${id}`)],
  ["rotate-secret", "whk", (id) => own.manage("POST", `/webhook-endpoints/${id}/rotate-secret`)],
  ["test of an endpoint", "whk", (id) => own.manage("POST", `/webhook-endpoints/${id}/test`)],
  ["redeliver to an endpoint", "whk", (id) => own.manage("POST", `/webhook-endpoints/${id}/redeliver`)],
  ["GET /webhook-endpoints/{}/deliveries", "whk", (id) => own.manage("GET", `/webhook-endpoints/${id}/deliveries`)],
  [
    "GET /webhook-endpoints/{}/deliveries eventId",
    "evt",
    (id) => own.manage("GET", `/webhook-endpoints/${mine.whk}/deliveries?eventId=${id}`),
  ],
  ["GET /deliveries/{}", "whd", (id) => own.manage("GET", `/deliveries/${id}`)],
  ["redeliver", "whd", (id) => own.manage("POST", `/deliveries/${id}/redeliver`)],
  ["GET /emails/{}", "eml", (id) => own.manage("GET", `/emails/${id}`)],
  ["GET /emails customerId", "cus", (id) => own.manage("GET", `/emails?customerId=${id}`)],
  ["GET /payments invoiceId", "inv", (id) => own.manage("GET", `/payments?invoiceId=${id}`)],
  ["GET /invoices subscriptionId", "sub", (id) => own.manage("GET", `/invoices?subscriptionId=${id}`)],
];

describe("another Organization's ids and names answer as unknown ones do", () => {
  const seen = ({ status, headers, body }: TestAnswer, name: string) => {
    const shown = JSON.stringify({ ...body, requestId: "" }).replaceAll(name, "NAME");
    return [status, shown, headers.get("ETag"), headers.get("Retry-After")];
  };

  test.each(CALLS)("%s", async (_, kind, call) => {
    const unknown = kind === "product" || kind === "customer" ? `nobodys-${kind}` : newId(kind as "cus");
    const before = await counts();
    const [foreign, none] = [await call(theirs[kind]), await call(unknown)];
    expect(seen(foreign, theirs[kind])).toEqual(seen(none, unknown));
    if (foreign.status < 300) expect(foreign.body).toEqual({ data: [], nextCursor: null });
    expect(await counts()).toEqual(before);
  });

  test.each([
    ["benefit-grants", "bgr"],
    ["customers", "cus"],
    ["invoices", "inv"],
    ["payments", "pay"],
    ["refunds", "rfd"],
    ["credit-notes", "crn"],
    ["disputes", "dsp"],
    ["events", "evt"],
    ["webhook-endpoints", "whk"],
  ] as const)("and lead nowhere as the cursor of %s", async (list, kind) => {
    const { status, body } = await own.manage("GET", `/${list}?cursor=${theirs[kind]}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("theirs");
  });
});

it("names that are taken there are free here", async () => {
  const prices = [{ currency: "usd", amount: 1000 }];
  expect((await own.manage("POST", "/products", { key: theirs.product, name: "Same", prices })).status).toBe(201);
  expect(
    (await own.api("POST", "/customers", { email: "theirs@example.com", externalId: theirs.customer })).status,
  ).toBe(201);
  expect((await own.manage("POST", "/benefits", { key: "theirs-sso", type: "feature", name: "Same" })).status).toBe(
    201,
  );
});

it("a purchase here has no effect there", async () => {
  const ours = await app.manage("GET", `/subscriptions/${theirs.sub}`);
  const { body: checkout } = await own.api("POST", "/checkouts", {
    productKey: mine.product,
    customer: { email: "theirs@example.com" },
  });
  await own.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays });
  expect((await app.manage("GET", `/subscriptions/${theirs.sub}`)).body).toEqual(ours.body);
  const grants: Json[] = (await own.api("GET", `/benefit-grants?customerId=${checkout.customerId}`)).body.data;
  expect(grants.map((grant) => grant.benefitId)).toEqual([mine.bft]);
});
