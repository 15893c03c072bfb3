import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { verifyNotice } from "../../src/payments/stripe/notices.ts";

const NOW = Date.UTC(2026, 5, 1);
const SECRET = "whsec_one";
const settings = {
  account: "acct_1",
  key: "rk_test_1",
  webhookSecrets: [SECRET],
  installation: "inst_one",
  now: () => NOW,
  deadline: 1,
  warn: () => undefined,
};

function eventRefsOf(type: string, object: object) {
  const event = { id: "evt_1", type, created: 1, livemode: false, data: { object } };
  const body = Buffer.from(JSON.stringify(event));
  const signature = createHmac("sha256", SECRET)
    .update(`${NOW / 1000}.`)
    .update(body)
    .digest("hex");
  return verifyNotice(settings, new Map([["stripe-signature", `t=${NOW / 1000},v1=${signature}`]]), body);
}

test.each([
  ["payment_intent", "payment_intent.succeeded"],
  ["setup_intent", "setup_intent.succeeded"],
  ["checkout.session", "checkout.session.completed"],
])("a %s of other software has no event reference", (kind, type) => {
  const of = (more: object) => eventRefsOf(type, { id: "x_1", object: kind, ...more });
  expect(of({ metadata: { billow_installation: "inst_one" } })).toHaveLength(1);
  // An event without the field does not tell.
  expect(of({})).toHaveLength(1);
  for (const metadata of [null, {}, { order: "7" }, { billow_installation: "inst_two" }])
    expect(of({ metadata })).toEqual([]);
});

test("a refund, a dispute and a card have an event reference without metadata", () => {
  expect(eventRefsOf("refund.created", { id: "re_1", object: "refund", metadata: {} })).toHaveLength(1);
  expect(eventRefsOf("charge.dispute.created", { id: "dp_1", object: "dispute", metadata: {} })).toHaveLength(1);
  expect(eventRefsOf("payment_method.detached", { id: "pm_1", object: "payment_method", metadata: {} })).toHaveLength(
    1,
  );
});
