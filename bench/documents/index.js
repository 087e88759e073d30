/**
 * How often what answers a question is among the first five places that searchDocuments gives: texts in four languages
 * are uploaded in several forms, all languages together, and questions about them are asked as people ask, with and
 * without typing errors; and some that nothing answers.
 *
 *   npm run bench -- documents [--misses | --many 500]
 *
 * On the embedded database, or on DATABASE_URL (an empty database), by words alone. `--misses` lists what was not found.
 * `--many` uploads so many files of one text each instead, and says how long it takes until all of them can be searched.
 */
import { missingFrom } from '../../dist/documents/search/missing-words.js';
import { random } from '../search/corpus.js';
import { startInstallation } from './installation.js';
import { misspell, readForms, readQuestions } from './library.js';
import { readManyFiles } from './many-files.js';

const showsMisses = process.argv.includes('--misses');
const many = process.argv.indexOf('--many');
function squeezed(text) {
  return text.replaceAll(/\s+/g, ' ');
}
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
/** To how many of those with passages the model is told that these lack half of what is asked about. */
function toldOf(asked) {
  const given = asked.filter(({ found }) => found > 0);
  return `${given.filter(({ isTold }) => isTold).length} of ${given.length}`;
}
function percentile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)];
}

async function askAll(company, questions, spelled) {
  const asked = [];
  for (const { text, question, answer } of questions) {
    const began = performance.now();
    const found = await company.search(spelled(question));
    const ms = performance.now() - began;
    const rank = answer === null ? -1 : found.findIndex(({ text }) => squeezed(text).includes(answer));
    const shown = found.map(({ text, headings }) => [...headings, text].join('\n'));
    const isTold = found.length > 0 && missingFrom(shown, question).length > 0;
    asked.push({ text, question, answer, rank, ms, found: found.length, isTold });
  }
  return asked;
}

function recallOf(asked) {
  return mean(asked.map(({ rank }) => Number(rank >= 0))).toFixed(3);
}
function reciprocalOf(asked) {
  return mean(asked.map(({ rank }) => (rank < 0 ? 0 : 1 / (rank + 1)))).toFixed(3);
}

const installation = await startInstallation();
try {
  if (many >= 0) await measureManyFiles(Number(process.argv[many + 1]));
  else await measureAnswers();
} finally {
  await installation.close();
}

async function measureManyFiles(count) {
  const company = await installation.company();
  const files = readManyFiles(count);
  const cpu = process.cpuUsage();
  const began = performance.now();
  await company.uploadAll(files);
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${count} files of one text each, ${installation.database} database`);
  console.table({
    'all uploaded and found': {
      seconds: Number(((performance.now() - began) / 1000).toFixed(1)),
      'CPU seconds of this process': Number(((user + system) / 1e6).toFixed(1)),
    },
  });
}

async function measureAnswers() {
  const questions = await readQuestions();
  const answered = questions.filter(({ answer }) => answer !== null);
  const others = questions.filter(({ answer }) => answer === null);
  const rows = {};
  const ofTexts = {};
  for (const { form, files } of await readForms()) {
    const company = await installation.company();
    let passages = 0;
    for (const [name, text] of files) passages += await company.upload(name, text);
    const right = await askAll(company, answered, (question) => question);
    const next = random(7);
    const wrong = await askAll(company, answered, (question) => misspell(question, next));
    const nothing = await askAll(company, others, (question) => question);
    rows[form] = {
      files: files.length,
      passages,
      'R@5': recallOf(right),
      MRR: reciprocalOf(right),
      'R@5, misspelled': recallOf(wrong),
      'MRR, misspelled': reciprocalOf(wrong),
      'nothing though there is an answer': `${right.filter(({ found }) => found === 0).length} of ${right.length}`,
      'nothing for nothing': `${nothing.filter(({ found }) => found === 0).length} of ${nothing.length}`,
      'passages for nothing, told what they lack': toldOf(nothing),
      'the same though there is an answer': toldOf(right),
      'p95 by HTTP, ms': percentile(
        right.map(({ ms }) => ms),
        0.95,
      ).toFixed(1),
    };
    for (const [text, own] of Map.groupBy(right, ({ text }) => text)) {
      ofTexts[text] ??= {};
      ofTexts[text][form] = `${recallOf(own)} ${reciprocalOf(own)}`;
    }
    if (showsMisses) {
      const missed = right.filter(({ rank }) => rank < 0);
      console.log(missed.map(({ question }) => `${form}: ${question}`).join('\n'));
    }
  }
  console.log(`${answered.length} questions in four languages, ${installation.database} database`);
  console.table(rows);
  console.log('R@5 and MRR by text');
  console.table(ofTexts);
}
