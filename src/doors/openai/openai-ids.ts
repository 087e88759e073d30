import { parseId } from '../../common/ids.js';

/** Which part of which turn a response is. */
export interface ResponseAddress {
  turnId: string;
  /** The sequence of the event after which it begins: 0, or where the turn stopped to wait for somebody. */
  from: number;
}

const RESPONSE_ID = /^resp_([\da-f]{32})(?:_([1-9]\d{0,8}))?$/;

export function responseId({ turnId, from }: ResponseAddress): string {
  return from === 0 ? prefixed('resp', turnId) : `${prefixed('resp', turnId)}_${from}`;
}

/** Null: it is none of ours. */
export function addressOf(id: string): ResponseAddress | null {
  const [, compact, from = '0'] = RESPONSE_ID.exec(id) ?? [];
  return compact === undefined ? null : { turnId: uuidOf(compact), from: Number(from) };
}

/** An id with what it is the id of, as clients of OpenAI expect: `call_0199…`. */
export function prefixed(prefix: string, id: string): string {
  return `${prefix}_${id.replaceAll('-', '')}`;
}

/** The id behind `prefix`; null: it is none of ours. What follows another underscore is left out. */
export function idBehind(prefix: string, text: string): string | null {
  const [given, compact = ''] = text.split('_');
  return given === prefix && /^[\da-f]{32}$/.test(compact) ? parseId(uuidOf(compact)) : null;
}

function uuidOf(compact: string): string {
  return compact.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
