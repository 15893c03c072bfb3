import type { Book } from "./book.ts";
import { bookCharges } from "./charges.ts";
import { expireSessions } from "./sessions.ts";

/** Does the work that Stripe would have done meanwhile by itself. */
export function catchUp(book: Book): void {
  bookCharges(book);
  expireSessions(book);
}
