import type { Api, Form } from "./client.ts";
import type { List } from "./objects.ts";

/** Stripe's largest page. */
const PAGE = 100;

/** Asks for one page of a list. */
export type ReadPage = <T>(path: string, form: Form) => Promise<List<T>>;

/**
 * All objects of a list, newest first, page by page: one page is in memory. `form`: the filters and `expand`.
 * @throws StripeFault, Unanswered, ProviderBusy
 */
export async function* allOf<T extends { id: string }>(read: ReadPage, path: string, form: Form): AsyncGenerator<T> {
  for (let after: string | undefined, more = true; more;) {
    const page = await read<T>(path, { ...form, limit: PAGE, starting_after: after });
    yield* page.data;
    after = page.data.at(-1)?.id;
    more = page.has_more && after !== undefined;
  }
}

/** All objects of a list, within one call of the adapter. @throws StripeFault, Unanswered, ProviderBusy */
export const listOf = <T extends { id: string }>(api: Api, path: string, form: Form): AsyncGenerator<T> =>
  allOf<T>((page, params) => api.get(page, params), path, form);
