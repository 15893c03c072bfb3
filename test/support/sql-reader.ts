import type {
  CommonTableExpr,
  DeleteStmt,
  FuncCall,
  InsertStmt,
  JoinExpr,
  Node,
  RangeFunction,
  SelectStmt,
  SubLink,
  UpdateStmt,
  WithClause,
} from "libpg-query";
import {
  columnIn,
  newTie,
  queried,
  rootOf,
  tieAt,
  unite,
  type Column,
  type Scope,
  type Source,
  type Tie,
  type Way,
} from "./sql-ties.ts";
import { isConstant, rowOf, textOf, within } from "./sql-tree.ts";

/**
 * The column of a table that holds the Organization's key; null: the table belongs to no Organization. @throws for an
 * unknown table
 */
export type KeyOf = (table: string) => string | null;

/**
 * The joins of a statement's tables by the keys of their Organizations. `one`: each table is joined to one parameter,
 * within its own subquery. `apart`: tables that are joined to the parameter only by a column of a subquery or a CTE.
 * `joined`: the tables are joined only to each other. `loose`: the listed tables are not joined. `given`: each table is
 * joined to rows that the parameters hold, so the statement reads only the Organizations of these rows. `tables`: their
 * number.
 */
export type Reading =
  | { tied: "one"; apart: string[] }
  | { tied: "none" }
  | { tied: "joined"; given: boolean; tables: number }
  | { tied: "loose"; loose: string[] };

/** Reads one statement. An unknown part is an error and never skipped. */
class Reader {
  readonly #keyOf: KeyOf;
  readonly #parameters = new Map<number, Tie>();
  readonly #tables: { name: string; tie: Tie }[] = [];
  /** Columns of rows that parameters hold. */
  readonly #given: Tie[] = [];
  readonly #scopes: Scope[] = [];

  constructor(keyOf: KeyOf) {
    this.#keyOf = keyOf;
  }

  read(statement: Node): Reading {
    this.#query(statement, null, new Map());
    if (this.#tables.length === 0) return { tied: "none" };
    const isOne = (tie: Tie, way: Way) =>
      [...this.#parameters.values()].some((each) => rootOf(each, way) === rootOf(tie, way));
    const named = (some: { name: string }[]) => some.map(({ name }) => name);
    const first = rootOf(this.#tables[0]!.tie, "outside");
    if (this.#tables.some(({ tie }) => isOne(tie, "outside"))) {
      const loose = this.#tables.filter(({ tie }) => !isOne(tie, "inside"));
      if (loose.length > 0) return { tied: "loose", loose: named(loose) };
      return { tied: "one", apart: named(this.#tables.filter(({ tie }) => !isOne(tie, "beside"))) };
    }
    if (this.#tables.every(({ tie }) => this.#isGiven(tie)) && this.#scopes.every((scope) => this.#isTogether(scope))) {
      return { tied: "joined", given: true, tables: this.#tables.length };
    }
    const loose = this.#tables.filter(({ tie }) => rootOf(tie, "outside") !== first);
    if (loose.length > 0) return { tied: "loose", loose: named(this.#tables) };
    return { tied: "joined", given: false, tables: this.#tables.length };
  }

  #isGiven(tie: Tie): boolean {
    return this.#given.some((each) => rootOf(each, "outside") === rootOf(tie, "outside"));
  }

  /**
   * True if all tables and queries of a FROM share one key. It is not enough that two tables are tied to given rows:
   * these can be two different rows.
   */
  #isTogether({ sources }: Scope): boolean {
    const [first, ...others] = sources
      .filter((each) => !each.keyless)
      .map((each) => each.ties().map((tie) => rootOf(tie, "outside")));
    return (
      first === undefined || first.some((root) => this.#isGiven(root) && others.every((roots) => roots.includes(root)))
    );
  }

  #newScope(sources: Source[], around: Scope | null, named: Scope["named"]): Scope {
    const scope = { sources, around, named };
    this.#scopes.push(scope);
    return scope;
  }

  /** The columns of a query's result. */
  #query(node: Node, around: Scope | null, named: ReadonlyMap<string, Column[]>, recursive?: string): Column[] {
    if ("SelectStmt" in node) return this.#select(node.SelectStmt, around, named, recursive);
    if ("InsertStmt" in node) return this.#insert(node.InsertStmt, around, named);
    if ("UpdateStmt" in node) return this.#change(node.UpdateStmt, node.UpdateStmt.fromClause, around, named);
    if ("DeleteStmt" in node) return this.#change(node.DeleteStmt, node.DeleteStmt.usingClause, around, named);
    throw new Error(`a statement of a kind that is not known: ${Object.keys(node).join()}`);
  }

  #with(
    clause: WithClause | undefined,
    around: Scope | null,
    outer: ReadonlyMap<string, Column[]>,
  ): ReadonlyMap<string, Column[]> {
    const named = new Map(outer);
    for (const each of clause?.ctes ?? []) {
      const { ctename = "", ctequery, aliascolnames } = (each as { CommonTableExpr: CommonTableExpr }).CommonTableExpr;
      const columns = this.#query(ctequery!, around, named, clause!.recursive ? ctename : undefined);
      const renamed = aliascolnames?.map((name, n) => ({ name: textOf(name), tie: tieAt(columns, n) }));
      named.set(ctename, renamed ?? columns);
    }
    return named;
  }

  #select(
    select: SelectStmt,
    around: Scope | null,
    outer: ReadonlyMap<string, Column[]>,
    recursive?: string,
  ): Column[] {
    const named = this.#with(select.withClause, around, outer);
    const scope = this.#newScope([], around, named);
    const { targetList, distinctClause, valuesLists, groupClause, havingClause, windowClause, sortClause } = select;
    const limits = [select.limitCount, select.limitOffset];
    const rest = [targetList, distinctClause, valuesLists, groupClause, havingClause, windowClause, sortClause, limits];
    if (select.op !== undefined && select.op !== "SETOP_NONE") {
      this.#subqueries(rest, scope);
      const first = this.#select(select.larg!, around, named);
      const second = this.#select(
        select.rarg!,
        around,
        recursive === undefined ? named : new Map(named).set(recursive, first),
      );
      return this.#union(first, second);
    }
    for (const item of select.fromClause ?? []) this.#from(item, scope);
    this.#conditions(select.whereClause, scope);
    this.#subqueries(rest, scope);
    return this.#columns(targetList, scope);
  }

  #union(first: Column[], second: Column[]): Column[] {
    if (![...first, ...second].every((column) => "star" in column)) {
      return first.map((column, n) => ({
        name: "name" in column ? column.name : "",
        tie: this.#both(tieAt(first, n), tieAt(second, n)),
      }));
    }
    const column = (name: string) => this.#both(columnIn(first, name), columnIn(second, name));
    return [{ star: [{ name: "", column, ties: () => [] }] }];
  }

  /** A column of a UNION: it has the tie that both queries share, or a new given one if both are given. */
  #both(one: Tie | null, other: Tie | null): Tie | null {
    if (!one || !other) return null;
    if (rootOf(one, "inside") === rootOf(other, "inside")) return one;
    return this.#isGiven(one) && this.#isGiven(other) ? this.#newGiven() : null;
  }

  #newGiven(): Tie {
    const tie = newTie();
    this.#given.push(tie);
    return tie;
  }

  #insert(insert: InsertStmt, around: Scope | null, outer: ReadonlyMap<string, Column[]>): Column[] {
    const named = this.#with(insert.withClause, around, outer);
    const target = this.#table(insert.relation!.relname!, insert.relation!.alias?.aliasname);
    const scope = this.#newScope([target], around, named);
    const key = this.#keyOf(insert.relation!.relname!);
    const at = (insert.cols ?? []).findIndex((column) => "ResTarget" in column && column.ResTarget.name === key);
    const select = (insert.selectStmt as { SelectStmt: SelectStmt }).SelectStmt;
    const columns = this.#select(select, around, named);
    const values = (select.valuesLists ?? []).map((list) => ("List" in list ? (list.List.items ?? []) : []));
    if (key !== null && at >= 0) {
      const ties = values.length > 0 ? values.map((row) => this.#tieOf(row[at], scope)[0]) : [tieAt(columns, at)];
      for (const tie of ties) unite(target.column(key), tie, "beside", "inside", "outside");
    }
    this.#subqueries([insert.onConflictClause, insert.returningClause], scope);
    return this.#columns(insert.returningClause?.exprs, scope);
  }

  #change(
    change: UpdateStmt | DeleteStmt,
    from: Node[] | undefined,
    around: Scope | null,
    outer: ReadonlyMap<string, Column[]>,
  ): Column[] {
    const named = this.#with(change.withClause, around, outer);
    const scope = this.#newScope(
      [this.#table(change.relation!.relname!, change.relation!.alias?.aliasname)],
      around,
      named,
    );
    for (const item of from ?? []) this.#from(item, scope);
    this.#conditions(change.whereClause, scope);
    this.#subqueries(["targetList" in change ? change.targetList : null, change.returningClause], scope);
    return this.#columns(change.returningClause?.exprs, scope);
  }

  #table(name: string, alias = name): Source {
    const key = this.#keyOf(name);
    const tie = newTie();
    if (key !== null) this.#tables.push({ name, tie });
    return { name: alias, column: (column) => (column === key ? tie : null), ties: () => [tie], keyless: key === null };
  }

  /** Adds the sources of an item of a FROM. A LATERAL item sees the items before it. */
  #from(item: Node, scope: Scope): void {
    if ("JoinExpr" in item) return this.#join(item.JoinExpr, scope);
    if ("RangeVar" in item) {
      const { relname = "", alias } = item.RangeVar;
      const columns = scope.named.get(relname);
      const name = alias?.aliasname ?? relname;
      scope.sources.push(columns ? queried(name, columns) : this.#table(relname, name));
    } else if ("RangeSubselect" in item) {
      const columns = this.#query(item.RangeSubselect.subquery!, scope, scope.named);
      scope.sources.push(queried(item.RangeSubselect.alias!.aliasname!, columns));
    } else if ("RangeFunction" in item) {
      this.#subqueries(item.RangeFunction.functions, scope);
      scope.sources.push(this.#function(item.RangeFunction));
    } else throw new Error(`a FROM of a kind that is not known: ${Object.keys(item).join()}`);
  }

  /** Rows that a function makes. They are given if all arguments are parameters or constants. */
  #function({ functions = [], alias, coldeflist = [] }: RangeFunction): Source {
    const calls = [...within(functions, "FuncCall")].map((each) => (each as { FuncCall: FuncCall }).FuncCall);
    const isGiven = calls.length > 0 && calls.every(({ args = [] }) => args.every(isConstant));
    const tie = () => (isGiven ? this.#newGiven() : newTie());
    const defined = coldeflist.map((each) => ("ColumnDef" in each ? each.ColumnDef.colname! : ""));
    const names = [...(alias?.colnames ?? []).map(textOf), ...defined];
    const columns = new Map(names.map((name) => [name, tie()]));
    // The columns of a record are those of the table that the call names.
    const isRecord = calls.some(({ funcname }) => textOf(funcname?.at(-1)) === "json_populate_recordset");
    const column = (name: string) => {
      if (isRecord && !columns.has(name)) columns.set(name, tie());
      return columns.get(name) ?? null;
    };
    return { name: alias?.aliasname ?? "", column, ties: () => [...columns.values()], keyless: true };
  }

  #join({ larg, rarg, quals, usingClause, isNatural }: JoinExpr, scope: Scope): void {
    if (isNatural) throw new Error("NATURAL JOIN is not known");
    const before = scope.sources.length;
    this.#from(larg!, scope);
    const between = scope.sources.length;
    this.#from(rarg!, scope);
    for (const name of (usingClause ?? []).map(textOf)) {
      const tieIn = (some: Source[]) => some.map((each) => each.column(name)).find((tie) => tie !== null) ?? null;
      unite(
        tieIn(scope.sources.slice(before, between)),
        tieIn(scope.sources.slice(between)),
        "beside",
        "inside",
        "outside",
      );
    }
    this.#conditions(quals, scope);
  }

  /** Ties values that must be equal. Values under an OR or a NOT need not be equal. */
  #conditions(condition: Node | undefined, scope: Scope): void {
    if (condition === undefined) return;
    if ("BoolExpr" in condition && condition.BoolExpr.boolop === "AND_EXPR") {
      for (const each of condition.BoolExpr.args ?? []) this.#conditions(each, scope);
    } else if (
      "A_Expr" in condition &&
      condition.A_Expr.kind === "AEXPR_OP" &&
      textOf(condition.A_Expr.name?.[0]) === "="
    ) {
      const [left, right] = [rowOf(condition.A_Expr.lexpr), rowOf(condition.A_Expr.rexpr)];
      left.forEach((each, n) => this.#equal(this.#tieOf(each, scope), this.#tieOf(right[n], scope)));
      this.#subqueries([left, right], scope);
    } else if (
      "A_Expr" in condition &&
      condition.A_Expr.kind === "AEXPR_OP_ANY" &&
      isConstant(condition.A_Expr.rexpr)
    ) {
      const { name, lexpr } = condition.A_Expr;
      if (textOf(name?.[0]) === "=") this.#equal(this.#tieOf(lexpr, scope), [this.#newGiven(), false]);
      this.#subqueries(lexpr, scope);
    } else if (
      "SubLink" in condition &&
      condition.SubLink.subLinkType === "ANY_SUBLINK" &&
      !condition.SubLink.operName
    ) {
      const columns = this.#subquery(condition.SubLink, scope);
      rowOf(condition.SubLink.testexpr).forEach((each, n) =>
        this.#equal(this.#tieOf(each, scope), [tieAt(columns, n), false]),
      );
    } else this.#subqueries(condition, scope);
  }

  #equal([one, isAround]: [Tie | null, boolean], [other, isAroundToo]: [Tie | null, boolean]): void {
    unite(one, other, "outside", ...(isAround || isAroundToo ? [] : (["beside", "inside"] as const)));
  }

  #subquery(link: SubLink, scope: Scope): Column[] {
    return this.#query(link.subselect!, scope, scope.named);
  }

  #subqueries(tree: unknown, scope: Scope): void {
    for (const link of within(tree, "SubLink")) {
      const { SubLink: found } = link as { SubLink: SubLink };
      this.#subqueries(found.testexpr, scope);
      this.#subquery(found, scope);
    }
  }

  #columns(targets: Node[] | undefined, scope: Scope): Column[] {
    return (targets ?? []).map((target) => {
      const { name, val } = (target as { ResTarget: { name?: string; val?: Node } }).ResTarget;
      const fields = val && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
      if (fields.some((field) => "A_Star" in field)) {
        return { star: scope.sources.filter((each) => fields.length === 1 || each.name === textOf(fields[0])) };
      }
      return { name: name ?? textOf(fields.at(-1)), tie: this.#tieOf(val, scope)[0] };
    });
  }

  /** The tie of a value. The second part is true if the value is a column of the enclosing query. */
  #tieOf(value: Node | undefined, scope: Scope): [Tie | null, boolean] {
    if (value && "TypeCast" in value) return this.#tieOf(value.TypeCast.arg, scope);
    if (value && "ParamRef" in value) {
      const number = value.ParamRef.number!;
      if (!this.#parameters.has(number)) this.#parameters.set(number, newTie());
      return [this.#parameters.get(number)!, false];
    }
    if (!value || !("ColumnRef" in value)) return [null, false];
    const fields = (value.ColumnRef.fields ?? []).map(textOf);
    for (let [at, isAround]: [Scope | null, boolean] = [scope, false]; at; [at, isAround] = [at.around, true]) {
      const sources = fields.length === 1 ? at.sources : at.sources.filter(({ name }) => name === fields[0]);
      const tie = sources.map((each) => each.column(fields.at(-1)!)).find((each) => each !== null);
      if (tie) return [tie, isAround];
      if (fields.length > 1 && sources.length > 0) break;
    }
    return [null, false];
  }
}

/** Reads how a statement ties its tables together. @throws if it has an unknown part, which could hide a table */
export function readTies(statement: Node, keyOf: KeyOf): Reading {
  return new Reader(keyOf).read(statement);
}
