import { LICENSE_KEY_BYTES, readLicenseKey } from "../../../domain/model/license-key.ts";
import { emailKey, type Customer } from "../../../domain/model/customer.ts";
import { cardName } from "../../../domain/model/card-name.ts";
import { customersByCard, customersNamed } from "../../../store/search.ts";
import { findByExternalId, listByEmail, listCustomers } from "../../../store/customers.ts";
import { findDiscountByCode } from "../../../store/discounts.ts";
import { listCreditNotes } from "../../../store/credit-notes.ts";
import { listBenefits } from "../../../store/benefits.ts";
import { listProducts } from "../../../store/products.ts";
import { listInvoices } from "../../../store/invoices.ts";
import { findByReference } from "../../../store/imports.ts";
import { findLicense } from "../../../store/licenses.ts";
import { creditNotePath, invoicePath } from "../invoice/paths.ts";
import { customerPath, nameOf } from "../lists/customer-cell.ts";
import { findById } from "./find-by-id.ts";
import type { Hit, Look, Search } from "./hit.ts";
import { pagesNamed } from "./pages.ts";

/** The most hits of a kind. A search for a common name shows the first ones, and the reader types more letters. */
export const MOST_OF_A_KIND = 10;
/** A Customer may have entered a card several times, and is found once. */
const MOST_CARDS = 50;

/** A shorter text is a part of very many texts. */
const LEAST_PART = 3;

const FOUR_DIGITS = /^\d{4}$/;

const hitOf = ({ self }: Look, customer: Customer, text: string): Hit => ({
  kind: "Customers",
  label: nameOf(customer),
  text,
  path: customerPath(self, customer.id),
});

async function byEmail(look: Look): Promise<Hit[]> {
  const { ctx, organizationId, typed } = look;
  if (!typed.includes("@")) return [];
  const found = await listByEmail(ctx.db.stale, organizationId, emailKey(typed), MOST_OF_A_KIND);
  return found.map((customer) => hitOf(look, customer, customer.email));
}

async function byExternalId(look: Look): Promise<Hit[]> {
  const { ctx, organizationId, typed } = look;
  const found = await findByExternalId(ctx.db.stale, organizationId, typed);
  return found === null ? [] : [hitOf(look, found, typed)];
}

async function byName(look: Look): Promise<Hit[]> {
  const { ctx, organizationId, typed } = look;
  if (typed.includes("@")) return [];
  const found = await customersNamed(ctx.db.stale, organizationId, typed, MOST_OF_A_KIND);
  return found.map((customer) =>
    hitOf(look, customer, [customer.companyName, customer.email].filter((each) => each !== null).join(", ")),
  );
}

/** Customers with this text anywhere in the name, the company, the e-mail address or the external id. */
async function byPart(look: Look): Promise<Hit[]> {
  const { ctx, organizationId, typed } = look;
  if (typed.length < LEAST_PART) return [];
  const found = await listCustomers(ctx.db.stale, organizationId, { search: typed, limit: MOST_OF_A_KIND });
  return found.slice(0, MOST_OF_A_KIND).map((customer) => hitOf(look, customer, customer.email));
}

/** Products and Benefits with this text in the name. */
async function byCatalogueName({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  if (typed.length < LEAST_PART) return [];
  const query = { search: typed, limit: MOST_OF_A_KIND };
  const [products, benefits] = await Promise.all([
    listProducts(ctx.db.stale, organizationId, query),
    listBenefits(ctx.db.stale, organizationId, query),
  ]);
  const hits = (kind: string, path: string, found: readonly { id: string; key: string | null; name: string }[]) =>
    found
      .slice(0, MOST_OF_A_KIND)
      .map(({ id, key, name }) => ({ kind, label: name, text: key ?? id, path: `${self}/${path}/${id}` }));
  return [...hits("Products", "products", products), ...hits("Benefits", "benefits", benefits)];
}

async function byCard({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  if (!FOUR_DIGITS.test(typed)) return [];
  const found = await customersByCard(ctx.db.stale, organizationId, typed, MOST_CARDS);
  const customers = new Map(found.map((card) => [card.customerId, card]));
  return [...customers.values()].slice(0, MOST_OF_A_KIND).map((card) => ({
    kind: "Cards",
    label: card.name ?? card.email,
    text: cardName(card),
    path: customerPath(self, card.customerId),
  }));
}

async function byNumber({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  const number = typed.toUpperCase();
  const [invoices, notes] = await Promise.all([
    listInvoices(ctx.db.stale, organizationId, { number, limit: 1 }),
    listCreditNotes(ctx.db.stale, organizationId, { number, limit: 1 }),
  ]);
  return [
    ...invoices.map(({ id }) => ({ kind: "Invoices", label: number, text: id, path: invoicePath(self, id) })),
    ...notes.map(({ id }) => ({ kind: "Credit notes", label: number, text: id, path: creditNotePath(self, id) })),
  ];
}

async function byLicenseKey({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  const key = readLicenseKey(typed);
  if (key.replaceAll("-", "").length < LICENSE_KEY_BYTES) return [];
  const found = await findLicense(ctx.db.stale, organizationId, key);
  if (found === null) return [];
  const path = customerPath(self, found.customerId, found.id);
  return [{ kind: "License keys", label: key, text: found.benefit.name, path }];
}

/** The subscription or the Customer of another system, by its id there. */
async function byImport({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  const found = await findByReference(ctx.db.stale, organizationId, typed, MOST_OF_A_KIND);
  return found.flatMap(({ customerId, subscriptionId, ref, state }) =>
    customerId === null || subscriptionId === null
      ? []
      : [{ kind: "Imports", label: ref, text: state, path: customerPath(self, customerId, subscriptionId) }],
  );
}

async function byCode({ ctx, organizationId, self, typed }: Look): Promise<Hit[]> {
  const found = await findDiscountByCode(ctx.db.stale, organizationId, typed);
  if (found === null) return [];
  const path = `${self}/discounts?${new URLSearchParams({ code: found.code })}`;
  return [{ kind: "Discounts", label: found.code, text: found.id, path }];
}

/** The resources that a typed text means, by kind, and the pages with such a name. */
export async function find(look: Search): Promise<Hit[]> {
  const ways = [
    findById,
    byEmail,
    byExternalId,
    byName,
    byPart,
    byCatalogueName,
    byCard,
    byNumber,
    byLicenseKey,
    byCode,
    byImport,
  ];
  const found = [...(await Promise.all(ways.map((way) => way(look)))).flat(), ...pagesNamed(look)];
  return [...new Map(found.map((hit) => [`${hit.kind} ${hit.path}`, hit])).values()];
}
