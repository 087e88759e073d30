/**
 * How often a turn is told the memory that answers its question: three members, in French, English and Spanish, note what
 * people note, by HTTP, and memoryContext is asked questions as people ask them, some of which share no word with their
 * answer. Once by themselves, and once among 200 notes about one project.
 *
 *   npm run bench -- memories [--misses]
 *
 * Half of the questions may be tuned with (`tune`), the other half is to tell what that is worth elsewhere (`held`). On
 * the embedded database, or on DATABASE_URL (an empty database), by words alone. `--misses` lists what was not told.
 */
import { startInstallation } from '../recall/installation.js';
import { readMembers } from './members.js';

const showsMisses = process.argv.includes('--misses');

/** A question about the project in words that no memory has. */
const aboutProject = {
  fr: (project) => `Où en est ${project}, et que dirait aissatou diallo du budget ?`,
  en: (project) => `How far is ${project}, and what would aissatou diallo say of the budget?`,
  es: (project) => `¿Cómo va ${project}, y qué diría aissatou diallo del presupuesto?`,
};

function share(asked, is) {
  return (asked.filter(is).length / Math.max(1, asked.length)).toFixed(3);
}
function mean(values) {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Half of the project's notes are older than the others, and half are newer. */
function among(notes, others) {
  const middle = others.length / 2;
  return [...others.slice(0, middle), ...notes, ...others.slice(middle)];
}

async function askAll(member, { language, questions }, ids) {
  const asked = [];
  for (const { half, label, text } of questions) {
    const { items, tokens } = await member.contextOf(text);
    // Preferences are told whatever is asked.
    const told = items.filter(({ section }) => section !== 'PREFERENCE').map(({ memory }) => memory.id);
    const isTold = told.includes(ids.get(label));
    asked.push({ language, half, text, tokens, isTold, isNothing: told.length === 0 });
  }
  return asked;
}

const installation = await startInstallation();
try {
  const rows = {};
  const misses = [];
  for (const [name, withProject] of [
    ['by themselves', false],
    ['among 200 notes about one project', true],
  ]) {
    const asked = [];
    const projects = [];
    for (const person of await readMembers()) {
      const member = await installation.member(`${person.language} ${name}`);
      const ids = new Map();
      const notes = withProject ? among(person.notes, person.projectNotes) : person.notes;
      for (const { label, ...note } of notes) ids.set(label, await member.note(note));
      asked.push(...(await askAll(member, person, ids)));
      if (!withProject) continue;
      const { items } = await member.contextOf(aboutProject[person.language](person.project));
      projects.push(items.filter(({ section }) => section === 'FACT').length);
    }
    for (const [group, isOf] of [
      ...['fr', 'en', 'es'].map((language) => [language, (each) => each.language === language]),
      ['tune', ({ half }) => half === 'tune'],
      ['held', ({ half }) => half === 'held'],
      ['all', () => true],
    ]) {
      const own = asked.filter(isOf);
      rows[`${name}: ${group}`] = {
        questions: own.length,
        told: share(own, ({ isTold }) => isTold),
        nothing: share(own, ({ isNothing }) => isNothing),
        tokens: mean(own.map(({ tokens }) => tokens)),
      };
    }
    if (withProject) console.log(`Notes told of the project that all are about: ${projects.join(', ')}`);
    misses.push(...asked.filter(({ isTold }) => !isTold).map((each) => ({ name, ...each })));
  }
  console.table(rows);
  if (showsMisses)
    for (const { name, half, text, isNothing } of misses)
      console.log(`${name}, ${half}${isNothing ? ', nothing' : ''}: ${text}`);
} finally {
  await installation.close();
}
