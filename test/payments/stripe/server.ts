import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerApi, PERMISSIONS, type ApiAnswer, type ApiRequest } from "./api.ts";
import { API_VERSION, createBook, type Book } from "./book.ts";
import { catchUp } from "./catch-up.ts";
import { forbidden, invalid, locked, tooMany, unauthorized, type ApiError } from "./errors.ts";
import { arrivals, newWebhookSecret, sendNotice, type Delivered, type Delivery } from "./events.ts";
import { createFaults, type Fault, type FaultKind, type Faults, type Match } from "./faults.ts";
import { createReplay, type Replay } from "./idempotency.ts";
import type { StripeEvent } from "./objects.ts";
import { createOperations, type Operations } from "./operations.ts";
import { pageOf } from "./pages.ts";

/*
 * A server that behaves as Stripe's documents of API version 2026-08-26.dahlia say, with an account that has a state.
 * It was written from these documents alone, shares no file with `src/`, and has never been compared with Stripe
 * itself. Its objects and the requests that it carries out are held against Stripe's own description
 * (`description.ts`): a difference is answered with 599. It takes the parameters that a billing service needs; any
 * other parameter is refused as unknown, even one that Stripe knows. The next API version (2026-09-30.endive) takes no
 * `payment_method_types` any more.
 *
 * Start: `const stripe = await startStripe()`, then send requests to `stripe.url` with `stripe.key` (restricted, with
 * each permission) or `stripe.secretKey`, and the header `Stripe-Version`. `stripe.book` is the account's content, for
 * assertions. `stripe.requests` lists the requests so far.
 *
 * Cards (`cards.ts`): a test token (`pm_card_visa`) stands wherever a PaymentMethod is named, and makes a new one each
 * time. The number is for the hosted page, with any later month as MM / YY and any CVC.
 *   4242 4242 4242 4242  pm_card_visa                          charged
 *   4000 0000 0000 0002  pm_card_visa_chargeDeclined           declined; can't be saved either, as all declining cards
 *   4000 0000 0000 9995  …_chargeDeclinedInsufficientFunds     and …LostCard, …StolenCard, …VelocityLimitExceeded;
 *   4000 0000 0000 0069  pm_card_chargeDeclinedExpiredCard     and …IncorrectCvc, …ProcessingError
 *   4100 0000 0000 0019  pm_card_radarBlock                    declined as fraudulent
 *   4000 0000 0000 0341  pm_card_chargeCustomerFail            can be saved; each charge is declined
 *   4000 0027 6000 3184  pm_card_authenticationRequired        authentication each time; off-session it is declined
 *   4000 0025 0000 3155  pm_card_authenticationRequiredOnSetup off-session charges succeed once it was set up
 *   4000 0000 0000 3220  pm_card_threeDSecure2Required         the same
 *   4000 0038 0000 0446  …RequiredSetupForOffSession           off-session charges succeed from the beginning
 *   4000 0082 6000 3178  …RequiredChargeDeclinedInsufficientFunds  declined after the authentication
 *   4000 0000 0000 0259  pm_card_createDispute                 charged, and disputed at once; …1976 as an inquiry
 *   4000 0000 0000 7726  pm_card_pendingRefund                 its refunds wait for `operations.settleRefund`
 *   4000 0000 0000 5126  pm_card_refundFail                    its refunds succeed, until `operations.failRefund`
 *
 * Pages for buyers, without script: `/c/pay/cs_…` (fields cardNumber, cardExpiry, cardCvc; a declined buyer may type
 * another card) and `/3d_secure/…` (buttons `result` = `complete` or `fail`). `buyer.ts` fills them in.
 *
 * Operations (`operations.ts`) are the events that no request of ours begins: refunds made in the dashboard, refunds
 * that settle or fail later, disputes and their ends, cards detached or updated, a payment that is processing, an
 * account that is restricted, keys revoked, permissions taken.
 *
 * Stripe Billing (`billing*.ts`): subscriptions of the seller's other software, made by `operations.subscribe`. They
 * can be paused, changed and canceled by requests, and their next invoice can be previewed. They renew, and their cards
 * are charged, when `operations.advance(to)` moves the clock.
 *
 * Faults (`faults.ts`): `stripe.fault("POST /v1/refunds", "after")` strikes the next such request; `500 done`, `cut`,
 * `429`, `lock`, `slow` and others.
 *
 * Notices: `stripe.deliver(url)` signs and sends the events that this URL has not answered with 2xx yet.
 *
 * Assumptions, where Stripe's documents are silent: a refund has the step of charges; a restricted account answers 400
 * without a code; an intent of an open Session answers `…_unexpected_state`; the intents of a deleted Customer are not
 * listed (`resource_missing`); an expired Session cancels its intent (`expired`, `abandoned`), unless
 * `operations.onExpiry` leaves the intent as it is; a dispute that is won keeps its fee, and its charge can be refunded
 * again; deleting a Customer tells of each detached card; a second confirmation ends the authentication before;
 * `idempotency_key_in_use` has the type `idempotency_error`, of which reports differ. A lock is answered with 429, as
 * in reports of users; older documents have 409. Of Stripe Billing: a subscription without a next invoice, or one that
 * is paused with void invoices, answers a preview with 404 `invoice_upcoming_none`; the last period before a planned
 * end is charged by its seconds; discounts and taxes are rounded by line, half away from zero; a declined charge of a
 * renewal is not repeated; a balance belongs to the permission of Customers.
 */

export type StripeServer = {
  /** The origin of the API and of the pages. */
  readonly url: string;
  readonly accountId: string;
  /** A restricted key that begins with all permissions. */
  readonly key: string;
  readonly secretKey: string;
  /** Signs the notices of `deliver` for a URL that is no registered endpoint. */
  readonly webhookSecret: string;
  readonly book: Book;
  /** Each request to the API, oldest first, with the status of the answer; 0: not answered. */
  readonly requests: readonly SeenRequest[];
  readonly events: readonly StripeEvent[];
  readonly operations: Operations;
  /** Plants a fault for the next `times` requests that match; `times` is 1 unless given. */
  fault(match: Match, kind: FaultKind, times?: number): Fault;
  clearFaults(): void;
  /**
   * Sends each event that this URL has not accepted yet, one after the other. A notice that is `missing` is never
   * sent; one that is not answered with 2xx is sent again by the next call. Events that an endpoint registered for this
   * URL does not want are left out.
   */
  deliver(to: URL | string, how?: Delivery): Promise<Delivered[]>;
  close(): Promise<void>;
};

export type SeenRequest = {
  id: string;
  method: string;
  path: string;
  query: string;
  body: string;
  headers: ReadonlyMap<string, string>;
  status: number;
};

type Site = { book: Book; replay: Replay; faults: Faults; requests: SeenRequest[] };

/**
 * Starts a server on a free port of 127.0.0.1. `now`: milliseconds; `livemode`: for a key of live mode; `isLater`: the
 * test gives objects words that Stripe may add later.
 */
export async function startStripe({
  now = Date.now,
  livemode = false,
  isLater = false,
}: { now?: () => number; livemode?: boolean; isLater?: boolean } = {}): Promise<StripeServer> {
  let url = "";
  const book = createBook({ now, livemode, isLater, url: () => url });
  const site: Site = { book, replay: createReplay(book.now), faults: createFaults(), requests: [] };
  const [key, secretKey] = ["rk", "sk"].map((kind) => newKey(kind, livemode)) as [string, string];
  book.keys.push({ key, permissions: new Set(PERMISSIONS), isRevoked: false });
  book.keys.push({ key: secretKey, permissions: "all", isRevoked: false });
  const server = createServer((request, response) => void serve(site, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookSecret = newWebhookSecret();
  return {
    url,
    accountId: book.account.id,
    key,
    secretKey,
    webhookSecret,
    book,
    requests: site.requests,
    events: book.events,
    operations: createOperations(book),
    fault: site.faults.plant,
    clearFaults: site.faults.clear,
    deliver: postman(book, webhookSecret),
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const newKey = (kind: string, livemode: boolean) =>
  `${kind}_${livemode ? "live" : "test"}_${randomBytes(24).toString("base64url").replaceAll(/[-_]/g, "k")}`;

function postman(book: Book, webhookSecret: string): StripeServer["deliver"] {
  const settled = new Map<string, Set<string>>();
  return async (to, how = {}) => {
    const url = new URL(to);
    catchUp(book);
    const done = settled.get(url.href) ?? new Set<string>();
    settled.set(url.href, done);
    const endpoint = [...book.endpoints.values()].find((each) => new URL(each.url).href === url.href);
    const secrets = how.secrets ?? [(endpoint && book.endpointSecrets.get(endpoint.id)) ?? webhookSecret];
    const wanted = endpoint?.enabled_events ?? ["*"];
    const waiting = book.events.filter(
      ({ id, type }) => !done.has(id) && (wanted.includes("*") || wanted.includes(type)),
    );
    const seconds = how.signedAt === undefined ? book.now() : Math.floor(how.signedAt / 1000);
    const delivered: Delivered[] = [];
    const sent = arrivals(waiting, how);
    if (how.missing === true) for (const { id } of waiting) if (!sent.some((each) => each.id === id)) done.add(id);
    for (const event of sent) {
      const status = await sendNotice(url, event, secrets, seconds);
      if (status >= 200 && status < 300) done.add(event.id);
      delivered.push({ event, status });
    }
    return delivered;
  };
}

async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const body = await textOf(request);
    if (pathname.startsWith("/v1/")) await serveApi(site, request, response, { pathname, search, body });
    else servePage(site, request, response, { pathname, body });
  } catch (error) {
    // A fault of this server must not look like one of Stripe's own answers.
    response.writeHead(599, { "content-type": "text/plain" });
    response.end(error instanceof Error ? error.stack : String(error));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The faults that answer in place of the API. The request is not carried out, and the answer is not kept. */
const INSTEAD: Partial<Record<FaultKind, () => ApiError>> = {
  "429": tooMany,
  lock: () => locked(429),
  "lock 409": () => locked(409),
  "401": () => unauthorized("Invalid API Key provided: rk_test_************none"),
  "403": () => forbidden("The provided key does not have the required permissions for this endpoint."),
  "amount too large": () =>
    invalid("Amount is too large for this payment method.", { code: "amount_too_large", param: "amount" }),
  "card state": () =>
    invalid("The payment method is in a state that does not allow this.", { code: "payment_method_unexpected_state" }),
  "not activated": () => invalid("Your account cannot currently make live charges.", { code: "testmode_charges_only" }),
};

async function serveApi(
  { book, replay, faults, requests }: Site,
  incoming: IncomingMessage,
  response: ServerResponse,
  { pathname: path, search, body }: { pathname: string; search: string; body: string },
): Promise<void> {
  const headers = new Map(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const method = incoming.method ?? "GET";
  const request: ApiRequest = { id: book.newId("req"), method, path, query: search.slice(1), body, headers };
  const seen: SeenRequest = { ...request, status: 0 };
  requests.push(seen);
  const fault = faults.meet({ method, path, idempotencyKey: headers.get("idempotency-key") ?? null, body });
  const kind = fault?.kind;
  if (kind === "before") {
    incoming.socket.destroy();
    return;
  }
  if (kind === "502") {
    seen.status = 502;
    response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>502 Bad Gateway</h1></html>");
    return;
  }
  const instead = kind && INSTEAD[kind]?.();
  const answer: ApiAnswer = instead
    ? { status: instead.status, body: JSON.stringify(instead.body), requestId: request.id, replayed: false }
    : await answerApi(book, replay, request, fault);
  if (kind === "slow done") await fault!.released;
  if (kind === "after") {
    incoming.socket.destroy();
    return;
  }
  seen.status = answer.status;
  send(response, request, answer, kind === "cut");
}

function send(response: ServerResponse, request: ApiRequest, answer: ApiAnswer, isCut: boolean): void {
  const bytes = Buffer.from(answer.body);
  const key = request.headers.get("idempotency-key");
  const account = request.headers.get("stripe-account");
  response.writeHead(answer.status, {
    "content-length": bytes.length,
    "content-type": "application/json",
    "request-id": request.id,
    "stripe-version": API_VERSION,
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...(account === undefined ? {} : { "stripe-account": account }),
    ...(answer.replayed ? { "idempotent-replayed": "true", "original-request": answer.requestId } : {}),
    ...(answer.status === 409 || answer.status >= 500 ? { "stripe-should-retry": "true" } : {}),
  });
  if (!isCut) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

function servePage(
  { book }: Site,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, body }: { pathname: string; body: string },
): void {
  catchUp(book);
  const answer = pageOf(book, request.method ?? "GET", pathname, new URLSearchParams(body)) ?? {
    status: 404,
    html: "<h1>Not found</h1>",
  };
  if ("location" in answer) {
    response.writeHead(answer.status, { location: answer.location }).end();
    return;
  }
  response.writeHead(answer.status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.end(answer.html);
}
