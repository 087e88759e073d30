import type pg from 'pg';

type Row = Record<string, unknown>;
type Send = (
  text: string,
  values: unknown[],
  rowMode?: 'array',
) => Promise<Pick<pg.QueryResult, 'rows' | 'fields'>>;

interface Read {
  text: string;
  values: unknown[];
  resolve(row: Row | null): void;
  reject(reason: unknown): void;
}

/** The column that comes before those of each read. */
const MARK = '|';

/**
 * Joins reads of at most one row each that are asked for before any answer is awaited. One statement costs the server and
 * this process less than several, even where these share a round trip.
 */
export class JoinedReads {
  private reads: Read[] = [];

  constructor(private readonly send: Send) {}

  /** Resolves to null when there is no row. */
  add(text: string, values: unknown[]): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      if (this.reads.length === 0) queueMicrotask(() => this.flush());
      this.reads.push({ text, values, resolve, reject });
    });
  }

  /** Sends what was asked for. To be called before any other statement is sent, so that the order is kept. */
  flush(): void {
    const { reads } = this;
    this.reads = [];
    if (reads.length > 0) void this.carryOut(reads);
  }

  private async carryOut(reads: readonly Read[]): Promise<void> {
    try {
      const rows = await this.rowsOf(reads);
      for (const [index, { resolve }] of reads.entries()) resolve(rows[index] ?? null);
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  private async rowsOf(reads: readonly Read[]): Promise<(Row | null)[]> {
    const [only, ...others] = reads;
    if (only && others.length === 0) {
      const { rows } = await this.send(only.text, only.values);
      return rows as Row[];
    }
    const { rows, fields } = await this.send(
      joined(reads),
      reads.flatMap(({ values }) => values),
      'array',
    );
    return split(fields, (rows as unknown[][])[0] ?? []);
  }
}

function joined(reads: readonly Read[]): string {
  let before = 0;
  const parts = reads.map(({ text, values }, index) => {
    const shift = before;
    before += values.length;
    const shifted = text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
    return `LEFT JOIN (SELECT true AS "${MARK}", read.* FROM (${shifted}) AS read) AS read_${index} ON true`;
  });
  return `SELECT * FROM (SELECT) AS one ${parts.join(' ')}`;
}

/** The rows of the reads, from the one that holds them all. */
function split(fields: readonly Pick<pg.FieldDef, 'name'>[], values: readonly unknown[]): (Row | null)[] {
  const rows: (Row | null)[] = [];
  for (const [index, { name }] of fields.entries()) {
    const row = rows.at(-1);
    if (name === MARK) rows.push(values[index] === true ? {} : null);
    else if (row) row[name] = values[index];
  }
  return rows;
}
