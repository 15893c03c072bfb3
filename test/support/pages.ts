export type Page = { status: number; headers: Headers; text: string };

/** A page with plain spaces in place of no-break spaces, and without word joiners. */
export const withPlainSpaces = (page: string) => page.replaceAll("\u00a0", " ").replaceAll("\u2060", "");

async function ask(url: string, init: RequestInit): Promise<Page> {
  const headers = { Accept: "text/html", ...(init?.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { ...init, headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: withPlainSpaces(await response.text()) };
}

export function get(url: string, method = "GET", headers: Record<string, string> = {}): Promise<Page> {
  return ask(url, { method, headers });
}

let addresses = 0;

/**
 * Sends a form. Each one comes from an IP address of its own (if 127.0.0.1 is a trusted proxy), unless `headers` name
 * one.
 */
export function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
  addresses += 1;
  const from = { "X-Forwarded-For": `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`, ...headers };
  return ask(url, { method: "POST", body: new URLSearchParams(fields), headers: from });
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The words of a page, without its tags, and with plain hyphens and spaces. */
export function wordsOf(html: string): string {
  const text = html
    .slice(html.indexOf("<main"))
    .replaceAll("<wbr />", "")
    .replace(/<[^>]+>/g, " ");
  return text
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, " ")
    .replaceAll("\u2011", "-");
}
