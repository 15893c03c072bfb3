import { expect } from "vitest";
import type { Json, TestApp } from "./app.ts";

export const URL_ = "https://example.com/hook";

/** The requests about webhook endpoints. */
export function endpointsOf(get: () => TestApp) {
  /** A new endpoint, at `URL_` unless `more` names another URL. */
  async function create(more: object = {}): Promise<Json> {
    const { status, body } = await get().manage("POST", "/webhook-endpoints", { url: URL_, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  /** Sends a test event to `endpoint` and returns its delivery. */
  async function tell(endpoint: Json): Promise<Json> {
    const { status, body } = await get().manage("POST", `/webhook-endpoints/${endpoint.id}/test`);
    expect(status).toBe(202);
    await get().runDue();
    return (await get().manage("GET", `/deliveries/${body.id}`)).body;
  }

  /** All pages of a list, two items a page. `path` ends with `?` or with a filter. */
  const pages = async (path: string): Promise<Json[][]> => {
    const found: Json[][] = [];
    for (let cursor = ""; ;) {
      const { data, nextCursor } = (await get().manage("GET", `${path}&limit=2${cursor}`)).body;
      found.push(data);
      if (nextCursor === null) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  };

  return { create, tell, pages };
}
