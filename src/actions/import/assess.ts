import {
  assessCustomer,
  newAssessment,
  type AssessedSubscription,
  type Assessment,
} from "../../domain/import/assessment.ts";
import type { Circumstances } from "../../domain/import/stay-reasons.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import { connectionsOf } from "../../store/provider-connections.ts";
import type { Context } from "../../context.ts";

/**
 * The other account of this provider at which an Organization takes its payments; null: the Organization can charge the
 * cards of `account`, or has no account at this provider and can connect this one. An import moves no cards.
 */
export async function otherAccount(
  { db }: Pick<Context, "db">,
  { id }: Organization,
  provider: string,
  account: string,
): Promise<string | null> {
  const connected = (await connectionsOf(db.read, id, provider)).map((each) => each.providerAccount);
  return connected.includes(account) ? null : (connected[0] ?? null);
}

/** `row`: takes each subscription, in the order of the account. `customer`: is called after each Customer. */
export type AssessmentReader = {
  row(assessed: AssessedSubscription): Promise<void> | void;
  customer(read: number): void;
};

/**
 * Reads an account and decides for each subscription whether it moves. Writes no row here, and changes no object there.
 * The rows are given away one by one, so memory holds one page of Customers and the sums. @throws ReadError
 */
export async function assess(
  source: AccountReader,
  circumstances: Circumstances,
  reader: AssessmentReader,
): Promise<Assessment> {
  const sums = newAssessment();
  for await (const customer of source.customers()) {
    for (const assessed of assessCustomer(sums, customer, circumstances)) await reader.row(assessed);
    reader.customer(sums.customers.total);
  }
  return sums;
}
