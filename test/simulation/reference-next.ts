import { iso, type PreviewSeen } from "./history.ts";
import { turn } from "./reference-discount.ts";
import type { Life } from "./reference-life.ts";
import { fullLine, totalOf } from "./reference-lines.ts";
import { periodFrom, sameEvery } from "./reference-math.ts";
import { cardOf, type Customer, type Line, type Sub } from "./reference-model.ts";
import { isRefused, termsAt } from "./reference-price.ts";
import { quote } from "./reference-quote.ts";
import { taxOfSub } from "./reference-tax.ts";

/** The next invoice of a Subscription, with these waiting lines, if no other change comes before; null: there is none. */
export function nextInvoice(life: Life, customer: Customer, after: Sub, waiting: readonly Line[]): PreviewSeen["next"] {
  const { settings } = life.shop;
  // A pause ends with an invoice if its resume is planned (rule S8e).
  const at = after.pause ? after.pause.until : after.to;
  if (at === null) return null;
  const pending = after.pending && life.isPossible(customer, after, after.pending) ? after.pending : null;
  const terms = termsAt(after, at, pending);
  const restarts = after.status === "trialing" || after.pause !== null || !sameEvery(terms.every, after.every);
  const held = turn(after, at, settings.zone, restarts ? after.to : null);
  const count = restarts ? { anchor: at, zone: settings.zone, n: 1 } : { ...after.count, n: after.count.n + 1 };
  const full = fullLine(terms, periodFrom(at, count, terms.every), {
    held,
    tax: taxOfSub(life.shop, customer, after),
  });
  const renewal = [...waiting, full];
  // A trial ends instead if its renewal needs a card and there is none.
  const isUnpaid =
    after.status === "trialing" &&
    after.pause === null &&
    cardOf(customer, after) === null &&
    quote(customer, after.currency, renewal).due > 0;
  const isLast = after.cancelAt !== null || isUnpaid || isRefused(after, at);
  const planned = isLast ? waiting : renewal;
  const next = after.suspended && after.pause === null && after.cancelAt === null ? [] : planned;
  return next.length === 0 ? null : { date: iso(at), total: totalOf(next) };
}
