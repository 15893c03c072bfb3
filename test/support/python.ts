import { execFile, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { installPackage, isExecutable } from "./programs.ts";
import { ROOT } from "./source.ts";

/** The packages of Debian that the tests of the Python package need. */
const PACKAGES = ["python3", "python3-httpx", "python3-flask", "mypy"];
const HOW =
  "The tests of the Python package need Python 3.11 or newer with httpx, Flask and mypy: " +
  `on Debian and Ubuntu run \`apt-get install ${PACKAGES.join(" ")}\`.`;

/** The package, and the package `standardwebhooks`, which Debian does not have. */
export const PYTHONPATH = [join(ROOT, "clients/python"), join(ROOT, "test/clients/vendor")].join(delimiter);

/** The first Python on the PATH that has all modules. The Python of the system is not always the first one. */
function find(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"];
  const candidates = folders.map((folder) => join(folder, "python3")).filter(isExecutable);
  const imports = "import sys, httpx, flask, mypy; assert sys.version_info >= (3, 11)";
  return candidates.find((python) => spawnSync(python, ["-c", imports]).status === 0);
}

let python: string | undefined;

/** The path of Python. @throws Error that says how to get Python, if there is none. */
export function requirePython(): string {
  python ??= find();
  if (python === undefined) for (const name of PACKAGES) installPackage(name);
  python ??= find();
  if (python === undefined) throw new Error(HOW);
  return python;
}

/** Runs a program with the package, and returns the JSON value that the program prints. `values`: as `given`. */
export async function runPython<Result>(program: string, values: object = {}, path = PYTHONPATH): Promise<Result> {
  const text = `import json, os\ngiven = json.loads(os.environ["GIVEN"])\n${program}`;
  const env = {
    PATH: process.env["PATH"],
    PYTHONPATH: path,
    GIVEN: JSON.stringify(values),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { stdout } = await promisify(execFile)(requirePython(), ["-c", text], { env });
  return JSON.parse(stdout) as Result;
}
