import { isCopy } from "../actions/installation.ts";
import { approveCatchUp, noteTime, readCatchUp, type CatchUp } from "../actions/organization/catch-up.ts";
import type { Context } from "../context.ts";
import { formatMoney } from "../domain/currency.ts";
import { counted } from "../domain/words.ts";
import { time } from "../resources/fields.ts";
import { EACH_ORGANIZATION, HELD, type Command, type Values } from "./command.ts";
import { findOrganizations, withDatabase } from "./database.ts";
import { noteCommand } from "./command-audit.ts";

async function readHeld(ctx: Context, values: Values): Promise<CatchUp[]> {
  const held: CatchUp[] = [];
  for (const organization of await findOrganizations(ctx, values)) {
    if (organization.mode !== "live") continue;
    const catchUp = await readCatchUp(ctx, organization);
    if (catchUp.since !== null || catchUp.subscriptions > 0) held.push(catchUp);
  }
  return held;
}

function present({ organization, since, subscriptions, periods, amounts, oldest }: CatchUp) {
  const sums = [...amounts].map(([currency, amount]) => ({ currency, amount }));
  return {
    organizationId: organization.id,
    since: time(since),
    subscriptions,
    periods,
    amounts: sums,
    oldest: time(oldest),
  };
}

function describe({ organization, since, subscriptions, periods, amounts, oldest }: CatchUp): string {
  const { id, name } = organization;
  const sums = [...amounts].map(([currency, amount]) => formatMoney(amount, currency)).join(" + ");
  const missed = periods === 0 ? "" : `; ${counted(periods, "period")} to be invoiced, about ${sums}`;
  const jump =
    since && `All due work is held: from ${time(since)} on, no worker ran for over 24 hours, or the clock jumped.`;
  const held =
    subscriptions > 0 && `${counted(subscriptions, "Subscription")}, due since ${time(oldest)} or later${missed}.`;
  return [`${name} (${id})`, jump, held].filter(Boolean).join("\n  ");
}

export const catchUp: Command = {
  usage: "catch-up [--approve] [--organization ID|NAME]",
  summary: "lists or approves the work that live Organizations hold back after downtime",
  group: "Check and repair",
  options: { approve: { type: "boolean", says: "has the worker carry the work out" }, ...EACH_ORGANIZATION },
  example: "catch-up --approve --organization Acme",
  exits: { 0: "no work is held, or the work is approved", 3: "work is held" },
  async run(wiring, values) {
    const approved = values["approve"] === true;
    return withDatabase(wiring, async (ctx) => {
      await noteTime(ctx);
      await isCopy(ctx);
      const held = await readHeld(ctx, values);
      if (approved) {
        for (const each of held) {
          await approveCatchUp(ctx, each);
          await noteCommand(ctx, each.organization.id, "approveCatchUp");
        }
      }
      const last = approved
        ? "Approved: the worker carries it out."
        : "Amounts are before tax and balances. To approve, add --approve.";
      const text = held.length === 0 ? "No work is held." : [...held.map(describe), last].join("\n");
      wiring.print({ text, json: { approved, data: held.map(present) } });
      return held.length > 0 && !approved ? HELD : 0;
    });
  },
};
