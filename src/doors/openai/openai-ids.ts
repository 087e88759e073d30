import { parseId } from '../../common/ids.js';

/** A response as a part of a turn. */
export interface ResponseAddress {
  turnId: string;
  /** The sequence of the event before it: 0, or where the turn stopped to wait. */
  from: number;
}

const RESPONSE_ID = /^resp_([\da-f]{32})(?:_([1-9]\d{0,8}))?$/;

export function responseId({ turnId, from }: ResponseAddress): string {
  return from === 0 ? prefixed('resp', turnId) : `${prefixed('resp', turnId)}_${from}`;
}

/** Null: not one of our ids. */
export function addressOf(id: string): ResponseAddress | null {
  const [, compact, from = '0'] = RESPONSE_ID.exec(id) ?? [];
  return compact === undefined ? null : { turnId: uuidOf(compact), from: Number(from) };
}

/** An id with its type as prefix, as OpenAI's clients expect: `call_0199…`. */
export function prefixed(prefix: string, id: string): string {
  return `${prefix}_${id.replaceAll('-', '')}`;
}

/** The id after `prefix`. Null: not one of ours. Text after another underscore is ignored. */
export function idBehind(prefix: string, text: string): string | null {
  const [given, compact = ''] = text.split('_');
  return given === prefix && /^[\da-f]{32}$/.test(compact) ? parseId(uuidOf(compact)) : null;
}

function uuidOf(compact: string): string {
  return compact.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
