import * as z from "zod";
import type { Context } from "../../../context.ts";
import { listProducts } from "../../../store/products.ts";
import { shownAgain } from "../../components/field.ts";
import type { FilterField } from "../components/filter-bar.ts";
import type { Address } from "./address.ts";
import type { List } from "./list.ts";
import type { Faults } from "./page.ts";

const LABELS: Readonly<Record<string, string>> = {
  checkoutId: "Checkout id",
  code: "Code",
  customerId: "Customer id",
  email: "E-mail",
  externalCustomerId: "External id of the Customer",
  externalId: "External id",
  firstDay: "Created from",
  invoiceId: "Invoice id",
  keyId: "API key",
  lastDay: "Created until",
  number: "Number",
  outcome: "Outcome",
  path: "Path",
  paymentId: "Payment id",
  productId: "Product",
  purpose: "Of",
  reason: "Reason",
  resourceId: "Resource id",
  search: "Name, e-mail or external id",
  sort: "Order",
  status: "Status",
  subscriptionId: "Subscription id",
  to: "To",
  trigger: "Reason",
  type: "Type",
};

/** The words of filters that many lists have. */
const WORDS: List["words"] = { sort: { newest: "Newest first", oldest: "Oldest first" } };
const DAYS = ["firstDay", "lastDay"];

/** Beyond this many Products, a Product is named by its id. */
const MOST_PRODUCTS = 100;

type Options = readonly (readonly [value: string, label: string])[];

/** The choices of a filter: the words of its schema, in the schema's order; undefined for a text. */
function choicesOf({ schema, words }: List, name: string): Options | undefined {
  const field: unknown = schema.shape[name as never];
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (!(inner instanceof z.ZodEnum)) return undefined;
  return inner.options.map(
    (option) => [String(option), (words[name] ?? WORDS[name])?.[String(option)] ?? String(option)] as const,
  );
}

async function productChoices(ctx: Context, organizationId: string): Promise<Options | undefined> {
  const found = await listProducts(ctx.db.stale, organizationId, { limit: MOST_PRODUCTS });
  return found.length > MOST_PRODUCTS ? undefined : found.map(({ id, name }) => [id, name] as const);
}

/** The fields of a list's filters: those that are always shown, and those that the address has. */
export async function filterFields(
  ctx: Context,
  organizationId: string,
  list: List,
  { filters }: Address,
  faults: Faults,
): Promise<FilterField[]> {
  const known = Object.keys(filters).filter((name) => name in list.schema.shape && !list.filters.includes(name));
  const names = [...list.filters, ...known];
  const products = names.includes("productId") ? await productChoices(ctx, organizationId) : undefined;
  return names.map((name): FilterField => {
    const options = name === "productId" ? products : choicesOf(list, name);
    const value = shownAgain(filters[name] ?? "");
    const isKnown = options === undefined || value === "" || options.some(([each]) => each === value);
    return {
      name,
      label: list.labels?.[name] ?? LABELS[name] ?? name,
      value,
      ...(DAYS.includes(name) && { type: "date" as const }),
      ...(options !== undefined && isKnown && { options }),
      fault: faults[name],
    };
  });
}
