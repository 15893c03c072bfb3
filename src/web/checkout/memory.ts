import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { MEMORY_SECONDS, openMemory, sealMemory, type MemoryKind } from "../../actions/checkout/browser-memory.ts";
import type { PageRef } from "../../actions/links.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Submitted } from "../../actions/checkout/purchase.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { CARD_FIELDS } from "../components/card-fields.ts";
import type { PageContext } from "../environment.ts";
import { cookieOf } from "../visit.ts";
import { typedIn, type RememberedInput } from "./form.ts";
import type { View } from "./view.ts";

const NAMES = { input: "billow_input", purchase: "billow_purchase", order: "billow_order" } as const satisfies Record<
  MemoryKind,
  string
>;

/** A browser drops a cookie of more than 4096 bytes. Encrypted, so many bytes come to some 3900 characters. */
const MOST_BYTES = 2800;

function read(ctx: Context, c: PageContext, checkout: Checkout, kind: MemoryKind): object | null {
  const sealed = getCookie(c, NAMES[kind]);
  const text = sealed === undefined ? null : openMemory(ctx, checkout, kind, sealed, realNow());
  return text === null ? null : (JSON.parse(text) as object);
}

function write(ctx: Context, c: PageContext, { checkout, self }: View, kind: MemoryKind, value: object): void {
  const sealed = sealMemory(ctx, checkout, kind, JSON.stringify(value), realNow());
  setCookie(c, NAMES[kind], sealed, { ...cookieOf(ctx, self), maxAge: MEMORY_SECONDS });
}

/** The fields in their order, as long as the cookie has room. */
function fitting(remembered: RememberedInput): Partial<RememberedInput> {
  let room = MOST_BYTES;
  const entries = Object.entries(remembered).filter((entry) => {
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  return Object.fromEntries(entries) as Partial<RememberedInput>;
}

/** The values that this browser has typed for the Checkout; null: none are known. */
export function readInput(ctx: Context, c: PageContext, checkout: Checkout): Partial<RememberedInput> | null {
  return read(ctx, c, checkout, "input");
}

/** Writes the typed values into a cookie, so that they survive the way to a bank or a provider and back. */
export function writeInput(ctx: Context, c: PageContext, view: View, form: URLSearchParams): void {
  const { quantity: _quantity, code: _code, expiry: _expiry, emptied: _emptied, ...typed } = typedIn(form, view);
  const cardTyped =
    view.remembered?.cardTyped === true || CARD_FIELDS.some((name) => (form.get(name) ?? "").trim() !== "");
  const isEmpty = !cardTyped && Object.values(typed).every((value) => value === "" || value === true);
  if (!isEmpty) write(ctx, c, view, "input", fitting({ ...typed, cardTyped }));
}

/** Writes an address into the cookie of a new Checkout, so that its page shows the address as typed. */
export function writeEmail(ctx: Context, c: PageContext, checkout: PageRef, page: string, email: string): void {
  const sealed = sealMemory(ctx, checkout, "input", JSON.stringify({ email, cardTyped: false }), realNow());
  setCookie(c, NAMES.input, sealed, { ...cookieOf(ctx, page), maxAge: MEMORY_SECONDS });
}

/** Marks this browser as the one that submitted the attempt. The mark opens the purchase if this attempt succeeds. */
export function markBuyer(ctx: Context, c: PageContext, view: View, submitted: Submitted): void {
  write(ctx, c, view, "purchase", submitted);
}

/** The attempt that this browser submitted in the last 24 hours. */
export function readMark(ctx: Context, c: PageContext, checkout: Checkout): Submitted | null {
  return read(ctx, c, checkout, "purchase") as Submitted | null;
}

/** After the purchase, the browser need not keep the typed values any longer. */
export function dropInput(ctx: Context, c: PageContext, { self }: View): void {
  if (getCookie(c, NAMES.input) !== undefined) deleteCookie(c, NAMES.input, cookieOf(ctx, self));
}

/** All Checkouts of an Organization, for the cookie that is no single Checkout's. */
const allOf = ({ organizationId }: Checkout) => ({ organizationId, id: "any" });

/** The path above the pages of all Checkouts. */
const pathOfAll = ({ self, checkout: { id } }: View) => self.slice(0, self.lastIndexOf(`/${id}/`));

/** Marks this browser as the one that left the Checkout for a bank or a provider's page. */
export function markOrder(ctx: Context, c: PageContext, view: View): void {
  const sealed = sealMemory(ctx, allOf(view.checkout), "order", view.checkout.id, realNow());
  setCookie(c, NAMES.order, sealed, { ...cookieOf(ctx, view.self), path: pathOfAll(view), maxAge: MEMORY_SECONDS });
}

/** The id of the Checkout of the same Organization that this browser left last; null: none is known. */
export function readOrder(ctx: Context, c: PageContext, checkout: Checkout): string | null {
  const sealed = getCookie(c, NAMES.order);
  return sealed === undefined ? null : openMemory(ctx, allOf(checkout), "order", sealed, realNow());
}
