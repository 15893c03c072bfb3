import { expect, test } from "vitest";
import { PORTAL_OPERATIONS, portalAllows, portalOffers, switched, type PortalAction } from "./portal-settings.ts";

const AT_FIRST: PortalAction[] = ["changePlan", "editDetails", "changeEmail", "manageDevices", "cancel"];

test.each<[off: PortalAction[], on: PortalAction[], allowed: PortalAction[]]>([
  [[], [], AT_FIRST],
  [[], ["changeQuantity", "export"], [...PORTAL_OPERATIONS]],
  [[], ["export"], [...AT_FIRST, "export"]],
  [["cancel"], [], ["changePlan", "editDetails", "changeEmail", "manageDevices"]],
  [["changePlan", "changeEmail"], ["changeQuantity"], ["changeQuantity", "editDetails", "manageDevices", "cancel"]],
  [[...PORTAL_OPERATIONS], [], []],
])("with %j switched off and %j switched on, the portal allows %j", (portalOff, portalOn, allowed) => {
  expect(PORTAL_OPERATIONS.filter((operation) => portalAllows({ portalOff, portalOn }, operation))).toEqual(allowed);
});

test.each<[changes: Partial<Record<PortalAction, boolean>>, off: PortalAction[], on: PortalAction[]]>([
  [{}, ["cancel"], []],
  [{ changeQuantity: true }, ["cancel"], ["changeQuantity"]],
  [{ changeQuantity: false, cancel: true }, [], []],
  [{ changePlan: false }, ["changePlan", "cancel"], []],
])("a portal without cancellations that is changed by %j stores %j as off and %j as on", (changes, off, on) => {
  const before = { portalOff: ["cancel" as const], portalOn: [] };
  expect(switched(before, changes)).toEqual({ portalOff: off, portalOn: on });
});

test.each<[off: PortalAction[], products: string[] | null, offers: boolean]>([
  [[], null, true],
  [[], ["prd_1", "prd_2"], true],
  [[], ["prd_2"], false],
  [["changePlan"], null, false],
  [["changePlan"], ["prd_1"], false],
  [["cancel"], ["prd_1"], true],
])("with %j switched off and the Products %j, a change to prd_1: %j", (portalOff, portalProducts, offers) => {
  expect(portalOffers({ portalOff, portalOn: [], portalProducts }, "prd_1")).toBe(offers);
});
