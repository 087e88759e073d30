import { randomUUID } from 'node:crypto';

/**
 * What the mock provider is asked, as the text of the user's message: it needs no settings of its own, so that one
 * of them serves turns of every kind at the same time.
 *
 * @typedef {object} Question
 * @property {string} id Names the turn in the mock's notes.
 * @property {number} tokens How many tokens the answer has.
 * @property {number} tokensPerSecond 0: flat out.
 * @property {boolean} silent The answer begins and says nothing, until somebody hangs up.
 * @property {boolean} noted The mock tells what happens to the sockets of this turn.
 */

/** @param {Partial<Question>} wishes @returns {Question} */
export function question(wishes = {}) {
  return {
    id: randomUUID(),
    tokens: 200,
    tokensPerSecond: 0,
    silent: false,
    noted: false,
    ...wishes,
  };
}

/** @param {Question} question */
export function asText(question) {
  return JSON.stringify(question);
}

/** Whether a text was made by `asText`. @param {string} text */
export function isQuestion(text) {
  return text.startsWith('{"id":"');
}

/** @param {string} text @returns {Question} */
export function fromText(text) {
  return JSON.parse(text);
}

/** Milliseconds by a clock that all processes of a machine share. */
export function nowMs() {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** A token is a word and a blank; the word of a paced one is the time at which it was sent. */
export function sentToken() {
  return `${nowMs().toFixed(3)} `;
}

/** @param {string} text @returns {string[]} */
export function wordsIn(text) {
  return text.trimEnd().split(' ');
}
