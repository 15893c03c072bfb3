import { expect, test } from "vitest";
import { firstLine } from "./answer-text.ts";

test.each([
  ["plain text\nand more", "plain text"],
  ["\u001b[2Jmoves the cursor", "[2Jmoves the cursor"],
  // Express
  [
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>` +
      "Error: The webhook secret &quot;x&quot; isn&#39;t right.<br> &nbsp; at app.js:3</pre>\n</body>\n</html>",
    'Error: The webhook secret "x" isn\'t right.',
  ],
  // Next.js
  [
    "<!DOCTYPE html><html><head><title>404: This page could not be found.</title><style>body{}</style></head>" +
      "<body><h1>404</h1><h2>This page could not be found.</h2></body></html>",
    "404: This page could not be found.",
  ],
  ["<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>", "502 Bad Gateway"],
  ["<!doctype html>", ""],
  ["<b>no page</b>", "<b>no page</b>"],
])("the first line of %j", (text, line) => expect(firstLine(text)).toBe(line));
