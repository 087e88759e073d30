import { literalPattern } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

const HIDDEN = '•••';
/** A shorter text is part of too many others. */
const MIN_SECRET_CHARACTERS = 4;

/** Takes secrets out of what comes back: services echo what they were sent. */
export interface SecretEcho {
  text(text: string): string;
  /** Texts and names inside what is JSON, too. */
  value<T>(value: T): T;
}

/** `least`: what is shorter is not looked for. */
export function echoOf(secrets: readonly string[], least = MIN_SECRET_CHARACTERS): SecretEcho {
  const forms = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= least)
    .toSorted((a, b) => b.length - a.length);
  // Nearly all texts of a long answer hold none of them, which one look tells.
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

/** As it was sent, without its scheme, decoded, and as it reads inside an address or JSON. */
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

/** Shorter ones are found in ordinary words, and a process is given many settings. */
const MIN_SERVER_SECRET_CHARACTERS = 8;

/** Takes out of what a server says the values that it is given. */
export function serverEcho(values: readonly string[]): SecretEcho {
  return echoOf(values, MIN_SERVER_SECRET_CHARACTERS);
}

/** Secrets that an address carries in its question mark part, or as a long piece of its path. */
export function secretsOfUrl(url: URL): string[] {
  return [
    ...url.searchParams.values(),
    ...url.pathname.split('/').filter((part) => part.length >= 20 && /\d/.test(part)),
  ];
}
