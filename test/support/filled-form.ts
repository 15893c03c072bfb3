import type { Page } from "./pages.ts";
import type { WebClient } from "./portal.ts";

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const plain = (text: string) => text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!);
const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? null : plain(value);
};

/** The fields of the first form of a page's content, as a browser sends them by the button without a name. */
export function fieldsOf(text: string): URLSearchParams {
  const content = text.slice(text.indexOf("<main"));
  const [form = ""] = /<form method="post"[\s\S]*?<\/form>/.exec(content) ?? [];
  const fields = new URLSearchParams();
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const [name, type] = [attribute(tag, "name"), attribute(tag, "type") ?? "text"];
    const isSent = !["checkbox", "radio"].includes(type) || /\schecked\b/.test(tag);
    if (name !== null && isSent) fields.append(name, attribute(tag, "value") ?? "");
  }
  for (const [tag, options] of form.matchAll(/<select\b[^>]*>([\s\S]*?)<\/select>/g)) {
    const chosen = /<option [^>]*\sselected[^>]*>/.exec(options!)?.[0] ?? "";
    fields.append(attribute(/<select\b[^>]*>/.exec(tag)![0], "name") ?? "", attribute(chosen, "value") ?? "");
  }
  for (const [tag, typed] of form.matchAll(/<textarea\b[^>]*>\n?([^<]*)<\/textarea>/g))
    fields.append(attribute(tag, "name") ?? "", plain(typed!));
  return fields;
}

/** Changes of a form: null leaves the field out, as a box that is not checked. A list sends the name several times. */
export type Changes = Record<string, string | readonly string[] | null>;

/** The fields of a form after a person has changed some of them. */
export function filledIn(form: URLSearchParams, changes: Changes): URLSearchParams {
  const fields = new URLSearchParams(form);
  for (const [name, value] of Object.entries(changes)) {
    fields.delete(name);
    for (const each of typeof value === "string" ? [value] : (value ?? [])) fields.append(name, each);
  }
  return fields;
}

/** Sends the form of a page that was the answer to a form. */
export const sendOn = (client: WebClient, path: string, page: Page, changes: Changes = {}): Promise<Page> =>
  client.post(path, filledIn(fieldsOf(page.text), changes));

/** Opens a page, changes fields of its form, and sends the form. */
export async function submit(client: WebClient, path: string, changes: Changes = {}): Promise<Page> {
  return sendOn(client, path, await client.get(path), changes);
}
