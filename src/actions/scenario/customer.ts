import type { EventType } from "../../domain/event.ts";
import { newId } from "../../ids.ts";
import { CreateCustomerParams } from "../../resources/customer.ts";
import { createCustomer } from "../customer/create-customer.ts";
import { deleteCustomer } from "../customer/delete.ts";
import { updateCustomer } from "../customer/update-customer.ts";
import { setCard } from "../sandbox/set-card.ts";
import { own, type Recipe, type World } from "./world.ts";

export const CARDS = {
  pays: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  asksBuyer: "4000 0000 0000 3220",
  refusesAccount: "4000 0000 0000 4012",
  refused: "4000 0000 0000 4228",
};

export async function makeCustomer(world: World): Promise<string> {
  const { ctx, made } = world;
  const params = { email: `${newId("evt")}@example.com`, name: "Triggered", billingAddress: { country: "US" } };
  return (made["customerId"] ??= (await createCustomer(ctx, own(world), CreateCustomerParams.parse(params))).id);
}

/** Returns the id of the card. */
export async function giveCard(world: World, card = CARDS.pays): Promise<string> {
  const { id } = await setCard(world.ctx, world.organizationId, await makeCustomer(world), { card });
  return (world.made["paymentMethodId"] = id);
}

export const CUSTOMER_EVENTS = {
  "customer.created": makeCustomer,
  "customer.updated": async (world) =>
    updateCustomer(world.ctx, own(world), await makeCustomer(world), { name: "Renamed" }),
  "customer.deleted": async (world) => deleteCustomer(world.ctx, own(world), await makeCustomer(world), false),
} satisfies Partial<Record<EventType, Recipe>>;
