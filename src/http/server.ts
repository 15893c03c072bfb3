import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { Authenticator } from "./authentication.ts";
import { createClientAddress } from "./client-address.ts";
import { answerBrokenRequest, refuseTunnel } from "./broken-request.ts";
import { Exchange, type Limits } from "./exchange.ts";
import { countHeader } from "./headers.ts";
import { boundedInFlight } from "./in-flight.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { hasKey, processRequest, toAppError, type Pipeline } from "./pipeline.ts";
import { RateLimiter } from "./rate-limit.ts";
import { codeOf, RequestLog } from "./request-log.ts";
import { Routes, type RouteMatch } from "./routes.ts";
import { createSite, type Pages, type Site } from "./site.ts";
import { hasTracer, traced } from "../tracing/tracing.ts";
import { surfacesOf } from "./surfaces.ts";

export type RunningServer = { port: number; close(): Promise<void> };

const MOST_URL_BYTES = 8 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
const REQUEST_MILLISECONDS = 30_000;
const HEADERS_MILLISECONDS = 10_000;
/** Longer than load balancers keep an idle connection (60 s), so that no request arrives in a closing connection. */
const KEEP_ALIVE_MILLISECONDS = 65_000;
const DRAIN_MILLISECONDS = 10_000;
/**
 * The longest time without a byte in either direction, from the request to the end of its answer. A client that does
 * not read its answer must not keep the answer in the server's memory. The longest intended silence is 25 s, while a
 * sandbox's clock advances. Proxies also give up after 60 s.
 */
const SILENCE_MILLISECONDS = 60_000;

type Parts = {
  pipeline: Pipeline;
  docs: string;
  routes: Routes;
  site: Site;
  metrics: Metrics;
  requests: RequestLog;
  clientAddress(request: IncomingMessage): string;
};

function createLimits(rateLimit: number): Limits {
  const keys = new RateLimiter(rateLimit);
  const addresses = new RateLimiter(rateLimit);
  return {
    enabled: rateLimit > 0,
    keys,
    addresses,
    keyPolicy: keys.policy("key"),
    addressPolicy: addresses.policy("address"),
  };
}

/** A request target may be an absolute URL (RFC 9112, 3.2.2). The origin of this URL does not matter. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : "/";
}

async function answerApi(
  { pipeline, docs, metrics, requests }: Parts,
  exchange: Exchange,
  match: RouteMatch,
  search: string,
): Promise<void> {
  const { ctx } = pipeline;
  const limits = match.route.surface.scope === null ? pipeline.licenseLimits : pipeline.limits;
  try {
    const content = await processRequest(pipeline, exchange, match, search);
    exchange.send(content, limits);
    requests.record(exchange, match, content.status, () => codeOf(content));
  } catch (error) {
    const refusal = toAppError(pipeline, exchange, error);
    exchange.refuse(refusal, docs, limits);
    requests.record(exchange, match, refusal.status, () => refusal.code);
  }
  const { operation, requestId, startedAt, response } = exchange;
  const milliseconds = performance.now() - startedAt;
  metrics.observe(operation, response.statusCode, milliseconds);
  ctx.log.debug({ requestId, operation, status: response.statusCode, milliseconds }, "answered");
}

/** Asked every few seconds by programs. Their traces would only hide the others. */
const UNTRACED = new Set(["/healthz", "/readyz", "/metrics"]);
/** The methods that a span may name (semantic conventions of OpenTelemetry). */
const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/**
 * The span of a request has no path, because a path may hold a token, and no address of the client. `continues`: the
 * request goes on with the trace of its caller.
 */
function inSpan(exchange: Exchange, answer: () => Promise<void>, continues = false): Promise<void> {
  const { request, response, requestId } = exchange;
  const method = METHODS.test(request.method ?? "") ? request.method! : "_OTHER";
  const describe = () =>
    ({
      name: method,
      kind: "server",
      within: continues ? request.headers : "new",
      attributes: { "http.request.method": method, "network.protocol.version": request.httpVersion },
      requestId,
    }) as const;
  return traced(describe, async (span) => {
    await answer();
    const { route, operation } = exchange;
    const { statusCode } = response;
    if (route !== null) span.rename(`${method} ${route}`);
    span.set({
      "http.route": route ?? undefined,
      "http.response.status_code": statusCode,
      "billow.operation": operation,
      "billow.organization.id": exchange.key?.organization.id,
    });
    if (statusCode >= 500) span.fail(String(statusCode));
  });
}

/**
 * An operation in its span. Only a caller with a valid API key decides whether a trace is recorded: strangers could
 * fill the receiver, or leave no trace.
 */
async function answerInSpan(parts: Parts, exchange: Exchange, match: RouteMatch, search: string): Promise<void> {
  const { pipeline } = parts;
  const asks = hasTracer() && exchange.request.headers["traceparent"] !== undefined;
  const continues = asks && match.route.surface.scope !== null && (await hasKey(pipeline, exchange));
  await inSpan(exchange, () => answerApi(parts, exchange, match, search), continues);
}

/** Operations of the surfaces go through the pipeline. Pages and all other paths go through Hono. */
function createListener(parts: Parts): (request: IncomingMessage, response: ServerResponse) => void {
  const { pipeline, docs, routes, site, clientAddress } = parts;
  return (request, response) => {
    const target = originForm(request.url ?? "/");
    const exchange = new Exchange(request, response, clientAddress(request));
    if (target.length > MOST_URL_BYTES) return exchange.refuse(new AppError("uri_too_long"), docs, pipeline.limits);
    const hosts = countHeader(request, "host");
    if (hosts > 1 || (hosts === 0 && request.httpVersion !== "1.0")) {
      return exchange.refuse(new AppError("malformed_request"), docs, pipeline.limits);
    }
    // `OPTIONS *` asks about the whole server (RFC 9110, 9.3.7). The answer has no content.
    if (request.url === "*" && request.method === "OPTIONS")
      return exchange.send({ status: 204, headers: {}, body: "" }, pipeline.limits);
    const question = target.indexOf("?");
    const path = question === -1 ? target : target.slice(0, question);
    const match = routes.find(path);
    if (match) {
      exchange.route = match.route.template;
      void answerInSpan(parts, exchange, match, question === -1 ? "" : target.slice(question + 1));
    } else if (UNTRACED.has(path)) void site.answer(exchange);
    else void inSpan(exchange, () => site.answer(exchange));
  };
}

/** Lets running requests finish. Idle connections are closed at once, the rest after ten seconds. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 25);
    const end = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
  });
}

/**
 * Listens on the configured host and port (0: any free port). `web`: a Hono app for paths outside of the API and its
 * documentation.
 * @throws the system's error, such as EADDRINUSE.
 */
export async function startServer(ctx: Context, { web }: { web?: Pages } = {}): Promise<RunningServer> {
  const { config } = ctx;
  const surfaces = surfacesOf(config);
  const [limits, licenseLimits] = [createLimits(config.rateLimit), createLimits(config.rateLimit)];
  const pipeline: Pipeline = { ctx, authenticator: new Authenticator(ctx), limits, licenseLimits };
  const docs = `${config.publicOrigin}/docs/errors`;
  const metrics = createMetrics(ctx);
  const routes = new Routes(surfaces);
  const site = createSite({ pipeline, routes, surfaces, docs, metrics, web: web ?? null });
  const clientAddress = createClientAddress(config.trustedProxies);
  const requests = new RequestLog(ctx);
  const listener = boundedInFlight(createListener({ pipeline, docs, routes, site, metrics, requests, clientAddress }));
  const server = createServer(
    {
      requestTimeout: REQUEST_MILLISECONDS,
      headersTimeout: HEADERS_MILLISECONDS,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: MOST_HEADER_BYTES,
      // The listener answers a request without a Host header with a problem. Node would answer with an empty 400.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = SILENCE_MILLISECONDS;
  server.on("checkExpectation", listener);
  server.on("clientError", (error, socket) => answerBrokenRequest(error, socket, docs));
  server.on("connect", (_request, socket) => refuseTunnel(socket, docs));
  await once(server.listen(config.port, config.host), "listening");
  server.on("error", (error) => ctx.log.error({ err: error }, "a connection can't be accepted"));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      site.stop();
      await close(server);
      await requests.flush();
      await web?.flush?.();
    },
  };
}
