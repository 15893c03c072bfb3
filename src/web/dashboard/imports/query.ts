import { emailKey } from "../../../domain/model/customer.ts";
import { STAY_REASONS, type StayReason } from "../../../domain/import/stay-reasons.ts";
import { IMPORT_STATES } from "../../../domain/import/import.ts";
import { isComparable, isCursor } from "../../../store/import-report.ts";
import { COMPARISONS, type ImportFilters } from "../../../store/imports.ts";
import { shownAgain } from "../../components/field.ts";
import type { FilterField } from "../components/filter-bar.ts";
import { COMPARED, reasonText, STATES } from "./words.ts";

/** The filters in an address, as typed. A filter that fits no row by its form is no filter. */
export type Asked = { filters: Readonly<Record<string, string>>; cursor: string | null };

const NAMES = ["search", "state", "reason", "totals", "account"];

export function askedOf(url: string): Asked {
  const query = new URL(url).searchParams;
  const given = NAMES.map((name) => [name, query.get(name)?.trim() ?? ""] as const);
  const isFilter = ([, value]: (typeof given)[number]) => value !== "" && isComparable(value);
  return { filters: Object.fromEntries(given.filter(isFilter)), cursor: query.get("cursor") };
}

const oneOf = <Word extends string>(words: readonly Word[], given: string | undefined): Word | undefined =>
  words.find((word) => word === given);

/** The filters for the store. A search is for an e-mail address if it has an at sign, otherwise for a whole id. */
export function filtersOf({ filters, cursor }: Asked): ImportFilters {
  const { search, account } = filters;
  const searched = search === undefined ? {} : search.includes("@") ? { emailKey: emailKey(search) } : { id: search };
  const state = oneOf(IMPORT_STATES, filters["state"]);
  const reason = oneOf(STAY_REASONS, filters["reason"]);
  const totals = oneOf(COMPARISONS, filters["totals"]);
  const after = cursor !== null && isCursor(cursor) ? cursor : null;
  return {
    ...searched,
    ...(account !== undefined && { account }),
    ...(state && { state }),
    ...(reason && { reason }),
    ...(totals && { totals }),
    ...(after !== null && { cursor: after }),
  };
}

export function queryOf({ filters, cursor }: Asked): string {
  const query = new URLSearchParams(filters);
  if (cursor !== null) query.set("cursor", cursor);
  return query.size === 0 ? "" : `?${query}`;
}

/**
 * `accounts`, `reasons`: those of all imports. With one account there is no choice. A reason of the address stays a
 * choice.
 */
export function fieldsOf(
  { filters }: Asked,
  accounts: readonly string[],
  reasons: ReadonlySet<StayReason>,
): FilterField[] {
  const value = (name: string) => shownAgain(filters[name] ?? "");
  return [
    { name: "search", label: "Id or e-mail", value: value("search") },
    {
      name: "state",
      label: "State",
      value: value("state"),
      options: IMPORT_STATES.map((state) => [state, STATES[state][1]] as const),
    },
    {
      name: "reason",
      label: "Reason",
      value: value("reason"),
      options: STAY_REASONS.filter((reason) => reasons.has(reason) || reason === filters["reason"]).map(
        (reason) => [reason, reasonText(reason)] as const,
      ),
    },
    {
      name: "totals",
      label: "Totals",
      value: value("totals"),
      options: COMPARISONS.map((each) => [each, COMPARED[each]] as const),
    },
    ...(accounts.length < 2
      ? []
      : [
          {
            name: "account",
            label: "Account",
            value: value("account"),
            options: accounts.map((account) => [account, account] as const),
          },
        ]),
  ];
}
