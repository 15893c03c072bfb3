import { expect, test } from "vitest";
import { PORTAL_OPERATIONS, portalAllows, portalOffers, type PortalAction } from "./portal-settings.ts";

test.each<[off: PortalAction[], allowed: PortalAction[]]>([
  [[], [...PORTAL_OPERATIONS]],
  [["cancel"], ["changePlan", "editDetails", "changeEmail", "manageDevices"]],
  [
    ["changePlan", "changeEmail"],
    ["editDetails", "manageDevices", "cancel"],
  ],
  [[...PORTAL_OPERATIONS], []],
])("with %j switched off, the portal allows %j", (portalOff, allowed) => {
  expect(PORTAL_OPERATIONS.filter((operation) => portalAllows({ portalOff }, operation))).toEqual(allowed);
});

test.each<[off: PortalAction[], products: string[] | null, offers: boolean]>([
  [[], null, true],
  [[], ["prd_1", "prd_2"], true],
  [[], ["prd_2"], false],
  [["changePlan"], null, false],
  [["changePlan"], ["prd_1"], false],
  [["cancel"], ["prd_1"], true],
])("with %j switched off and the Products %j, a change to prd_1: %j", (portalOff, portalProducts, offers) => {
  expect(portalOffers({ portalOff, portalProducts }, "prd_1")).toBe(offers);
});
