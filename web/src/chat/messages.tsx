import { memo, type ReactNode, useRef, useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Answer } from './answer.js';
import type { ShownMessage } from './conversation-operations.js';
import { exchangeGroups, firstOf, keyOf } from './exchange-groups.js';
import { LiveAnswer } from './live-answer.js';
import { useNearness } from './nearness.js';
import { useIsPrinting } from './printing.js';
import { Question } from './question.js';
import { type Exchange, exchangesOf, hasEnded } from './turns.js';
import { Unanswered } from './unanswered.js';

interface MessagesProps {
  messages: readonly ShownMessage[];
  assistantName: string;
}

/** Exchanges of a stretch: as many as a page has that is read back to. */
const STRETCH = 50;
/** Exchanges of a group, which are drawn and left out together. */
const GROUP = 4;

/**
 * Of thousands of messages, those in sight and around it are drawn; of the others there is the text, to be found. At each
 * scroll browsers look at every part of a list: far away a whole stretch is one part, nearby each of its groups.
 */
export function Messages({ messages, assistantName }: MessagesProps) {
  const [stretchesOf] = useState(() => exchangeGroups(STRETCH));
  const stretches = stretchesOf(exchangesOf(messages));
  return (
    <div className="messages" role="list" aria-label={t('chat.messages')}>
      {stretches.map((exchanges, index) => (
        <Stretch
          key={keyOf(exchanges[0])}
          exchanges={exchanges}
          name={assistantName}
          isNewest={index === stretches.length - 1}
        />
      ))}
    </div>
  );
}

interface PartProps {
  exchanges: readonly Exchange[];
  name: string;
  /** What is said now is always drawn. */
  isNewest: boolean;
}

const Stretch = memo(function Stretch({ exchanges, name, isNewest }: PartProps) {
  const [groupsOf] = useState(() => exchangeGroups(GROUP));
  return (
    <Part exchanges={exchanges} isNewest={isNewest} kind="stretch">
      {() =>
        groupsOf(exchanges).map((group, index, groups) => (
          <Group
            key={keyOf(group[0])}
            exchanges={group}
            name={name}
            isNewest={isNewest && index >= groups.length - 2}
          />
        ))
      }
    </Part>
  );
}, areSame);

const Group = memo(function Group({ exchanges, name, isNewest }: PartProps) {
  return (
    <Part exchanges={exchanges} isNewest={isNewest} kind="group">
      {() => exchanges.map((exchange) => <ShownExchange key={keyOf(exchange)} {...exchange} name={name} />)}
    </Part>
  );
}, areSame);

function areSame(one: PartProps, other: PartProps): boolean {
  return (
    one.name === other.name &&
    one.isNewest === other.isNewest &&
    one.exchanges.length === other.exchanges.length &&
    one.exchanges.every(
      ({ question, answer }, index) =>
        question === other.exchanges[index]?.question && answer === other.exchanges[index]?.answer,
    )
  );
}

/** In window heights; a stretch is near before its groups are. */
const kinds = {
  stretch: { margin: '500%', heights: new WeakMap<object, number>() },
  group: { margin: '200%', heights: new WeakMap<object, number>() },
};

interface DrawnPartProps {
  exchanges: readonly Exchange[];
  isNewest: boolean;
  kind: keyof typeof kinds;
  children: () => ReactNode;
}

function Part({ exchanges, isNewest, kind, children }: DrawnPartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [first] = exchanges;
  const thing = (first && firstOf(first)) ?? kinds;
  const { isNear, height } = useNearness(ref, isNewest, { ...kinds[kind], thing });
  const isPrinting = useIsPrinting();
  const isDrawn = isNear || isNewest || isPrinting;
  return (
    <div
      ref={ref}
      className={isDrawn ? kind : `${kind} far`}
      style={isDrawn ? undefined : { height: height ?? estimatedHeight(exchanges) }}
    >
      {isDrawn
        ? children()
        : exchanges.map((exchange) => <FarExchange key={keyOf(exchange)} {...exchange} />)}
    </div>
  );
}

const ShownExchange = memo(function ShownExchange({ question, answer, name }: Exchange & { name: string }) {
  return (
    <div role="listitem" className="exchange">
      {question && <Question message={question} />}
      {answer && <Answer message={answer} assistantName={name} />}
      {question?.turn && !answer && (
        <Waiting key={question.turn.id} question={question} turn={question.turn} name={name} />
      )}
    </div>
  );
});

/** Text alone: the search of a browser and screen readers find it. */
function FarExchange({ question, answer }: Exchange) {
  return (
    <div role="listitem" className="exchange">
      {question && <article>{question.text}</article>}
      {answer && <article>{answer.text}</article>}
    </div>
  );
}

const LINE_PX = 25;
const LETTERS_PER_LINE = 90;

/** Pixels; what has been drawn once is known better. */
function estimatedHeight(exchanges: readonly Exchange[]): number {
  const lines = exchanges
    .flatMap(({ question, answer }) => [question, answer])
    .map((message) => (message === null ? 0 : 4 + message.text.length / LETTERS_PER_LINE));
  return Math.round(LINE_PX * lines.reduce((sum, count) => sum + count, 0));
}

interface WaitingProps {
  question: ShownMessage;
  turn: NonNullable<ShownMessage['turn']>;
  name: string;
}

function Waiting({ question, turn, name }: WaitingProps) {
  return hasEnded(turn) ? (
    <Unanswered question={question} turn={turn} />
  ) : (
    <LiveAnswer turnId={turn.id} assistantName={name} />
  );
}
