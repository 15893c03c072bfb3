import { expect } from "vitest";
import type { Desk } from "./dashboard.ts";
import type { Page } from "./pages.ts";

/** The fields of a form. A field with several values has a list of them. */
export type Fields = Record<string, string | readonly string[]>;

const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([\\w-]+)"`).exec(text)?.[1] ?? "";

/** A form of the dashboard that was opened, and that can be sent, also more than once. */
export type OpenForm = { text: string; send(fields?: Fields): Promise<Page> };

/** Opens the page of an action. */
export async function openForm(url: string, desk: Desk, path: string): Promise<OpenForm> {
  const { status, text } = await desk.get(path);
  expect(status, path).toBe(200);
  return {
    text,
    async send(fields = {}) {
      const body = new URLSearchParams({ token: hidden(text, "token"), once: hidden(text, "once") });
      for (const [name, value] of Object.entries(fields))
        for (const each of typeof value === "string" ? [value] : value) body.append(name, each);
      const headers = { Cookie: desk.cookie!, Accept: "text/html" };
      const answer = await fetch(url + path, { method: "POST", body, headers, redirect: "manual" });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
  };
}

/** Opens the page of an action, and sends its form once. */
export async function fillForm(url: string, desk: Desk, path: string, fields: Fields = {}): Promise<Page> {
  return (await openForm(url, desk, path)).send(fields);
}
