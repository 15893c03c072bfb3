import type { Translation } from "../translation.ts";
import { card, decline, refusedCode } from "./card.ts";
import { checkout, fault } from "./checkout.ts";
import { frame, problem } from "./frame.ts";
import { obstacle, outcome } from "./outcome.ts";
import { overdue, portal } from "./portal.ts";
import { portalCancel } from "./portal-cancel.ts";
import { portalCard } from "./portal-card.ts";
import { signIn } from "./sign-in.ts";
import { terms } from "./terms.ts";

export const es: Translation = {
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
  portal,
  overdue,
  portalCancel,
  portalCard,
  signIn,
};
