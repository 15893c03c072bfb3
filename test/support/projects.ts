/** The folders of the projects `api`, `stories` and `unit`, below `test`. `world` has all other tests. */
export const FOLDERS = {
  api: ["actions", "api", "http", "payments", "store"],
  stories: ["docs", "documents", "emails", "faults", "scenarios", "simulation"],
  unit: ["client", "domain", "exam", "outbound"],
};

type Name = keyof typeof FOLDERS;

/** The project of a test by its path from the root of the repository. */
export function projectOf(path: string): Name | "world" {
  const [top, folder] = path.split("/");
  if (top === "src") return "unit";
  return (Object.keys(FOLDERS) as Name[]).find((name) => FOLDERS[name].includes(folder!)) ?? "world";
}

export const filesOf = (...names: Name[]): string[] =>
  names.flatMap((name) => FOLDERS[name].map((folder) => `test/${folder}/**/*.test.ts`));
