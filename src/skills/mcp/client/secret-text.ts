import { echoOf, type SecretEcho } from '../../http/answer/secret-echo.js';

/** Shorter ones are found in ordinary words, and a process is given many settings. */
const LEAST_CHARACTERS = 8;

/** Takes out of what a server says the values that it is given. */
export const serverEcho = (values: readonly string[]): SecretEcho => echoOf(values, LEAST_CHARACTERS);

/** Secrets that an address carries in its question mark part, or as a long piece of its path. */
export const secretsOfUrl = (url: URL): string[] => [
  ...url.searchParams.values(),
  ...url.pathname.split('/').filter((part) => part.length >= 20 && /\d/.test(part)),
];
