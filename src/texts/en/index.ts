import { card, cardFault, decline, refusedCode } from "./card.ts";
import { brand } from "./brand.ts";
import { checkout, fault } from "./checkout.ts";
import { document } from "./document.ts";
import { frame, problem } from "./frame.ts";
import { goods } from "./goods.ts";
import { invoicePage } from "./invoice-page.ts";
import { licence } from "./licence.ts";
import { obstacle, outcome } from "./outcome.ts";
import { plan } from "./plan.ts";
import { seller } from "./seller.ts";
import { portalLimit } from "./portal-limit.ts";
import { terms } from "./terms.ts";
import { unpaid } from "./unpaid.ts";

/** English, from which the other catalogues take their keys and slots. */
export const en = {
  frame,
  problem,
  card,
  decline,
  refusedCode,
  terms,
  checkout,
  fault,
  outcome,
  obstacle,
  goods,
  unpaid,
  document,
  invoicePage,
  cardFault,
  plan,
  licence,
  seller,
  brand,
  portalLimit,
} as const;
