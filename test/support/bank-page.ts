import { post, type Page } from "./pages.ts";

const AT_STRIPE = "/3d_secure/";

/** The address of a page on which a bank asks the buyer: of the built-in provider, or of the local Stripe server. */
export const BANK_PAGE = /\/sandbox\/challenge\/|\/3d_secure\//;
/** The words of such a page once the question is answered. */
export const BANK_PAGE_OVER = /This question has already been answered|This authentication is over/;

/** The buyer answers the bank. */
export const answerBank = (url: string, pass: boolean): Promise<Page> =>
  url.includes(AT_STRIPE)
    ? post(url, { result: pass ? "complete" : "fail" })
    : post(url, { answer: pass ? "pass" : "fail" });

/** The addresses of a page's links. */
export const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
