import { createHmac, timingSafeEqual } from "node:crypto";
import { parseInstant } from "../../../src/domain/calendar.ts";
import type { DisputeReason } from "../../../src/domain/model/dispute.ts";
import type { DisputeReport } from "../../../src/domain/model/dispute-report.ts";
import type { RefundFailureCode } from "../../../src/domain/model/refund-failure.ts";
import type { RefundReport } from "../../../src/domain/model/refund-report.ts";
import type { ProviderReport, EventRef, Notices } from "../../../src/payments/provider.ts";
import { found, type Call } from "./client.ts";
import type { AcornCharge, AcornDispute, AcornEvents, AcornObject, AcornRefund } from "./objects.ts";
import { cardOf, fromDecimal } from "./translate.ts";

/** An older notice may be a recorded one that a stranger sends again. */
const TOLERANCE_SECONDS = 300;

const signatureOf = (secret: string, time: string, body: Uint8Array) =>
  createHmac("sha256", secret).update(`${time}.`).update(body).digest();

function isSigned(header: string, body: Uint8Array, secrets: readonly string[], now: number): boolean {
  const { t: time = "", v1: hex = "" } = Object.fromEntries(header.split(",").map((part) => part.split("=")));
  if (!(Math.abs(now / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const given = Buffer.from(hex, "hex");
  return secrets.some((secret) => {
    const expected = signatureOf(secret, time, body);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The key of a charge that this Organization's Billow made; null: the charge is unmatched. */
const keyOf = (charge: AcornCharge, organizationId: string) =>
  charge.shop === organizationId ? charge.reference : null;

const FAILURES: Readonly<Record<string, RefundFailureCode>> = { closed: "card_gone", too_much: "declined" };

function refundFact({ id: ref, reference: key, charge, ...refund }: AcornRefund, chargeKey: string): RefundReport {
  const { amount, status, code, createdAt } = refund;
  const failureCode = status === "failed" ? (FAILURES[code ?? ""] ?? "unknown") : null;
  const currency = charge.currency!;
  const parts = { status, currency, failureCode, createdAt: parseInstant(createdAt)! };
  return { ref, key, chargeKey, amount: fromDecimal(amount, currency), ...parts };
}

const REASONS: Readonly<Record<string, DisputeReason>> = {
  fraud: "fraudulent",
  twice: "duplicate",
  not_delivered: "not_received",
  canceled: "subscription_canceled",
};
const STATUSES = { question: "inquiry", open: "open", won: "won", lost: "lost", withdrawn: "closed" } as const;

function disputeFact({ id: ref, charge, status, reason, ...dispute }: AcornDispute, chargeKey: string): DisputeReport {
  const { amount, answerBy, fee } = dispute;
  const currency = charge.currency!;
  return {
    ref,
    chargeKey,
    status: STATUSES[status],
    reason: REASONS[reason] ?? "other",
    amount: fromDecimal(amount, currency),
    currency,
    evidenceDueAt: answerBy === null ? null : parseInstant(answerBy),
    fee: fee && fromDecimal(fee.amount, fee.currency),
    feeCurrency: fee && fee.currency,
  };
}

/** Only the present object counts, so late, repeated and shuffled notices do no harm. */
function reportsOf(object: AcornObject, organizationId: string): ProviderReport[] | "unmatched" {
  if (object.kind === "card") {
    const { id: ref, card, shop } = object;
    return shop === organizationId ? [{ kind: "card", ref, card: card && cardOf(card) }] : "unmatched";
  }
  const key = keyOf(object.kind === "charge" ? object : object.charge, organizationId);
  if (key === null) return "unmatched";
  switch (object.kind) {
    case "charge":
      return [{ kind: "payment", key, charge: null }];
    case "refund":
      return [{ kind: "refund", refund: refundFact(object, key) }];
    case "dispute":
      return [{ kind: "dispute", dispute: disputeFact(object, key) }];
  }
}

/** `secrets`: none if the seller has set up no notices; polling then finds all of them. */
export function createNotices(given: { call: Call; secrets: readonly string[]; now: () => number }): Notices {
  const { call, secrets, now } = given;
  return {
    verify(headers, body): EventRef[] | null {
      const header = headers.get("acorn-signature") ?? "";
      if (!isSigned(header, body, secrets, now())) return null;
      return (JSON.parse(Buffer.from(body).toString()) as { events: EventRef[] }).events;
    },
    async since(_organizationId, cursor) {
      const path = cursor === null ? "/events" : `/events?${new URLSearchParams({ after: cursor })}`;
      const { events: refs, cursor: next } = await call<AcornEvents>("GET", path);
      return { refs, cursor: next, more: refs.length > 0 };
    },
    async look(organizationId, { object }) {
      const read = await found(call<AcornObject>("GET", `/objects/${encodeURIComponent(object)}`));
      return read ? reportsOf(read, organizationId) : "unmatched";
    },
  };
}
