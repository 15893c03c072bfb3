import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { notice } from "./notice.ts";

/** The line about the operation that was just done, by the word in `?done=`. `sentences`: a sentence for each word. */
export function doneNotice(c: PageContext, sentences: Readonly<Record<string, Html | string>>): Html | "" {
  const word = c.req.query("done") ?? "";
  return Object.hasOwn(sentences, word) ? notice("done", sentences[word]!) : "";
}
