import { DAY_MS } from '../../common/clock.js';

/** One day, in UTC, of a table in partitions by UUIDv7s, which begin with their time. */
export interface PartitionDay {
  /** The partition's: `table_YYYYMMDD`. */
  name: string;
  /** The first id of the day, and the first one after it. */
  from: string;
  to: string;
  /** In milliseconds since 1970. */
  endsAt: number;
}

/** The day that `at` lies in. Throws when `table` cannot go into a statement as it is. */
export const partitionDay = (table: string, at: Date): PartitionDay => {
  const start = startOfDay(at);
  const endsAt = start + DAY_MS;
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return { name: `${identifier(table)}_${day}`, from: firstId(start), to: firstId(endsAt), endsAt };
};

/** The days from that of `from` to the `count`th after it. */
export const partitionDays = (table: string, from: Date, count: number): PartitionDay[] =>
  Array.from({ length: count + 1 }, (_, index) =>
    partitionDay(table, new Date(from.getTime() + index * DAY_MS)),
  );

/** The day of a partition by its name; null for any other name. */
export const partitionDayNamed = (table: string, name: string): PartitionDay | null => {
  const [, year, month, date] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  const start = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (Number.isNaN(start)) return null;
  const day = partitionDay(table, new Date(start));
  return day.name === name ? day : null;
};

/** The first id of the day that `at` lies in: whatever is less is of an earlier day. */
export const firstIdOfDay = (at: Date): string => firstId(startOfDay(at));

/** The first id of the millisecond `at`: whatever is less was given out earlier, as far as clocks agree. */
export const firstIdAt = (at: Date): string => firstId(at.getTime());

/** The name, once it is certain that it can go into a statement as it is. */
export const identifier = (name: string): string => {
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) throw new Error(`"${name}" is not the name of a table or a column.`);
  return name;
};

const startOfDay = (at: Date): number => Math.floor(at.getTime() / DAY_MS) * DAY_MS;

/** The smallest id of that millisecond. */
const firstId = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};
