import { citation } from '../citation.js';
import type { Phrases } from './phrase-book.js';
import { settings } from '../settings.js';

export const english: Phrases = {
  locale: 'en-GB',
  gap: ' ',
  colon: ': ',
  separator: ', ',
  yes: 'yes',
  no: 'no',
  quoted: (words) => `“${words}”`,
  units: {
    litre: 'litres',
    m3: 'm³',
    tonne: 'tonnes',
    passenger_km: 'passenger-km',
    tonne_km: 'tonne-km',
    night: 'nights',
  },

  noModel: `Note: no language model is configured; the built-in offline model is answering, by fixed rules. To connect one, set these variables and restart: ${settings}.`,
  greeting: 'Hello!',
  thanks: 'You are welcome.',
  nothingUnderWay: 'Nothing else is under way in this conversation.',
  identity: (name) => `I am ${name ?? 'your assistant'}.`,
  limits:
    'Without a language model I cannot talk freely: I recognise what my tools can do and report their results.',
  wordless: 'I found no words in your message.',
  cannot: (subject) =>
    `I cannot answer “${subject}”: without a language model I only do what my tools can do.`,
  heard: 'Understood. To have me remember it, say “remember that …”.',
  cannotAdvise:
    'Without a language model I cannot advise you freely. What I can do is work out your emissions item by item: you will see which one weighs most, and that is where to start. Give me your quantities with their units, for example “12,000 kWh of electricity in Senegal and 3,500 litres of diesel”.',
  canDo: 'Here is what I can do for you:',
  noTools: 'No tool is active in this assistant at the moment.',
  example: 'Tell me what would help you, with your figures and their units.',

  missing: 'To go on, I still need:',
  askMissing: 'Could you give me these details?',
  quantities: (units) =>
    `quantities above zero with their units (${units}), for example “12,000 kWh of electricity”`,
  noDetails: 'the facts to take into account (I recognised none in your message)',
  unread: (quoted) => `I did not recognise what ${quoted} is of. Could you say?`,
  leftOut: (quoted) => `I did not recognise what ${quoted} is of: it is not counted.`,
  setAside: (quoted) => `Not counted, going by your message: ${quoted}. Tell me if it should be.`,
  range: (quoted) => `I cannot count a range (${quoted}). Which value should I take?`,
  unapplied: (quoted) => `I did not apply ${quoted}: the result leaves it out.`,
  otherCountries: (names) =>
    `Not counted for ${names}: every amount is counted once. Ask again for each country to compare them.`,
  differingPeriods: (said) =>
    `The amounts are not all of one period (${said}): the total only adds them up. Give them for the same period, or take the lines one by one.`,
  tooLarge: (quoted, most) => `I cannot count ${quoted}: a quantity goes up to ${most}. Could you check it?`,
  tooMany: (most) =>
    `That is too much at once: I take at most ${most} quantities a message. Could you split them up?`,

  failed: (reason) => `I could not finish: ${reason}`,
  askToMend: 'Would you like to correct or complete your request?',
  result: 'Here is what I found:',
  empty: 'Done; the tool returned nothing to show.',
  stored: 'Noted:',
  notKnown: (fields) => `Not known yet: ${fields}.`,
  factNotKnown: (fields) => `I do not have this yet: ${fields}.`,
  details: 'Breakdown',
  refused: 'Not counted',
  sources: 'Sources',
  caveats: 'Please note',
  citation,
  more: (count) => `and ${count} more`,

  summary: 'In short:',
  nothingToSummarise: 'There is nothing to summarise yet.',
  nothingToAdd: 'I have nothing to add to my last answer. Ask me something new or give me other figures.',
};
