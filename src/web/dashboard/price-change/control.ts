import { html } from "hono/html";
import { controlPriceChange, type PriceChangeStep } from "../../../actions/price-change/control.ts";
import { readPriceChange, type PriceChangeView } from "../../../actions/price-change/view.ts";
import type { PriceChange } from "../../../domain/model/price-change.ts";
import { counted } from "../../../domain/words.ts";
import { presentPriceChange } from "../../../resources/price-change.ts";
import type { Html } from "../../layout.ts";
import { together } from "../form-action.ts";
import { endForm, rowPath } from "../resource-forms.ts";
import type { DashboardRequest } from "../request.ts";
import { PRICE_CHANGES } from "./resource.ts";

/** The steps that the status of a price change allows, each with its label (rule N8). */
export function stepsOf({ status }: Pick<PriceChange, "status">): [PriceChangeStep, string][] {
  const withdraw: [PriceChangeStep, string] = ["withdraw", "Withdraw"];
  const stop: [PriceChangeStep, string] = ["stop", "Stop"];
  if (status === "running") return [["pause", "Pause"], stop, withdraw];
  if (status === "paused") return [["resume", "Resume"], stop, withdraw];
  return status === "stopped" || status === "completed" ? [withdraw] : [];
}

const WAITING = "Those that got notice already move on their days.";
const EFFECTS: Record<PriceChangeStep, { title: string; label: string; isDangerous: boolean; effects: string[] }> = {
  pause: {
    title: "Pause the notices?",
    label: "Pause the notices",
    isDangerous: false,
    effects: ["No further Subscription gets notice until you resume the price change.", WAITING],
  },
  resume: {
    title: "Resume the notices?",
    label: "Resume the notices",
    isDangerous: false,
    effects: ["The Subscriptions that are left get notice, each with all days of notice."],
  },
  stop: {
    title: "Stop the notices for good?",
    label: "Stop the notices",
    isDangerous: true,
    effects: ["No further Subscription gets notice. This price change can't be resumed.", WAITING],
  },
  withdraw: {
    title: "Withdraw the price change?",
    label: "Withdraw the price change",
    isDangerous: true,
    effects: [
      "No further Subscription gets notice.",
      "Billow sends no e-mail about the withdrawal. The portal shows the present price again.",
    ],
  },
};

/** The number of Subscriptions that keep or lose the new price by a withdrawal. */
async function withdrawalEffects({ ctx }: DashboardRequest, { organizationId, id }: PriceChange): Promise<string[]> {
  const { progress } = presentPriceChange(await readPriceChange(ctx.db.read, organizationId, id));
  const { scheduled, applied } = progress;
  const moved = `${counted(applied, "Subscription")} with the new price will keep the new price.`;
  return [
    `${counted(scheduled, "Subscription")} with notice of a new price will keep the present price.`,
    ...(applied === 0 ? [] : [moved]),
  ];
}

const effectList = (effects: readonly string[]): Html =>
  html`<ul class="effects">${effects.map((effect) => html`<li>${effect}</li>`)}</ul>`;

const stepPage = (step: PriceChangeStep) =>
  endForm<PriceChange, PriceChangeView>(PRICE_CHANGES, {
    name: step,
    operation: `${step}PriceChange`,
    page: async (request, round) => {
      const { effects, ...more } = EFFECTS[step];
      const others = step === "withdraw" ? await withdrawalEffects(request, round) : [];
      return { ...more, effect: effectList([...effects, ...others]) };
    },
    // The version of a round changes with each batch, and a click means the round as it is then.
    end: (ctx, origin, { id }) => controlPriceChange(ctx, origin, id, step),
    next: (request, round) => rowPath(PRICE_CHANGES, request, round),
  });

/** The pages that pause, resume, stop and withdraw a price change. */
export const controlPages = together(...(["pause", "resume", "stop", "withdraw"] as const).map(stepPage));
