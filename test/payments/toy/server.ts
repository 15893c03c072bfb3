import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { AcornBank, Fault, type ChargeRequest } from "./bank.ts";

/**
 * The fate of one request. `before`: the request is lost on its way. `after`: the answer is lost. `garbled`: the answer
 * is no JSON. A status: this is the answer, and the request has no effect.
 */
export type Fate = "before" | "after" | "garbled" | { status: number; error?: string };

export type Acorn = {
  url: string;
  account: string;
  key: string;
  bank: AcornBank;
  /** Sets the fates of the next requests, one each. */
  next(...fates: Fate[]): void;
  /** Whether the key is bad. */
  lock(isLocked: boolean): void;
  /** Answers the page at `url` as a buyer would. */
  answer(url: string, form: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
};

type Route = { method: string; path: string[]; query: URLSearchParams; body: unknown };

const KEY = "acorn_test_key";

function answerApi(bank: AcornBank, { method, path, query, body }: Route): unknown {
  const [kind, id = "", action] = path;
  switch (`${method} /${kind}${action === undefined ? "" : `/${action}`}`) {
    case "PUT /charges":
      return bank.charge(id, body as ChargeRequest);
    case "GET /charges":
      return bank.find(id);
    case "POST /charges/cancel":
      return bank.cancel(id, body as ChargeRequest);
    case "PUT /refunds": {
      const { charge, amount } = body as { charge: string; amount: string };
      return bank.refund(id, charge, amount);
    }
    case "GET /refunds":
      return bank.findRefund(id);
    case "DELETE /customers":
      return bank.forget(id) ?? {};
    case "GET /book":
      return bank.book({ from: query.get("from")!, to: query.get("to")!, after: query.get("after") });
    case "GET /events":
      return bank.events(query.get("after"));
    case "GET /objects":
      return bank.object(id);
    default:
      throw new Fault(404, "not_found");
  }
}

/** Whether the answer to this request gets lost because of its card. */
function isLost(bank: AcornBank, { method, path: [kind, id = ""] }: Route, answer: unknown): boolean {
  if (method !== "PUT") return false;
  const { card } = kind === "refunds" ? bank.findRefund(id).charge : (answer as { card: { id: string } | null });
  return bank.losesAnswer(card?.id ?? null);
}

const PAGE = `<!doctype html><title>Acorn Pay</title><form method="post">
<label>Card <input name="number"></label> <button>Pay</button>
<button name="pass" value="yes">It is me</button> <button name="pass" value="no">It is not me</button></form>`;

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

function answerPage(bank: AcornBank, { method, path, body }: Route, response: ServerResponse): void {
  const html = { "Content-Type": "text/html" };
  if (method === "GET") return void response.writeHead(200, html).end(PAGE);
  const back = bank.answer(path[1]!, new URLSearchParams(body as string));
  if (back === null) response.writeHead(200, html).end(PAGE);
  else response.writeHead(303, { Location: back }).end();
}

/** Acorn Pay at 127.0.0.1: the API under one key, and the pages for buyers. */
export async function startAcorn(): Promise<Acorn> {
  const fates: Fate[] = [];
  let isLocked = false;
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bank = new AcornBank(url);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url!, url);
    const sent = await text(request);
    const [, ...path] = pathname.split("/").map(decodeURIComponent);
    const route = { method: request.method!, path, query, body: sent };
    try {
      if (path[0] === "pages") return answerPage(bank, route, response);
      answerCall({ ...route, body: sent === "" ? null : JSON.parse(sent) }, request, response);
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault(500, String(error));
      send(response, fault.status, { error: fault.message });
    }
  }

  function answerCall(route: Route, request: IncomingMessage, response: ServerResponse): void {
    if (isLocked || request.headers.authorization !== `Bearer ${KEY}`) throw new Fault(401, "key");
    const fate = fates.shift();
    if (fate === "before") return void response.destroy();
    if (typeof fate === "object")
      return send(response, fate.status, { error: fate.error ?? "" }, { "Retry-After": "0" });
    const made = answerApi(bank, route);
    if (fate === "after" || isLost(bank, route, made)) response.destroy();
    else if (fate === "garbled") response.writeHead(200).end("<html>");
    else send(response, 200, made);
  }

  return {
    url,
    account: "acorn_1",
    key: KEY,
    bank,
    lock: (locked) => void (isLocked = locked),
    next: (...wanted) => void fates.push(...wanted),
    answer: (page, form) => fetch(page, { method: "POST", body: new URLSearchParams(form), redirect: "manual" }),
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
