/** The texts, in the forms that people upload them in, and the questions that are asked about them. */
import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('texts/', import.meta.url);

/** By name. */
async function readTexts() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
  return Promise.all(
    names.map(async (name) => [name.slice(0, -3), await readFile(new URL(name, folder), 'utf8')]),
  );
}

/** `answer`: words of the passage that answers; null: nothing does. */
export async function readQuestions() {
  const lines = (await readFile(new URL('questions.txt', import.meta.url), 'utf8')).split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [text, question, answer = null] = line.split(' | ');
      return { text, question, answer };
    });
}

function sectionsOf(markdown) {
  return markdown
    .split(/\n(?=## )/)
    .slice(1)
    .map((section) => {
      const [title, ...lines] = section.trim().split('\n');
      return { title: title.slice(3), body: lines.join(' ').trim() };
    });
}

function quoted(text) {
  return `"${text.replaceAll('"', '""')}"`;
}

/** What each text is uploaded as: files with their names. */
const forms = {
  'one Markdown file': (name, markdown) => [[`${name}.md`, markdown]],
  'a file a section': (name, markdown) =>
    sectionsOf(markdown).map(({ title, body }, at) => [`${name}-${at}.txt`, `${title}\n\n${body}`]),
  'one file of text': (name, markdown) => [
    [
      `${name}.txt`,
      sectionsOf(markdown)
        .map(({ title, body }) => `${title}\n${body}`)
        .join('\n\n'),
    ],
  ],
  'one CSV file': (name, markdown) => [
    [
      `${name}.csv`,
      [
        'title,text',
        ...sectionsOf(markdown).map(({ title, body }) => `${quoted(title)},${quoted(body)}`),
      ].join('\n'),
    ],
  ],
};

/** The files of each form. */
export async function readForms() {
  const texts = await readTexts();
  return Object.entries(forms).map(([form, filesOf]) => ({
    form,
    files: texts.flatMap(([name, markdown]) => filesOf(name, markdown)),
  }));
}

/** A third of the long words lose a letter, or have two the wrong way round; the same each time. */
export function misspell(question, random) {
  return question
    .split(' ')
    .map((word) => {
      if (word.length < 6 || random() > 1 / 3) return word;
      const at = 1 + Math.floor(random() * (word.length - 3));
      const swapped = random() < 0.5 ? '' : word[at + 1] + word[at];
      return word.slice(0, at) + swapped + word.slice(at + (swapped === '' ? 1 : 2));
    })
    .join(' ');
}
