import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import {
  anchorsOf,
  circlesOf,
  codeOf,
  importedBy,
  importsOf,
  linksOf,
  readSources,
  ROOT,
  templatesOf,
} from "./support/source.ts";
import { unquotedAttributes, withoutComments, type Source } from "./support/source.ts";

// Rules that a linter can't check. Sizes, `any` and the like are in .oxlintrc.json.
const sources = readSources();
const code = sources.filter(({ path }) => /\.(ts|mjs)$/.test(path));
const inSource = code.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"));

/** Every line of these files that `find` complains of, as `path:line: complaint`. */
function complaints(
  files: Source[],
  find: (line: string, path: string) => string | false,
  read = (text: string) => text,
): string[] {
  return files.flatMap(({ path, text }) =>
    read(text)
      .split("\n")
      .map((line, n) => [n + 1, find(line, path)] as const)
      .filter(([, complaint]) => complaint !== false)
      .map(([n, complaint]) => `${path}:${n}: ${complaint}`),
  );
}

/** Every line that matches `pattern` outside of comments, in files where it is not allowed. */
function onlyIn(allowed: RegExp, pattern: RegExp, read = codeOf, files = inSource): string[] {
  return complaints(
    files.filter(({ path }) => !allowed.test(path)),
    (line) => pattern.test(line) && line.trim(),
    read,
  );
}

describe("layers", () => {
  const EDGE = "domain resources documents store payments actions errors ids clock config context port version";
  const SECRETS = "keyring encryption";
  const AROUND = "clock cidr context tracing database-address";
  const RULES = "resources domain errors ids";
  const OUTSIDE = "archive payments outbound";
  // For each directory or file of src, the others that it may import.
  const MAY_IMPORT: Record<string, string> = {
    domain: "domain ids",
    resources: "resources domain errors ids suggestion",
    texts: "texts domain",
    documents: "documents texts domain errors ids",
    mail: "mail texts documents domain",
    store: "store resources domain errors ids clock database-address tracing",
    payments: "payments domain errors ids clock tracing",
    outbound: "outbound domain cidr tracing",
    archive: "archive",
    "embedded-database": "embedded-postgres",
    "embedded-postgres": "embedded-postgres",
    actions: `actions ${OUTSIDE} mail store documents texts ${RULES} ${SECRETS} ${AROUND}`,
    http: `http cidr compression precondition suggestion tracing ${EDGE}`,
    web: `web texts compression precondition csv ${EDGE}`,
    worker: `worker outbound tracing ${EDGE}`,
    exam: "exam outbound resources domain ids clock cidr",
    cli: `cli archive exam suggestion csv tracing ${EDGE}`,
    errors: "",
    ids: "clock",
    keyring: "",
    log: "config",
    encryption: "keyring",
    cidr: "",
    clock: "",
    compression: "",
    precondition: "domain",
    config: "cidr database-address setting-readers settings smtp-url",
    "unknown-settings": "config settings suggestion",
    "database-address": "suggestion",
    port: "",
    tracing: "tracing domain errors clock config version",
    suggestion: "",
    version: "",
  };
  // These may import all others: main and command-line wire them together, context opens their resources.
  const FREE = /^src\/(main|command-line|context)\.ts$/;
  const BOOK_OF_A_PROVIDER = /^src\/payments\/(sandbox[\w-]*|stripe\/[\w-]+|connectable-provider)\.ts$/;

  const outside = (files: Source[], inside: string) =>
    files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((each) => !each.path.startsWith(inside))
        .map((each) => `${path}: ${each.path}`),
    );
  const layerOf = (path: string) => /^src\/([\w-]+)/.exec(path)?.[1] ?? path;

  function isAllowed(from: string, to: string): boolean {
    if (FREE.test(from)) return true;
    // A provider keeps a book of its own, which an export reads in its snapshot.
    if (BOOK_OF_A_PROVIDER.test(from) && to === "src/store/driver/db.ts") return true;
    // A command shows the answer of a stranger's server.
    if (layerOf(from) === "cli" && to === "src/outbound/answer-text.ts") return true;
    return (MAY_IMPORT[layerOf(from)] ?? "").split(" ").includes(layerOf(to));
  }

  test("import only the layers below them", () => {
    const wrong = inSource.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((each) => /^\..*\.ts$/.test(each.path))
        .map((each) => normalize(join(dirname(path), each.path)))
        .filter((target) => !isAllowed(path, target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("know the Context by its type alone", () => {
    const bound = inSource.filter(({ path }) => !FREE.test(path));
    const wrong = bound.filter(({ text }) =>
      importsOf(text).some((each) => each.path.endsWith("/context.ts") && !each.type),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("of the domain decide without waiting, and touch nothing of the world", () => {
    const domain = inSource.filter(({ path }) => path.startsWith("src/domain/"));
    expect(complaints(domain, (line) => /\b(async|await|Promise)\b/.test(line) && line.trim(), codeOf)).toEqual([]);
    // Checksums, check digits, the ASCII form of a domain (node:url) and equality (node:util) are plain arithmetic.
    expect(
      outside(domain, ".").filter(
        (complaint) => !/: (node:zlib|node:url|node:util|node:module|stdnum\/.+)$/.test(complaint),
      ),
    ).toEqual([]);
  });

  test("the embedded PostgreSQL could be a package: one entry, and no word of ours", () => {
    const home = "src/embedded-postgres/";
    const own = inSource.filter(({ path }) => path.startsWith(home));
    expect(outside(own, "./").filter((complaint) => !/: (node:\w+(\/\w+)?|pg)$/.test(complaint))).toEqual([]);
    expect(complaints(own, (line) => /billow|DATABASE_URL|docs\//i.test(line) && line.trim())).toEqual([]);
    const inside = inSource.flatMap((source) =>
      importedBy(source)
        .filter((target) => target.startsWith(home) && target !== `${home}embedded.ts` && !source.path.startsWith(home))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(inside).toEqual([]);
  });

  test("the driver of the database knows no table of ours", () => {
    const driver = inSource.filter(({ path }) => path.startsWith("src/store/driver/"));
    const below = /^src\/(store\/driver\/[\w-]+|clock|errors|database-address|domain\/calendar|tracing\/tracing)\.ts$/;
    const above = driver.flatMap((source) =>
      importedBy(source)
        .filter((target) => !below.test(target))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(above).toEqual([]);
    const { text: schema } = sources.find(({ path }) => path === "schema.sql")!;
    const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name).join("|");
    expect(tables.split("|").length).toBeGreaterThan(50);
    // A table in SQL, or the name of one of its constraints.
    const named = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN|TRUNCATE|LOCK)\\s+"?(${tables})\\b|["'](${tables})_\\w+["']`);
    expect(complaints(driver, (line) => named.test(line) && line.trim(), withoutComments)).toEqual([]);
  });

  test("the reference calculator shares nothing with the code that it is held against", () => {
    const reference = code.filter(({ path }) => /^test\/simulation\/(reference[\w-]*|history)\.ts$/.test(path));
    expect(reference.length).toBeGreaterThan(1);
    const others = reference.flatMap(({ path, text }) => importsOf(text).map((each) => `${path}: ${each.path}`));
    expect(others.filter((each) => !/: \.\/(reference[\w-]*|history)\.ts$/.test(each))).toEqual([]);
  });

  test("the local Stripe server shares nothing with the adapter that it is held against", () => {
    const server = code.filter(({ path }) => path.startsWith("test/payments/stripe/"));
    expect(server.length).toBeGreaterThan(1);
    const others = server.flatMap(({ path, text }) => importsOf(text).map((each) => `${path}: ${each.path}`));
    expect(others.filter((each) => !/: (\.\/[\w.-]+|node:\w+|vitest|ajv\/dist\/2020\.js)$/.test(each))).toEqual([]);
  });

  test("of the client import nothing of the server", () => {
    const client = code.filter(({ path }) => path.startsWith("client/src/"));
    const others = client.flatMap(({ path, text }) =>
      importsOf(text).map(
        (each) => `${path}: ${each.path.startsWith(".") ? join(dirname(path), each.path) : each.path}`,
      ),
    );
    expect(others.length).toBeGreaterThan(1);
    expect(others.filter((each) => !/: client\/src\//.test(each))).toEqual([]);
  });
});

describe("imports", () => {
  // Imports of types count: files that need each other's types can't be read, moved or deleted one by one either.
  test("lead in no circle", () => {
    const circles = circlesOf(new Map(code.map((source) => [source.path, importedBy(source)])));
    expect(circles).toEqual([]);
  });

  test("lead in no circle of the domain's folders", () => {
    const unitOf = (path: string) => /^src\/domain\/([\w-]+)/.exec(path)?.[1];
    const units = new Map<string, Set<string>>();
    for (const source of inSource) {
      const from = unitOf(source.path);
      if (from === undefined) continue;
      const to = importedBy(source)
        .map(unitOf)
        .filter((unit) => unit !== undefined && unit !== from);
      units.set(from, new Set([...(units.get(from) ?? []), ...(to as string[])]));
    }
    expect(units.size).toBeGreaterThan(20);
    expect(circlesOf(new Map([...units].map(([unit, others]) => [unit, [...others]])))).toEqual([]);
  });
});

describe("one place", () => {
  test("makes answers of rows", () => {
    // In the exam, an Answer comes from a receiver of webhooks.
    expect(onlyIn(/^src\/(http|exam)\//, /\bAnswer\b/)).toEqual([]);
    // An action neither reads nor writes JSON, and knows no ETag.
    const actions = inSource.filter(({ path }) => path.startsWith("src/actions/"));
    const OF_THE_WIRE = /\banswer\(|\bJSON\.(parse|stringify)\b|\b\w+ETag\b/;
    expect(complaints(actions, (line) => OF_THE_WIRE.test(line) && line.trim(), codeOf)).toEqual([]);
  });

  test("reads the environment", () => expect(onlyIn(/^src\/config\.ts$/, /\bprocess\.env\b/)).toEqual([]));
  test("reads the time", () =>
    expect(onlyIn(/^src\/clock\.ts$/, /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/)).toEqual([]));

  test("waits for others", () => {
    // Documents are drawn in a process of their own, and files are compressed on other threads.
    const WAITING =
      /^src\/((archive|store|payments|outbound|embedded-postgres|actions|http|web|worker|cli|exam|tracing)\/|(main|command-line|context|compression)\.ts$|documents\/render)/;
    expect(onlyIn(WAITING, /\bawait\b/)).toEqual([]);
  });

  test("touches the private parts of the libraries for PDFs", () => {
    const PRIVATE = /\b(_font|_glyphs|_layoutEngine|layoutRun|addContent)\b|from "(pdfkit|fontkit)"/;
    expect(onlyIn(/^src\/documents\/internals\.ts$/, PRIVATE, withoutComments)).toEqual([]);
  });

  test("touches the private parts of the database's driver", () => {
    const PRIVATE = /\b(_types|_result|parsedStatements|submittedNamedStatements|connection\.stream)\b/;
    expect(onlyIn(/^src\/store\/driver\/(internals|batch)\.ts$/, PRIVATE)).toEqual([]);
    const USERS = /^src\/(store\/driver|embedded-postgres)\//;
    const others = inSource.filter(
      ({ path, text }) => !USERS.test(path) && importsOf(text).some((each) => /^pg(-|$)/.test(each.path) && !each.type),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("speaks SQL", () => {
    const SQL =
      /\b(SELECT\s+[\w*"'$(]|INSERT INTO|UPDATE\s+\S+\s+SET|DELETE FROM|(CREATE|ALTER|DROP|LOCK)\s+(TABLE|DATABASE|INDEX))\b/;
    expect(onlyIn(/^src\/(store|embedded-postgres|payments)\//, SQL, withoutComments)).toEqual([]);
  });
});

/** Names that STYLE.md replaced by a word of the field. */
const RETIRED =
  /\b(LoadedAccount|Bell|BOOKS|Book[a-z]*[A-Z]\w*|Deeds?|doDeed|[dD]oor|[gG]oods|Hint|keep(Answer|Card|Entered|Input|Lines|Locale|Method|Secret|Statement|Verification)\w*|EnteredOrKept|kept(Goods|Mail)|[oO]ccasion|\w*(Patience|PATIENCE)\w*|\w*Place|[a-z]*[pP]laceOf|isUnderPresent|lockPresent|presentPlan|PresentPlan|\w*[sS]cenes?|Shelf|Shown|present(Ended|Made|Plan)|Placed\w*|startVisit|strangerOf|Surroundings|tell[A-Z]\w*|[tT]old(?=[(:;,)])|Vigil|[wW]ishes)\b/;

describe("names", () => {
  test("are none that were replaced by a standard term", () => {
    expect(onlyIn(/^$/, RETIRED, codeOf, code)).toEqual([]);
    expect(RETIRED.test("const scene: Scene = load();")).toBe(true);
  });
});

describe("modules", () => {
  test("are imported by the name of their file", () => {
    const wrong = code.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((each) => /^\.{1,2}\//.test(each.path) && !/\.(ts|mjs|json)$/.test(each.path))
        .map((each) => `${path}: ${each.path}`),
    );
    expect(wrong).toEqual([]);
  });

  test("have something of their own", () => {
    const isBarrel = ({ text }: Source) =>
      codeOf(text).trim() !== "" && /^\s*(export\s[^;]*?\sfrom\s+"\s*";\s*)+$/.test(codeOf(text));
    expect(code.filter(isBarrel).map(({ path }) => path)).toEqual([]);
    expect(
      sources.filter(({ path }) => /(^|\/)(utils?|helpers?|common)(\/|\.)/.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });

  test("are at most 120 characters wide, but for a regular expression on its own line", () => {
    const written = code.filter(({ path }) => !/^client\/src\/(manage\.ts$|types\/)/.test(path));
    const isLong = (line: string) => line.length > 120 && !/^\s*\/.*\/[a-z]*[;,]?$/.test(line);
    expect(complaints(written, (line) => isLong(line) && `${line.length} characters`)).toEqual([]);
  });
});

test("messages print each command as it is typed", () => {
  const { text: main } = sources.find(({ path }) => path === "src/command-line.ts")!;
  const names = [...main.matchAll(/^ {2}"?([a-z][a-z -]*)"?: async \(\) => \(await import/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  const named = new RegExp(`(?<!['"/\\w])billow (${names.join("|")})\\b`);
  const isComment = (line: string) => /^\s*(\*|\/\*|\/\/)/.test(line);
  const written = [...inSource, ...code.filter(({ path }) => path.startsWith("client/src/"))];
  const complain = (line: string) => !isComment(line) && named.test(line) && line.trim();
  expect(complaints(written, complain)).toEqual([]);
});

// Tests of one process share the server, and its driver refuses a second text for the name of a prepared statement.
test("a name of a statement has one text in all tests", () => {
  const tests = code.filter(({ path }) => path.startsWith("test/") || path.endsWith(".test.ts"));
  const statements = tests.flatMap(({ text }) => [...text.matchAll(/\bsql\(\s*"(test\.[^"]+)",\s*(`[^`]*`|"[^"]*")/g)]);
  const texts = Map.groupBy(statements, ([, name]) => name!);
  expect(texts.size).toBeGreaterThan(200);
  const several = [...texts].filter(
    ([, found]) => new Set(found.map(([, , text]) => text!.slice(1, -1).replace(/\s+/g, " ").trim())).size > 1,
  );
  expect(several.map(([name]) => name)).toEqual([]);
});

test("attributes in templates are quoted", () => {
  const complain = ({ path, text }: Source) =>
    templatesOf(text)
      .flatMap(unquotedAttributes)
      .map((attribute) => `${path}: ${attribute}`);
  expect(inSource.flatMap(complain)).toEqual([]);
});

test("links in documents lead somewhere", () => {
  const documents = sources.filter(({ path }) => path.endsWith(".md"));
  const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
  const isDead = (from: string, link: string) => {
    const [path, anchor] = link.split("#") as [string, string?];
    const target = path === "" ? from : normalize(join(dirname(from), decodeURI(path)));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && anchors.has(target) && !anchors.get(target)!.has(anchor);
  };
  const dead = documents.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((link) => !/^[a-z][\w+.-]*:/i.test(link) && isDead(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test(".env.example names every variable, as config.ts reads them", () => {
  const textOf = (path: string) => sources.find((source) => source.path === path)!.text;
  const read = [...textOf("src/config.ts").matchAll(/\(\s*environment,\s*"(\w+)"/g)].map(([, name]) => name);
  const named = [...textOf(".env.example").matchAll(/^#(\w+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(read.sort());
});

test("no work is left open, and no line depends on the machine it was written on", () => {
  const TRACES = [/\b(TODO|FIXME)\b/, /(?<![\w.~}-])\/(work|home\/\w+|Users\/\w+)\//, /\.\.\/shared\b/];
  const others = sources.filter(({ path }) => path !== "test/tidy.test.ts" && path !== ".oxlintrc.json");
  expect(complaints(others, (line) => TRACES.some((trace) => trace.test(line)) && line.trim())).toEqual([]);
});

describe("the rules find the faults that they are for", () => {
  test.each([
    ['import type { A } from "./a.ts";', [{ path: "./a.ts", type: true }]],
    [
      'import {\n  a,\n  b,\n} from "./b.ts";\nimport "./c.ts";',
      [
        { path: "./b.ts", type: false },
        { path: "./c.ts", type: false },
      ],
    ],
    ['// import { a } from "./a.ts";\nconst b = await import("./b.ts");', [{ path: "./b.ts", type: false }]],
  ])("imports of %j", (text, expected) => expect(importsOf(text)).toEqual(expected));

  test("circles of imports, and no others", () => {
    const imports = { a: ["b", "x"], b: ["c"], c: ["a", "d"], d: ["e", "x"], e: ["d"], x: [] };
    expect(circlesOf(new Map(Object.entries(imports)))).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
    expect(circlesOf(new Map(Object.entries({ a: ["b", "c"], b: ["c"], c: [] })))).toEqual([]);
    expect(importedBy({ path: "src/a/b.ts", text: 'import type { C } from "../c.ts";\nimport "zod";' })).toEqual([
      "src/c.ts",
    ]);
  });

  test.each([
    ["<a href=${}>", ["href=${}"]],
    ['<a href="?a=${}&b=2" class=x>', ["class=x"]],
    ["<input value='${}' disabled> a=b", []],
  ])("attributes of %j", (template, expected) => expect(unquotedAttributes(template)).toEqual(expected));

  test("templates within templates", () => {
    const text = "html`<p>${list.map((each) => html`<b id=${each.id}>${{ a: 1 }.a}</b>`)}</p>`";
    expect(templatesOf(text)).toEqual(["<p>${}</p>", "<b id=${}>${}</b>"]);
  });

  test("comments, strings and expressions are not code", () => {
    expect(codeOf('a = "Date.now"; // x\nb = /"/; c / d; /* y */')).toBe(
      'a = "        ";     \nb =    ; c / d;        ',
    );
  });
});
