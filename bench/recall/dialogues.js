/** Reads the dialogues and the questions that were written for this benchmark by hand. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { fillerLines, randomOf } from './filler.js';

const FOLDER = path.join(import.meta.dirname, 'dialogues');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Messages of a session that nothing is asked about, which lies between every two sessions. */
const BETWEEN = 10;

/**
 * @typedef {{ role: 'USER' | 'ASSISTANT', author: string, text: string, createdAt: string, label: string | null }} Message
 * @typedef {{ name: string, language: string, messages: Message[] }} Dialogue
 * @typedef {{ dialogue: Dialogue, kind: string, text: string, gold: Message[] }} Question
 */

/** @returns {Promise<Dialogue[]>} */
export async function readDialogues() {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.txt')).toSorted();
  return Promise.all(
    files.map(async (file, index) =>
      dialogueOf(path.basename(file, '.txt'), await readFile(path.join(FOLDER, file), 'utf8'), index + 1),
    ),
  );
}

/** @returns {Promise<Question[]>} */
export async function readQuestions(dialogues) {
  const lines = (await readFile(path.join(import.meta.dirname, 'questions.txt'), 'utf8')).split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => questionOf(line, dialogues));
}

function questionOf(line, dialogues) {
  const [name, kind, labels, text] = line.split('|').map((part) => part.trim());
  const dialogue = dialogues.find((each) => each.name === name);
  const gold = labels.split(',').map((label) => {
    const message = dialogue?.messages.find((each) => each.label === label.trim());
    if (!message) throw new Error(`There is no ${label} in ${name}.`);
    return message;
  });
  return { dialogue, kind, text, gold };
}

function dialogueOf(name, source, seed) {
  const [head, ...sessions] = source.split(/^# /m);
  const facts = Object.fromEntries(
    head
      .trim()
      .split('\n')
      .map((line) => line.split(': ')),
  );
  const { language } = facts;
  const random = randomOf(seed);
  const filler = (count) => fillerLines(language, facts.topics.split('; '), count, random);
  const starts = sessions.map((session) => new Date(`${session.slice(0, 16).replace(' ', 'T')}Z`).getTime());
  const messages = sessions.flatMap((session, index) => {
    const own = sessionOf(session, filler);
    const between =
      index + 1 < starts.length ? momentBetween(starts[index], starts[index + 1], random) : null;
    return [
      ...dated(own, starts[index]),
      ...(between === null ? [] : dated(filler(BETWEEN).map(alternating), between)),
    ];
  });
  const people = facts.people.split(', ');
  return {
    name,
    language,
    messages: messages.map(({ side, ...message }) => ({
      role: side === 0 ? 'USER' : 'ASSISTANT',
      author: people[side],
      ...message,
    })),
  };
}

function alternating(text, index) {
  return { side: index % 2, text, label: null };
}

/** `A: …` and `B: …`, `[label] A: …` for what is asked about, `~6` for six messages of filler. */
function sessionOf(session, filler) {
  return session
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      if (line.startsWith('~')) return filler(Number(line.slice(1))).map(alternating);
      const [, label = null, person, text] = /^(?:\[(.+?)\] )?([AB]): (.+)$/.exec(line) ?? [];
      if (!text) throw new Error(`This is no message: ${line}`);
      return [{ side: person === 'A' ? 0 : 1, text, label }];
    });
}

function dated(messages, start) {
  return messages.map((message, index) => ({
    ...message,
    createdAt: new Date(start + index * MINUTE_MS).toISOString(),
  }));
}

/** Some time of a day between two sessions. */
function momentBetween(first, second, random) {
  return first + DAY_MS + Math.floor((random() * (second - first - 2 * DAY_MS)) / MINUTE_MS) * MINUTE_MS;
}
