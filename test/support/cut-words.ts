import type { Page } from "playwright-core";

// A text, because the types of a browser are not those of the tests.
const CUT = `(() => {
  const cut = [];
  const nodes = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    for (const { 0: word, index } of nodes.currentNode.textContent.matchAll(/[^ \\n]+/g)) {
      const range = document.createRange();
      range.setStart(nodes.currentNode, index);
      range.setEnd(nodes.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1 && !/[-\\u2011@/]/.test(word)) cut.push(word);
    }
  }
  return cut;
})()`;

/**
 * The words of a page that go on in another line, without addresses and words with a hyphen. Parts that a space without
 * a break joins are one word: a date, an amount, a number with its noun.
 */
export const cutWords = (page: Page): Promise<string[]> => page.evaluate(CUT);
