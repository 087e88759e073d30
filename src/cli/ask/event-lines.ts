import type { TurnEvent } from '../client/turn-event.js';

export type Style = 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** What is shown in lines of its own: neither text nor the end. */
export type LineEvent = Exclude<TurnEvent, { __typename: 'TextDelta' | 'TextReset' | 'TurnDone' }>;

/** Where the turn runs, for those who want to do something about it. */
export interface Whereabouts {
  readonly serverUrl: string;
  readonly conversationId: string;
  /** A person looks on, who may want to leave. */
  readonly live: boolean;
}

const MAX_CHARACTERS = 240;
const MAX_ARGUMENT_CHARACTERS = 160;
/** Whoever is to allow something has to see what. */
const MAX_ASKED_CHARACTERS = 2_000;

/** What a plan decides, for people. Others, of a newer server, speak for themselves. */
const actions: Record<string, string> = {
  CALL_SKILL: 'call',
  SYNTHESIZE: 'write the answer',
  CONTINUE_IN_BACKGROUND: 'go on in the background',
};

/** What a status comes with, for people. */
const details: Record<string, string> = {
  RETRYING: 'the model is tried again',
  HANDED_OVER: 'another server process takes over',
  APPROVED: 'it was allowed',
  DENIED: 'it was not allowed',
  EXPIRED: 'nobody answered in time, so it is not allowed',
};

/** An event in words, and how they are shown. */
export const linesOf = (event: LineEvent, where: Whereabouts): [Style, string] => {
  switch (event.__typename) {
    case 'StatusChanged':
      return [
        'dim',
        `· ${inWords(event.status)}${after(': ', event.detail && (details[event.detail] ?? event.detail))}`,
      ];
    case 'PlanDecided':
      return ['cyan', planLine(event)];
    case 'SkillStarted':
      return ['cyan', `⚙ ${event.skill} … ${inBrief(event.arguments, MAX_ARGUMENT_CHARACTERS)}`.trimEnd()];
    case 'SkillFinished':
      return skillFinished(event);
    case 'SkillLoaded':
      return ['cyan', `▤ loaded the skill ${event.skill}`];
    case 'SourcesFound':
      return ['dim', sourceLines(event.sources)];
    case 'ApprovalRequested':
      return ['yellow', approvalLines(event.approval, where)];
    case 'MovedToBackground':
      return ['yellow', backgroundLines(event.message, where)];
  }
};

type EventOf<Name extends TurnEvent['__typename']> = Extract<TurnEvent, { __typename: Name }>;

const planLine = ({ action, nextSkill, reason }: EventOf<'PlanDecided'>): string =>
  `▸ plan: ${actions[action] ?? inWords(action)}${after(' ', nextSkill)}${after(' – ', reason && shortened(reason, MAX_CHARACTERS))}`;

const skillFinished = ({
  skill,
  callStatus,
  durationMs,
  resultPreview,
}: EventOf<'SkillFinished'>): [Style, string] => {
  const time = durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
  if (callStatus === 'SUCCEEDED') return ['green', `✓ ${skill} ${time}`];
  const why = after(': ', shortened(resultPreview, MAX_CHARACTERS));
  return ['red', `✗ ${skill} ${inWords(callStatus)} ${time}${why}`];
};

const sourceLines = (sources: EventOf<'SourcesFound'>['sources']): string => {
  if (sources.length === 0) return '▤ no sources';
  const lines = sources.map(({ marker, documentName, page, quote }) => {
    const place = page === null ? '' : `, page ${page}`;
    return `  [${marker}] ${documentName}${place}: ${shortened(quote, MAX_ARGUMENT_CHARACTERS)}`;
  });
  return ['▤ sources:', ...lines].join('\n');
};

const approvalLines = (
  { id, skill, arguments: given, reason, expiresAt }: EventOf<'ApprovalRequested'>['approval'],
  { serverUrl }: Whereabouts,
): string =>
  [
    `? may ${skill} be carried out? ${inBrief(given, MAX_ASKED_CHARACTERS)}`.trimEnd(),
    ...(reason ? [`  why: ${shortened(reason, MAX_CHARACTERS)}`] : []),
    `  Whoever may allow it answers until ${expiresAt}, in ${serverUrl}/explorer:`,
    `  mutation { resolveApproval(input: { approvalId: ${JSON.stringify(id)}, approve: true }) { status } }`,
  ].join('\n');

const backgroundLines = (message: string, { live, conversationId }: Whereabouts): string =>
  [
    `⇢ ${message}`,
    ...(live
      ? [
          '  Ctrl-C still cancels it. Close the terminal, and it goes on:',
          `  the answer will be in the conversation ${conversationId}.`,
        ]
      : []),
  ].join('\n');

const inBrief = (given: unknown, maxCharacters: number): string => {
  if (typeof given !== 'object' || given === null) return shortened(JSON.stringify(given), maxCharacters);
  const pairs = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return shortened(pairs.join(', '), maxCharacters);
};

/** In one line. */
const shortened = (text: string, maxCharacters: number): string => {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= maxCharacters) return characters.join('');
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

const after = (separator: string, text: string | null): string => (text ? separator + text : '');

/** SOME_NAME → some name */
export const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');
