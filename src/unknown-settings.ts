import { OF_PAYMENTS, type Environment } from "./config.ts";
import { SETTINGS } from "./settings.ts";
import { didYouMean, nearest } from "./suggestion.ts";

const NAMES = Object.keys(SETTINGS);

/** Variables that the examples of the client read. They may be set in the same shell. */
const OF_THE_CLIENT = ["BILLOW_URL", "BILLOW_API_KEY", "BILLOW_MANAGE_KEY"];

/** The settings that an operator may have meant. `BILLOW_PORT` means `PORT`. */
function settingsLike(name: string): string[] {
  const near = nearest(name, NAMES);
  return near.length > 0 ? near : nearest(name.replace(/^BILLOW_/, ""), NAMES);
}

/** A line about variables that look like settings and are none; null: there are no such variables. */
export function unknownSettings(environment: Environment): string | null {
  const known = new Set<string>([...NAMES, ...OF_THE_CLIENT]);
  const unknown = Object.keys(environment).filter(
    (name) => /^(BILLOW|OTEL)_/.test(name) && !name.startsWith(OF_PAYMENTS) && !known.has(name),
  );
  const sentences = unknown.map((name) => `${name} is not a setting.${didYouMean(settingsLike(name))}`);
  return sentences.length === 0 ? null : sentences.join(" ");
}
