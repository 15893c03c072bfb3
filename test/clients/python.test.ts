import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MODELS } from "../../scripts/python-models.ts";
import { inputLine, pythonSchemas } from "../../scripts/python-schemas.ts";
import type { OpenApiDocument } from "../../src/http/openapi-document.ts";
import { PYTHONPATH, requirePython, runPython } from "../support/python.ts";
import { ROOT } from "../support/source.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const CLIENT = `
from billow import *
billow = Billow(base_url=given["url"], api_key=given["public"], manage_key=given["manage"])
def failure(call, *args, **options):
    try: return call(*args, **options)
    except BillowError as error:
        return [type(error).__name__, error.status, error.code, error.pointer, str(error), error.url]
`;

let story: Story;
let given: { url: string; public: string; manage: string };
beforeAll(async () => {
  story = await startStory({});
  given = { url: story.app.url, ...story.app.keys };
});
afterAll(() => story.close());

const python = <Result>(program: string, more: object = {}) =>
  runPython<Result>(CLIENT + program, { ...given, ...more });
const document = async (name: string) =>
  JSON.parse(await readFile(join(ROOT, `docs/api/${name}.openapi.json`), "utf8")) as OpenApiDocument;

describe("against a server", () => {
  test("the six operations sell a plan, change the plan, and read its features", async () => {
    const found = await python(
      `
seats = billow.manage.benefits.create({"key": "seats", "name": "Seats", "type": "feature", "properties": {"value": 5}})
sso = billow.manage.benefits.create({"key": "sso", "name": "Single sign-on", "type": "feature"})
for key, amount, benefits in [("small", 1000, [seats]), ("large", 3000, [seats, sso])]:
    prices = [{"currency": "usd", "amount": amount}]
    ids = [each["id"] for each in benefits]
    billow.manage.products.create({"key": key, "name": key, "interval": "month", "prices": prices, "benefitIds": ids})
ada = billow.customers.create({"email": "ada@example.com", "externalId": "ada"})
checkout = billow.checkouts.create({"productKey": "small", "customerId": ada["id"]})
billow.manage.sandbox.pay_checkout(checkout["id"], {"card": given["card"]})
paid = billow.checkouts.get(checkout["id"])
subscription = billow.subscriptions.get(paid["subscriptionId"])
before = billow.features({"externalCustomerId": "ada"})
billow.subscriptions.update(subscription["id"], {"productKey": "large"})
grants = [grant["benefit"]["key"] for grant in billow.benefit_grants.list({"customerId": ada["id"], "limit": 1})]
[invoice, *_] = billow.manage.invoices.list({"customerId": ada["id"]}).data
print(json.dumps([paid["status"], subscription["status"], before, billow.features({"externalCustomerId": "ada"}),
    sorted(grants), billow.manage.invoices.get_pdf(invoice["id"])[:5].decode()]))
`,
      { card: CARDS.pays },
    );
    expect(found).toEqual(["completed", "active", { seats: 5 }, { seats: 5, sso: true }, ["seats", "sso"], "%PDF-"]);
  });

  test("a list has the items of all pages, a page, and items by key", async () => {
    const found = await python<unknown[]>(`
for n in range(5):
    billow.manage.benefits.create({"key": f"paged{n}", "name": "Paged", "type": "custom"})
items = billow.manage.benefits.list({"limit": 2})
keys = [each["key"] for each in items]
print(json.dumps([len(items.data), items.next_cursor is None, len(keys), len(set(keys)), "paged0" in keys,
    billow.manage.benefits.get_by_key("paged3")["key"], failure(billow.manage.benefits.get_by_key, "no")[:3]]))
`);
    const all = (await story.app.manage("GET", "/benefits?limit=100")).body.data.length as number;
    expect(found).toEqual([2, false, all, all, true, "paged3", ["ApiError", 404, "not_found"]]);
  });

  test("an Idempotency-Key carries a request out once", async () => {
    const found = await python<unknown[]>(`
one = {"email": "once@example.com", "externalId": "once"}
ids = [billow.customers.create(one, idempotency_key="order 7")["id"] for _ in range(2)]
other = failure(billow.customers.create, {"email": "other@example.com"}, idempotency_key="order 7")
print(json.dumps([ids[0] == ids[1], other[:3], failure(billow.customers.create, one)[:4]]))
`);
    expect(found).toEqual([
      true,
      ["ValidationError", 422, "idempotency_key_reused"],
      ["ApiError", 409, "customer_exists", "/externalId"],
    ]);
  });

  test("an error has its class, code, pointer, advice and page", async () => {
    await story.ok(
      story.app.manage("POST", "/products", {
        key: "declines",
        name: "Declines",
        interval: "month",
        prices: [{ currency: "usd", amount: 900 }],
      }),
    );
    await story.plan("declines-more", 9000);
    const bought = await story.buy(
      { productKey: "declines", customer: { email: "eve@example.com" } },
      CARDS.failsLater,
    );
    const found = await python<Record<string, unknown[]>>(
      `
other = Billow(base_url=given["url"], api_key="blw_test_unknown")
print(json.dumps({
    "wrong": failure(billow.checkouts.create, {"productKey": "declines", "customer": {"email": "no"}}),
    "near": failure(billow.checkouts.create, {"productKey": "decline", "customer": {"email": "a@example.com"}}),
    "key": failure(other.checkouts.get, "chk_1"),
    "scope": failure(Billow(base_url=given["url"], api_key=given["public"]).manage.products.list().__iter__().__next__),
    "unknown": failure(billow.checkouts.get, "chk_00000000000000000000000000"),
    "declined": failure(billow.subscriptions.update, given["id"], {"productKey": "declines-more"}),
}))
`,
      { id: bought.id },
    );
    expect(found).toMatchObject({
      wrong: [
        "ValidationError",
        422,
        "validation_failed",
        "/customer/email",
        expect.stringContaining("not an e-mail"),
        null,
      ],
      near: ["ValidationError", 422, "validation_failed", "/productKey", expect.stringContaining("`declines`"), null],
      key: ["AuthenticationError", 401, "api_key_invalid", null, expect.stringContaining(`sent to ${given.url}`), null],
      scope: ["ApiError", 403, "insufficient_scope", null, expect.stringContaining("keys create --scope manage"), null],
      unknown: ["ApiError", 404, "not_found", null, expect.stringContaining("unknown"), null],
      declined: [
        "PaymentError",
        402,
        "payment_failed",
        null,
        expect.anything(),
        expect.stringContaining("/checkout/chk_"),
      ],
    });
  });

  test("the address is that of the server or of its public API, and a missing option is refused by name", async () => {
    const found = await python<string[]>(`
def refused(**options):
    try: Billow(**options).checkouts.get("chk_1")
    except ValueError as error: return str(error)
billow = Billow(base_url=given["url"] + "//public/v2/", api_key=given["public"])
print(json.dumps([failure(billow.checkouts.get, "chk_00000000000000000000000000")[2],
    refused(base_url="", api_key="blw_test_1"), refused(base_url="/public/v2", api_key="blw_test_1"),
    refused(base_url=given["url"]), refused(base_url=given["url"], api_key="blw_test_…")]))
`);
    expect(found).toEqual([
      "not_found",
      expect.stringMatching(/^base_url must be .*BILLOW_URL/),
      expect.stringMatching(/^base_url must be /),
      expect.stringMatching(/^api_key is missing.*keys create --scope public$/),
      expect.stringMatching(/^api_key has a character/),
    ]);
  });
});

describe("the models", () => {
  test("are those of the present API: run `npm run gen`", async () => {
    const input = pythonSchemas(await document("public"), await document("management"));
    const [first] = (await readFile(join(ROOT, MODELS), "utf8")).split("\n");
    expect(first).toBe(inputLine(input));
    const names = Object.keys((JSON.parse(input) as { components: { schemas: object } }).components.schemas);
    expect(names.length).toBeGreaterThan(150);
    const program = "import billow\nprint(json.dumps([each for each in given if not hasattr(billow.models, each)]))";
    expect(await runPython(program, names)).toEqual([]);
  });

  test("and the package have types that mypy accepts, and that find mistakes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "billow-python-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const readme = await readFile(join(ROOT, "clients/python/README.md"), "utf8");
    const blocks = [...readme.matchAll(/<!-- example: (\S+) -->\n+```python\n([^]*?)```/g)];
    const files = Map.groupBy(blocks, ([, name]) => name!);
    expect([...files.keys()]).toEqual(["app.py", "webhooks.py"]);
    for (const [name, group] of files) await writeFile(join(folder, name), group.map(([, , code]) => code).join("\n"));
    const mypy = (...args: string[]) =>
      promisify(execFile)(
        requirePython(),
        ["-m", "mypy", "--strict", "--no-warn-return-any", "--cache-dir", folder, ...args],
        {
          cwd: folder,
          env: { PATH: process.env["PATH"], MYPYPATH: PYTHONPATH },
        },
      ).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    const program = `from billow import Billow
billow = Billow(base_url="https://billing.example.com", api_key="blw_test_1")
subscription = billow.subscriptions.get("sub_1")
plan: str = subscription["productId"]
wrong = subscription["plan"]
billow.checkouts.create({"productKee": "team"})
billow.manage.webhook_endpoints.create({"url": "https://example.com", "events": ["subscription.cancelled"]})
`;
    await writeFile(join(folder, "program.py"), program);
    const accepted = "Success: no issues found in";
    expect(await mypy("-p", "billow")).toContain(accepted);
    expect(await mypy("app.py")).toContain(accepted);
    expect(await mypy("webhooks.py")).toContain(accepted);
    const faults = (await mypy("program.py"))
      .split("\n")
      .flatMap((line) => /^program\.py:(\d+): error/.exec(line)?.[1] ?? []);
    expect([...new Set(faults)]).toEqual(["5", "6", "7"]);
  });
});

describe("the wheel", () => {
  test("is handed out under a name of its content, and runs as it was handed out", async () => {
    const url = (await (await fetch(`${given.url}/client/python`)).text()).trimEnd();
    const response = await fetch(url);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const bytes = new Uint8Array(await response.arrayBuffer());
    const project = await readFile(join(ROOT, "clients/python/pyproject.toml"), "utf8");
    const [, version = ""] = /^version = "(.*)"$/m.exec(project)!;
    const name = `billow-${version}-py3-none-any.whl`;
    expect(url).toBe(`${given.url}/client/python/${hash("sha256", bytes).slice(0, 16)}/${name}`);
    const folder = await mkdtemp(join(tmpdir(), "billow-wheel-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const wheel = join(folder, name);
    await writeFile(wheel, bytes);
    const found = await runPython<Record<string, unknown>>(
      `
import base64, csv, hashlib, io, zipfile, importlib.metadata as metadata
import billow
archive = zipfile.ZipFile(given["wheel"])
rows = list(csv.reader(io.StringIO(archive.read(f"billow-{given['version']}.dist-info/RECORD").decode())))
def recorded(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
    return ["sha256=" + digest.rstrip("="), str(len(data))]
wrong = [name for name, *rest in rows if rest != ["", ""] and rest != recorded(archive.read(name))]
found = metadata.metadata("billow")
names = [sorted(archive.namelist()) == sorted(row[0] for row in rows)]
print(json.dumps({"bad": archive.testzip(), "wrong": wrong, "names": names,
    "from": billow.__file__.startswith(given["wheel"]), "version": [found["Version"], billow.__version__],
    "requires": found.get_all("Requires-Dist"), "typed": "billow/py.typed" in archive.namelist(),
    "licence": "MIT License" in archive.read(f"billow-{given['version']}.dist-info/licenses/LICENSE").decode()}))
`,
      { wheel, version },
      [wheel, join(ROOT, "test/clients/vendor")].join(delimiter),
    );
    expect(found).toEqual({
      bad: null,
      wrong: [],
      names: [true],
      from: true,
      version: [version, version],
      requires: ["httpx>=0.23", "standardwebhooks>=1.1"],
      typed: true,
      licence: true,
    });
  });

  test("of an earlier server answers with the command to update", async () => {
    const url = (await (await fetch(`${given.url}/client/python`)).text()).trimEnd();
    const old = await fetch(`${given.url}/client/python/0123456789abcdef/billow-0.0.9-py3-none-any.whl`);
    const detail = `This server has another client. Run: pip install ${url}`;
    expect([old.status, await old.json()]).toEqual([410, expect.objectContaining({ code: "client_replaced", detail })]);
  });
});
