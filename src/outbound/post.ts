import { lookup, Resolver } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf, isLoopback } from "../cidr.ts";
import { permits, permitsPrivate, refusalOfUrl, type PostPolicy, type UrlRefusal } from "./addresses.ts";
import { requestSpan, traced } from "../tracing/tracing.ts";
import { beginningOf } from "./beginning.ts";

/** All addresses of a name. Rejects for a name without addresses. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export type PostOptions = {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** When the request is sent, in milliseconds since 1970. */
  now: number;
  /** The limit for everything: the name, the connection, the answer. */
  timeoutMilliseconds: number;
  policy: PostPolicy;
  /** Replaces the system's look-up of names. */
  resolve?: Resolve;
};

/**
 * Why there is no answer. These codes are stable.
 * - `invalid_url`, `https_required`: refused by the URL alone
 * - `address_not_allowed`: one of the host's addresses is neither public nor allowed; no address was called
 * - `dns_failed`: the host has no address, or the DNS gave no answer
 * - `connection_failed`: refused, unreachable, or broken off before there was an answer
 * - `tls_failed`: no TLS, or a certificate that is not valid for the host
 * - `timeout`: no status in time
 * - `bad_response`: the answer is not HTTP, or its headers are too large
 */
export type PostError =
  | UrlRefusal["code"]
  | "dns_failed"
  | "connection_failed"
  | "tls_failed"
  | "timeout"
  | "bad_response";

/** `body`: the beginning of the body as text. `retryAfter`: in seconds. */
export type PostAnswer = { status: number; body: string; retryAfter: number | null };

const MOST_HEADERS = 16 * 1024;
const MOST_READ = 16 * 1024;
const MOST_KEPT = 2 * 1024;
/**
 * The limit for the connection to each address of a host with several. Node's 500 ms are too short: a lost first packet
 * is resent after 1 s and 3 s.
 */
const CONNECT_MILLISECONDS = 4_000;
/**
 * The limit for the body, after the head with the status. A receiver that never ends its body must not hold up other
 * deliveries for as long as a receiver that never answers.
 */
const BODY_MILLISECONDS = 2_000;

class Fault extends Error {
  readonly code: PostError;

  constructor(code: PostError) {
    super(code);
    this.code = code;
  }
}

const IDLE_MILLISECONDS = 10_000;
const MOST_IDLE = 16;

/**
 * Keeps connections for a while. One is used again only for the same host with the same addresses. Proxies are not
 * used.
 */
function pooled<A extends http.Agent>(agent: A): A {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => `${nameOf(options)}:${(options as { addresses?: string } | undefined)?.addresses ?? ""}`;
  return agent;
}
const POOL_OPTIONS = { keepAlive: true, timeout: IDLE_MILLISECONDS, maxFreeSockets: MOST_IDLE } as const;
const AGENTS = {
  "http:": pooled(new http.Agent(POOL_OPTIONS)),
  // No TLS session is resumed, because a resumed session would not check the certificate.
  "https:": pooled(new https.Agent({ ...POOL_OPTIONS, maxCachedSessions: 0 })),
};

/**
 * Sends a body to a URL that a stranger chose, and returns the answer; never rejects. Every address of the host has to
 * be permitted, and the connection goes to one of the checked addresses. So a name that changes its address between
 * check and call gains no access. A redirect is an answer like any other, proxies of the environment are not used, and
 * certificates are checked. Once the status has come, the answer counts, with as much of the body as comes in time.
 */
export async function post(
  url: string,
  options: PostOptions,
): Promise<(PostAnswer | { error: PostError }) & { durationMs: number }> {
  const began = performance.now();
  const outcome = await attempt(url, options);
  return { ...outcome, durationMs: Math.round(performance.now() - began) };
}

async function attempt(text: string, options: PostOptions): Promise<PostAnswer | { error: PostError }> {
  const signal = AbortSignal.timeout(options.timeoutMilliseconds);
  try {
    const refusal = refusalOfUrl(text, options.policy);
    if (refusal) return { error: refusal.code };
    const url = new URL(text);
    const addresses = await permittedAddresses(hostOf(url), options, signal);
    return await traced(
      () => requestSpan("POST", url),
      async (span) => {
        const answer = await answerOf(await send(url, addresses, options, signal), options.now);
        span.set({ "http.response.status_code": answer.status });
        if (answer.status >= 400) span.fail(String(answer.status));
        return answer;
      },
    );
  } catch (error) {
    if (signal.aborted) return { error: "timeout" };
    return { error: error instanceof Fault ? error.code : "connection_failed" };
  }
}

/** @throws Fault if any address is not permitted: a stranger may have added it to permitted addresses. */
async function permittedAddresses(
  host: string,
  { policy, resolve }: PostOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host)) return [host];
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new Fault("timeout"))),
  );
  const ask = resolve ?? (permitsPrivate(policy) ? fromAnywhere : fromDns);
  const addresses = await Promise.race([ask(host, signal), aborted]).catch(() => []);
  if (addresses.length === 0) throw new Fault("dns_failed");
  if (!addresses.every((address) => permits(policy, address))) throw new Fault("address_not_allowed");
  return addresses;
}

/** The error codes if the DNS has no such name, or if there is no DNS at all. */
const NOT_IN_DNS = /^(ENOTFOUND|ENODATA|ECONNREFUSED)$/;

/** `unknown`: true if the DNS does not have the name, false if it gave no answer. */
async function askDns(name: string, signal: AbortSignal): Promise<{ addresses: string[]; unknown: boolean }> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  signal.addEventListener("abort", () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return {
    addresses,
    unknown: answers.every((answer) => answer.status === "rejected" && NOT_IN_DNS.test(answer.reason.code)),
  };
}

/** Asks the DNS alone, because it has the names of all public addresses. */
async function fromDns(name: string, signal: AbortSignal): Promise<string[]> {
  return (await askDns(name, signal)).addresses;
}

/**
 * Asks the DNS, then for an unknown name the system's look-up, because names in an operator's own network may be in a
 * file. The system's look-up comes last: a stranger's silent name server would block one of the process's four threads.
 */
async function fromAnywhere(name: string, signal: AbortSignal): Promise<string[]> {
  const { addresses, unknown } = isLoopback(name) ? { addresses: [], unknown: true } : await askDns(name, signal);
  return unknown ? (await lookup(name, { all: true })).map(({ address }) => address) : addresses;
}

/** Resolves with the head of the answer. `isFresh`: the request opens a new connection. */
function send(
  url: URL,
  addresses: readonly string[],
  options: PostOptions,
  signal: AbortSignal,
  isFresh = false,
): Promise<IncomingMessage> {
  const host = hostOf(url);
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const given: LookupFunction = (_host, { all }, done) =>
    all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
  return new Promise((resolve, reject) => {
    const { request: open } = url.protocol === "https:" ? https : http;
    const pooledAgent = { agent: AGENTS[url.protocol as keyof typeof AGENTS], addresses: addresses.toSorted().join() };
    const deadline = {
      autoSelectFamilyAttemptTimeout: Math.ceil(
        Math.min(CONNECT_MILLISECONDS, options.timeoutMilliseconds / addresses.length),
      ),
    };
    const request = open(url, {
      method: "POST",
      headers: { "Accept-Encoding": "identity", ...options.headers },
      ...(isFresh ? { agent: false } : pooledAgent),
      lookup: given,
      servername: isIP(host) ? "" : host.replace(/\.$/, ""),
      ...deadline,
      rejectUnauthorized: true,
      maxHeaderSize: MOST_HEADERS,
      signal,
    });
    let meaning: PostError = "connection_failed";
    let answered = false;
    request.on("socket", (socket) => {
      const isPermitted = () => permits(options.policy, socket.remoteAddress ?? "");
      // The kept connection may have been permitted under another policy.
      if (request.reusedSocket && !isPermitted()) request.destroy(new Fault("address_not_allowed"));
      if (request.reusedSocket) return;
      socket.once("connect", () => {
        if (!isPermitted()) request.destroy(new Fault("address_not_allowed"));
        else if (url.protocol === "https:") meaning = "tls_failed";
      });
      socket.once("secureConnect", () => void (meaning = "connection_failed"));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // A failure after the head belongs to the answer. The answer to a second request would have no reader.
      if (answered) return;
      // The connection was closed while idle, just as this request went out.
      const isStale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? "");
      if (isStale && !signal.aborted) return resolve(send(url, addresses, options, signal, true));
      const isFault = error instanceof Fault;
      reject(isFault ? error : new Fault(error.code?.startsWith("HPE_") ? "bad_response" : meaning));
    });
    request.on("response", (response) => {
      answered = true;
      response.once("close", () => request.destroy());
      resolve(response);
    });
    // A switch to another protocol, for example, causes neither an error nor a response.
    request.on("close", () => answered || request.errored || reject(new Fault("bad_response")));
    request.end(options.body);
  });
}

async function answerOf(response: IncomingMessage, now: number): Promise<PostAnswer> {
  const { statusCode: status = 0, headers } = response;
  const body = await beginningOf(response, MOST_READ, BODY_MILLISECONDS);
  if (status < 200 || status > 599) throw new Fault("bad_response");
  return { status, body: textOf(body), retryAfter: secondsOf(headers["retry-after"], headers.date, now) };
}

/** Text that PostgreSQL takes: valid UTF-8 without NUL. */
function textOf(body: Buffer): string {
  const isCut = body.length > MOST_KEPT;
  // In stream mode the decoder holds back a character that is cut.
  return new TextDecoder().decode(body.subarray(0, MOST_KEPT), { stream: isCut }).replaceAll("\0", "\uFFFD");
}

/** The date formats of RFC 9110, section 5.6.7. */
const DATES = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Milliseconds since 1970, or NaN. `Date.parse` alone would read the old formats as local time, or a day as a year. */
function dateOf(value: string): number {
  const form = DATES.find((each) => each.test(value));
  const { day, month, year = "", time } = form?.exec(value)?.groups ?? {};
  return Date.parse(`${day} ${month} ${year.padStart(4, "20")} ${time} GMT`);
}

/**
 * `Retry-After` is seconds or a date. A date counts from the answer's own `Date`, or from `now` if the answer has none.
 */
function secondsOf(value: string | undefined, date: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = dateOf(date ?? "");
  const seconds = Math.ceil((dateOf(value) - (Number.isNaN(at) ? now : at)) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}
