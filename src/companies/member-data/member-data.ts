import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../common/json.js';
import type { Transaction } from '../../database/transaction.js';

export interface MemberAddress {
  companyId: string;
  id: string;
}

/** Some of a member's data, as a person or another system may read them. */
export interface ExportPage {
  items: JsonObject[];
  /** What to ask with for what comes after them; null: that was all. */
  next: string | null;
}

/** Gives what comes after `after`, which was an earlier page's `next`; null: the beginning. */
export type ReadPage = (tx: Transaction, memberId: string, after: string | null) => Promise<ExportPage>;
type Clear = (member: MemberAddress, signal: AbortSignal) => Promise<void>;
type Leave = (tx: Transaction, memberId: string) => Promise<void>;

/** Pages of an export are of so many, so that none takes long. */
export const EXPORT_PAGE = 500;

/** The way up to those who keep data of members: what they give of them, and what they erase. */
@Injectable()
export class MemberData {
  readonly parts: { name: string; read: ReadPage }[] = [];
  readonly clearances: Clear[] = [];
  readonly leavings: Leave[] = [];

  /** `name` is that of the part in an export, such as `memories`. */
  onExport(name: string, read: ReadPage): void {
    this.parts.push({ name, read });
  }

  /**
   * Has `clear` remove what takes longer than a transaction may, while the member is still there. It may be called
   * again, and stops as soon as the signal is aborted.
   */
  onClearance(clear: Clear): void {
    this.clearances.push(clear);
  }

  /**
   * Has `leave` take the member out of what stays, or remove what no foreign key does, in the transaction that removes
   * the member. What it rejects with fails that, and all is tried again later.
   */
  onLeaving(leave: Leave): void {
    this.leavings.push(leave);
  }
}

/** A page of rows that were read by their ids, at most `limit` of them. */
export const pageById = <Row extends { id: string }>(
  rows: readonly Row[],
  toItem: (row: Row) => JsonObject,
): ExportPage => ({
  items: rows.map(toItem),
  next: rows.length < EXPORT_PAGE ? null : (rows.at(-1)?.id ?? null),
});
