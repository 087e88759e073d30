import type { Transaction } from '../../src/platform/database/transaction.js';

/** How the server would carry out the statement of `look`. */
export async function planOf(tx: Transaction, look: (tx: Transaction) => Promise<unknown>): Promise<string> {
  const lines: { 'QUERY PLAN': string }[] = [];
  const explaining = Object.assign(Object.create(tx) as Transaction, {
    query: async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => {
      lines.push(...(await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values)));
      return [];
    },
  });
  await look(explaining);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}
