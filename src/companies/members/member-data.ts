import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';

export interface MemberAddress {
  companyId: string;
  id: string;
}

export interface ExportPage {
  /** Written as JSON. */
  items: object[];
  /** The cursor of the next page; null: this is the last. */
  next: string | null;
}

/** Reads the page after the cursor `after`, or the first page. */
export type ReadPage = (tx: Transaction, memberId: string, after: string | null) => Promise<ExportPage>;
type Clear = (member: MemberAddress, signal: AbortSignal) => Promise<void>;

/** Items on a page of an export: few enough that reading one is quick. */
export const EXPORT_PAGE = 500;

/** The registry of features that keep data of members: how to export them, and how to erase them. */
@Injectable()
export class MemberData {
  readonly parts: { name: string; read: ReadPage }[] = [];
  readonly clearances: Clear[] = [];

  /** `name` is the name of the part in an export, such as `memories`. */
  onExport(name: string, read: ReadPage): void {
    this.parts.push({ name, read });
  }

  /**
   * Registers the removal of data that takes longer than one transaction. It runs before the member is deleted, may run
   * again after a failure, and must stop when the signal is aborted.
   */
  onClearance(clear: Clear): void {
    this.clearances.push(clear);
  }
}

/** Makes a page of what rows have under these names. Their ids are the cursor. */
export function pageById<Row extends { id: string }, Name extends keyof Row>(
  rows: readonly Row[],
  names: readonly Name[],
): ExportPage {
  return {
    items: rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
    next: rows.length < EXPORT_PAGE ? null : (rows.at(-1)?.id ?? null),
  };
}
