/**
 * How much of what answers a question about earlier conversations is in the context that a turn would be given: dialogues
 * in four languages are imported over HTTP, and memoryContext is asked each question. Beside it BM25 over single
 * messages within the same budget.
 *
 *   npm run bench -- recall [--misses]
 *
 * On the embedded database, or on DATABASE_URL (an empty database). `--misses` lists what was not found.
 */
import { O200kTokenizer } from '@palabre/llm-client';

import { baselineOf } from './baseline.js';
import { readDialogues, readQuestions } from './dialogues.js';
import { evidenceRecall } from './evidence.js';
import { startInstallation } from './installation.js';
import { readMembers } from '../memories/members.js';

const BUDGET_TOKENS = 2000;
const showsMisses = process.argv.includes('--misses');

const tokenizer = new O200kTokenizer();
const dialogues = await readDialogues();
const questions = await readQuestions(dialogues);
const installation = await startInstallation();

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];
}

/** Everything in one member's history, and asked outside of it, as somebody does who comes back after years. */
async function askAll(member) {
  const asked = [];
  for (const question of questions) {
    const began = performance.now();
    const { text, tokens } = await member.contextOf(question.text);
    asked.push({ question, context: text, tokens, ms: performance.now() - began });
  }
  return asked;
}

/** One member a dialogue, asked in the conversation itself, whose last twenty messages the model is shown anyway. */
async function askInEach() {
  const asked = [];
  for (const dialogue of dialogues) {
    const member = await installation.member(dialogue.name);
    const id = await member.bringIn(dialogue);
    for (const question of questions.filter((each) => each.dialogue === dialogue)) {
      const { text } = await member.contextOf(question.text, id);
      const shown = dialogue.messages.slice(-20).map((message) => message.text);
      asked.push({ question, context: [text, ...shown].join('\n') });
    }
  }
  return asked;
}

const groups = [
  ...['single-hop', 'multi-hop', 'temporal', 'dated', 'open-domain'].map((kind) => [
    kind,
    (question) => question.kind === kind,
  ]),
  ...['en', 'fr', 'es', 'zh-Hant'].map((language) => [
    language,
    (question) => question.dialogue.language === language,
  ]),
  ['all', () => true],
];
function recallOf(asked) {
  return groups.map(([, isOf]) => {
    const own = asked.filter(({ question }) => isOf(question));
    return mean(own.map(({ question, context }) => evidenceRecall(question.gold, context))).toFixed(3);
  });
}

try {
  const member = await installation.member('everything');
  const began = performance.now();
  for (const dialogue of dialogues) await member.bringIn(dialogue);
  const importMs = performance.now() - began;
  const messages = dialogues.flatMap((dialogue) => dialogue.messages);
  const baseline = baselineOf(messages, tokenizer);

  // The tables of the tokenizer are read when the first context is counted.
  await member.contextOf('Hello');
  const recalled = await askAll(member);
  for (const { notes } of await readMembers())
    for (const { label: _, ...note } of notes) await member.note(note);
  const besideNotes = await askAll(member);
  const inEach = await askInEach();
  const simple = questions.map((question) => ({ question, context: baseline(question.text, BUDGET_TOKENS) }));

  const all = tokenizer.count(messages.map(({ author, text }) => `${author}: ${text}`).join('\n'));
  console.log(
    `${dialogues.length} dialogues, ${messages.length} messages, ${all} tokens; ${questions.length} questions`,
  );
  console.log(`Evidence recall within ${BUDGET_TOKENS} tokens, ${installation.database} database`);
  const [ours, noted, own, theirs] = [recalled, besideNotes, inEach, simple].map(recallOf);
  console.table(
    Object.fromEntries(
      groups.map(([name, isOf], index) => [
        name,
        {
          questions: questions.filter(isOf).length,
          'BM25, single messages': theirs[index],
          'recall, all dialogues': ours[index],
          'the same, with 142 notes': noted[index],
          'one dialogue, with its last 20 messages': own[index],
        },
      ]),
    ),
  );
  const times = recalled.map(({ ms }) => ms);
  console.log(
    `Import: ${Math.round(importMs)} ms in all. A context by HTTP, not cached: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms.`,
  );
  if (showsMisses) {
    for (const { question, context } of recalled) {
      const missed = question.gold.filter((message) => evidenceRecall([message], context) === 0);
      if (missed.length > 0)
        console.log(`${question.kind}: ${question.text} — ${missed.map(({ label }) => label).join(', ')}`);
    }
  }
} finally {
  await installation.close();
}
