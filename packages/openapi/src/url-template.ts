import { parseTemplate } from 'url-template';

import type { JsonObject, JsonValue } from '@palabre/json';
import { ArgumentsError } from '@palabre/plugin';

/** A faulty template. The message is for its author. */
export class BadTemplate extends Error {
  override readonly name = 'BadTemplate';
}

/** An address with arguments: RFC 6570 up to level 3, without forms in which an argument could be more than a value. */
interface UrlTemplate {
  /** Scheme, host and port in the form of URLs. */
  origin: string;
  /** The arguments, each once. */
  variables: readonly string[];
  /** Query names with fixed values. */
  fixedQuery: readonly string[];
  /** Throws ArgumentsError for arguments that an address cannot hold. */
  expand(input: JsonObject): URL;
}

const MAX_TEMPLATE_CHARACTERS = 2_000;
const MAX_VALUE_CHARACTERS = 2_000;

/** The host ends before the first variable, at a slash or a query. */
const FORM = /^(https?:\/\/[^\s/?#{}\\@]+)(?:[/?]|\{[/?]|$)/i;
const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLES = /^[./;?&]?[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*$/;

/** Reads a template. Throws BadTemplate. */
export function readTemplate(text: string): UrlTemplate {
  const origin = originOf(text);
  const queryStart = text.includes('?') ? text.indexOf('?') : text.length;
  const expressions = [...text.matchAll(EXPRESSION)].map(({ 1: expression = '', index }) => ({
    expression,
    isInPath: index + 1 < queryStart,
  }));
  for (const { expression, isInPath } of expressions) requireKnown(expression, isInPath);
  if (/[{}]/.test(text.replaceAll(EXPRESSION, '')))
    throw new BadTemplate('A brace of the address has no other.');
  const variables = [...new Set(expressions.flatMap(({ expression }) => namesOf(expression)))];
  const inPath = new Set(
    expressions.flatMap(({ expression, isInPath }) => (isInPath ? namesOf(expression) : [])),
  );
  const template = parseTemplate(text);
  return {
    origin,
    variables,
    fixedQuery: fixedQueryOf(text),
    expand: (input) => {
      const values = variables.map((name) => [name, valueOf(input, name, inPath.has(name))] as const);
      return checkedUrl(template.expand(Object.fromEntries(values)), origin);
    },
  };
}

function originOf(text: string): string {
  if (text.length > MAX_TEMPLATE_CHARACTERS || /[\s#\\]/.test(text) || !text.isWellFormed()) {
    throw new BadTemplate(
      `The address must be at most ${MAX_TEMPLATE_CHARACTERS} characters long, without spaces, # and \\.`,
    );
  }
  const start = FORM.exec(text)?.[1];
  if (start === undefined) {
    throw new BadTemplate(
      'The address must begin with https:// or http:// and a host without variables, such as https://api.example.com/items/{id}.',
    );
  }
  const url = URL.parse(start);
  if (!url) {
    throw new BadTemplate(
      `${start.replace(/^.*\/\//, '')} is not an address: a host is a name or an IP address, and a port is at most 65535.`,
    );
  }
  if (hasDots(pathOf(text.replaceAll(EXPRESSION, 'x'))))
    throw new BadTemplate('The path of the address must not have the parts . and ..');
  return url.origin;
}

function fixedQueryOf(text: string): string[] {
  const search = text.includes('?') ? text.slice(text.indexOf('?') + 1) : '';
  // A placeholder for a value leaves the value empty. One for a query's names removes those.
  const fixed = new URLSearchParams(search.replaceAll(/\{[?&][^{}]*\}?/g, '').replaceAll(EXPRESSION, ''));
  return [...fixed].flatMap(([name, value]) => (value === '' ? [] : name));
}

function requireKnown(expression: string, isInPath: boolean): void {
  if (/^[+#]/.test(expression)) {
    throw new BadTemplate(
      `{${expression}} would let an argument change the address: leave out its first character.`,
    );
  }
  if (isInPath && expression.startsWith('&'))
    throw new BadTemplate(`{${expression}} goes on with a query that has not begun: write ? for &.`);
  if (!VARIABLES.test(expression)) {
    throw new BadTemplate(
      `{${expression}} is not known: variables are names of arguments, such as {id} or {?limit,page}.`,
    );
  }
}

function namesOf(expression: string): string[] {
  return expression.replace(/^[./;?&]/, '').split(',');
}

type UrlValue = string | number | boolean;

/** An argument's text in an address. Null: left out. */
function valueOf(input: JsonObject, name: string, inPath: boolean): UrlValue | UrlValue[] | null {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) {
    if (inPath) throw new ArgumentsError(`The argument ${name} is part of the address: it must be given.`);
    return null;
  }
  const values = Array.isArray(value) ? value : [value];
  for (const one of values) requireFit(name, one, inPath);
  if (values.length === 0 && inPath) throw new ArgumentsError(`The argument ${name} must not be empty.`);
  // An empty list counts as undefined (RFC 6570, 2.3): `tags=` would ask for items without a tag.
  if (values.length === 0) return null;
  return value as UrlValue | UrlValue[];
}

function requireFit(name: string, value: JsonValue, inPath: boolean): void {
  if (typeof value === 'object') {
    throw new ArgumentsError(
      `The argument ${name} is part of the address: it must be a text, number or boolean.`,
    );
  }
  const text = String(value);
  if (text.length > MAX_VALUE_CHARACTERS || !text.isWellFormed() || text.includes('\0')) {
    throw new ArgumentsError(
      `The argument ${name} must be text of at most ${MAX_VALUE_CHARACTERS} characters, as it is part of the address.`,
    );
  }
  if (!inPath) return;
  if (text === '')
    throw new ArgumentsError(`The argument ${name} must not be empty, as it is part of the address.`);
  if (hasDots(unescaped(text)))
    throw new ArgumentsError(`The argument ${name} must not change the path by . or .. in it.`);
}

/** Decodes like a server that unescapes once too often. */
function unescaped(text: string): string {
  return text.replaceAll(/%(?:25)*2e/gi, '.').replaceAll(/%(?:25)*(?:2f|5c)/gi, '/');
}

function hasDots(path: string): boolean {
  return unescaped(path)
    .split(/[/\\]/)
    .some((part) => part === '.' || part === '..');
}

function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? '';
}

/** Checks the expanded address: two harmless arguments side by side may make a harmful path. */
function checkedUrl(text: string, origin: string): URL {
  const url = URL.parse(text);
  if (!url || url.origin !== origin || hasDots(pathOf(text)) || url.hash !== '')
    throw new ArgumentsError('These arguments make an address that must not be called.');
  return url;
}
