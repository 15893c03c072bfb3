import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApiDocument } from "../src/http/openapi-document.ts";
import { inputLine, pythonSchemas } from "./python-schemas.ts";

const ROOT = join(import.meta.dirname, "..");
export const MODELS = "clients/python/billow/models.py";
const REQUIREMENTS = join(ROOT, "clients/python/generator.txt");

/** TypedDict: an answer stays as the server sent it, with values that this version does not know. */
const OPTIONS =
  "--input-file-type openapi --output-model-type typing.TypedDict --no-use-closed-typed-dict " +
  "--target-python-version 3.11 --use-standard-collections --use-union-operator --enum-field-as-literal all " +
  "--use-schema-description --use-field-description --use-single-line-docstring --disable-timestamp " +
  "--naming-strategy parent-prefixed --formatters builtin";

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit code ${status}\n${stdout}${stderr}`}`);
}

/** The Python of a virtual environment with the generator, which is made once. */
function generatorPython(): string {
  const [pinned = ""] = readFileSync(REQUIREMENTS, "utf8").split("\n");
  const home = join(tmpdir(), `billow-${pinned.replace("==", "-")}`);
  const python = (folder: string) => join(folder, "bin/python");
  if (existsSync(home)) return python(home);
  const fresh = mkdtempSync(join(tmpdir(), "billow-generator-"));
  run("python3", ["-m", "venv", fresh]);
  run(python(fresh), ["-m", "pip", "install", "--quiet", "--no-deps", "--requirement", REQUIREMENTS]);
  renameSync(fresh, home);
  return python(home);
}

/**
 * Writes the models of the Python package anew, if the schemas of the APIs have changed. Only this step needs PyPI.
 * @throws Error if the generator can't be installed
 */
export function writePythonModels(): void {
  const document = (name: string) =>
    JSON.parse(readFileSync(join(ROOT, `docs/api/${name}.openapi.json`), "utf8")) as OpenApiDocument;
  const input = pythonSchemas(document("public"), document("management"));
  const [first] = readFileSync(join(ROOT, MODELS), "utf8").split("\n");
  if (first === inputLine(input)) return;
  const folder = mkdtempSync(join(tmpdir(), "billow-models-"));
  try {
    const [from, to] = [join(folder, "schemas.json"), join(folder, "models.py")];
    writeFileSync(from, input);
    run(generatorPython(), ["-m", "datamodel_code_generator", "--input", from, "--output", to, ...OPTIONS.split(" ")]);
    writeFileSync(join(ROOT, MODELS), `${inputLine(input)}\n${readFileSync(to, "utf8")}`);
    console.log(MODELS);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
