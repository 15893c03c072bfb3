import { expect, test } from "vitest";
import { unbrokenPage } from "./unbroken-page.ts";

const shown = (body: string) => unbrokenPage(`<body>${body}</body>`).slice("<body>".length, -"</body>".length);

test("a date is one part, and its text is one element", () => {
  expect(shown("<p>Ends on 10 March 2026, for 3 users</p>")).toBe(
    '<p><span>Ends on <span class="whole">10 March 2026</span>, for <span class="whole">3 users</span></span></p>',
  );
});

test.each([
  // Attributes
  '<a title="10 March 2026" href="?at=1">now</a>',
  `<a data-text='a > 10 March 2026' data-other="> 3 users">now</a>`,
  // Elements without elements in them, and programs
  "<select><option selected>10 March 2026</option></select>",
  "<textarea>10 March 2026</textarea>",
  "<script>const text = '10 March 2026 < 3 users';</script>",
  "<style>/* 10 March 2026 */</style>",
  "<svg><title>10 March 2026</title><text>3 users</text></svg>",
  "<p>no date</p>",
])("%s is left as it is", (html) => expect(shown(html)).toBe(html));

test("markup in a text stays text", () => {
  expect(shown("<p>&lt;b&gt;10 March 2026&lt;/b&gt;</p>")).toBe(
    '<p><span>&lt;b&gt;<span class="whole">10 March 2026</span>&lt;/b&gt;</span></p>',
  );
});

test("the head is left as it is", () => {
  const head = "<head><title>10 March 2026</title></head>";
  expect(unbrokenPage(`${head}<body></body>`)).toBe(`${head}<body></body>`);
});
