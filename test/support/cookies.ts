import { get, post, type Page } from "./pages.ts";

/** A browser without a window. It keeps the cookies of one Checkout's pages, and follows no redirect. */
export type Tab = {
  cookies: Map<string, string>;
  get(url: string): Promise<Page>;
  post(url: string, fields: Record<string, string>): Promise<Page>;
};

export function openTab(): Tab {
  const cookies = new Map<string, string>();
  const header = () => ({ Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const keep = (page: Page) => {
    for (const set of page.headers.getSetCookie()) {
      const [pair] = set.split(";");
      const [name, value] = [pair!.slice(0, pair!.indexOf("=")), pair!.slice(pair!.indexOf("=") + 1)];
      if (set.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return page;
  };
  return {
    cookies,
    get: async (url) => keep(await get(url, "GET", header())),
    post: async (url, fields) => keep(await post(url, fields, header())),
  };
}
