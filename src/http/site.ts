import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono, type Context as HonoContext } from "hono";
import { hostOf, isListed, isLoopback, LOOPBACK } from "../cidr.ts";
import { AppError, RETRY_SOON } from "../errors.ts";
import { problemAnswer } from "./answer.ts";
import { offerDocs } from "./docs/docs.ts";
import { STANDARD_HEADERS, type Exchange } from "./exchange.ts";
import { CLIENT_PATHS, clientPackage } from "./client-package.ts";
import type { Metrics } from "./metrics.ts";
import { answerNotice } from "./inbound.ts";
import { openApi } from "./openapi.ts";
import { toAppError, type Pipeline } from "./pipeline.ts";
import { pythonPackage, WHEEL_PATHS } from "./python-package.ts";
import { RateLimiter, RETRY_SECONDS } from "./rate-limit.ts";
import { createReadiness, type NotReady } from "./readiness.ts";
import type { Routes } from "./routes.ts";
import { storedAnswer } from "./stored-answer.ts";
import type { Surface } from "./surfaces.ts";
import { unknownPath } from "./unknown-path.ts";

/** The environment of a page, in addition to Node's own objects. */
export type PageEnvironment = {
  exchange: Exchange;
  incoming: IncomingMessage;
  requestId: string;
  client: string;
  clientAddress: string;
  isLocal: boolean;
  /** Notes the path of the page, with names in the place of its values. */
  noteRoute?(path: string): void;
  /** Aborted when the server is to stop. */
  stopping: AbortSignal;
};
/** A Hono app for all paths that are not declared here. */
export type Pages = {
  fetch(request: Request, environment: PageEnvironment): Response | Promise<Response>;
  /** Writes what the pages keep in memory, before the server ends. */
  flush?(): Promise<void>;
};

export type Site = {
  /** Answers a request that matches no operation of a surface. Never rejects. */
  answer(exchange: Exchange): Promise<void>;
  /** Makes `/readyz` say that the server takes no new requests. */
  stop(): void;
};

type Parts = {
  pipeline: Pipeline;
  routes: Routes;
  surfaces: readonly Surface[];
  docs: string;
  metrics: Metrics;
  web: Pages | null;
};
type Environment = { Bindings: PageEnvironment };
type Handler = (c: HonoContext<Environment>) => Response | Promise<Response>;
/** Declares a path for GET and HEAD. */
type Get = (path: string, handler: Handler) => void;

/** Headers that proxies add. Few proxies add all of them, and some can be configured to add no such header. */
const FORWARDED = ["x-forwarded-for", "forwarded", "via", "x-real-ip"];

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether a Host header names this machine. The header names another host if a proxy sent it, or a page under another
 * name (DNS rebinding).
 */
function isOurs(host: string): boolean {
  const url = URL.parse(`http://${host}`);
  return url !== null && isLoopback(hostOf(url));
}

/** Whether a request comes from this machine and, as far as its headers tell, through no proxy. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return !isForwarded && isListed(LOOPBACK, socket.remoteAddress ?? "") && isOurs(headers.host ?? "");
}

/**
 * Checks that a request may read the metrics. If a token is configured, the request must carry this token. If no token
 * is configured, the request must come from this machine and not through a proxy.
 * @throws AppError
 */
function checkReader(request: IncomingMessage, token: string | null): void {
  if (token !== null) {
    const header = request.headers.authorization;
    if (header !== undefined && isSame(header, `Bearer ${token}`)) return;
    const challenge = { "WWW-Authenticate": 'Bearer realm="billow metrics"' };
    throw new AppError(header === undefined ? "api_key_missing" : "api_key_invalid", { headers: challenge });
  }
  if (!isLocal(request)) throw new AppError("not_found");
}

/** Notices of one address. A provider sends the notices of many Organizations from a few addresses. */
const NOTICES_PER_SECOND = 100;

const JSON_HEADERS = { "Content-Type": "application/json" };
const TEXT_HEADERS = { "Content-Type": "text/plain; charset=utf-8" };
const PACKAGE_HEADERS = { "Cache-Control": "public, max-age=31536000, immutable" };

function json(body: string): Response {
  return new Response(body, { headers: JSON_HEADERS });
}

function refusal(error: AppError, docs: string, requestId: string): Response {
  const { body, ...head } = problemAnswer(error, docs, requestId);
  return new Response(body, head);
}

/** A client that the server hands out. `at`: answers the address of the package. `install`: the command with it. */
type Offer = {
  at: string;
  paths: readonly string[];
  type: string;
  install: string;
  read(): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }>;
};

async function npmPackage() {
  const { path, tarball } = await clientPackage();
  return { path, bytes: tarball };
}

const OFFERS: readonly Offer[] = [
  { at: "/client", paths: CLIENT_PATHS, type: "application/gzip", install: "npm install", read: npmPackage },
  { at: "/client/python", paths: WHEEL_PATHS, type: "application/zip", install: "pip install", read: pythonPackage },
];

/**
 * A client's package under the name that its content gives it. An earlier name answers the command to update. npm
 * shows the member `error` of a refusal.
 */
function offerClient(get: Get, publicOrigin: string, { at, paths, type, install, read }: Offer): void {
  get(at, async () => {
    const { path } = await read();
    return new Response(`${publicOrigin}${path}\n`, { headers: { ...TEXT_HEADERS, "Cache-Control": "no-cache" } });
  });
  const packageOrRefusal: Handler = async (c) => {
    const { path, bytes } = await read();
    if (c.req.path === path) return new Response(bytes, { headers: { "Content-Type": type, ...PACKAGE_HEADERS } });
    const detail = `This server has another client. Run: ${install} ${publicOrigin}${path}`;
    throw new AppError("client_replaced", { detail, extra: { error: detail } });
  };
  for (const path of paths) get(path, packageOrRefusal);
}

function notReady({ check, detail, cause }: NotReady): AppError {
  return new AppError("unavailable", { detail, extra: { check }, headers: RETRY_SOON, cause });
}

function createApp(
  { pipeline, routes, surfaces, docs, metrics, web }: Parts,
  isStopping: () => boolean,
): Hono<Environment> {
  const { config, probes } = pipeline.ctx;
  const readiness = createReadiness(probes);
  const app = new Hono<Environment>();
  const get: Get = (path, handler) => {
    app.get(path, (c) => {
      c.env.exchange.route = path;
      return handler(c);
    });
    app.all(path, () => {
      throw new AppError("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    });
  };
  get("/healthz", () => json('{"status":"ok"}'));
  get("/readyz", async () => {
    if (isStopping()) throw notReady({ check: "stopping", detail: "The server is stopping." });
    const failed = await readiness();
    if (failed) throw notReady(failed);
    return json('{"status":"ready"}');
  });
  get("/metrics", async (c) => {
    checkReader(c.env.incoming, config.metricsToken);
    return new Response(await metrics.text(), { headers: { "Content-Type": metrics.contentType } });
  });
  for (const surface of surfaces) {
    const description = storedAnswer(JSON_HEADERS, () => JSON.stringify(openApi(surface, config.publicOrigin)));
    for (const base of surface.basePaths) get(`${base}/openapi.json`, description);
  }
  const unknownDocument = offerDocs(get, surfaces, config.publicOrigin);
  for (const offer of OFFERS) offerClient(get, config.publicOrigin, offer);
  const inbound = new RateLimiter(NOTICES_PER_SECOND);
  app.post("/inbound/:provider/:organization", async (c) => {
    if (!inbound.take(c.env.client, performance.now()))
      throw new AppError("rate_limited", { headers: { "Retry-After": String(RETRY_SECONDS) } });
    c.env.exchange.route = "/inbound/:provider/:organization";
    const { provider, organization } = c.req.param();
    return answerNotice(pipeline.ctx, provider, organization, c.req.raw);
  });
  app.all("/inbound/:provider/:organization", () => {
    throw new AppError("method_not_allowed", { headers: { Allow: "POST" } });
  });
  app.notFound(async (c) => {
    // Only clients that ask for HTML get a 404 page. Other clients, such as a program with a wrong base URL, get a
    // problem.
    const isBrowser = /\btext\/html\b/.test(c.req.header("accept") ?? "");
    if (c.req.path.startsWith("/docs/")) return unknownDocument(c.req.path, isBrowser);
    const isApi = surfaces.some(({ basePaths }) => basePaths.some((base) => c.req.path.startsWith(base)));
    const page = web && !isApi ? await web.fetch(c.req.raw, c.env) : null;
    if (page && (page.status !== 404 || isBrowser)) return page;
    throw unknownPath(routes, c.req.path, c.req.method);
  });
  app.onError((thrown, c) => {
    return refusal(toAppError(pipeline, c.env.exchange, thrown), docs, c.env.requestId);
  });
  return app;
}

/** Pages, documents, and the endpoints for operators and their machines. */
export function createSite(parts: Parts): Site {
  const stopping = new AbortController();
  const app = createApp(parts, () => stopping.signal.aborted);
  const { metrics, docs } = parts;
  return {
    async answer(exchange) {
      const { request, response, requestId, client, clientAddress } = exchange;
      response.setHeaders(new Map<string, string>([["Request-Id", requestId], ...Object.entries(STANDARD_HEADERS)]));
      exchange.operation = "page";
      const environment = {
        exchange,
        incoming: request,
        requestId,
        client,
        clientAddress,
        isLocal: isLocal(request),
        noteRoute: (path: string) => void (exchange.route = path),
        stopping: stopping.signal,
      };
      const errorHandler = () => refusal(new AppError("malformed_request"), docs, requestId);
      const options = { overrideGlobalObjects: false, hostname: "localhost", errorHandler };
      await getRequestListener((web) => app.fetch(web, environment), options)(request, response);
      metrics.observe(exchange.operation, response.statusCode, performance.now() - exchange.startedAt);
    },
    stop() {
      stopping.abort();
    },
  };
}
