import { loadModule, parseSync, type Node } from "libpg-query";

await loadModule();

/** The statements of a text, as PostgreSQL's own parser reads them. @throws if the parser refuses the text */
export function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).map(({ stmt }) => stmt!);
}

/** The text of a name or of a string; empty for any other node. */
export const textOf = (node: Node | undefined) => (node && "String" in node ? (node.String.sval ?? "") : "");
/** True for a parameter or a literal, also with a cast. */
export const isConstant = (node: Node | undefined): boolean =>
  node !== undefined && ("TypeCast" in node ? isConstant(node.TypeCast.arg) : "ParamRef" in node || "A_Const" in node);
/** The values of a row. One value is a row of its own. */
export const rowOf = (node: Node | undefined): Node[] =>
  node === undefined ? [] : "RowExpr" in node ? (node.RowExpr.args ?? []) : [node];

/** Every node of these kinds at or below `tree`. The search does not go below a node that it found. */
export function* within(tree: unknown, ...kinds: string[]): Generator<Node> {
  if (Array.isArray(tree)) for (const each of tree) yield* within(each, ...kinds);
  else if (typeof tree === "object" && tree !== null) {
    for (const [kind, child] of Object.entries(tree)) {
      if (kinds.includes(kind)) yield tree as Node;
      else yield* within(child, ...kinds);
    }
  }
}

/** The tables that a text inserts into, updates or deletes from, at any depth. */
export function writtenIn(text: string): string[] {
  const tables: string[] = [];
  const walk = (tree: unknown): void => {
    if (typeof tree !== "object" || tree === null) return;
    for (const [kind, child] of Object.entries(tree)) {
      if (/^(Insert|Update|Delete)Stmt$/.test(kind)) tables.push(child.relation.relname);
      walk(child);
    }
  };
  walk(parse(text));
  return tables;
}
