import { TRIGGERS } from "../actions/scenario/recipes.ts";
import { triggerEvent } from "../actions/scenario/trigger.ts";
import { CommandError, ORGANIZATION, UsageError, type Command } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { otherThan } from "./event-types.ts";

/** Events that concern webhook endpoints alone, and can't be triggered by way of a Product or a Customer. */
const BY_ENDPOINTS: Record<string, string> = {
  "webhook_endpoint.test": "POST /manage/v1/webhook-endpoints/{id}/test sends this event to that endpoint.",
  "webhook_endpoint.disabled": "The other endpoints get this event when the receiver of an endpoint answers 410.",
};

export const trigger: Command = {
  usage: "trigger EVENT_TYPE [--organization ID|NAME]",
  summary: "makes an event happen in a sandbox, to a Product and a Customer made for it",
  group: "Sell and test",
  details: `The Products, Customers and Subscriptions that the command makes stay and renew.
Use an Organization of its own.`,
  options: ORGANIZATION,
  example: "trigger subscription.renewed --organization Demo",
  words: 1,
  async run(wiring, values, [word]) {
    const type = TRIGGERS.find((each) => each === word);
    const cause = BY_ENDPOINTS[word!];
    if (cause !== undefined) throw new UsageError(`"${word}" can't be triggered. ${cause}`);
    if (!type) throw new UsageError(`There is no event type ${JSON.stringify(word)}. ${otherThan(word!, TRIGGERS)}`);
    await withDatabase(wiring, async (ctx) => {
      const organization = await findOrganization(ctx, values);
      if (organization.mode !== "sandbox")
        throw new CommandError(`${organization.name} is live: events are triggered in a sandbox only.`);
      const { made, recorded } = await triggerEvent(ctx, organization.id, type);
      if (!recorded)
        throw new CommandError(
          `${type} has not happened in ${organization.name}, to any of ${Object.values(made).join(", ")}.`,
        );
      const ids = Object.entries(made).map(([name, id]) => `  ${name.padEnd(14)}  ${id}`);
      wiring.print({
        text: [`${type} has happened in ${organization.name}, to:`, ...ids].join("\n"),
        json: { type, ...made },
      });
    });
  },
};
