import { benefitList } from "./benefits.ts";
import { eventList } from "../developers/event-list.ts";
import { requestList } from "../developers/request-list.ts";
import { checkoutList } from "./checkouts.ts";
import { customerList } from "./customers.ts";
import { discountList } from "./discounts.ts";
import { disputeList } from "./disputes.ts";
import { invoiceList } from "./invoices.ts";
import type { List } from "./list.ts";
import { paymentList } from "./payments.ts";
import { refundList } from "./refunds.ts";
import { subscriptionList } from "./subscriptions.ts";

/** Every list, in the order of the navigation. */
export const LISTS: readonly List[] = [
  customerList,
  subscriptionList,
  invoiceList,
  paymentList,
  refundList,
  disputeList,
  checkoutList,
  benefitList,
  discountList,
  eventList,
  requestList,
];
