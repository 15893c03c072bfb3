import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { EventType } from "../../domain/event.ts";
import { presentCustomer } from "../../resources/customer.ts";
import { customers } from "../../store/customers.ts";
import type { Tx } from "../../store/db.ts";
import { record } from "../record.ts";

/** A Customer's own fields; what only the engine uses (numbers, default card) is written without a new version. */
export function recordCustomer(tx: Tx, customer: Customer, type: EventType, at: Instant): Promise<Customer> {
  return record(tx, customers, customer, type, at, presentCustomer);
}
