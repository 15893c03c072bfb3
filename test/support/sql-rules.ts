import type { FuncCall, Node } from "libpg-query";

/**
 * The volatility of a function (`pg_proc.provolatile`). If several functions have this name, the most volatile one
 * counts. Undefined: no function has this name.
 */
export type Steadiness = (name: string) => "immutable" | "stable" | "volatile" | undefined;

/** The surroundings of a part of a statement. */
type Position = { changes?: boolean; chooses?: boolean; returns?: boolean; conflicts?: boolean };

type Parts = Record<string, unknown>;
const isParts = (tree: unknown): tree is Parts => typeof tree === "object" && tree !== null && !Array.isArray(tree);
const part = (tree: unknown, ...path: string[]): unknown =>
  path.reduce((at, name) => (isParts(at) ? at[name] : undefined), tree);

function nameOf({ funcname }: FuncCall): string {
  const last = funcname?.at(-1);
  return last && "String" in last ? (last.String.sval ?? "") : "";
}

/** True for `value AT TIME ZONE …`: the statement names the zone, so no setting decides. */
function isZoned(tree: unknown): boolean {
  const call = part(tree, "FuncCall");
  return call !== undefined && nameOf(call as FuncCall) === "timezone" && (call as FuncCall).args?.length === 2;
}

function isInUtc(tree: unknown): boolean {
  const zone = (part(tree, "FuncCall", "args") as Node[] | undefined)?.[0];
  return isZoned(tree) && part(zone, "A_Const", "sval", "sval") === "UTC";
}

function readsColumn(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(readsColumn);
  if (!isParts(tree) || isZoned(tree)) return false;
  return "ColumnRef" in tree || Object.values(tree).some(readsColumn);
}

const operatorOf = (expression: unknown) =>
  part((part(expression, "name") as Node[] | undefined)?.[0], "String", "sval");

function isInterval(tree: unknown): boolean {
  const names = part(tree, "TypeCast", "typeName", "names");
  if (Array.isArray(names)) return part(names.at(-1), "String", "sval") === "interval";
  const product = part(tree, "A_Expr");
  return operatorOf(product) === "*" && [part(product, "lexpr"), part(product, "rexpr")].some(isInterval);
}

/**
 * True for `an instant + interval`. The interval's days follow the session's zone, so PostgreSQL calls the sum
 * stable, not immutable.
 */
function addsToColumn(expression: unknown): boolean {
  const sides = [part(expression, "lexpr"), part(expression, "rexpr")];
  const isSum = ["+", "-"].includes(String(operatorOf(expression))) && sides.some(isInterval);
  return isSum && sides.some((each) => !isInterval(each) && readsColumn(each));
}

function complainOfCall(
  call: FuncCall,
  { changes, chooses, returns, conflicts }: Position,
  steadiness: Steadiness,
): string[] {
  const name = nameOf(call);
  const steady = isZoned({ FuncCall: call }) ? "immutable" : steadiness(name);
  const found: string[] = [];
  if (steady === undefined) found.push(`${name}() is not known`);
  if (steady === "volatile") found.push(`${name}() is volatile`);
  if (steady === "stable" && returns) found.push(`${name}() in RETURNING`);
  if (steady === "stable" && conflicts) found.push(`${name}() in ON CONFLICT`);
  if (steady === "stable" && changes && chooses) found.push(`${name}() in CASE or COALESCE of a change`);
  if (name === "to_char" && !isInUtc(call.args?.[0])) found.push("to_char() without AT TIME ZONE 'UTC'");
  return found;
}

/**
 * True for `IN (SELECT …)` with a LIMIT or a lock at any depth. PostgreSQL may join such a subquery row by row, and run
 * the subquery for each row.
 */
function isLimitedList(link: unknown): boolean {
  if (part(link, "subLinkType") !== "ANY_SUBLINK") return false;
  const isLimited = (tree: unknown): boolean => {
    if (Array.isArray(tree)) return tree.some(isLimited);
    return isParts(tree) && ("limitCount" in tree || "lockingClause" in tree || Object.values(tree).some(isLimited));
  };
  return isLimited(part(link, "subselect"));
}

/**
 * Complaints about all that a distributed PostgreSQL refuses or gets wrong, except the ties between tables. A change
 * means the values that UPDATE and DELETE set or search for, without their subqueries.
 */
export function complaintsOf(tree: unknown, steadiness: Steadiness, position: Position = {}): string[] {
  if (Array.isArray(tree)) return tree.flatMap((each) => complaintsOf(each, steadiness, position));
  if (!isParts(tree)) return [];
  const isChange = "relation" in tree && ("targetList" in tree || "whereClause" in tree) && !("selectStmt" in tree);
  return Object.entries(tree).flatMap(([kind, child]) => {
    const here: Position = { ...position };
    const found: string[] = [];
    if (kind === "FuncCall") found.push(...complainOfCall(child as FuncCall, position, steadiness));
    if (kind === "SubLink" && position.changes && isLimitedList(child)) found.push("IN of a list with a LIMIT");
    if (kind === "SQLValueFunction") found.push("CURRENT_TIMESTAMP and its like: statement_timestamp()");
    if (kind === "CaseExpr" || kind === "CoalesceExpr") here.chooses = true;
    if (kind === "CaseExpr" && part(child, "arg") !== undefined && !readsColumn(part(child, "arg")))
      found.push("CASE of a parameter");
    if (kind === "CaseExpr" && part(child, "arg") !== undefined && (position.changes || position.returns))
      found.push("CASE of a column in a change");
    if (kind === "A_Expr" && (position.changes || position.conflicts) && addsToColumn(child))
      found.push("an interval added to a column");
    if (kind === "SelectStmt") return [...found, ...complaintsOf(child, steadiness)];
    if (kind === "returningClause") here.returns = true;
    if (kind === "onConflictClause") here.conflicts = true;
    if (isChange && (kind === "targetList" || kind === "whereClause")) here.changes = true;
    return [...found, ...complaintsOf(child, steadiness, here)];
  });
}
