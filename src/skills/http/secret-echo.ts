import { literalPattern } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

const HIDDEN = '•••';
/** A shorter text occurs in too many others. */
export const MIN_SECRET_CHARACTERS = 4;

/** Removes secrets from answers, because services repeat what they got. */
export interface SecretEcho {
  text(text: string): string;
  /** Includes texts and names in JSON. */
  value<T>(value: T): T;
}

/** `least`: shorter ones are ignored. */
export function echoOf(secrets: readonly string[], least = MIN_SECRET_CHARACTERS): SecretEcho {
  const forms = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= least)
    .toSorted((a, b) => b.length - a.length);
  // A quick check: nearly all texts of a long answer have none of them.
  const anyForm = new RegExp(forms.map(literalPattern).join('|'));
  const text = (text: string): string => {
    if (!anyForm.test(text)) return text;
    let hidden = text;
    for (const form of forms) hidden = hidden.replaceAll(form, HIDDEN);
    return hidden;
  };
  const value = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : HIDDEN;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(valueOf);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [text(name), valueOf(inner)]),
    ) satisfies JsonObject;
  };
  const valueOf = (inner: JsonValue): JsonValue => value(inner);
  return { text, value: <T>(given: T): T => (forms.length === 0 ? given : (value(given as JsonValue) as T)) };
}

/** As sent, without its scheme, decoded, and as it appears inside an address or JSON. */
function formsOf(secret: string): string[] {
  const words = secret.split(/\s+/);
  const decoded = /^basic$/i.test(words[0] ?? '') ? Buffer.from(words[1] ?? '', 'base64').toString() : '';
  const password = decoded.slice(decoded.indexOf(':') + 1);
  return [secret, ...words.slice(1), decoded, password].flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
    new URLSearchParams({ form }).toString().slice('form='.length),
    JSON.stringify(form).slice(1, -1),
    Buffer.from(form).toString('base64'),
  ]);
}

/** Shorter ones occur in ordinary words, and a process gets many settings. */
const MIN_SERVER_SECRET_CHARACTERS = 8;

/** Removes a server's settings from its output. */
export function serverEcho(values: readonly string[]): SecretEcho {
  return echoOf(values, MIN_SERVER_SECRET_CHARACTERS);
}

/** Secrets in an address: its query, and long pieces of its path. */
export function secretsOfUrl(url: URL): string[] {
  return [
    ...url.searchParams.values(),
    ...url.pathname.split('/').filter((part) => part.length >= 20 && /\d/.test(part)),
  ];
}
