import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const QUICK = ['mock', 'bare', 'postgresql'];

function nameOf({ name }) {
  return name;
}

/** What runs unless sections are asked for by name. */
function usual(sections, isQuick) {
  return sections.filter((section) => (isQuick ? section.isQuick : !section.isOnDemand)).map(nameOf);
}

function list(names) {
  return names.join(', ');
}

function usageOf(sections, systems) {
  return `Usage: npm run bench -- stream [OPTIONS]

  --only A,B      these sections alone: ${list(sections.map(nameOf))}
                  (default: all but ${list(sections.filter(({ isOnDemand }) => isOnDemand).map(nameOf))})
  --systems A,B   these systems alone: ${list(systems)}
  --quick         one short round, by default of ${list(usual(sections, true))}: about a minute
  --rounds N      rounds of every section (default: 3)
  --json FILE     write all figures to a file
  --all-skills    have Palabre's models offered all skills that ship, a prompt of 10,000 tokens, and not only the
                  one that every turn calls, as the bare server's are
  --profile       print where the servers' time goes
  --build FOLDER  measure another build than dist

PostgreSQL is measured on the server that TEST_DATABASE_URL names; databases are made there and dropped.`;
}

function names(text, known, option) {
  const asked = text.split(',');
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--${option}: there is no ${unknown.join(', ')}.`);
  return asked;
}

/**
 * Reads the command line; null when it was a question about it, which has been answered.
 *
 * @param {string[]} commandLine @param {import('./runner.js').Section[]} sections @param {string[]} systems
 */
export function readOptions(commandLine, sections, systems) {
  const { values } = parseArgs({
    args: commandLine,
    options: {
      only: { type: 'string' },
      systems: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      json: { type: 'string' },
      'all-skills': { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      build: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usageOf(sections, systems));
    return null;
  }
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1 on.');
  return {
    only: names(values.only ?? usual(sections, values.quick).join(), sections.map(nameOf), 'only'),
    systems: names(values.systems ?? (values.quick ? QUICK : systems).join(), systems, 'systems'),
    isQuick: values.quick,
    rounds,
    jsonFile: values.json ?? null,
    allSkills: values['all-skills'],
    isProfiled: values.profile,
    build: values.build,
    serverUrl: process.env.TEST_DATABASE_URL || null,
  };
}
