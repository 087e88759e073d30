/** Reads the members whose memories and questions were written for this benchmark by hand. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { randomOf } from '../recall/filler.js';

const FOLDER = path.join(import.meta.dirname, 'members');

/** Notes about one project, such as somebody makes who works for one client. */
const projectNotes = {
  fr: [
    '{project} : {topic}, à revoir avec {person} avant {day}.',
    '{person} a validé {topic} pour {project}.',
    'Réunion {project} de {day} : on reporte {topic}.',
    '{project} — {topic} : {count} heures facturées.',
  ],
  en: [
    '{project}: {topic}, to be gone through with {person} by {day}.',
    '{person} has signed off {topic} for {project}.',
    'Meeting on {project}, {day}: {topic} put off.',
    '{project}, {topic}: {count} hours invoiced.',
  ],
  es: [
    '{project}: {topic}, por revisar con {person} antes del {day}.',
    '{person} ha dado el visto bueno a {topic} para {project}.',
    'Reunión de {project} del {day}: se aplaza {topic}.',
    '{project}, {topic}: {count} horas facturadas.',
  ],
};
const people = ['Odile', 'Ravi', 'Tomás', 'Wanda', 'Yusuf'];
const days = {
  fr: ['lundi', 'mardi', 'jeudi', 'vendredi'],
  en: ['Monday', 'Tuesday', 'Thursday', 'Friday'],
  es: ['lunes', 'martes', 'jueves', 'viernes'],
};

/**
 * @typedef {{ label: string, kind: string, subject: string, content: string }} Note
 * @typedef {{ half: 'tune' | 'held', label: string, text: string }} Question
 * @typedef {{ language: string, project: string, notes: Note[], projectNotes: Note[], questions: Question[] }} Person
 */

/** @returns {Promise<Person[]>} */
export async function readMembers() {
  const files = (await readdir(FOLDER)).toSorted();
  return Promise.all(files.map(async (file) => memberOf(await readFile(path.join(FOLDER, file), 'utf8'))));
}

function memberOf(source) {
  const lines = source.split('\n').filter((line) => line !== '');
  const read = (pattern) => lines.map((line) => pattern.exec(line)).filter((found) => found !== null);
  const facts = Object.fromEntries(read(/^(\w+): (.+)$/).map(([, name, value]) => [name, value]));
  const { language, project } = facts;
  return {
    language,
    project,
    notes: read(/^\[(\w+)\] (\w+) \| (.+?) \| (.+)$/).map(([, label, kind, subject, content]) => ({
      label,
      kind,
      subject,
      content,
    })),
    projectNotes: notesOf(language, project, facts.topics.split('; ')),
    questions: read(/^(tune|held) \? (\w+) \| (.+)$/).map(([, half, label, text]) => ({ half, label, text })),
  };
}

function notesOf(language, project, topics) {
  const random = randomOf(5);
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  return Array.from({ length: 200 }, (_, index) => {
    const filled = {
      project,
      topic: oneOf(topics),
      person: oneOf(people),
      day: oneOf(days[language]),
      count: String(1 + Math.floor(random() * 9)),
    };
    return {
      label: `project${index}`,
      kind: 'FACT',
      subject: `${project} ${index + 1}`,
      content: oneOf(projectNotes[language]).replaceAll(/\{(\w+)\}/g, (_all, slot) => filled[slot]),
    };
  });
}
