import { realNow } from "../../../src/clock.ts";
import { parseInstant, formatInstant } from "../../../src/domain/calendar.ts";
import type { Outcome } from "../../../src/domain/model/payment-outcome.ts";
import type {
  Charge,
  HistoryEntry,
  HistoryPage,
  HistoryQuery,
  PaymentProvider,
  Refund,
  SaveCard,
} from "../../../src/payments/provider.ts";
import { AcornFault, DEADLINE_MILLISECONDS, found, openClient, Unclear, type Call } from "./client.ts";
import { createNotices } from "./notices.ts";
import type { AcornBook, AcornCharge, AcornRefund } from "./objects.ts";
import { fromDecimal, outcomeOf, refundOutcome, refusalOf, toDecimal } from "./translate.ts";

/** The outcome of a call that may fail. ProviderBusy and faults of ours are thrown. */
async function settled<T>(run: () => Promise<T>): Promise<T | Outcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Unclear) return { status: "unknown" };
    // The key names another amount, currency or card: a fault of the caller.
    if (!(error instanceof AcornFault) || error.code === "reference_used") throw error;
    return refusalOf(error);
  }
}

/** Acorn keeps the reference of a request for ever, so that the adapter needs no table of its own. */
const pathOf = (kind: "charges" | "refunds", key: string) => `/${kind}/${encodeURIComponent(key)}`;

/** Card statements show 22 characters. */
const MOST_STATEMENT = 22;

function bodyOf(request: SaveCard | Charge): object {
  const { organizationId: shop, card, customer, description, returnUrl } = request;
  const base = { shop, card, customer, description, returnUrl };
  if (!("amount" in request)) return { ...base, amount: null, currency: null, offSession: false };
  const { amount, currency, presence, statement } = request;
  return {
    ...base,
    amount: toDecimal(amount, currency),
    currency,
    offSession: presence === "off_session",
    statement: statement.slice(0, MOST_STATEMENT),
  };
}

async function read(call: Call, key: string): Promise<Outcome | { status: "absent" }> {
  const charge = await found(call<AcornCharge>("GET", pathOf("charges", key)));
  if (charge) return outcomeOf(charge);
  const refund = await found(call<AcornRefund>("GET", pathOf("refunds", key)));
  return refund ? refundOutcome(refund) : { status: "absent" };
}

/** A refund names no currency, so that the charge is read first. */
async function giveBack(call: Call, { key, chargeKey, amount }: Refund): Promise<Outcome> {
  const { id: charge, currency } = await call<AcornCharge>("GET", pathOf("charges", chargeKey));
  const body = { charge, amount: toDecimal(amount, currency!) };
  return refundOutcome(await call<AcornRefund>("PUT", pathOf("refunds", key), body));
}

function entryOf(organizationId: string, booked: AcornCharge | AcornRefund): HistoryEntry {
  const charge = booked.kind === "charge" ? booked : booked.charge;
  const isOurs = charge.shop === organizationId;
  return {
    kind: booked.kind,
    ref: booked.id,
    key: isOurs ? booked.reference : null,
    chargeKey: booked.kind === "refund" && isOurs ? charge.reference : null,
    amount: fromDecimal(booked.amount!, charge.currency!),
    currency: charge.currency!,
    createdAt: parseInstant(booked.createdAt)!,
  };
}

async function history(call: Call, { organizationId, from, to, cursor }: HistoryQuery): Promise<HistoryPage> {
  const span = { from: formatInstant(from), to: formatInstant(to), ...(cursor !== null && { after: cursor }) };
  const { entries, next } = await call<AcornBook>("GET", `/book?${new URLSearchParams(span)}`);
  return { entries: entries.map((booked) => entryOf(organizationId, booked)), next };
}

/** `key`: an API key of the account. `secrets`: sign the notices; two while one is replaced, none without notices. */
export type AcornSettings = {
  url: string;
  account: string;
  key: string;
  secrets: readonly string[];
  now?: () => number;
};

/** The provider for one account at Acorn Pay. */
export function createAcornProvider({ url, account, key, secrets, now = realNow }: AcornSettings): PaymentProvider {
  const call = openClient({ url, key });
  const send = (request: SaveCard | Charge) =>
    settled(async () => outcomeOf(await call("PUT", pathOf("charges", request.key), bodyOf(request))));
  return {
    name: "acorn",
    account,
    limits: { inFlight: 20, perSecond: 100 },
    deadline: DEADLINE_MILLISECONDS,
    entry: { kind: "hosted", origin: new URL(url).origin, name: "Acorn Pay" },
    saveCard: send,
    charge: send,
    read: (_organizationId, requestKey) => settled(() => read(call, requestKey)),
    cancel: (request) =>
      settled(async () => outcomeOf(await call("POST", `${pathOf("charges", request.key)}/cancel`, bodyOf(request)))),
    refund: (request) => settled(() => giveBack(call, request)),
    forget: async (_organizationId, customerId) =>
      void (await found(call("DELETE", `/customers/${encodeURIComponent(customerId)}`))),
    history: (query) => history(call, query),
    notices: createNotices({ call, secrets, now }),
  };
}
