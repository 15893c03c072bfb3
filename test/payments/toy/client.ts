import { ProviderBusy } from "../../../src/payments/limits.ts";

/** The longest duration of one call in milliseconds: a bank may take 30 s, and Billow's lease lasts longer. */
export const DEADLINE_MILLISECONDS = 30_000;

/** No answer, or an answer without meaning: the request may or may not have been carried out. */
export class Unclear extends Error {}

/** A definite refusal: Acorn did not do what was asked. `code`: Acorn's reason. */
export class AcornFault extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`Acorn answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** Sends one request. @throws Unclear, AcornFault, ProviderBusy */
export type Call = <T>(method: "GET" | "PUT" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

export function openClient({ url, key }: { url: string; key: string }): Call {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return async <T>(method: string, path: string, body?: object) => {
    const signal = AbortSignal.timeout(DEADLINE_MILLISECONDS);
    const text = body === undefined ? null : JSON.stringify(body);
    let answer: { response: Response; text: string };
    try {
      const response = await fetch(url + path, { method, headers, body: text, signal, redirect: "error" });
      answer = { response, text: await response.text() };
    } catch (cause) {
      throw new Unclear(`no answer to ${method} ${path}`, { cause });
    }
    return understood(answer.response, answer.text) as T;
  };
}

/** The JSON of an answer. */
function understood({ status, headers }: Response, text: string): unknown {
  if (status === 429) throw new ProviderBusy(1000 * Number(headers.get("Retry-After") ?? 1));
  if (status >= 500) throw new Unclear(`Acorn answered ${status}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new Unclear("the answer is no JSON", { cause });
  }
  if (status >= 200 && status < 300) return body;
  throw new AcornFault(status, (body as { error?: string }).error ?? "");
}

/** The answer, or null for a 404. */
export async function found<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AcornFault && error.status === 404) return null;
    throw error;
  }
}
