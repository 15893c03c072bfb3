import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { EventType } from "../../domain/event.ts";
import { presentCustomer } from "../../resources/customer.ts";
import { customers } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { record } from "../record.ts";

/**
 * Records a change of the Customer's own fields, with an event. Fields that Billow itself maintains (numbers, default
 * card) are written elsewhere, without a new version.
 */
export function recordCustomer(tx: Tx, customer: Customer, type: EventType, at: Instant): Promise<Customer> {
  return record(tx, customers, customer, type, at, presentCustomer);
}
