import type { Translation } from "../translation.ts";
import { address, details } from "./address.ts";
import { buy } from "./buy.ts";
import { brand } from "./brand.ts";
import { card, cardFault, decline, refusedCode } from "./card.ts";
import { checkout, fault } from "./checkout.ts";
import { document } from "./document.ts";
import { frame, problem } from "./frame.ts";
import { deliverables } from "./deliverables.ts";
import { mailEmailChange } from "./mail-email-change.ts";
import { mailCardRequest } from "./mail-card-request.ts";
import { mailPrice } from "./mail-price.ts";
import { obstacle, outcome } from "./outcome.ts";
import { portalEmail } from "./portal-email.ts";
import { invoicePage } from "./invoice-page.ts";
import { licenses } from "./licenses.ts";
import { mailFrame, mailPause, mailPayment, mailReceipt, mailSignIn, mailSubscription } from "./mail.ts";
import { ownField } from "./own-field.ts";
import { plan } from "./plan.ts";
import { portalCancel } from "./portal-cancel.ts";
import { portalPause } from "./portal-pause.ts";
import { portalPrice } from "./portal-price.ts";
import { portalCard } from "./portal-card.ts";
import { portalDisown } from "./portal-disown.ts";
import { portalDone } from "./portal-done.ts";
import { portalExport } from "./portal-export.ts";
import { portalLimit } from "./portal-limit.ts";
import { overdue, portal } from "./portal.ts";
import { seller } from "./seller.ts";
import { signIn } from "./sign-in.ts";
import { terms } from "./terms.ts";
import { testCard } from "./test-card.ts";
import { unpaidNotice } from "./unpaid-notice.ts";

export const es: Translation = {
  frame,
  problem,
  card,
  decline,
  refusedCode,
  terms,
  checkout,
  buy,
  fault,
  ownField,
  outcome,
  obstacle,
  mailFrame,
  mailPayment,
  mailSubscription,
  mailPause,
  mailPrice,
  mailCardRequest,
  mailReceipt,
  mailSignIn,
  deliverables,
  address,
  details,
  unpaidNotice,
  document,
  invoicePage,
  cardFault,
  plan,
  licenses,
  seller,
  brand,
  testCard,
  portalExport,
  portalLimit,
  portalEmail,
  mailEmailChange,
  portal,
  overdue,
  portalCancel,
  portalPause,
  portalPrice,
  portalCard,
  portalDisown,
  portalDone,
  signIn,
};
