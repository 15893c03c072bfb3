import { together } from "../../form-action.ts";
import { adjustPages } from "./adjust.ts";
import { settlementPages } from "./by-hand.ts";
import { chargePages } from "./charge.ts";
import { payOutPages } from "./pay-out.ts";
import { refundPages } from "./refund.ts";

/** The pages with the forms about a Customer's invoices and balance. */
export const moneyPages = together(refundPages, chargePages, settlementPages, adjustPages, payOutPages);
