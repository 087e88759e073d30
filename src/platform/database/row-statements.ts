import type { EntityMetadata } from 'typeorm';

interface Statement {
  sql: string;
  values: unknown[];
}

type Stored<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** Some columns of a row, by the names of the entity's properties. */
export type RowPart<E> = { readonly [Name in keyof E]?: Stored<E[Name]> };

/** What rows are looked up by: values of columns, or lists of what they may be. */
export type RowKey<E> = { readonly [Name in keyof E]?: E[Name] | readonly E[Name][] };

interface Cell {
  column: string;
  type: string;
  isList: boolean;
  value: unknown;
}

/** Throws for a property that is no column. */
function cellsOf(metadata: EntityMetadata, part: object): Cell[] {
  return Object.entries(part).map(([name, value]: [string, unknown]) => {
    const column = metadata.findColumnWithPropertyName(name);
    if (!column) throw new Error(`${metadata.tableName} has no column for ${name}.`);
    const type = String(column.type);
    const isJson = type === 'jsonb' && value !== null;
    return {
      column: `"${column.databaseName}"`,
      type,
      isList: Array.isArray(value) && !column.isArray && !isJson,
      value: isJson ? JSON.stringify(value) : value,
    };
  });
}

/** How names in TypeScript are written in SQL. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** The same values under the names of their columns. */
export function asColumns(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [snakeCase(name), value]));
}

/** `end` is what may follow the values, such as ON CONFLICT. */
export function insertion(metadata: EntityMetadata, row: object, end: string): Statement {
  const cells = cellsOf(metadata, row);
  const columns = cells.map(({ column }) => column).join(', ');
  const places = cells.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: `INSERT INTO "${metadata.tableName}" (${columns}) VALUES (${places}) ${end}`,
    values: cells.map(({ value }) => value),
  };
}

/** Adds the row, or gives the one of its primary key these values, and what `also` assigns. */
export function replacement(metadata: EntityMetadata, row: object, also: readonly string[]): Statement {
  const keys = metadata.primaryColumns.map(({ databaseName }) => `"${databaseName}"`);
  const changed = cellsOf(metadata, row).filter(({ column }) => !keys.includes(column));
  const assignments = [...changed.map(({ column }) => `${column} = excluded.${column}`), ...also];
  return insertion(metadata, row, `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`);
}

/** One statement for all rows, which have the same columns, none of them a list. */
export function insertions(metadata: EntityMetadata, rows: readonly object[], end: string): Statement {
  const [first = {}] = rows;
  const cells = cellsOf(metadata, first);
  const columns = cells.map(({ column }) => column).join(', ');
  const lists = cells.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return {
    sql: `INSERT INTO "${metadata.tableName}" (${columns}) SELECT * FROM unnest(${lists}) ${end}`,
    values: Object.keys(first).map((name) =>
      rows.map((row) => cellsOf(metadata, { [name]: row[name as keyof typeof row] })[0]?.value),
    ),
  };
}

export function change(metadata: EntityMetadata, key: object, changes: object): Statement {
  const { sql, values } = conditionOf(metadata, key);
  const cells = cellsOf(metadata, changes);
  const assignments = cells.map(({ column }, index) => `${column} = $${values.length + index + 1}`);
  return {
    sql: `UPDATE "${metadata.tableName}" SET ${assignments.join(', ')} WHERE ${sql}`,
    values: [...values, ...cells.map(({ value }) => value)],
  };
}

export function deletion(metadata: EntityMetadata, key: object): Statement {
  const { sql, values } = conditionOf(metadata, key);
  return { sql: `DELETE FROM "${metadata.tableName}" WHERE ${sql}`, values };
}

/**
 * As it stands after WHERE. Null is compared with IS NULL, a list with ANY. PostgreSQL stores no NUL, and refuses a
 * statement that looks for one.
 */
export function conditionOf(metadata: EntityMetadata, key: object): Statement {
  const values: unknown[] = [];
  const terms = cellsOf(metadata, key).map(({ column, isList, value }) => {
    if (value === null) return `${column} IS NULL`;
    if (typeof value === 'string' && value.includes('\0')) return 'false';
    values.push(value);
    return isList ? `${column} = ANY ($${values.length})` : `${column} = $${values.length}`;
  });
  return { sql: terms.join(' AND '), values };
}
